#include "array/array_data.h"

#include <memory>
#include <new>

#include "base/error.h"
#include "sheaf/base/bits.h"

namespace sheaf::inline v1::internal {
namespace {

/// Where the parts of a node lie in its block.
struct BlockShape {
  int64_t more_children;  // Positions in bytes.
  int64_t variadic;
  int64_t dictionary;
  int64_t total;

  BlockShape(int64_t num_children, int64_t num_variadic, bool has_dictionary) {
    static_assert(alignof(Array) <= 8 && alignof(Buffer) <= 8);
    more_children = RoundUp8(sizeof(ArrayData));
    const int64_t beyond_first = num_children > 1 ? num_children - 1 : 0;
    variadic = more_children + beyond_first * static_cast<int64_t>(sizeof(Array));
    dictionary = variadic + num_variadic * static_cast<int64_t>(sizeof(Buffer));
    total = dictionary + (has_dictionary ? static_cast<int64_t>(sizeof(Array)) : 0);
  }
};

/// Drops one reference of what `array` refers to. \return the node, if that was the last one.
ArrayData* DropReference(Array& array) noexcept {
  ArrayData* data = array.Detach();
  if (data == nullptr) return nullptr;
  return data->references.fetch_sub(1, std::memory_order_acq_rel) == 1 ? data : nullptr;
}

void DestroyNode(ArrayData* data, ArrayData** dying) noexcept {
  const auto drop = [&](Array& array) {
    if (ArrayData* last = DropReference(array); last != nullptr) {
      last->next_dying = *dying;
      *dying = last;
    }
    std::destroy_at(&array);
  };
  for (int i = 0; i < data->num_children; ++i) drop(data->child(i));
  if (data->has_dictionary) drop(*data->dictionary);
  for (int i = 0; i < data->num_variadic; ++i) std::destroy_at(&data->variadic_buffers[i]);
  MemoryPool* pool = data->pool;
  const int64_t block_bytes = data->block_bytes;
  std::destroy_at(data);
  pool->Free(reinterpret_cast<uint8_t*>(data), block_bytes);
}

}  // namespace

void Retain(const ArrayData* data) noexcept {
  if (data == nullptr) return;
  const_cast<ArrayData*>(data)->references.fetch_add(1, std::memory_order_relaxed);
}

void Release(const ArrayData* data) noexcept {
  auto* node = const_cast<ArrayData*>(data);
  if (node->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  node->next_dying = nullptr;
  for (ArrayData* dying = node; dying != nullptr;) {
    ArrayData* current = dying;
    dying = current->next_dying;
    DestroyNode(current, &dying);
  }
}

StatusOr<Array> MakeNode(NodeParts parts, MemoryPool* pool) {
  const int num_fixed = parts.type.layout().num_buffers;
  SHEAF_DCHECK(static_cast<int>(parts.buffers.size()) >= num_fixed);
  const auto num_children = static_cast<int32_t>(parts.children.size());
  const auto num_variadic = static_cast<int32_t>(parts.buffers.size()) - num_fixed;
  const BlockShape shape(num_children, num_variadic, parts.dictionary != nullptr);

  uint8_t* block = pool->Allocate(shape.total);
  if (block == nullptr) return OutOfMemory(shape.total);
  auto* data = new (block) ArrayData;
  data->pool = pool;
  data->block_bytes = shape.total;
  data->type = std::move(parts.type);
  data->offset = parts.offset;
  data->length = parts.length;
  data->null_count.store(parts.null_count, std::memory_order_relaxed);
  data->verified.store(parts.verified, std::memory_order_relaxed);
  data->has_spare_offset = parts.has_spare_offset;
  if (parts.view_stats != nullptr) {
    data->view_stats = *parts.view_stats;
    data->view_state.store(2, std::memory_order_relaxed);  // Nobody else has the node by now.
  }
  data->num_children = num_children;
  data->num_variadic = num_variadic;

  for (int i = 0; i < num_fixed; ++i) data->buffers[i] = std::move(parts.buffers[i]);
  data->more_children = reinterpret_cast<Array*>(block + shape.more_children);
  for (int i = 0; i < num_children; ++i) {
    new (i == 0 ? static_cast<void*>(data->first_child_storage) : &data->more_children[i - 1])
        Array(std::move(parts.children[i]));
  }
  data->variadic_buffers = reinterpret_cast<Buffer*>(block + shape.variadic);
  for (int i = 0; i < num_variadic; ++i) {
    new (&data->variadic_buffers[i]) Buffer(std::move(parts.buffers[num_fixed + i]));
  }
  if (parts.dictionary != nullptr) {
    data->has_dictionary = true;
    data->dictionary = new (block + shape.dictionary) Array(std::move(*parts.dictionary));
  }
  return Array(data, data->offset, data->length);
}

}  // namespace sheaf::inline v1::internal
