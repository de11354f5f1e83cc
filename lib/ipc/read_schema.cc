#include "ipc/read_schema.h"

#include <utility>

#include "base/error.h"
#include "ipc/format_types.h"
#include "sheaf/type/data_type.h"
#include "sheaf/type/extension.h"

namespace sheaf::inline v1::internal {
namespace {

using FormatFields = const flatbuffers::Vector<flatbuffers::Offset<format::Field>>*;
using FormatMetadata = const flatbuffers::Vector<flatbuffers::Offset<format::KeyValue>>*;

/// Reads the tree of fields from the top. An error gets its path on the way out, a step a level.
class SchemaReader {
 public:
  SchemaReader(int64_t metadata_bytes, int max_depth)
      : text_left_(16 * metadata_bytes + 4096), max_depth_(max_depth) {}

  StatusOr<StreamSchema> Read(const format::Schema* table) {
    if (table == nullptr) return InvalidArgument("the schema message holds no schema");
    StreamSchema result;
    result.big_endian = table->endianness() != format::Endianness::Little;
    SHEAF_ASSIGN_OR_RETURN(std::vector<Field> fields, ReadFields(table->fields(), 1));
    result.columns = std::move(columns_);
    result.dictionaries = std::move(dictionaries_);
    SHEAF_ASSIGN_OR_RETURN(Metadata metadata, ReadMetadata(table->custom_metadata()));
    result.schema = Schema(std::move(fields), std::move(metadata));
    return result;
  }

 private:
  StatusOr<std::vector<Field>> ReadFields(FormatFields tables, int depth) {
    std::vector<Field> fields;
    if (tables == nullptr) return fields;
    for (uint32_t i = 0; i < tables->size(); ++i) {
      auto field = ReadField(*tables->Get(i), depth);
      if (!field.ok()) return AtPath(Concat("$", Step(tables, i)), field.status());
      fields.push_back(*std::move(field));
      if (depth == 1) columns_.push_back(std::exchange(ids_, {}));
    }
    return fields;
  }

  /// The step to a field, as paths of arrays have it: `.name`, or `[i]` where that says nothing.
  static std::string Step(FormatFields tables, uint32_t index) {
    const std::string_view name = NameOf(*tables->Get(index));
    int uses = 0;
    for (const format::Field* table : *tables) uses += NameOf(*table) == name ? 1 : 0;
    return name.empty() || uses > 1 ? Concat("[", index, "]") : Concat(".", name);
  }
  static std::string_view NameOf(const format::Field& table) {
    const flatbuffers::String* name = table.name();
    return name == nullptr ? std::string_view() : std::string_view(name->data(), name->size());
  }

  StatusOr<Field> ReadField(const format::Field& table, int depth) {
    if (depth > max_depth_) return InvalidArgument("nested deeper than ", max_depth_, " levels");
    SHEAF_ASSIGN_OR_RETURN(std::string name, ReadText(table.name()));
    const format::DictionaryEncoding* encoding = table.dictionary();
    DictionaryIds outer;
    if (encoding != nullptr) outer = std::exchange(ids_, {});
    SHEAF_ASSIGN_OR_RETURN(std::vector<Field> children, ReadFields(table.children(), depth + 1));
    SHEAF_ASSIGN_OR_RETURN(DataType type, ReadType(table, std::move(children)));
    if (encoding != nullptr) {
      SHEAF_RETURN_IF_ERROR(Declare(
          encoding->id(), {.values = type, .inner = std::exchange(ids_, std::move(outer))}));
      ids_.push_back(encoding->id());
      SHEAF_ASSIGN_OR_RETURN(type, ReadDictionaryType(*encoding, type));
    }
    SHEAF_ASSIGN_OR_RETURN(Metadata metadata, ReadMetadata(table.custom_metadata()));
    return ResolveExtension(
        Field(std::move(name), std::move(type), table.nullable(), std::move(metadata)));
  }

  StatusOr<DataType> ReadDictionaryType(const format::DictionaryEncoding& encoding,
                                        const DataType& values) {
    DataType indices = Int32();  // Where the format names none.
    if (const format::Int* table = encoding.index_type(); table != nullptr) {
      SHEAF_ASSIGN_OR_RETURN(indices, Simple({.id = {},
                                              .type = format::Type::Int,
                                              .bit_width = table->bit_width(),
                                              .is_signed = table->is_signed()}));
    }
    return Dictionary(indices, values, encoding.ordered());
  }

