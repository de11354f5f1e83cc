#include "testing/model.h"

#include <algorithm>
#include <ostream>

namespace sheaf::testing {

bool operator==(const ListValue& a, const ListValue& b) { return a.items == b.items; }
bool operator==(const StructValue& a, const StructValue& b) { return a.fields == b.fields; }
bool operator==(const UnionValue& a, const UnionValue& b) {
  return a.type_id == b.type_id && a.value == b.value;
}

void Append(Values* values, const Values& more) {
  const Values copy = more;  // `more` may be `*values`.
  values->insert(values->end(), copy.begin(), copy.end());
}

void AppendSlice(Values* values, const Values& more, int64_t offset, int64_t length) {
  Append(values, Slice(more, offset, length));
}

void AppendRepeated(Values* values, const Value& value, int64_t n) {
  const Value copy = value;
  values->insert(values->end(), static_cast<size_t>(n), copy);
}

Values Slice(const Values& values, int64_t offset, int64_t length) {
  return Values(values.begin() + offset, values.begin() + offset + length);
}

Values Concatenate(std::span<const Values> parts) {
  Values result;
  for (const Values& part : parts) Append(&result, part);
  return result;
}

int64_t CountNulls(const Values& values) {
  return std::count_if(values.begin(), values.end(),
                       [](const Value& value) { return value.is_null(); });
}

namespace {

template <typename... Functions>
struct Overloads : Functions... {
  using Functions::operator()...;
};
template <typename... Functions>
Overloads(Functions...) -> Overloads<Functions...>;

std::string Join(const Values& values) {
  std::string text;
  for (const Value& value : values) {
    if (!text.empty()) text += ", ";
    text += ToText(value);
  }
  return text;
}

std::string BytesText(const std::string& bytes) {
  const bool printable = std::all_of(bytes.begin(), bytes.end(),
                                     [](char byte) { return byte >= ' ' && byte != '\x7f'; });
  if (printable) return '"' + bytes + '"';
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "x'";
  for (const char byte : bytes) {
    text += kDigits[(byte >> 4) & 15];
    text += kDigits[byte & 15];
  }
  return text + '\'';
}

}  // namespace

std::string ToText(const Value& value) {
  return std::visit(Overloads{
                        [](NullValue) { return std::string("null"); },
                        [](bool data) { return std::string(data ? "true" : "false"); },
                        [](int64_t data) { return std::to_string(data); },
                        [](uint64_t data) { return std::to_string(data); },
                        [](const FloatValue& data) { return std::to_string(data.number); },
                        [](const BytesValue& data) { return BytesText(data.bytes); },
                        [](const ListValue& data) { return '[' + Join(data.items) + ']'; },
                        [](const StructValue& data) { return '{' + Join(data.fields) + '}'; },
                        [](const UnionValue& data) {
                          return std::to_string(data.type_id) + ':' + Join(data.value);
                        },
                    },
                    value.data);
}

std::string ToText(const Values& values) { return '[' + Join(values) + ']'; }

void PrintTo(const Value& value, std::ostream* out) { *out << ToText(value); }

std::string FirstDifference(const Values& actual, const Values& expected) {
  if (actual.size() != expected.size()) {
    return "has " + std::to_string(actual.size()) + " rows, not " + std::to_string(expected.size());
  }
  const auto [left, right] = std::mismatch(actual.begin(), actual.end(), expected.begin());
  if (left == actual.end()) return "";
  return "row " + std::to_string(left - actual.begin()) + " is " + ToText(*left) + ", not " +
         ToText(*right);
}

}  // namespace sheaf::testing
