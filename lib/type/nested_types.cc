// Types with children, dictionaries, extensions.
#include <atomic>
#include <utility>

#include "base/error.h"
#include "sheaf/type/visit_type.h"
#include "type/type_node.h"

namespace sheaf::inline v1 {

using internal::TypeNode;

namespace {

TypeNode* NewNested(TypeId id, std::vector<Field> fields) {
  auto* node = new TypeNode(id);
  node->fields = std::move(fields);
  return node;
}

constexpr const char* kItem = "item";

TypeNode* NewListNode(TypeId id, Field elements) {
  std::vector<Field> fields;
  fields.push_back(std::move(elements));
  return NewNested(id, std::move(fields));
}

/// Lists of a type without parameters, their field as everybody has it: constants too, made when
/// first asked for. Arrays of one such type then share its node, however many schemas came in.
TypeNode* ConstantListNode(TypeId id, TypeId elements) {
  static std::atomic<TypeNode*> nodes[kTypeIdCount][kTypeIdCount];
  std::atomic<TypeNode*>& slot = nodes[static_cast<size_t>(id)][static_cast<size_t>(elements)];
  TypeNode* node = slot.load(std::memory_order_acquire);
  if (node != nullptr) return node;
  TypeNode* made = NewListNode(id, Field(kItem, DataType(internal::SimpleNode(elements))));
  made->immortal = true;
  if (slot.compare_exchange_strong(node, made, std::memory_order_acq_rel)) return made;
  delete made;  // Another thread was first.
  return node;
}

bool IsItem(const Field& field) {
  return field.nullable() && field.metadata().empty() && field.name() == kItem;
}

DataType NewList(TypeId id, Field elements) {
  const TypeId of = elements.type().id();
  if (internal::IsSimple(of) && IsItem(elements)) return DataType(ConstantListNode(id, of));
  return DataType(NewListNode(id, std::move(elements)));
}

DataType NewList(TypeId id, const DataType& elements) {
  if (internal::IsSimple(elements.id())) return DataType(ConstantListNode(id, elements.id()));
  return DataType(NewListNode(id, Field(kItem, elements)));
}

}  // namespace

DataType List(Field elements) { return NewList(TypeId::kList, std::move(elements)); }
DataType LargeList(Field elements) { return NewList(TypeId::kLargeList, std::move(elements)); }
DataType ListView(Field elements) { return NewList(TypeId::kListView, std::move(elements)); }
DataType LargeListView(Field elements) {
  return NewList(TypeId::kLargeListView, std::move(elements));
}
DataType List(const DataType& elements) { return NewList(TypeId::kList, elements); }
DataType LargeList(const DataType& elements) { return NewList(TypeId::kLargeList, elements); }
DataType ListView(const DataType& elements) { return NewList(TypeId::kListView, elements); }
DataType LargeListView(const DataType& elements) {
  return NewList(TypeId::kLargeListView, elements);
}

StatusOr<DataType> FixedSizeList(Field elements, int32_t list_size) {
  if (list_size < 0) {
    return internal::InvalidArgument("fixed_size_list: a size of ", list_size, " elements");
  }
  std::vector<Field> fields;
  fields.push_back(std::move(elements));
  TypeNode* node = NewNested(TypeId::kFixedSizeList, std::move(fields));
  node->list_size = list_size;
  return DataType(node);
}

DataType Struct(std::vector<Field> fields) {
  if (fields.empty()) return DataType(internal::SimpleNode(TypeId::kStruct));
  return DataType(NewNested(TypeId::kStruct, std::move(fields)));
}

StatusOr<DataType> MapOf(Field entries, bool keys_sorted) {
  const DataType& type = entries.type();
  if (type.id() != TypeId::kStruct || type.num_fields() != 2) {
    return internal::InvalidArgument("map: entries are ", type.ToString(),
                                     ", not a struct of key and value");
  }
  std::vector<Field> fields;
  fields.push_back(std::move(entries));
  TypeNode* node = NewNested(TypeId::kMap, std::move(fields));
  node->flag = keys_sorted;
  return DataType(node);
}

DataType Map(const DataType& key, Field value, bool keys_sorted) {
  Field entries("entries", Struct({Field("key", key, /*nullable=*/false), std::move(value)}),
                /*nullable=*/false);
  return *MapOf(std::move(entries), keys_sorted);
}

StatusOr<DataType> Union(TypeId id, std::vector<Field> fields, std::vector<int8_t> type_codes) {
  const auto name = TypeName(id);
  if (id != TypeId::kSparseUnion && id != TypeId::kDenseUnion) {
    return internal::InvalidArgument(name, " is not a union type");
  }
  if (type_codes.size() != fields.size()) {
    return internal::InvalidArgument(name, ": ", type_codes.size(), " type codes for ",
                                     fields.size(), " fields");
  }
  auto codes = std::make_shared<internal::UnionCodes>();
  codes->child_of_code.fill(-1);
  for (size_t child = 0; child < type_codes.size(); ++child) {
    const int8_t code = type_codes[child];
    if (code < 0) {
      return internal::InvalidArgument(name, ": type code ", code, " of field ", child,
                                       " is outside [0, 127]");
    }
    int8_t& child_of_code = codes->child_of_code[static_cast<size_t>(code)];
    if (child_of_code >= 0) {
      return internal::InvalidArgument(name, ": type code ", code, " of field ", child,
                                       " is that of field ", child_of_code, " too");
    }
    child_of_code = static_cast<int8_t>(child);  // Each code once, so at most 128 children.
  }
  codes->code_of_child = std::move(type_codes);
  TypeNode* node = NewNested(id, std::move(fields));
  node->codes = std::move(codes);
  return DataType(node);
}

StatusOr<DataType> Dictionary(const DataType& index, const DataType& value, bool ordered) {
  if (!IsInteger(index.id())) {
    return internal::InvalidArgument("dictionary: indices are ", index.ToString(),
                                     ", not integers");
  }
  auto* node = new TypeNode(TypeId::kDictionary);
  node->parts = {index, value};
  node->flag = ordered;
  return DataType(node);
}

StatusOr<DataType> RunEndEncodedOf(Field run_ends, Field values) {
  const TypeId id = run_ends.type().id();
  if (id != TypeId::kInt16 && id != TypeId::kInt32 && id != TypeId::kInt64) {
    return internal::InvalidArgument("run_end_encoded: run ends are ", run_ends.type().ToString(),
                                     ", not int16, int32 or int64");
  }
  const int run_end_bits = 8 * run_ends.type().byte_width();
  std::vector<Field> fields;
  fields.reserve(2);
  fields.push_back(std::move(run_ends));
  fields.push_back(std::move(values));
  TypeNode* node = NewNested(TypeId::kRunEndEncoded, std::move(fields));
  node->layout = &internal::RunEndLayout(run_end_bits);
  return DataType(node);
}

StatusOr<DataType> RunEndEncoded(const DataType& run_ends, Field values) {
  return RunEndEncodedOf(Field("run_ends", run_ends, /*nullable=*/false), std::move(values));
}

DataType Extension(std::string name, std::string metadata, const DataType& storage) {
  const TypeNode& stored = *storage.storage().node();
  auto* node = new TypeNode(TypeId::kExtension);
  node->extension_name = std::move(name);
  node->extension_metadata = std::move(metadata);
  node->layout = stored.layout;
  node->unit = stored.unit;
  node->flag = stored.flag;
  node->byte_width = stored.byte_width;
  node->precision = stored.precision;
  node->scale = stored.scale;
  node->list_size = stored.list_size;
  node->timezone = stored.timezone;
  node->fields = stored.fields;
  node->codes = stored.codes;
  node->parts.reserve(1 + stored.parts.size());
  node->parts.push_back(storage.storage());
  node->parts.insert(node->parts.end(), stored.parts.begin(), stored.parts.end());
  return DataType(node);
}

}  // namespace sheaf::inline v1