  /// Fields may share a dictionary, if they agree on what it holds.
  Status Declare(int64_t id, const DictionaryDeclaration& declaration) {
    const auto [place, is_new] = dictionaries_.try_emplace(id, declaration);
    const DictionaryDeclaration& known = place->second;
    if (known.values == declaration.values && known.inner == declaration.inner) return OkStatus();
    return InvalidArgument("dictionary ", id, " is one of ", known.values.ToString(),
                           " and one of ", declaration.values.ToString());
  }

  StatusOr<DataType> ReadType(const format::Field& table, std::vector<Field> children);
  StatusOr<DataType> ReadUnion(const format::Union& table, std::vector<Field> children);

  /// A type that its row of the table says all about.
  StatusOr<DataType> Simple(const FormatType& key) {
    const FormatType* row = FindFormatType(key);
    if (row == nullptr) {
      return InvalidArgument("no type of the format: ", format::EnumNameType(key.type),
                             ", bit width ", key.bit_width, ", unit or precision ", key.variant);
    }
    return SimpleType(row->id);
  }

  StatusOr<DataType> ReadDecimal(const format::Decimal& table) {
    const FormatType* row =
        FindFormatType({.id = {}, .type = format::Type::Decimal, .bit_width = table.bit_width()});
    if (row == nullptr) return InvalidArgument("no decimal of ", table.bit_width(), " bits");
    return Decimal(row->id, table.precision(), table.scale());
  }

  StatusOr<TimeUnit> ReadUnit(format::TimeUnit unit) {
    // The two enumerations have the same values.
    if (unit < format::TimeUnit::MIN || unit > format::TimeUnit::MAX) {
      return InvalidArgument("no time unit: ", static_cast<int>(unit));
    }
    return static_cast<TimeUnit>(unit);
  }

  StatusOr<DataType> ReadTime(const format::Time& table) {
    SHEAF_ASSIGN_OR_RETURN(const TimeUnit unit, ReadUnit(table.unit()));
    DataType type = Time(unit);
    if (table.bit_width() != 8 * type.byte_width()) {
      return InvalidArgument(type.ToString(), " has no values of ", table.bit_width(), " bits");
    }
    return type;
  }

  Status CheckChildren(const std::vector<Field>& children, size_t count) {
    if (children.size() == count) return OkStatus();
    return InvalidArgument("its type has ", static_cast<uint64_t>(count), " children, not ",
                           static_cast<uint64_t>(children.size()));
  }

  StatusOr<std::string> ReadText(const flatbuffers::String* text) {
    if (text == nullptr) return std::string();
    text_left_ -= static_cast<int64_t>(text->size());
    if (text_left_ < 0) return InvalidArgument("names and metadata far exceed their message");
    return text->str();
  }

  StatusOr<Metadata> ReadMetadata(FormatMetadata pairs) {
    Metadata metadata;
    if (pairs == nullptr) return metadata;
    for (const format::KeyValue* pair : *pairs) {
      SHEAF_ASSIGN_OR_RETURN(std::string key, ReadText(pair->key()));
      SHEAF_ASSIGN_OR_RETURN(std::string value, ReadText(pair->value()));
      metadata.emplace_back(std::move(key), std::move(value));
    }
    return metadata;
  }

