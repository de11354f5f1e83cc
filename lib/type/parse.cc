// Reads what type/print.cc prints: recursive descent over the text, at most 64 levels deep.
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "sheaf/type/visit_type.h"
#include "type/text_scanner.h"
#include "type/type_node.h"
#include "type/type_text.h"

namespace sheaf::inline v1 {
namespace internal {
namespace {

constexpr int kMostLevels = 64;

class TypeParser : private TextScanner {
 public:
  using TextScanner::TextScanner;

  StatusOr<DataType> ParseAll() {
    SHEAF_ASSIGN_OR_RETURN(DataType type, ParseDataType());
    if (!AtEnd()) return Error("the end");
    return type;
  }

 private:
  /// What a factory says, with the place.
  StatusOr<DataType> Made(StatusOr<DataType> type) const {
    if (type.ok()) return type;
    return AtPath(Concat("type text, position ", position_), type.status());
  }

  // Fields.

  /// `name:` if the text goes on so; else nothing is taken.
  StatusOr<std::optional<std::string>> ParseOptionalName() {
    const size_t start = position_;
    if (AtQuote() || !PeekWord().empty()) {
      SHEAF_ASSIGN_OR_RETURN(std::string name, ParseText(IsNameByte, "a name"));
      if (Take(':')) return std::optional<std::string>(std::move(name));
    }
    position_ = start;
    return std::optional<std::string>();
  }

  /// What a field says about itself: name and nullability may be left to what is usual.
  struct FieldText {
    std::optional<std::string> name;
    DataType type;
    std::optional<bool> nullable;

    Field Make(std::string_view usual_name, bool usually_nullable = true) && {
      return Field(std::move(name).value_or(std::string(usual_name)), std::move(type),
                   nullable.value_or(usually_nullable));
    }
  };

  StatusOr<std::optional<bool>> ParseNullable() {
    if (TakeWord("nullable")) return std::optional<bool>(true);
    if (!TakeWord("not")) return std::optional<bool>();
    if (!TakeWord("null")) return Error("null");
    return std::optional<bool>(false);
  }

  StatusOr<FieldText> ParseChild() {
    FieldText field;
    SHEAF_ASSIGN_OR_RETURN(field.name, ParseOptionalName());
    SHEAF_ASSIGN_OR_RETURN(field.type, ParseDataType());
    SHEAF_ASSIGN_OR_RETURN(field.nullable, ParseNullable());
    return field;
  }

  StatusOr<Field> ParseField() {
    const size_t start = position_;
    SHEAF_ASSIGN_OR_RETURN(FieldText field, ParseChild());
    if (!field.name) return ErrorAt(start, "a field's name and ':'");
    return std::move(field).Make("");
  }

  // Types.

  StatusOr<DataType> ParseDataType() {
    if (level_ >= kMostLevels) {
      return InvalidArgument("type text, position ", position_, ": more than ", kMostLevels,
                             " levels");
    }
    ++level_;
    auto type = ParseOneLevel();
    --level_;
    return type;
  }

  StatusOr<DataType> ParseOneLevel() {
    const std::string_view word = PeekWord();
    if (word == "interval") return ParseInterval();
    for (int i = 0; i < kTypeIdCount; ++i) {
      const auto id = static_cast<TypeId>(i);
      if (TypeName(id) != word) continue;
      position_ += word.size();
      if (IsSimple(id)) return DataType(SimpleNode(id));
      return ParseParameters(id);
    }
    return Error("a type");
  }

  StatusOr<DataType> ParseInterval() {
    const std::string_view rest = text_.substr(position_);
    for (const TypeId id :
         {TypeId::kIntervalMonths, TypeId::kIntervalDayTime, TypeId::kIntervalMonthDayNano}) {
      if (!rest.starts_with(TypeName(id))) continue;
      position_ += TypeName(id).size();
      return DataType(SimpleNode(id));
    }
    return Error("interval[months], interval[day_time] or interval[month_day_nano]");
  }

