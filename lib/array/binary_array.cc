#include "sheaf/array/binary_array.h"

#include <cstring>
#include <limits>

#include "array/make_typed.h"

namespace sheaf::inline v1 {
namespace {

template <typename Offset>
bool HasOffsets(const Layout& layout) {
  return layout.id == LayoutId::kBinary && layout.offset_bits == 8 * sizeof(Offset);
}

template <typename Offset>
constexpr const char* kWanted =
    sizeof(Offset) == 4 ? "binary or utf8" : "large_binary or large_utf8";

}  // namespace

template <typename Offset>
StatusOr<BasicBinaryArray<Offset>> BasicBinaryArray<Offset>::From(Array array) {
  if (!HasOffsets<Offset>(array.layout())) return internal::WrongType(array, kWanted<Offset>);
  return BasicBinaryArray(std::move(array));
}

template <typename Offset>
StatusOr<BasicBinaryArray<Offset>> BasicBinaryArray<Offset>::Make(Buffer offsets, Buffer data,
                                                                  int64_t length, Buffer validity,
                                                                  ValidationLevel level,
                                                                  const DataType* type) {
  DataType made = type != nullptr ? *type : (sizeof(Offset) == 4 ? Utf8() : LargeUtf8());
  SHEAF_ASSIGN_OR_RETURN(
      Array array,
      MakeArray({.type = std::move(made),
                 .length = length,
                 .buffers = {std::move(validity), std::move(offsets), std::move(data)}},
                level));
  return From(std::move(array));
}

template <typename Offset>
StatusOr<BasicBinaryArray<Offset>> BasicBinaryArray<Offset>::FromValues(
    std::span<const std::string_view> values, std::span<const bool> valid, const DataType* type,
    MemoryPool* pool) {
  const auto length = static_cast<int64_t>(values.size());
  SHEAF_ASSIGN_OR_RETURN(Buffer validity, internal::PackValidity(valid, length, pool));
  int64_t total = 0;
  for (const std::string_view value : values) total += static_cast<int64_t>(value.size());
  if (total > std::numeric_limits<Offset>::max()) {
    return internal::OutOfRange(total, " bytes outgrow the offsets of ", kWanted<Offset>,
                                ": use the large type");
  }
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer offsets,
                         MutableBuffer::Allocate((length + 1) * int64_t{sizeof(Offset)}, pool));
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer data, MutableBuffer::Allocate(total, pool));
  auto* offset = offsets.as<Offset>();
  int64_t end = 0;
  *offset = 0;
  for (const std::string_view value : values) {
    if (!value.empty()) std::memcpy(data.data() + end, value.data(), value.size());
    end += static_cast<int64_t>(value.size());
    *++offset = static_cast<Offset>(end);
  }
  return Make(std::move(offsets).Finish(), std::move(data).Finish(), length, std::move(validity),
              ValidationLevel::kFull, type);
}

template class BasicBinaryArray<int32_t>;
template class BasicBinaryArray<int64_t>;

}  // namespace sheaf
