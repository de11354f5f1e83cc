#include "sheaf/array/print.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string_view>

#include "array/half_float.h"
#include "array/path.h"
#include "array/string_view_slot.h"
#include "array/wide_decimal.h"
#include "kernels/utf8.h"
#include "sheaf/array/dictionary_array.h"
#include "sheaf/array/run_end_array.h"
#include "sheaf/array/union_array.h"
#include "sheaf/base/bits.h"
#include "sheaf/type/visit_layout.h"
#include "sheaf/type/visit_type.h"

namespace sheaf::inline v1 {
namespace {

/// Rows that `Array::ToString` writes out; of a longer array it says how many more there are.
constexpr int64_t kMostRows = 200;

/// Where a value ends that has not ended by then: views that share elements at several levels, and
/// lists of nulls, can be small in memory and endless as text.
constexpr size_t kMostTextBytes = size_t{1} << 20;
constexpr size_t kMostJsonBytes = size_t{1} << 28;

template <typename Number>
void AppendNumber(Number number, std::string* text) {
  char digits[40];
  const auto end = std::to_chars(digits, digits + sizeof(digits), number).ptr;
  text->append(digits, end);
}

/// The shortest digits that read back to the same value, with a mark that it is a float.
template <typename Float>
void AppendFinite(Float value, std::string* text) {
  const size_t start = text->size();
  AppendNumber(value, text);
  if (text->find_first_of(".e", start) == std::string::npos) text->append(".0");
}

}  // namespace

namespace internal {
namespace {

/// Largest scale, either way, that is written out as zeros; a schema may claim one of two billions.
constexpr int kMostZeros = 1000;

void AppendDecimal(WideDecimal value, int scale, std::string* text) {
  const bool negative = value.negative;
  std::string digits;  // Lowest first.
  while (!value.IsZero()) digits.push_back(static_cast<char>('0' + value.DivideByTen()));
  if (digits.empty()) digits.push_back('0');
  const bool zero = digits == "0";
  const bool far = scale > kMostZeros || scale < -kMostZeros;
  const std::string exponent = far ? Concat("E", -int64_t{scale}) : std::string();
  if (far) scale = 0;
  while (static_cast<int>(digits.size()) <= scale) digits.push_back('0');
  std::reverse(digits.begin(), digits.end());
  if (scale > 0) digits.insert(digits.size() - static_cast<size_t>(scale), 1, '.');
  if (scale < 0 && !zero) digits.append(static_cast<size_t>(-scale), '0');
  if (negative) text->push_back('-');
  text->append(digits).append(exponent);
}

void AppendHex(std::string_view bytes, std::string* text) {
  static constexpr char kDigits[] = "0123456789abcdef";
  for (const char byte : bytes) {
    text->push_back(kDigits[static_cast<uint8_t>(byte) >> 4]);
    text->push_back(kDigits[static_cast<uint8_t>(byte) & 15]);
  }
}

/// Writes one value and all below it.
class ValueWriter {
 public:
  ValueWriter(PrintStyle style, std::string* text)
      : json_(style == PrintStyle::kJson),
        most_bytes_(text->size() + (json_ ? kMostJsonBytes : kMostTextBytes)),
        text_(text) {}

  /// Whether nothing was left out.
  bool whole() const noexcept { return whole_; }

