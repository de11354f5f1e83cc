#include "ipc/write_schema.h"

#include <string>
#include <vector>

#include "base/error.h"
#include "ipc/field_walk.h"
#include "ipc/format_types.h"
#include "ipc/write_dictionaries.h"
#include "sheaf/type/extension.h"

namespace sheaf::inline v1::internal {
namespace {

using flatbuffers::Offset;

/// A FlatBuffer ends at 2 GiB, by an assertion: names and metadata stay well below.
constexpr int64_t kMaxTextBytes = int64_t{1} << 30;
/// What a field takes at most, names and metadata apart: its tables, vectors and padding.
constexpr int64_t kFieldBytes = 256;

class WritableCheck {
 public:
  explicit WritableCheck(int max_depth) : max_depth_(max_depth) {}

  Status Run(const Schema& schema) {
    SHEAF_RETURN_IF_ERROR(Count(schema.metadata()));
    return Check(schema.fields());
  }

 private:
  Status Check(Fields fields) {
    for (int i = 0; i < static_cast<int>(fields.size()); ++i) {
      const FieldWalk::Step step(walk_, fields, i);
      const Field& field = fields[static_cast<size_t>(i)];
      if (walk_.depth() > max_depth_) {
        return walk_.Invalid("nested deeper than ", max_depth_, " levels");
      }
      const bool encoded = field.type().layout().id == LayoutId::kDictionary;
      const DataType& values = encoded ? field.type().value_type() : field.type();
      if (encoded) SHEAF_RETURN_IF_ERROR(CheckValues(values));
      bytes_ += kFieldBytes + static_cast<int64_t>(field.name().size());
      SHEAF_RETURN_IF_ERROR(Count(field.metadata()));
      SHEAF_RETURN_IF_ERROR(Check(values.fields()));
    }
    return OkStatus();
  }

  /// A field tells the type of its dictionary's values, not of theirs, and its metadata names an
  /// extension of the field.
  Status CheckValues(const DataType& values) const {
    const bool is_dictionary = values.layout().id == LayoutId::kDictionary;
    if (!is_dictionary && values.id() != TypeId::kExtension) return OkStatus();
    return walk_.Invalid("a dictionary of ", values.ToString(), " has no place in the format");
  }

  Status Count(const Metadata& metadata) {
    for (const auto& [key, value] : metadata) {
      bytes_ += kFieldBytes + static_cast<int64_t>(key.size() + value.size());
    }
    if (bytes_ > kMaxTextBytes) return OutOfRange("the schema exceeds ", kMaxTextBytes, " bytes");
    return OkStatus();
  }

  FieldWalk walk_;
  int64_t bytes_ = 0;
  int max_depth_;
};

/// Makes the tables of a schema that passed the check, children first.
class SchemaWriter {
 public:
  explicit SchemaWriter(flatbuffers::FlatBufferBuilder& builder) : builder_(builder) {}

  Offset<format::Schema> Write(const Schema& schema) {
    const auto fields = WriteFields(schema.fields());
    const auto metadata = WriteMetadata(schema.metadata());
    return format::CreateSchema(builder_, format::Endianness::Little, fields, metadata);
  }

 private:
  Offset<flatbuffers::Vector<Offset<format::Field>>> WriteFields(Fields fields) {
    std::vector<Offset<format::Field>> tables;
    tables.reserve(fields.size());
    for (const Field& field : fields) tables.push_back(WriteField(StorageField(field)));
    return builder_.CreateVector(tables);
  }

  Offset<format::Field> WriteField(const Field& field) {
    const bool encoded = field.type().id() == TypeId::kDictionary;
    const DataType& values = encoded ? field.type().value_type() : field.type();
    const FormatType* row = FormatOfType(values.id());
    SHEAF_DCHECK(row != nullptr);
    Offset<format::DictionaryEncoding> dictionary;
    if (encoded) dictionary = WriteDictionary(field.type());
    const auto children = WriteFields(values.fields());
    const auto name = builder_.CreateString(field.name());
    const auto metadata = WriteMetadata(field.metadata());
    const Offset<void> type = WriteType(*row, values);
    return format::CreateField(builder_, name, field.nullable(), row->type, type, dictionary,
                               children, metadata);
  }