  std::vector<DictionaryIds> columns_;
  std::map<int64_t, DictionaryDeclaration> dictionaries_;
  DictionaryIds ids_;  ///< Met so far in the column, or in the values of the innermost dictionary.
  int64_t text_left_;
  int max_depth_;
};

StatusOr<DataType> SchemaReader::ReadUnion(const format::Union& table,
                                           std::vector<Field> children) {
  const FormatType* row = FindFormatType(
      {.id = {}, .type = format::Type::Union, .variant = static_cast<int16_t>(table.mode())});
  if (row == nullptr) return InvalidArgument("no union mode: ", static_cast<int>(table.mode()));
  std::vector<int8_t> codes;
  if (table.type_ids() == nullptr) {
    if (children.size() > 128) return InvalidArgument("a union has at most 128 fields");
    for (size_t i = 0; i < children.size(); ++i) codes.push_back(static_cast<int8_t>(i));
  } else {
    for (const int32_t code : *table.type_ids()) {
      if (code < 0 || code > 127)
        return InvalidArgument("union type id ", code, " is not in 0..127");
      codes.push_back(static_cast<int8_t>(code));
    }
  }
  return Union(row->id, std::move(children), std::move(codes));
}

StatusOr<DataType> SchemaReader::ReadType(const format::Field& table, std::vector<Field> children) {
  // The one place that takes the format's tables apart. A table that is not there is damage.
  const format::Type type = table.type_type();
  if (type == format::Type::NONE || table.type() == nullptr)
    return InvalidArgument("it has no type");
  if (type > format::Type::MAX) {
    return Unimplemented("type ", static_cast<int>(type), " of the format is not known");
  }

  using format::Type;
  switch (type) {
    case Type::List:
    case Type::LargeList:
    case Type::ListView:
    case Type::LargeListView:
    case Type::FixedSizeList:
    case Type::Map:
      SHEAF_RETURN_IF_ERROR(CheckChildren(children, 1));
      break;
    case Type::RunEndEncoded:
      SHEAF_RETURN_IF_ERROR(CheckChildren(children, 2));
      break;
    case Type::Struct_:
    case Type::Union:
      break;
    default:
      SHEAF_RETURN_IF_ERROR(CheckChildren(children, 0));
  }

  switch (type) {
    case Type::Int:
      return Simple({.id = {},
                     .type = type,
                     .bit_width = table.type_as_Int()->bit_width(),
                     .is_signed = table.type_as_Int()->is_signed()});
    case Type::FloatingPoint:
      return Simple({.id = {},
                     .type = type,
                     .variant = static_cast<int16_t>(table.type_as_FloatingPoint()->precision())});
    case Type::Date:
      return Simple(
          {.id = {}, .type = type, .variant = static_cast<int16_t>(table.type_as_Date()->unit())});
    case Type::Interval:
      return Simple({.id = {},
                     .type = type,
                     .variant = static_cast<int16_t>(table.type_as_Interval()->unit())});
    case Type::Decimal:
      return ReadDecimal(*table.type_as_Decimal());
    case Type::Time:
      return ReadTime(*table.type_as_Time());
    case Type::Timestamp: {
      SHEAF_ASSIGN_OR_RETURN(const TimeUnit unit, ReadUnit(table.type_as_Timestamp()->unit()));
      SHEAF_ASSIGN_OR_RETURN(std::string zone, ReadText(table.type_as_Timestamp()->timezone()));
      return Timestamp(unit, std::move(zone));
    }
    case Type::Duration: {
      SHEAF_ASSIGN_OR_RETURN(const TimeUnit unit, ReadUnit(table.type_as_Duration()->unit()));
      return Duration(unit);
    }
    case Type::FixedSizeBinary:
      return FixedSizeBinary(table.type_as_FixedSizeBinary()->byte_width());
    case Type::List:
      return List(std::move(children[0]));
    case Type::LargeList:
      return LargeList(std::move(children[0]));
    case Type::ListView:
      return ListView(std::move(children[0]));
    case Type::LargeListView:
      return LargeListView(std::move(children[0]));
    case Type::FixedSizeList:
      return FixedSizeList(std::move(children[0]), table.type_as_FixedSizeList()->list_size());
    case Type::Struct_:
      return Struct(std::move(children));
    case Type::Map:
      return MapOf(std::move(children[0]), table.type_as_Map()->keys_sorted());
    case Type::Union:
      return ReadUnion(*table.type_as_Union(), std::move(children));
    case Type::RunEndEncoded:
      return RunEndEncodedOf(std::move(children[0]), std::move(children[1]));
    default:
      return Simple({.id = {}, .type = type});
  }
}

}  // namespace

StatusOr<StreamSchema> ReadSchema(const format::Schema* table, int64_t metadata_bytes,
                                  int max_depth) {
  return SchemaReader(metadata_bytes, max_depth).Read(table);
}

}  // namespace sheaf::inline v1::internal
