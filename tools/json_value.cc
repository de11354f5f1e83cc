#include "tools/json_value.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "array/string_view_slot.h"
#include "array/utf8.h"
#include "sheaf/base/bits.h"
#include "sheaf/type/visit_layout.h"
#include "sheaf/type/visit_type.h"
#include "tools/column_path.h"
#include "tools/decimal_text.h"

namespace sheaf::tools {
namespace {

Json HexOf(std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  hex.reserve(bytes.size() * 2);
  for (const char character : bytes) {
    const auto byte = static_cast<uint8_t>(character);
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return {{"b", hex}};
}

/// IEEE 754 binary16: 1 sign bit, 5 of exponent, 10 of fraction.
double Float16ToDouble(uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  const double magnitude = exponent == 31  ? (fraction == 0 ? HUGE_VAL : std::nan(""))
                           : exponent == 0 ? std::ldexp(fraction, -24)
                                           : std::ldexp(fraction + 1024, exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

Json OfFloat(double value) {
  if (std::isfinite(value)) return value;
  return {{"f", std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf"}};
}

Json OfBytes(const DataType& type, std::string_view bytes) {
  // What claims to be UTF-8 and is not cannot be a JSON string.
  if (IsUtf8(type.id()) && internal::IsUtf8Text(bytes)) return std::string(bytes);
  return HexOf(bytes);
}

Json OfFixedWidth(const DataType& type, const uint8_t* stored) {
  if (IsDecimal(type.id())) {
    return {{"d", DecimalText({stored, static_cast<size_t>(type.byte_width())}, type.scale())}};
  }
  return VisitType(type.id(), [&](auto logical) -> Json {
    using Value = typename decltype(logical)::Value;
    if constexpr (logical.kId == TypeId::kFloat16) {
      return OfFloat(Float16ToDouble(LoadUnaligned<uint16_t>(stored)));
    } else if constexpr (std::is_floating_point_v<Value>) {
      return OfFloat(LoadUnaligned<Value>(stored));
    } else if constexpr (std::is_integral_v<Value>) {
      return LoadUnaligned<Value>(stored);
    } else if constexpr (std::is_same_v<Value, DayTime>) {
      const auto value = LoadUnaligned<DayTime>(stored);
      return Json::array({value.days, value.milliseconds});
    } else if constexpr (std::is_same_v<Value, MonthDayNano>) {
      const auto value = LoadUnaligned<MonthDayNano>(stored);
      return Json::array({value.months, value.days, value.nanoseconds});
    } else {
      const auto* bytes = reinterpret_cast<const char*>(stored);
      return HexOf({bytes, static_cast<size_t>(type.byte_width())});
    }
  });
}

template <typename Offset>
std::string_view BytesBetweenOffsets(const Array& array, int64_t row) {
  const Offset* offsets = array.slots<Offset>(1) + row;
  return {reinterpret_cast<const char*>(array.buffer(2).data()) + offsets[0],
          static_cast<size_t>(offsets[1] - offsets[0])};
}

Json OfElements(const Array& elements, int64_t begin, int64_t size) {
  Json values = Json::array();
  for (int64_t i = begin; i < begin + size; ++i) values.push_back(ValueAsJson(elements, i));
  return values;
}

Json OfEntries(const Array& entries, int64_t begin, int64_t size) {
  Json pairs = Json::array();
  for (int64_t i = begin; i < begin + size; ++i) {
    const int64_t slot = entries.offset() + i;
    pairs.push_back(
        Json::array({ValueAsJson(entries.child(0), slot), ValueAsJson(entries.child(1), slot)}));
  }
  return {{"m", pairs}};
}

Json OfStruct(const Array& array, const DataType& type, int64_t slot) {
  Json fields = Json::array();
  for (int i = 0; i < array.num_children(); ++i) {
    fields.push_back(Json::array({type.field(i).name(), ValueAsJson(array.child(i), slot)}));
  }
  return {{"s", fields}};
}

template <typename RunEnd>
Json OfRun(const Array& array, int64_t slot) {
  const Array& run_ends = array.child(0);
  const RunEnd* ends = run_ends.slots<RunEnd>(1);
  const RunEnd* run = std::upper_bound(ends, ends + run_ends.length(), slot);
  return ValueAsJson(array.child(1), run - ends);
}

Json OfDictionary(const Array& array, const DataType& type, int64_t row) {
  const auto index = VisitInteger(type.index_type().id(), [&](auto integer) {
    return static_cast<int64_t>(array.slots<decltype(integer)>(1)[row]);
  });
  return ValueAsJson(array.dictionary(), index);
}

}  // namespace

Json ValueAsJson(const Array& array, int64_t row) {
  if (!array.IsValid(row)) return nullptr;
  const DataType& type = array.type().storage();
  const int64_t slot = array.offset() + row;
  const auto union_child = [&] { return type.child_of_type_code()[array.slots<uint8_t>(0)[row]]; };
  return VisitLayout(
      array.layout(),
      Overloaded{
          [](NullLayout) { return Json(nullptr); },
          [&](BooleanLayout) { return Json(BitAt(array.buffer(1).data(), slot)); },
          [&](FixedWidthLayout) {
            return OfFixedWidth(type, array.buffer(1).data() + slot * type.byte_width());
          },
          [&](BinaryLike auto layout) {
            return OfBytes(type,
                           BytesBetweenOffsets<typename decltype(layout)::Offset>(array, row));
          },
          [&](BinaryViewLayout) {
            const auto* slots = array.slots<internal::StringViewSlot>(1);
            return OfBytes(type, internal::BytesOf(array, slots[row]));
          },
          [&](ListLike auto layout) {
            const auto* offsets = array.slots<typename decltype(layout)::Offset>(1) + row;
            const int64_t size = offsets[1] - offsets[0];
            return type.id() == TypeId::kMap ? OfEntries(array.child(0), offsets[0], size)
                                             : OfElements(array.child(0), offsets[0], size);
          },
          [&](ViewLike auto layout) {
            using Offset = typename decltype(layout)::Offset;
            return OfElements(array.child(0), array.slots<Offset>(1)[row],
                              array.slots<Offset>(2)[row]);
          },
          [&](FixedSizeListLayout) {
            const int64_t size = type.list_size();
            return OfElements(array.child(0), slot * size, size);
          },
          [&](StructLayout) { return OfStruct(array, type, slot); },
          [&](SparseUnionLayout) { return ValueAsJson(array.child(union_child()), slot); },
          [&](DenseUnionLayout) {
            return ValueAsJson(array.child(union_child()), array.slots<int32_t>(1)[row]);
          },
          [&](DictionaryLayout) { return OfDictionary(array, type, row); },
          [&](RunEndLike auto layout) {
            return OfRun<typename decltype(layout)::RunEnd>(array, slot);
          },
      });
}

std::vector<std::string> RowKeys(const Schema& schema) {
  std::vector<std::string> keys = ChildPaths("", schema.fields());
  for (std::string& key : keys) {
    if (key.starts_with('.')) key.erase(0, 1);
  }
  return keys;
}

}  // namespace sheaf::tools
