#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "c_data/format.h"
#include "c_data/owned.h"
#include "sheaf/c_data/import.h"
#include "sheaf/type/extension.h"

namespace sheaf::inline v1 {
namespace internal {
namespace {

// Each parent adds its step in front of the `$`.
Status AtRoot(const Status& status) { return AtPath("$", status); }

std::string StepTo(const ArrowSchema* child, int64_t i) {
  const bool named = child != nullptr && child->name != nullptr && child->name[0] != '\0';
  return named ? Concat("$.", child->name) : Concat("$[", i, "]");
}

class SchemaReader {
 public:
  explicit SchemaReader(int max_depth) noexcept : max_depth_(max_depth) {}

  /// \param depth  fields on the path down to this one, itself included. Structures that point back
  /// to a parent
  ///     end here too.
  StatusOr<Field> Read(const ArrowSchema* schema, int depth) const {
    if (schema == nullptr || schema->release == nullptr) {
      return AtRoot(InvalidArgument("schema is missing or released"));
    }
    if (depth > max_depth_) {
      return AtRoot(InvalidArgument("deeper than ", max_depth_, " levels"));
    }
    if (schema->format == nullptr) return AtRoot(InvalidArgument("format is null"));
    auto type = ReadType(*schema, depth);
    if (!type.ok()) return type.status();
    const char* name = schema->name == nullptr ? "" : schema->name;
    const bool nullable = (schema->flags & ARROW_FLAG_NULLABLE) != 0;
    if (schema->metadata == nullptr) return Field(name, *std::move(type), nullable);
    auto metadata = DecodeMetadata(schema->metadata);
    if (!metadata.ok()) return AtRoot(metadata.status());
    auto field = ResolveExtension(Field(name, *std::move(type), nullable, *std::move(metadata)));
    if (!field.ok()) return AtRoot(field.status());
    return field;
  }

 private:
  StatusOr<DataType> ReadType(const ArrowSchema& schema, int depth) const {
    SHEAF_ASSIGN_OR_RETURN(std::vector<Field> children, ReadChildren(schema, depth));
    const bool keys_sorted = (schema.flags & ARROW_FLAG_MAP_KEYS_SORTED) != 0;
    auto type = ParseFormat(schema.format, std::move(children), keys_sorted);
    if (type.ok() && schema.dictionary != nullptr) {
      const auto value = Read(schema.dictionary, depth + 1);
      if (!value.ok()) return AtPath("$.dictionary", value.status());
      const bool ordered = (schema.flags & ARROW_FLAG_DICTIONARY_ORDERED) != 0;
      type = Dictionary(*type, value->type(), ordered);
    }
    if (!type.ok()) return AtRoot(type.status());
    return type;
  }

  StatusOr<std::vector<Field>> ReadChildren(const ArrowSchema& schema, int depth) const {
    std::vector<Field> children;
    if (schema.n_children < 0 || (schema.n_children > 0 && schema.children == nullptr)) {
      return AtRoot(InvalidArgument("format \"", schema.format, "\": n_children is ",
                                    schema.n_children, ", the children are ",
                                    schema.children == nullptr ? "null" : "there"));
    }
    constexpr int64_t kMostReserved = 1 << 16;  // The number comes from outside.
    children.reserve(static_cast<size_t>(std::min(schema.n_children, kMostReserved)));
    for (int64_t i = 0; i < schema.n_children; ++i) {
      const ArrowSchema* child = schema.children[i];
      auto field = Read(child, depth + 1);
      if (!field.ok()) return AtPath(StepTo(child, i), field.status());
      children.push_back(*std::move(field));
    }
    return children;
  }

  int max_depth_;
};

}  // namespace

StatusOr<Field> ReadField(const ArrowSchema& schema, int max_depth) {
  return SchemaReader(max_depth).Read(&schema, 1);
}

StatusOr<Schema> ReadSchema(const ArrowSchema& schema, int max_depth) {
  // The struct of the columns is not a field of theirs.
  SHEAF_ASSIGN_OR_RETURN(const Field top, SchemaReader(max_depth).Read(&schema, 0));
  if (top.type().id() != TypeId::kStruct) {
    return InvalidArgument("format \"", schema.format, "\": a schema is a struct");
  }
  return Schema::FromStruct(top.type(), top.metadata());
}

}  // namespace internal

StatusOr<Field> ImportField(ArrowSchema* schema, const ImportOptions& options) {
  SHEAF_ASSIGN_OR_RETURN(const internal::OwnedSchema owned, internal::OwnedSchema::Take(schema));
  return internal::ReadField(*owned, options.max_depth);
}

StatusOr<DataType> ImportType(ArrowSchema* schema, const ImportOptions& options) {
  SHEAF_ASSIGN_OR_RETURN(const Field field, ImportField(schema, options));
  return field.type();
}

StatusOr<Schema> ImportSchema(ArrowSchema* schema, const ImportOptions& options) {
  SHEAF_ASSIGN_OR_RETURN(const internal::OwnedSchema owned, internal::OwnedSchema::Take(schema));
  return internal::ReadSchema(*owned, options.max_depth);
}

}  // namespace sheaf
