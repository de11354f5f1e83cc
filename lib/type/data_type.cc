#include "sheaf/type/data_type.h"

#include <algorithm>

#include "type/type_node.h"

namespace sheaf::inline v1 {

using internal::TypeNode;

namespace internal {

void TypeNode::Destroy(TypeNode* node) noexcept {
  node->next_dead = nullptr;
  TypeNode* dead = node;
  // Takes a type out of the dying node; where that was the last handle, its node joins the list.
  const auto take = [&dead](const DataType& type) {
    TypeNode* below = const_cast<DataType&>(type).node_;
    const_cast<DataType&>(type).node_ = SimpleNode(TypeId::kNull);
    if (below->immortal || below->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    below->next_dead = dead;
    dead = below;
  };
  while (dead != nullptr) {
    TypeNode* now = dead;
    dead = now->next_dead;
    for (const Field& field : now->fields) take(field.type());
    for (const DataType& part : now->parts) take(part);
    delete now;
  }
}

}  // namespace internal

namespace {

/// What every move of a type leaves behind.
TypeNode* NullNode() noexcept {
  static TypeNode* const node = internal::SimpleNode(TypeId::kNull);
  return node;
}

}  // namespace

DataType::DataType() noexcept : node_(NullNode()) {}

DataType::DataType(const DataType& other) noexcept : node_(other.node_) { node_->Retain(); }

DataType::~DataType() { node_->Release(); }

void DataType::ResetToNull() noexcept { node_ = NullNode(); }

TypeId DataType::id() const noexcept { return node_->id; }

const Layout& DataType::layout() const noexcept { return *node_->layout; }

int DataType::num_fields() const noexcept { return static_cast<int>(node_->fields.size()); }

const Field& DataType::field(int i) const noexcept { return node_->fields[static_cast<size_t>(i)]; }

std::span<const Field> DataType::fields() const noexcept { return node_->fields; }

int32_t DataType::byte_width() const noexcept { return node_->byte_width; }
int32_t DataType::precision() const noexcept { return node_->precision; }
int32_t DataType::scale() const noexcept { return node_->scale; }
TimeUnit DataType::unit() const noexcept { return node_->unit; }
const std::string& DataType::timezone() const noexcept { return node_->timezone; }
int32_t DataType::list_size() const noexcept { return node_->list_size; }

bool DataType::keys_sorted() const noexcept {
  return node_->flag && node_->storage_id() == TypeId::kMap;
}

bool DataType::ordered() const noexcept {
  return node_->flag && node_->storage_id() == TypeId::kDictionary;
}

namespace {

const DataType& NullConstant() noexcept {
  static const DataType null;
  return null;
}

}  // namespace

const DataType& DataType::index_type() const noexcept {
  switch (node_->layout->id) {
    case LayoutId::kDictionary:
      return node_->part(0);
    case LayoutId::kRunEndEncoded:
      return node_->fields[0].type();
    default:
      return NullConstant();
  }
}

const DataType& DataType::value_type() const noexcept {
  switch (node_->layout->id) {
    case LayoutId::kDictionary:
      return node_->part(1);
    case LayoutId::kRunEndEncoded:
      return node_->fields[1].type();
    case LayoutId::kList:
    case LayoutId::kListView:
    case LayoutId::kFixedSizeList:
      return node_->fields[0].type();
    default:
      return NullConstant();
  }
}

std::span<const int8_t> DataType::type_codes() const noexcept {
  if (node_->codes == nullptr) return {};
  return node_->codes->code_of_child;
}

std::span<const int8_t> DataType::child_of_type_code() const noexcept {
  if (node_->codes == nullptr) return {};
  return node_->codes->child_of_code;
}

const std::string& DataType::extension_name() const noexcept { return node_->extension_name; }

const std::string& DataType::extension_metadata() const noexcept {
  return node_->extension_metadata;
}

const DataType& DataType::storage() const noexcept {
  return node_->is_extension() ? node_->parts[0] : *this;
}

int Depth(const DataType& type) {
  int below = 0;
  for (const Field& field : type.fields()) below = std::max(below, Depth(field.type()));
  if (type.layout().id == LayoutId::kDictionary) below = std::max(below, Depth(type.value_type()));
  return below + 1;
}

}  // namespace sheaf::inline v1
