#include "tools/json_number.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include <nlohmann/json.hpp>

#include "sheaf/type/visit_type.h"

namespace sheaf::tools {
namespace {

using Json = nlohmann::json;

/// The only value of an object of one key.
const Json* Tagged(const Json& value, const char* key) {
  if (!value.is_object() || value.size() != 1) return nullptr;
  const auto found = value.find(key);
  return found == value.end() ? nullptr : &*found;
}

template <typename T>
void Store(T value, uint8_t* target) {
  std::memcpy(target, &value, sizeof(T));
}

template <typename T>
bool WriteInteger(const Json& value, uint8_t* target) {
  if (!value.is_number_integer()) return false;
  if (value.is_number_unsigned() ? !std::in_range<T>(value.get<uint64_t>())
                                 : !std::in_range<T>(value.get<int64_t>())) {
    return false;
  }
  Store(value.get<T>(), target);
  return true;
}

bool ReadDouble(const Json& value, double* number) {
  if (value.is_number()) {
    *number = value.get<double>();
    return true;
  }
  const Json* name = Tagged(value, "f");
  if (name == nullptr) return false;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (*name == "nan")
    *number = std::numeric_limits<double>::quiet_NaN();
  else if (*name == "inf")
    *number = kInfinity;
  else if (*name == "-inf")
    *number = -kInfinity;
  else
    return false;
  return true;
}

/// Half precision, rounded to nearest even; what is past the largest half becomes infinite.
uint16_t HalfFrom(double number) {
  const uint16_t sign = std::signbit(number) ? 0x8000 : 0;
  const double size = std::fabs(number);
  if (std::isnan(number)) return static_cast<uint16_t>(sign | 0x7E00);
  if (size == 0) return sign;
  if (size >= 65520) return static_cast<uint16_t>(sign | 0x7C00);
  int exponent = 0;
  std::frexp(size, &exponent);                                   // size < 2^exponent
  const int unit = std::max(exponent - 11, -24);                 // Exponent of the last bit kept.
  const double units = std::nearbyint(std::ldexp(size, -unit));  // To nearest even.
  if (unit == -24) return static_cast<uint16_t>(sign | static_cast<int>(units));
  // A carry out of the fraction moves the exponent on by itself.
  return static_cast<uint16_t>(sign | (((unit + 24) << 10) + static_cast<int>(units)));
}

template <typename T>
bool WriteFloat(const Json& value, uint8_t* target) {
  double number = 0;
  if (!ReadDouble(value, &number)) return false;
  // Infinite only where infinity was asked for.
  if constexpr (std::is_same_v<T, uint16_t>) {
    if (std::isfinite(number) && std::fabs(number) >= 65520) return false;
    Store(HalfFrom(number), target);
  } else {
    const T rounded = static_cast<T>(number);
    if (std::isfinite(number) != std::isfinite(rounded)) return false;
    Store(rounded, target);
  }
  return true;
}

/// `-1.23`, `45`, `7E-2000`.
struct DecimalText {
  std::string digits;
  int64_t fraction_digits = 0;
  bool negative = false;
};

bool ReadDecimal(std::string_view text, DecimalText* decimal) {
  decimal->negative = text.starts_with('-');
  if (decimal->negative) text.remove_prefix(1);
  if (const size_t mark = text.find('E'); mark != std::string_view::npos) {
    int32_t exponent = 0;
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data() + mark + 1, end, exponent);
    if (parsed.ec != std::errc() || parsed.ptr != end) return false;
    decimal->fraction_digits = -int64_t{exponent};
    text = text.substr(0, mark);
  }
  bool point = false;
  for (const char character : text) {
    if (character == '.' && !point) {
      point = true;
      continue;
    }
    if (character < '0' || character > '9') return false;
    decimal->digits.push_back(character);
    decimal->fraction_digits += point ? 1 : 0;
  }
  if (decimal->digits.empty() || text.back() == '.') return false;
  decimal->digits.erase(0, decimal->digits.find_first_not_of('0'));
  return true;
}

/// Two's complement of the digits in `width` bytes; they fit.
void StoreDigits(const std::string& digits, bool negative, int width, uint8_t* target) {
  const auto size = static_cast<size_t>(width);
  std::array<uint8_t, 32> bytes{};
  for (const char digit : digits) {
    int carry = digit - '0';
    for (size_t i = 0; i < size; ++i) {
      carry += bytes[i] * 10;
      bytes[i] = static_cast<uint8_t>(carry & 255);
      carry >>= 8;
    }
  }
  int carry = 1;
  for (size_t i = 0; negative && i < size; ++i) {
    carry += static_cast<uint8_t>(~bytes[i]);
    bytes[i] = static_cast<uint8_t>(carry & 255);
    carry >>= 8;
  }
  std::memcpy(target, bytes.data(), size);
}

bool WriteDecimal(const DataType& storage, const Json& value, uint8_t* target) {
  const Json* text = Tagged(value, "d");
  if (text == nullptr) text = &value;
  DecimalText decimal;
  if (!text->is_string() || !ReadDecimal(text->get_ref<const std::string&>(), &decimal))
    return false;
  std::string& digits = decimal.digits;
  if (!digits.empty()) {  // Zero has no digit left, and every scale.
    int64_t missing = int64_t{storage.scale()} - decimal.fraction_digits;
    for (; missing < 0; ++missing) {
      if (digits.empty() || digits.back() != '0') return false;
      digits.pop_back();
    }
    if (missing + static_cast<int64_t>(digits.size()) > storage.precision()) return false;
    digits.append(static_cast<size_t>(missing), '0');
  }
  StoreDigits(digits, decimal.negative, storage.byte_width(), target);
  return true;
}

bool WriteDayTime(const Json& value, uint8_t* target) {
  return value.is_array() && value.size() == 2 && WriteInteger<int32_t>(value[0], target) &&
         WriteInteger<int32_t>(value[1], target + 4);
}

bool WriteMonthDayNano(const Json& value, uint8_t* target) {
  return value.is_array() && value.size() == 3 && WriteInteger<int32_t>(value[0], target) &&
         WriteInteger<int32_t>(value[1], target + 4) && WriteInteger<int64_t>(value[2], target + 8);
}

bool WriteFixedSizeBytes(const Json& value, int width, uint8_t* target) {
  std::string bytes;
  if (!ReadBytes(value, &bytes) || bytes.size() != static_cast<size_t>(width)) return false;
  if (width > 0) std::memcpy(target, bytes.data(), bytes.size());
  return true;
}

int Nibble(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  const char lower = static_cast<char>(digit | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

}  // namespace

bool ReadBytes(const Json& value, std::string* bytes) {
  if (value.is_string()) {
    bytes->append(value.get_ref<const std::string&>());
    return true;
  }
  const Json* tagged = Tagged(value, "b");
  if (tagged == nullptr || !tagged->is_string()) return false;
  const auto& hex = tagged->get_ref<const std::string&>();
  if (hex.size() % 2 != 0) return false;
  for (size_t i = 0; i < hex.size(); i += 2) {
    const int high = Nibble(hex[i]);
    const int low = Nibble(hex[i + 1]);
    if (high < 0 || low < 0) return false;
    bytes->push_back(static_cast<char>(high * 16 + low));
  }
  return true;
}

std::string TextForm(const DataType& storage) {
  return IsUtf8(storage.id()) ? "\"text\" or null" : "\"text\", {\"b\": \"hex digits\"} or null";
}

std::string FixedWidthForm(const DataType& storage) {
  if (IsDecimal(storage.id())) {
    return "{\"d\": \"digits\"} of at most " + std::to_string(storage.precision()) +
           " digits at scale " + std::to_string(storage.scale()) + ", or null";
  }
  switch (storage.id()) {
    case TypeId::kFloat16:
    case TypeId::kFloat32:
    case TypeId::kFloat64:
      return "a number in its range, {\"f\": \"nan\"}, {\"f\": \"inf\"}, {\"f\": \"-inf\"} or null";
    case TypeId::kIntervalDayTime:
      return "[days, milliseconds] or null";
    case TypeId::kIntervalMonthDayNano:
      return "[months, days, nanoseconds] or null";
    case TypeId::kFixedSizeBinary:
      return "\"text\" or {\"b\": \"hex digits\"} of " + std::to_string(storage.byte_width()) +
             " bytes, or null";
    default:
      return "an integer of " + std::to_string(8 * storage.byte_width()) + " bits or null";
  }
}

bool WriteFixedWidth(const DataType& storage, const Json& value, uint8_t* target) {
  if (IsDecimal(storage.id())) return WriteDecimal(storage, value, target);
  return VisitType(storage.id(), [&]<TypeId kId>(LogicalType<kId>) {
    using Value = typename LogicalType<kId>::Value;
    if constexpr (kId == TypeId::kFloat16) {
      return WriteFloat<uint16_t>(value, target);
    } else if constexpr (std::is_floating_point_v<Value>) {
      return WriteFloat<Value>(value, target);
    } else if constexpr (kId == TypeId::kIntervalDayTime) {
      return WriteDayTime(value, target);
    } else if constexpr (kId == TypeId::kIntervalMonthDayNano) {
      return WriteMonthDayNano(value, target);
    } else if constexpr (kId == TypeId::kFixedSizeBinary) {
      return WriteFixedSizeBytes(value, storage.byte_width(), target);
    } else if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool>) {
      return WriteInteger<Value>(value, target);
    } else {
      return false;
    }
  });
}

}  // namespace sheaf::tools