  /// Ids as `DictionaryState` gives them.
  Offset<format::DictionaryEncoding> WriteDictionary(const DataType& type) {
    const FormatType& indices = *FormatOfType(type.index_type().id());
    const auto index_type = format::CreateInt(builder_, indices.bit_width, indices.is_signed);
    return format::CreateDictionaryEncoding(builder_, next_dictionary_id_++, index_type,
                                            type.ordered());
  }

  Offset<flatbuffers::Vector<Offset<format::KeyValue>>> WriteMetadata(const Metadata& metadata) {
    if (metadata.empty()) return 0;
    std::vector<Offset<format::KeyValue>> pairs;
    pairs.reserve(metadata.size());
    for (const auto& [key, value] : metadata) {
      const auto key_text = builder_.CreateString(key);
      pairs.push_back(format::CreateKeyValue(builder_, key_text, builder_.CreateString(value)));
    }
    return builder_.CreateVector(pairs);
  }

  Offset<void> WriteType(const FormatType& row, const DataType& type);
  Offset<void> WriteUnion(const FormatType& row, const DataType& type) {
    const std::vector<int32_t> codes(type.type_codes().begin(), type.type_codes().end());
    const auto type_ids = builder_.CreateVector(codes);
    return format::CreateUnion(builder_, static_cast<format::UnionMode>(row.variant), type_ids)
        .Union();
  }
  /// A table without fields.
  Offset<void> WriteEmpty() { return Offset<void>(builder_.EndTable(builder_.StartTable())); }

  flatbuffers::FlatBufferBuilder& builder_;
  int64_t next_dictionary_id_ = kFirstDictionaryId;
};

format::TimeUnit UnitOf(const DataType& type) {
  return static_cast<format::TimeUnit>(type.unit());  // The same values.
}

Offset<void> SchemaWriter::WriteType(const FormatType& row, const DataType& type) {
  using format::Type;
  switch (row.type) {
    case Type::Int:
      return format::CreateInt(builder_, row.bit_width, row.is_signed).Union();
    case Type::FloatingPoint:
      return format::CreateFloatingPoint(builder_, static_cast<format::Precision>(row.variant))
          .Union();
    case Type::Decimal:
      return format::CreateDecimal(builder_, type.precision(), type.scale(), row.bit_width).Union();
    case Type::Date:
      return format::CreateDate(builder_, static_cast<format::DateUnit>(row.variant)).Union();
    case Type::Time:
      return format::CreateTime(builder_, UnitOf(type), row.bit_width).Union();
    case Type::Timestamp: {
      const auto zone = type.timezone().empty() ? Offset<flatbuffers::String>()
                                                : builder_.CreateString(type.timezone());
      return format::CreateTimestamp(builder_, UnitOf(type), zone).Union();
    }
    case Type::Duration:
      return format::CreateDuration(builder_, UnitOf(type)).Union();
    case Type::Interval:
      return format::CreateInterval(builder_, static_cast<format::IntervalUnit>(row.variant))
          .Union();
    case Type::FixedSizeBinary:
      return format::CreateFixedSizeBinary(builder_, type.byte_width()).Union();
    case Type::FixedSizeList:
      return format::CreateFixedSizeList(builder_, type.list_size()).Union();
    case Type::Map:
      return format::CreateMap(builder_, type.keys_sorted()).Union();
    case Type::Union:
      return WriteUnion(row, type);
    default:
      return WriteEmpty();
  }
}

}  // namespace

Status CheckWritable(const Schema& schema, int max_depth) {
  return WritableCheck(max_depth).Run(schema);
}

StatusOr<Offset<format::Schema>> WriteSchema(flatbuffers::FlatBufferBuilder& builder,
                                             const Schema& schema, int max_depth) {
  SHEAF_RETURN_IF_ERROR(CheckWritable(schema, max_depth));
  return SchemaWriter(builder).Write(schema);
}

}  // namespace sheaf::inline v1::internal