  StatusOr<DataType> ParseParameters(TypeId id) {
    switch (id) {
      case TypeId::kTime32:
      case TypeId::kTime64:
      case TypeId::kDuration:
      case TypeId::kTimestamp:
        return ParseTemporal(id);
      case TypeId::kFixedSizeBinary: {
        SHEAF_ASSIGN_OR_RETURN(const int32_t byte_width, ParseInBrackets("a width in bytes"));
        return Made(FixedSizeBinary(byte_width));
      }
      case TypeId::kList:
      case TypeId::kLargeList:
      case TypeId::kListView:
      case TypeId::kLargeListView:
      case TypeId::kFixedSizeList:
        return ParseList(id);
      case TypeId::kStruct:
        return ParseStruct();
      case TypeId::kMap:
        return ParseMap();
      case TypeId::kSparseUnion:
      case TypeId::kDenseUnion:
        return ParseUnion(id);
      case TypeId::kDictionary:
        return ParseDictionary();
      case TypeId::kRunEndEncoded:
        return ParseRunEnds();
      case TypeId::kExtension:
        return ParseExtension();
      default:
        return ParseDecimal(id);
    }
  }

  StatusOr<DataType> ParseDecimal(TypeId id) {
    SHEAF_RETURN_IF_ERROR(Expect('('));
    SHEAF_ASSIGN_OR_RETURN(const int32_t precision, ParseInt32("a precision"));
    SHEAF_RETURN_IF_ERROR(Expect(','));
    SHEAF_ASSIGN_OR_RETURN(const int32_t scale, ParseInt32("a scale"));
    SHEAF_RETURN_IF_ERROR(Expect(')'));
    return Made(Decimal(id, precision, scale));
  }

  StatusOr<TimeUnit> ParseUnit() {
    for (const TimeUnit unit :
         {TimeUnit::kSecond, TimeUnit::kMilli, TimeUnit::kMicro, TimeUnit::kNano}) {
      if (TakeWord(kUnitNames[static_cast<size_t>(unit)])) return unit;
    }
    return Error("a unit: s, ms, us or ns");
  }

  StatusOr<DataType> ParseTemporal(TypeId id) {
    SHEAF_RETURN_IF_ERROR(Expect('['));
    const size_t unit_position = position_;
    SHEAF_ASSIGN_OR_RETURN(const TimeUnit unit, ParseUnit());
    std::string timezone;
    if (id == TypeId::kTimestamp && Take(',')) {
      SHEAF_ASSIGN_OR_RETURN(timezone, ParseText(IsWordByte, "a time zone"));
    }
    SHEAF_RETURN_IF_ERROR(Expect(']'));
    if (id == TypeId::kTimestamp) return Timestamp(unit, std::move(timezone));
    if (id == TypeId::kDuration) return Duration(unit);
    const DataType time = Time(unit);
    if (time.id() == id) return time;
    return ErrorAt(unit_position, id == TypeId::kTime32 ? "s or ms" : "us or ns");
  }

  StatusOr<int32_t> ParseInBrackets(std::string_view what) {
    SHEAF_RETURN_IF_ERROR(Expect('['));
    SHEAF_ASSIGN_OR_RETURN(const int32_t value, ParseInt32(what));
    SHEAF_RETURN_IF_ERROR(Expect(']'));
    return value;
  }

  StatusOr<DataType> ParseList(TypeId id) {
    SHEAF_RETURN_IF_ERROR(Expect('<'));
    SHEAF_ASSIGN_OR_RETURN(FieldText child, ParseChild());
    SHEAF_RETURN_IF_ERROR(Expect('>'));
    Field elements = std::move(child).Make(kItemName);
    switch (id) {
      case TypeId::kList:
        return List(std::move(elements));
      case TypeId::kLargeList:
        return LargeList(std::move(elements));
      case TypeId::kListView:
        return ListView(std::move(elements));
      case TypeId::kLargeListView:
        return LargeListView(std::move(elements));
      default: {
        SHEAF_ASSIGN_OR_RETURN(const int32_t list_size, ParseInBrackets("a size in elements"));
        return Made(FixedSizeList(std::move(elements), list_size));
      }
    }
  }

  StatusOr<DataType> ParseStruct() {
    SHEAF_RETURN_IF_ERROR(Expect('<'));
    std::vector<Field> fields;
    while (!Take('>')) {
      if (!fields.empty()) SHEAF_RETURN_IF_ERROR(Expect(','));
      SHEAF_ASSIGN_OR_RETURN(Field field, ParseField());
      fields.push_back(std::move(field));
    }
    return Struct(std::move(fields));
  }

