#include "c_data/format.h"

#include <charconv>
#include <optional>
#include <span>
#include <utility>

#include "base/error.h"
#include "sheaf/base/bits.h"
#include "sheaf/type/type_id.h"

namespace sheaf::inline v1::internal {
namespace {

// What a row's `make` gets: the text behind the row's own, and what the schema says besides.
struct FormatArguments {
  TypeId id;
  std::string_view rest;
  std::vector<Field>& children;
  bool keys_sorted;
};

// One row a type. `text` is the format up to its parameters; `print` writes those, `make` reads
// them.
struct FormatRow {
  TypeId id;
  std::string_view text;
  int num_children;  // -1: any.
  std::string (*print)(const DataType& type);
  StatusOr<DataType> (*make)(FormatArguments arguments);
};

// ── parameters as text ──

std::string NoParameters(const DataType&) { return {}; }

constexpr std::string_view kUnitLetters = "smun";  // In TimeUnit's order.

std::string PrintUnit(const DataType& type) {
  return std::string(1, kUnitLetters[static_cast<size_t>(type.unit())]);
}

std::string PrintUnitAndTimezone(const DataType& type) {
  return PrintUnit(type) + ":" + type.timezone();
}

std::string PrintDecimal(const DataType& type) {
  std::string text = Concat(type.precision(), ",", type.scale());
  // 128 bits is the default, and left out: readers of the first version know no other form.
  if (type.id() != TypeId::kDecimal128) text += Concat(",", type.byte_width() * 8);
  return text;
}

std::string PrintByteWidth(const DataType& type) { return Concat(type.byte_width()); }
std::string PrintListSize(const DataType& type) { return Concat(type.list_size()); }

std::string PrintTypeCodes(const DataType& type) {
  std::string text;
  for (const int8_t code : type.type_codes()) {
    if (!text.empty()) text += ',';
    text += Concat(static_cast<int32_t>(code));
  }
  return text;
}

// ── text to parameters; none: the text is wrong ──

std::optional<int32_t> ParseInteger(std::string_view text) {
  int32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::vector<int32_t>> ParseIntegers(std::string_view text) {
  std::vector<int32_t> values;
  while (true) {
    const size_t comma = text.find(',');
    const auto value = ParseInteger(text.substr(0, comma));
    if (!value) return std::nullopt;
    values.push_back(*value);
    if (comma == std::string_view::npos) return values;
    text.remove_prefix(comma + 1);
  }
}

std::optional<TimeUnit> ParseUnit(std::string_view text) {
  const size_t unit = text.size() == 1 ? kUnitLetters.find(text[0]) : std::string_view::npos;
  if (unit == std::string_view::npos) return std::nullopt;
  return static_cast<TimeUnit>(unit);
}

// ── makers ──

Status BadParameters(std::string_view wanted) {
  return InvalidArgument("its parameters should be ", wanted);
}

StatusOr<DataType> MakeSimple(FormatArguments arguments) { return SimpleType(arguments.id); }

StatusOr<DataType> MakeTime(FormatArguments arguments) {
  const auto unit = ParseUnit(arguments.rest);
  if (!unit) return BadParameters("a unit, one of s, m, u, n");
  return Time(*unit);
}

StatusOr<DataType> MakeDuration(FormatArguments arguments) {
  const auto unit = ParseUnit(arguments.rest);
  if (!unit) return BadParameters("a unit, one of s, m, u, n");
  return Duration(*unit);
}

StatusOr<DataType> MakeTimestamp(FormatArguments arguments) {
  const std::string_view rest = arguments.rest;
  const auto unit = ParseUnit(rest.substr(0, 1));
  if (!unit || rest.size() < 2 || rest[1] != ':') {
    return BadParameters("a unit, one of s, m, u, n, a colon, and a time zone or nothing");
  }
  return Timestamp(*unit, std::string(rest.substr(2)));
}

StatusOr<DataType> MakeDecimal(FormatArguments arguments) {
  const auto numbers = ParseIntegers(arguments.rest);
  if (!numbers || numbers->size() < 2 || numbers->size() > 3) {
    return BadParameters("precision, scale and, but for 128, a width in bits");
  }
  const int32_t bits = numbers->size() == 3 ? (*numbers)[2] : 128;
  constexpr std::pair<int32_t, TypeId> kWidths[] = {{32, TypeId::kDecimal32},
                                                    {64, TypeId::kDecimal64},
                                                    {128, TypeId::kDecimal128},
                                                    {256, TypeId::kDecimal256}};
  for (const auto& [width, id] : kWidths) {
    if (width == bits) return Decimal(id, (*numbers)[0], (*numbers)[1]);
  }
  return InvalidArgument("decimals have 32, 64, 128 or 256 bits, not ", bits);
}

StatusOr<DataType> MakeFixedSizeBinary(FormatArguments arguments) {
  const auto width = ParseInteger(arguments.rest);
  if (!width) return BadParameters("a number of bytes");
  return FixedSizeBinary(*width);
}

template <DataType (*kMake)(Field)>
StatusOr<DataType> MakeListLike(FormatArguments arguments) {
  return kMake(std::move(arguments.children[0]));
}

StatusOr<DataType> MakeFixedSizeList(FormatArguments arguments) {
  const auto size = ParseInteger(arguments.rest);
  if (!size) return BadParameters("a number of elements");
  return FixedSizeList(std::move(arguments.children[0]), *size);
}

StatusOr<DataType> MakeStruct(FormatArguments arguments) {
  return Struct(std::move(arguments.children));
}

StatusOr<DataType> MakeMap(FormatArguments arguments) {
  return MapOf(std::move(arguments.children[0]), arguments.keys_sorted);
}

StatusOr<DataType> MakeUnion(FormatArguments arguments) {
  const auto numbers = ParseIntegers(arguments.rest);
  if (!numbers) return BadParameters("type ids with commas between");
  std::vector<int8_t> codes;
  for (const int32_t number : *numbers) {
    if (number < 0 || number > 127)
      return InvalidArgument("type id ", number, " is not in [0, 127]");
    codes.push_back(static_cast<int8_t>(number));
  }
  return Union(arguments.id, std::move(arguments.children), std::move(codes));
}

StatusOr<DataType> MakeRunEndEncoded(FormatArguments arguments) {
  return RunEndEncodedOf(std::move(arguments.children[0]), std::move(arguments.children[1]));
}

// ── the table ──

constexpr FormatRow Simple(TypeId id, std::string_view text) {
  return {id, text, 0, NoParameters, MakeSimple};
}

constexpr FormatRow kRows[] = {
    Simple(TypeId::kNull, "n"),
    Simple(TypeId::kBoolean, "b"),
    Simple(TypeId::kInt8, "c"),
    Simple(TypeId::kUInt8, "C"),
    Simple(TypeId::kInt16, "s"),
    Simple(TypeId::kUInt16, "S"),
    Simple(TypeId::kInt32, "i"),
    Simple(TypeId::kUInt32, "I"),
    Simple(TypeId::kInt64, "l"),
    Simple(TypeId::kUInt64, "L"),
    Simple(TypeId::kFloat16, "e"),
    Simple(TypeId::kFloat32, "f"),
    Simple(TypeId::kFloat64, "g"),
    {TypeId::kDecimal32, "d:", 0, PrintDecimal, MakeDecimal},  // Four ids, told apart by the width.
    {TypeId::kDecimal64, "d:", 0, PrintDecimal, MakeDecimal},
    {TypeId::kDecimal128, "d:", 0, PrintDecimal, MakeDecimal},
    {TypeId::kDecimal256, "d:", 0, PrintDecimal, MakeDecimal},
    Simple(TypeId::kDate32, "tdD"),
    Simple(TypeId::kDate64, "tdm"),
    {TypeId::kTime32, "tt", 0, PrintUnit, MakeTime},  // Two ids, told apart by the unit.
    {TypeId::kTime64, "tt", 0, PrintUnit, MakeTime},
    {TypeId::kTimestamp, "ts", 0, PrintUnitAndTimezone, MakeTimestamp},
    {TypeId::kDuration, "tD", 0, PrintUnit, MakeDuration},
    Simple(TypeId::kIntervalMonths, "tiM"),
    Simple(TypeId::kIntervalDayTime, "tiD"),
    Simple(TypeId::kIntervalMonthDayNano, "tin"),
    {TypeId::kFixedSizeBinary, "w:", 0, PrintByteWidth, MakeFixedSizeBinary},
    Simple(TypeId::kBinary, "z"),
    Simple(TypeId::kUtf8, "u"),
    Simple(TypeId::kLargeBinary, "Z"),
    Simple(TypeId::kLargeUtf8, "U"),
    Simple(TypeId::kBinaryView, "vz"),
    Simple(TypeId::kUtf8View, "vu"),
    {TypeId::kList, "+l", 1, NoParameters, MakeListLike<List>},
    {TypeId::kLargeList, "+L", 1, NoParameters, MakeListLike<LargeList>},
    {TypeId::kListView, "+vl", 1, NoParameters, MakeListLike<ListView>},
    {TypeId::kLargeListView, "+vL", 1, NoParameters, MakeListLike<LargeListView>},
    {TypeId::kFixedSizeList, "+w:", 1, PrintListSize, MakeFixedSizeList},
    {TypeId::kStruct, "+s", -1, NoParameters, MakeStruct},
    {TypeId::kMap, "+m", 1, NoParameters, MakeMap},
    {TypeId::kSparseUnion, "+us:", -1, PrintTypeCodes, MakeUnion},
    {TypeId::kDenseUnion, "+ud:", -1, PrintTypeCodes, MakeUnion},
    {TypeId::kRunEndEncoded, "+r", 2, NoParameters, MakeRunEndEncoded},
};

// Dictionaries and extensions have no format of their own.
static_assert(std::size(kRows) == kTypeIdCount - 2, "a type has no row in the table of formats");

bool TakesParameters(const FormatRow& row) { return row.print != NoParameters; }

// The row of a format: the whole text, or what stands before the parameters. No row's text with
// parameters begins another's, so the first match is the only one.
const FormatRow* FindRow(std::string_view format) {
  for (const FormatRow& row : kRows) {
    if (format.empty() || row.text[0] != format[0]) continue;
    const bool matches =
        TakesParameters(row) ? format.substr(0, row.text.size()) == row.text : format == row.text;
    if (matches) return &row;
  }
  return nullptr;
}

Status FormatError(std::string_view format, const Status& status) {
  return ErrorOf(status.code(), {"format \"", format, "\": ", status.message()});
}

void AppendText(std::string_view text, std::string* encoded) {
  const auto size = static_cast<int32_t>(text.size());
  encoded->append(reinterpret_cast<const char*>(&size), sizeof(size));
  encoded->append(text);
}

// Reads a length and that many bytes, and moves on behind them.
std::optional<std::string> TakeText(const char** position) {
  const auto size = LoadUnaligned<int32_t>(*position);
  if (size < 0) return std::nullopt;
  std::string text(*position + sizeof(size), static_cast<size_t>(size));
  *position += sizeof(size) + static_cast<size_t>(size);
  return text;
}

}  // namespace

std::string FormatOf(const DataType& type) {
  const DataType& storage = type.storage();
  if (storage.id() == TypeId::kDictionary) return FormatOf(storage.index_type());
  for (const FormatRow& row : kRows) {
    if (row.id != storage.id()) continue;
    std::string format(row.text);
    if (TakesParameters(row)) format += row.print(storage);
    return format;
  }
  return {};  // Not reached: the assertion above.
}

StatusOr<DataType> ParseFormat(std::string_view format, std::vector<Field> children,
                               bool keys_sorted) {
  const FormatRow* row = FindRow(format);
  if (row == nullptr) return InvalidArgument("unknown format \"", format, "\"");
  const auto num_children = static_cast<int>(children.size());
  if (row->num_children >= 0 && row->num_children != num_children) {
    return InvalidArgument("format \"", format, "\": ", num_children,
                           " children where the type has ", row->num_children);
  }
  auto type = row->make({row->id, format.substr(row->text.size()), children, keys_sorted});
  if (!type.ok()) return FormatError(format, type.status());
  return type;
}

std::string EncodeMetadata(const Metadata& metadata) {
  std::string encoded;
  if (metadata.empty()) return encoded;
  const auto count = static_cast<int32_t>(metadata.size());
  encoded.append(reinterpret_cast<const char*>(&count), sizeof(count));
  for (const auto& [key, value] : metadata) {
    AppendText(key, &encoded);
    AppendText(value, &encoded);
  }
  return encoded;
}

StatusOr<Metadata> DecodeMetadata(const char* encoded) {
  Metadata metadata;
  if (encoded == nullptr) return metadata;
  const auto count = LoadUnaligned<int32_t>(encoded);
  if (count < 0) return InvalidArgument("metadata: ", count, " pairs");
  const char* position = encoded + sizeof(count);
  for (int32_t i = 0; i < count; ++i) {
    auto key = TakeText(&position);
    if (!key) return InvalidArgument("metadata, pair ", i, ": the key's length is negative");
    auto value = TakeText(&position);
    if (!value) return InvalidArgument("metadata, pair ", i, ": the value's length is negative");
    metadata.emplace_back(*std::move(key), *std::move(value));
  }
  return metadata;
}

}  // namespace sheaf::inline v1::internal
