#include "sheaf/compute/fill.h"

#include <limits>
#include <span>
#include <type_traits>

#include "base/error.h"
#include "sheaf/builder/array_builder.h"
#include "sheaf/memory/buffer.h"
#include "sheaf/type/visit_type.h"

namespace sheaf::inline v1 {
namespace {

using internal::InvalidArgument;

Status CheckIndices(const Array& indices) {
  if (!IsInteger(indices.type().id())) {
    return InvalidArgument("sparse fill: indices of type ", indices.type().ToString(),
                           ", where integers are wanted");
  }
  SHEAF_RETURN_IF_ERROR(indices.Verify());
  if (!indices.has_nulls()) return OkStatus();
  return InvalidArgument("sparse fill: index ", FindBit(indices.validity(), 0, false), " is null");
}

/// The indices as they are, or widened into `widened`.
template <typename Index>
StatusOr<std::span<const int64_t>> Widened(const Array& indices, MemoryPool* pool,
                                           Buffer* widened) {
  const auto n = static_cast<size_t>(indices.length());
  if (n == 0) return std::span<const int64_t>();
  const Index* values = indices.slots<Index>(1);
  if constexpr (std::is_same_v<Index, int64_t>) return std::span<const int64_t>(values, n);
  SHEAF_ASSIGN_OR_RETURN(
      MutableBuffer buffer,
      MutableBuffer::Allocate(indices.length() * static_cast<int64_t>(sizeof(int64_t)), pool));
  auto* out = buffer.as<int64_t>();
  for (size_t j = 0; j < n; ++j) {
    if constexpr (std::is_same_v<Index, uint64_t>) {
      if (values[j] > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
        return InvalidArgument("sparse fill: index ", j, " is ", values[j],
                               ", more than any row's");
      }
    }
    out[j] = static_cast<int64_t>(values[j]);
  }
  *widened = std::move(buffer).Finish();
  return std::span<const int64_t>(widened->as<int64_t>(), n);
}

}  // namespace

Status FillConstant(ArrayBuilder& builder, const Array& value, int64_t n) {
  if (value.length() != 1) {
    return InvalidArgument("constant fill: ", value.length(), " values, where one is wanted");
  }
  return builder.AppendRepeated(value, 0, n);
}

Status FillSparse(ArrayBuilder& builder, const Array& fill, const Array& indices,
                  const Array& patches, PageRows page) {
  SHEAF_RETURN_IF_ERROR(CheckIndices(indices));
  Buffer widened;
  SHEAF_ASSIGN_OR_RETURN(
      const std::span<const int64_t> positions, VisitInteger(indices.type().id(), [&](auto index) {
        return Widened<decltype(index)>(indices, builder.options().pool, &widened);
      }));
  return builder.AppendSparse(fill, positions, patches, page.base, page.length);
}

}  // namespace sheaf::inline v1