  void Write(const Array& array, int64_t row) {
    if (array.layout().has_validity && array.IsNull(row)) return Put("null");
    VisitLayout(array.layout(),
                Overloaded{
                    [&](NullLayout) { Put("null"); },
                    [&](BooleanLayout) {
                      Put(BitAt(array.buffer(1).data(), array.offset() + row) ? "true" : "false");
                    },
                    [&](FixedWidthLayout) { WriteFixedWidth(array, row); },
                    [&]<BinaryLike L>(L) {
                      const auto* at = array.slots<typename L::Offset>(1) + row;
                      WriteBytes(array, {array.buffer(2).as<char>() + at[0],
                                         static_cast<size_t>(at[1] - at[0])});
                    },
                    [&](BinaryViewLayout) {
                      WriteBytes(array, BytesOf(array, array.slots<StringViewSlot>(1)[row]));
                    },
                    [&]<ListLike L>(L) {
                      const auto* at = array.slots<typename L::Offset>(1) + row;
                      WriteList(array, at[0], at[1] - at[0]);
                    },
                    [&]<ViewLike L>(L) {
                      WriteList(array, array.slots<typename L::Offset>(1)[row],
                                array.slots<typename L::Offset>(2)[row]);
                    },
                    [&](FixedSizeListLayout) {
                      const int64_t size = array.type().list_size();
                      WriteList(array, (array.offset() + row) * size, size);
                    },
                    [&](StructLayout) { WriteStruct(array, row); },
                    [&](UnionLike auto) {
                      const auto rows = UnionArray::From(array);
                      Write(rows->child(rows->child_index(row)), rows->child_slot(row));
                    },
                    [&](DictionaryLayout) {
                      Write(array.dictionary(), DictionaryArray::From(array)->index(row));
                    },
                    [&](RunEndLike auto) {
                      Write(array.child(1), RunEndArray::From(array)->physical_index(row));
                    },
                });
  }

 private:
  void Put(std::string_view text) { text_->append(text); }

  /// Writes items with commas between, until the value has become too long.
  template <typename Item>
  void WriteItems(int64_t count, Item&& item) {
    for (int64_t i = 0; i < count; ++i) {
      if (i > 0) Put(", ");
      if (text_->size() > most_bytes_) {
        whole_ = false;
        return Put("...");
      }
      item(i);
    }
  }

  void WriteBytes(const Array& array, std::string_view bytes) {
    if (IsUtf8(array.type().storage().id()))
      return AppendJsonString({bytes.data(), bytes.size()}, text_);
    Put(json_ ? "{\"b\": \"" : "x\"");
    AppendHex(bytes, text_);
    Put(json_ ? "\"}" : "\"");
  }

  template <typename Float>
  void WriteFloat(Float value) {
    if (std::isfinite(value)) {
      return json_ ? AppendFinite(static_cast<double>(value), text_) : AppendFinite(value, text_);
    }
    const std::string_view word = std::isnan(value) ? "nan" : (value > 0 ? "inf" : "-inf");
    if (json_) Put("{\"f\": \"");
    Put(word);
    if (json_) Put("\"}");
  }

  void WriteIntegers(std::initializer_list<int64_t> values) {
    Put("[");
    WriteItems(static_cast<int64_t>(values.size()),
               [&](int64_t i) { AppendNumber(values.begin()[i], text_); });
    Put("]");
  }

  void WriteFixedWidth(const Array& array, int64_t row) {
    const DataType& type = array.type().storage();
    const int64_t width = type.byte_width();
    const uint8_t* at = array.buffer(1).data() + (array.offset() + row) * width;
    if (IsDecimal(type.id())) {
      Put(json_ ? "{\"d\": \"" : "");
      AppendDecimal(WideDecimal::Load(at, static_cast<int>(width)), type.scale(), text_);
      return Put(json_ ? "\"}" : "");
    }
    VisitType(type.id(), [&]<TypeId kId>(LogicalType<kId>) {
      using Value = typename LogicalType<kId>::Value;
      if constexpr (kId == TypeId::kFloat16) {
        WriteFloat(HalfToFloat(LoadUnaligned<uint16_t>(at)));
      } else if constexpr (kId == TypeId::kFloat32 || kId == TypeId::kFloat64) {
        WriteFloat(LoadUnaligned<Value>(at));
      } else if constexpr (kId == TypeId::kIntervalDayTime) {
        const auto value = LoadUnaligned<DayTime>(at);
        WriteIntegers({value.days, value.milliseconds});
      } else if constexpr (kId == TypeId::kIntervalMonthDayNano) {
        const auto value = LoadUnaligned<MonthDayNano>(at);
        WriteIntegers({value.months, value.days, value.nanoseconds});
      } else if constexpr (kId == TypeId::kFixedSizeBinary) {
        WriteBytes(array, {reinterpret_cast<const char*>(at), static_cast<size_t>(width)});
      } else if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool>) {
        AppendNumber(LoadUnaligned<Value>(at), text_);
      }
    });
  }