  StatusOr<DataType> ParseMap() {
    SHEAF_RETURN_IF_ERROR(Expect('<'));
    SHEAF_ASSIGN_OR_RETURN(FieldText first, ParseChild());
    std::optional<FieldText> value;
    bool comma = Take(',');
    bool keys_sorted = comma && TakeKeysSorted();
    if (comma && !keys_sorted) {
      SHEAF_ASSIGN_OR_RETURN(value, ParseChild());
      comma = Take(',');
      keys_sorted = comma && TakeKeysSorted();
      if (comma && !keys_sorted) return Error(kKeysSorted);
    }
    SHEAF_RETURN_IF_ERROR(Expect('>'));
    if (!value) return Made(MapOf(std::move(first).Make(kEntriesName), keys_sorted));
    DataType entries = Struct({std::move(first).Make(kKeyName, /*usually_nullable=*/false),
                               (*std::move(value)).Make(kValueName)});
    return Made(MapOf(Field(std::string(kEntriesName), std::move(entries), /*nullable=*/false),
                      keys_sorted));
  }

  /// The word, unless it is the name of a field.
  bool TakeKeysSorted() {
    const size_t start = position_;
    if (TakeWord(kKeysSorted)) {
      const size_t end = position_;
      if (!Take(':')) {
        position_ = end;
        return true;
      }
    }
    position_ = start;
    return false;
  }

  StatusOr<DataType> ParseUnion(TypeId id) {
    SHEAF_RETURN_IF_ERROR(Expect('<'));
    std::vector<Field> fields;
    std::vector<int8_t> type_codes;
    while (!Take('>')) {
      if (!fields.empty()) SHEAF_RETURN_IF_ERROR(Expect(','));
      SHEAF_ASSIGN_OR_RETURN(Field field, ParseField());
      SHEAF_RETURN_IF_ERROR(Expect('='));
      const size_t code_position = position_;
      SHEAF_ASSIGN_OR_RETURN(const int32_t code, ParseInt32("a type code"));
      if (code != static_cast<int8_t>(code)) {
        return ErrorAt(code_position, "a type code of 0 to 127");
      }
      fields.push_back(std::move(field));
      type_codes.push_back(static_cast<int8_t>(code));
    }
    return Made(Union(id, std::move(fields), std::move(type_codes)));
  }

  StatusOr<DataType> ParseDictionary() {
    SHEAF_RETURN_IF_ERROR(Expect('<'));
    SHEAF_ASSIGN_OR_RETURN(const DataType index, ParseDataType());
    SHEAF_RETURN_IF_ERROR(Expect(','));
    SHEAF_ASSIGN_OR_RETURN(const DataType value, ParseDataType());
    const bool ordered = Take(',');
    if (ordered && !TakeWord(kOrdered)) return Error(kOrdered);
    SHEAF_RETURN_IF_ERROR(Expect('>'));
    return Made(Dictionary(index, value, ordered));
  }

  StatusOr<DataType> ParseRunEnds() {
    SHEAF_RETURN_IF_ERROR(Expect('<'));
    SHEAF_ASSIGN_OR_RETURN(FieldText run_ends, ParseChild());
    SHEAF_RETURN_IF_ERROR(Expect(','));
    SHEAF_ASSIGN_OR_RETURN(FieldText values, ParseChild());
    SHEAF_RETURN_IF_ERROR(Expect('>'));
    return Made(RunEndEncodedOf(std::move(run_ends).Make(kRunEndsName, /*usually_nullable=*/false),
                                std::move(values).Make(kValuesName)));
  }

  StatusOr<DataType> ParseExtension() {
    SHEAF_RETURN_IF_ERROR(Expect('<'));
    SHEAF_ASSIGN_OR_RETURN(std::string name, ParseText(IsWordByte, "an extension's name"));
    SHEAF_RETURN_IF_ERROR(Expect(','));
    // The storage is the same level: an extension has its storage's children. It is no extension
    // itself, so the level still bounds the recursion.
    if (PeekWord() == TypeName(TypeId::kExtension)) return Error("a type that is no extension");
    --level_;
    auto storage = ParseDataType();
    ++level_;
    if (!storage.ok()) return storage;
    std::string metadata;
    if (Take(',')) {
      if (!AtQuote()) return Error("quoted metadata");
      SHEAF_ASSIGN_OR_RETURN(metadata, ParseQuoted());
    }
    SHEAF_RETURN_IF_ERROR(Expect('>'));
    return Extension(std::move(name), std::move(metadata), *storage);
  }

  int level_ = 0;
};

}  // namespace
}  // namespace internal

StatusOr<DataType> ParseType(string_view text) {
  return internal::TypeParser(std::string_view(text.data(), text.size())).ParseAll();
}

}  // namespace sheaf::inline v1
