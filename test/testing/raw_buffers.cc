#include "testing/raw_buffers.h"

#include "sheaf/base/bits.h"
#include "testing/json_values.h"

namespace sheaf::testing {

Buffer BytesBuffer(const void* bytes, size_t size_bytes) {
  if (size_bytes == 0) return Buffer::Empty();
  StatusOr<Buffer> buffer = Buffer::Copy({static_cast<const uint8_t*>(bytes), size_bytes});
  if (!buffer.ok()) BadLiteral(buffer.status().ToString());
  return *std::move(buffer);
}

namespace {

template <typename T>
Buffer Narrowed(const std::vector<int64_t>& values) {
  std::vector<T> narrow;
  for (const int64_t value : values) narrow.push_back(static_cast<T>(value));
  return ValuesBuffer(narrow);
}

}  // namespace

Buffer Integers(const std::vector<int64_t>& values, int bits) {
  switch (bits) {
    case 8:
      return Narrowed<int8_t>(values);
    case 16:
      return Narrowed<int16_t>(values);
    case 32:
      return Narrowed<int32_t>(values);
    case 64:
      return Narrowed<int64_t>(values);
    default:
      BadLiteral("no integer has " + std::to_string(bits) + " bits");
  }
}

Buffer Bits(const std::vector<bool>& bits) {
  std::vector<uint8_t> bytes(static_cast<size_t>(BytesForBits(static_cast<int64_t>(bits.size()))),
                             0);
  for (size_t i = 0; i < bits.size(); ++i) SetBitTo(bytes.data(), static_cast<int64_t>(i), bits[i]);
  return ValuesBuffer(bytes);
}

Buffer Bits(const std::string& digits) {
  if (digits.empty()) return Buffer();
  std::vector<bool> bits;
  for (const char digit : digits) bits.push_back(digit == '1');
  return Bits(bits);
}

Array MakeRaw(ArrayParts parts) {
  StatusOr<Array> array = MakeArray(std::move(parts), ValidationLevel::kNone);
  if (!array.ok()) BadLiteral(array.status().ToString());
  return *std::move(array);
}

}  // namespace sheaf::testing