  void WriteList(const Array& array, int64_t begin, int64_t size) {
    const Array& elements = array.child(0);
    if (array.type().storage().id() == TypeId::kMap) return WriteMap(elements, begin, size);
    Put("[");
    WriteItems(size, [&](int64_t i) { Write(elements, begin + i); });
    Put("]");
  }

  void WriteMap(const Array& entries, int64_t begin, int64_t size) {
    Put(json_ ? "{\"m\": [" : "{");
    WriteItems(size, [&](int64_t i) {
      const int64_t at = entries.offset() + begin + i;
      if (json_) Put("[");
      Write(entries.child(0), at);
      Put(json_ ? ", " : ": ");
      Write(entries.child(1), at);
      if (json_) Put("]");
    });
    Put(json_ ? "]}" : "}");
  }

  void WriteStruct(const Array& array, int64_t row) {
    Put(json_ ? "{\"s\": [" : "{");
    WriteItems(array.num_children(), [&](int64_t i) {
      const std::string& name = array.type().field(static_cast<int>(i)).name();
      if (json_) {
        Put("[");
        AppendJsonString({name.data(), name.size()}, text_);
        Put(", ");
      } else {
        Put(name);
        Put(": ");
      }
      Write(array.child(static_cast<int>(i)), array.offset() + row);
      if (json_) Put("]");
    });
    Put(json_ ? "]}" : "}");
  }

  bool json_;
  size_t most_bytes_;
  std::string* text_;
  bool whole_ = true;
};

}  // namespace
}  // namespace internal

bool AppendValue(const Array& array, int64_t row, PrintStyle style, std::string* text) {
  internal::ValueWriter writer(style, text);
  writer.Write(array, row);
  return writer.whole();
}

void AppendJsonString(string_view text, std::string* json) {
  const std::string_view bytes(text.data(), text.size());
  json->push_back('"');
  for (size_t at = 0; at < bytes.size();) {
    const size_t size = kernels::CodePointSize(bytes, at);
    const char first = bytes[at];
    if (size == 0) {
      json->append("\xEF\xBF\xBD");
    } else if (first == '"' || first == '\\') {
      json->push_back('\\');
      json->push_back(first);
    } else if (size == 1 && (static_cast<uint8_t>(first) < 0x20 || first == 0x7F)) {
      json->append("\\u00");
      internal::AppendHex(bytes.substr(at, 1), json);
    } else {
      json->append(bytes.substr(at, size));
    }
    at += size == 0 ? 1 : size;
  }
  json->push_back('"');
}

std::string ValueToString(const Array& array, int64_t row, PrintStyle style) {
  const Array one = array.Row(row);
  if (one.length() == 0) return internal::Concat("<no row ", row, ">");
  if (const Status status = one.Verify(); !status.ok()) {
    return internal::Concat("<invalid: ", status.message(), ">");
  }
  std::string text;
  AppendValue(one, 0, style, &text);
  return text;
}

std::string Array::ToString() const {
  if (const Status status = Verify(); !status.ok()) {
    return internal::Concat("<invalid: ", status.message(), ">");
  }
  std::string text = "[";
  int64_t rows = std::min(length_, kMostRows);
  for (int64_t i = 0; i < rows; ++i) {
    if (text.size() > kMostTextBytes) {
      rows = i;
      break;
    }
    if (i > 0) text.append(", ");
    AppendValue(*this, i, PrintStyle::kText, &text);
  }
  if (rows < length_) text.append(internal::Concat(", ... ", length_ - rows, " more"));
  text.push_back(']');
  return text;
}

}  // namespace sheaf
