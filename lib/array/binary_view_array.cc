#include "sheaf/array/binary_view_array.h"

#include <cstring>
#include <limits>

#include "array/make_typed.h"
#include "array/string_view_slot.h"

namespace sheaf::inline v1 {

using internal::StringViewSlot;

StatusOr<BinaryViewArray> BinaryViewArray::From(Array array) {
  if (array.layout().id != LayoutId::kBinaryView) {
    return internal::WrongType(array, "binary_view or utf8_view");
  }
  return BinaryViewArray(std::move(array));
}

StatusOr<BinaryViewArray> BinaryViewArray::Make(Buffer views, std::vector<Buffer> data,
                                                int64_t length, Buffer validity,
                                                ValidationLevel level, const DataType* type) {
  ArrayParts parts;
  parts.type = type != nullptr ? *type : Utf8View();
  parts.length = length;
  parts.buffers = {std::move(validity), std::move(views)};
  for (Buffer& buffer : data) parts.buffers.push_back(std::move(buffer));
  SHEAF_ASSIGN_OR_RETURN(Array array, MakeArray(std::move(parts), level));
  return From(std::move(array));
}

StatusOr<BinaryViewArray> BinaryViewArray::FromValues(std::span<const std::string_view> values,
                                                      std::span<const bool> valid,
                                                      const DataType* type, MemoryPool* pool) {
  const auto length = static_cast<int64_t>(values.size());
  SHEAF_ASSIGN_OR_RETURN(Buffer validity, internal::PackValidity(valid, length, pool));
  const auto is_stored = [&](size_t i) {
    return !internal::FitsInline(values[i]) && (valid.empty() || valid[i]);
  };
  int64_t total = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    if (is_stored(i)) total += static_cast<int64_t>(values[i].size());
  }
  if (total > std::numeric_limits<int32_t>::max()) {
    return internal::OutOfRange(total, " bytes outgrow one data buffer of 2 GiB");
  }
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer views,
                         MutableBuffer::Allocate(length * int64_t{sizeof(StringViewSlot)}, pool));
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer data, MutableBuffer::Allocate(total, pool));
  int64_t end = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    StringViewSlot slot = {};  // A null's slot is all zeros.
    if (is_stored(i)) {
      slot = internal::LongSlot(values[i], 0, static_cast<int32_t>(end));
      std::memcpy(data.data() + end, values[i].data(), values[i].size());
      end += static_cast<int64_t>(values[i].size());
    } else if (valid.empty() || valid[i]) {
      slot = internal::InlineSlot(values[i]);
    }
    std::memcpy(views.data() + i * sizeof(slot), &slot, sizeof(slot));
  }
  std::vector<Buffer> buffers;
  if (total > 0) buffers.push_back(std::move(data).Finish());
  return Make(std::move(views).Finish(), std::move(buffers), length, std::move(validity),
              ValidationLevel::kFull, type);
}

std::string_view BinaryViewArray::view(int64_t i) const noexcept {
  if (!IsValid(i)) return {};
  return internal::BytesOf(*this, slots<StringViewSlot>(1)[i]);
}

}  // namespace sheaf
