#include <cstring>
#include <string>
#include <string_view>

#include "base/error.h"
#include "c_data/exported_block.h"
#include "c_data/format.h"
#include "sheaf/c_data/export.h"
#include "sheaf/type/extension.h"

namespace sheaf::inline v1 {
namespace internal {
namespace {

// The texts of one node, made before its block is.
struct SchemaTexts {
  std::string format;
  const std::string& name;
  std::string metadata;
};

const char* Place(char* room, std::string_view text) {
  std::memcpy(room, text.data(), text.size());
  room[text.size()] = '\0';
  return room;
}

int64_t FlagsOf(const Field& field) {
  const DataType& type = field.type();
  int64_t flags = field.nullable() ? ARROW_FLAG_NULLABLE : 0;
  if (type.id() == TypeId::kDictionary && type.ordered()) flags |= ARROW_FLAG_DICTIONARY_ORDERED;
  if (type.id() == TypeId::kMap && type.keys_sorted()) flags |= ARROW_FLAG_MAP_KEYS_SORTED;
  return flags;
}

// Makes the node itself: texts, flags, and children that are still released.
Status ExportSchemaNode(const SchemaTexts& texts, int64_t flags, int num_children,
                        bool has_dictionary, ArrowSchema* out, MemoryPool* pool) {
  uint8_t* block = nullptr;
  int64_t block_bytes = 0;
  while (true) {
    BlockParts parts(block, sizeof(ExportedBlock));
    const ExportedChildren<ArrowSchema> children(&parts, num_children, has_dictionary);
    auto* format = parts.Take<char>(static_cast<int64_t>(texts.format.size()) + 1);
    auto* name = parts.Take<char>(static_cast<int64_t>(texts.name.size()) + 1);
    auto* metadata = parts.Take<char>(static_cast<int64_t>(texts.metadata.size()) + 1);
    if (block == nullptr) {
      block_bytes = parts.bytes();
      block = pool->Allocate(block_bytes);
      if (block == nullptr) return OutOfMemory(block_bytes);
      continue;
    }
    *out =
        ArrowSchema{.format = Place(format, texts.format),
                    .name = Place(name, texts.name),
                    .metadata = texts.metadata.empty() ? nullptr : Place(metadata, texts.metadata),
                    .flags = flags,
                    .n_children = num_children,
                    .children = num_children == 0 ? nullptr : children.pointers,
                    .dictionary = children.dictionary,
                    .release = ReleaseExported<ExportedBlock, ArrowSchema>,
                    .private_data = new (block) ExportedBlock{pool, block_bytes}};
    return OkStatus();
  }
}

Status ExportFieldNode(const Field& field, ArrowSchema* out, MemoryPool* pool) {
  const bool is_extension = field.type().id() == TypeId::kExtension;
  const Field of_extension = is_extension ? StorageField(field) : Field();
  const Field& stored = is_extension ? of_extension : field;
  const DataType& type = stored.type();
  const bool is_dictionary = type.id() == TypeId::kDictionary;
  const int num_children = is_dictionary ? 0 : type.num_fields();
  const SchemaTexts texts{FormatOf(type), stored.name(), EncodeMetadata(stored.metadata())};
  SHEAF_RETURN_IF_ERROR(
      ExportSchemaNode(texts, FlagsOf(stored), num_children, is_dictionary, out, pool));
  for (int i = 0; i < num_children; ++i) {
    SHEAF_RETURN_IF_ERROR(ExportFieldNode(type.field(i), out->children[i], pool));
  }
  if (is_dictionary) {
    SHEAF_RETURN_IF_ERROR(ExportFieldNode(Field("", type.value_type()), out->dictionary, pool));
  }
  return OkStatus();
}

// On failure what was exported so far goes again: the children not yet reached are marked released.
Status ExportWhole(const Field& field, ArrowSchema* out, MemoryPool* pool) {
  *out = {};
  Status status = ExportFieldNode(field, out, pool);
  if (!status.ok()) ReleaseIfLive(out);
  return status;
}

}  // namespace
}  // namespace internal

Status ExportType(const DataType& type, ArrowSchema* out, MemoryPool* pool) {
  return internal::ExportWhole(Field("", type), out, pool);
}

Status ExportField(const Field& field, ArrowSchema* out, MemoryPool* pool) {
  return internal::ExportWhole(field, out, pool);
}

Status ExportSchema(const Schema& schema, ArrowSchema* out, MemoryPool* pool) {
  const Field top("", schema.struct_type(), /*nullable=*/false, schema.metadata());
  return internal::ExportWhole(top, out, pool);
}

}  // namespace sheaf
