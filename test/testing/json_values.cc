#include "testing/json_values.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

#include <nlohmann/json.hpp>

namespace sheaf::testing {

void BadLiteral(const std::string& what) {
  std::fprintf(stderr, "bad literal: %s\n", what.c_str());
  std::abort();
}

namespace {

using Json = nlohmann::json;

template <typename T>
void Store(T value, uint8_t* target) {
  std::memcpy(target, &value, sizeof(T));
}

/// An integer of `width` bytes; -1 as well as 2^64 - 1 may be meant by all ones.
void WriteInteger(const Json& value, int width, uint8_t* target) {
  if (!value.is_number_integer()) BadLiteral("no integer: " + value.dump());
  const uint64_t bits = value.is_number_unsigned() ? value.get<uint64_t>()
                                                   : static_cast<uint64_t>(value.get<int64_t>());
  if (width < 8) {
    const auto number = static_cast<int64_t>(bits);
    if (number >= int64_t{1} << (8 * width) || number < -(int64_t{1} << (8 * width - 1))) {
      BadLiteral(value.dump() + " does not fit " + std::to_string(width) + " bytes");
    }
  }
  std::memcpy(target, &bits, static_cast<size_t>(width));  // Little-endian, as everything here.
}

double NumberFrom(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_object() || !value.contains("f")) BadLiteral("no number: " + value.dump());
  const auto text = value["f"].get<std::string>();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  return text[0] == '-' ? -INFINITY : INFINITY;
}

/// Two's complement of |digits| in `width` bytes.
void WriteDigits(const std::string& digits, bool negative, int width, uint8_t* target) {
  std::vector<uint8_t> bytes(static_cast<size_t>(width), 0);
  for (const char digit : digits) {
    int carry = digit - '0';
    for (uint8_t& byte : bytes) {
      carry += byte * 10;
      byte = static_cast<uint8_t>(carry & 255);
      carry >>= 8;
    }
  }
  if (negative) {
    int carry = 1;
    for (uint8_t& byte : bytes) {
      carry += static_cast<uint8_t>(~byte);
      byte = static_cast<uint8_t>(carry & 255);
      carry >>= 8;
    }
  }
  std::copy(bytes.begin(), bytes.end(), target);
}

/// "-1.23" with scale 2 is the integer -123.
void WriteDecimal(const Json& value, int scale, int width, uint8_t* target) {
  std::string text =
      value.is_object() ? value.at("d").get<std::string>() : value.get<std::string>();
  const bool negative = !text.empty() && text[0] == '-';
  if (negative) text.erase(0, 1);
  const size_t point = text.find('.');
  int fraction_digits = 0;
  if (point != std::string::npos) {
    fraction_digits = static_cast<int>(text.size() - point - 1);
    text.erase(point, 1);
  }
  for (; fraction_digits < scale; ++fraction_digits) text += '0';
  for (; fraction_digits > scale; --fraction_digits) {
    if (text.back() != '0') BadLiteral(value.dump() + " has more digits than the scale");
    text.pop_back();
    if (text.empty()) text = "0";
  }
  WriteDigits(text, negative, width, target);
}

/// A list of integers side by side: the parts of an interval.
void WriteParts(const Json& value, std::initializer_list<int> widths, uint8_t* target) {
  if (!value.is_array() || value.size() != widths.size())
    BadLiteral("no interval: " + value.dump());
  size_t i = 0;
  for (const int width : widths) {
    WriteInteger(value[i++], width, target);
    target += width;
  }
}

int NibbleFrom(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  return (digit | 0x20) - 'a' + 10;
}

}  // namespace

uint16_t HalfFrom(double number) {
  const uint16_t sign = std::signbit(number) ? 0x8000 : 0;
  const double size = std::fabs(number);
  if (std::isnan(number)) return sign | 0x7e00;
  if (size == 0) return sign;
  if (size >= 65520) return sign | 0x7c00;  // Rounds past the largest half.
  int exponent = 0;
  std::frexp(size, &exponent);                                   // size < 2^exponent
  const int unit = std::max(exponent - 11, -24);                 // Exponent of the last bit kept.
  const double units = std::nearbyint(std::ldexp(size, -unit));  // To nearest even.
  if (unit == -24) return static_cast<uint16_t>(sign | static_cast<int>(units));
  // A carry out of the fraction moves the exponent on by itself.
  return static_cast<uint16_t>(sign | (((unit + 24) << 10) + static_cast<int>(units)));
}

std::string BytesFrom(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_object() || !value.contains("b")) BadLiteral("no bytes: " + value.dump());
  const auto hex = value["b"].get<std::string>();
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(NibbleFrom(hex[i]) * 16 + NibbleFrom(hex[i + 1]));
  }
  return bytes;
}

void WriteFixedWidth(const DataType& storage, const Json& value, uint8_t* target) {
  const int width = storage.byte_width();
  switch (storage.id()) {
    case TypeId::kFloat16:
      return Store(HalfFrom(NumberFrom(value)), target);
    case TypeId::kFloat32:
      return Store(static_cast<float>(NumberFrom(value)), target);
    case TypeId::kFloat64:
      return Store(NumberFrom(value), target);
    case TypeId::kDecimal32:
    case TypeId::kDecimal64:
    case TypeId::kDecimal128:
    case TypeId::kDecimal256:
      return WriteDecimal(value, storage.scale(), width, target);
    case TypeId::kIntervalDayTime:
      return WriteParts(value, {4, 4}, target);
    case TypeId::kIntervalMonthDayNano:
      return WriteParts(value, {4, 4, 8}, target);
    case TypeId::kFixedSizeBinary: {
      const std::string bytes = BytesFrom(value);
      if (static_cast<int>(bytes.size()) != width) BadLiteral(value.dump() + " has another width");
      std::copy(bytes.begin(), bytes.end(), target);
      return;
    }
    default:
      return WriteInteger(value, width, target);
  }
}

}  // namespace sheaf::testing
