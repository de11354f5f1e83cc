#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sheaf/array/array.h"
#include "sheaf/memory/buffer.h"

namespace sheaf::testing {

/// Buffers and arrays from plain vectors, without a builder. Present even when empty.
Buffer BytesBuffer(const void* bytes, size_t size_bytes);

template <typename T>
Buffer ValuesBuffer(const std::vector<T>& values) {
  return BytesBuffer(values.data(), values.size() * sizeof(T));
}
template <typename T>
Buffer ValuesBuffer(const std::basic_string<T>& values) {
  return BytesBuffer(values.data(), values.size() * sizeof(T));
}

/// Integers of 8, 16, 32 or 64 bits, cut to that width.
Buffer Integers(const std::vector<int64_t>& values, int bits);

/// A bitmap, padding clear.
Buffer Bits(const std::vector<bool>& bits);
/// "101": one digit a row. "" is no bitmap at all.
Buffer Bits(const std::string& digits);

/// An array as it is, without a check; a refusal ends the program.
Array MakeRaw(ArrayParts parts);

}  // namespace sheaf::testing
