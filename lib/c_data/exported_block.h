#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

#include "sheaf/base/bits.h"
#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1::internal {

/// Lays out one exported node in one block of pool memory: the header first, then each part in
/// turn. A first pass with a null block only adds the sizes up; the second, over the allocated
/// block, gives the places.
class BlockParts {
 public:
  BlockParts(uint8_t* block, int64_t header_bytes) noexcept
      : block_(block), bytes_(RoundUp8(header_bytes)) {}

  /// Room for `count` values, not yet objects; null in the first pass.
  template <typename T>
  T* Take(int64_t count) noexcept {
    static_assert(alignof(T) <= 8);
    const int64_t at = bytes_;
    // T may be a pointer, for arrays of them.
    const int64_t part_bytes =
        count * static_cast<int64_t>(sizeof(T));  // NOLINT(bugprone-sizeof-expression)
    bytes_ = RoundUp8(bytes_ + part_bytes);
    return block_ == nullptr ? nullptr : reinterpret_cast<T*>(block_ + at);
  }

  int64_t bytes() const noexcept { return bytes_; }

 private:
  uint8_t* block_;
  int64_t bytes_;
};

/// What every exported node's private data begins with.
struct ExportedBlock {
  MemoryPool* pool;
  int64_t block_bytes;
};

/// Child structures of an exported node, released by now: they lie in its block, each with a block
/// of its own, so that a consumer may copy one out, mark it released, and use it after the parent's
/// end.
template <typename Structure>
struct ExportedChildren {
  Structure** pointers = nullptr;
  Structure* dictionary = nullptr;

  ExportedChildren(BlockParts* parts, int64_t num_children, bool has_dictionary) noexcept {
    pointers = parts->Take<Structure*>(num_children);
    auto* structures = parts->Take<Structure>(num_children);
    auto* one = parts->Take<Structure>(has_dictionary ? 1 : 0);
    if (pointers == nullptr) return;
    for (int64_t i = 0; i < num_children; ++i) pointers[i] = new (structures + i) Structure();
    if (has_dictionary) dictionary = new (one) Structure();
  }
};

/// Calls the release of a structure that may have been released or moved from already.
template <typename Structure>
void ReleaseIfLive(Structure* structure) noexcept {
  if (structure != nullptr && structure->release != nullptr) structure->release(structure);
}

/// The release callback of every exported node: what was moved out is skipped, `Header` drops what
/// it holds.
template <typename Header, typename Structure>
void ReleaseExported(Structure* structure) noexcept {
  for (int64_t i = 0; i < structure->n_children; ++i) ReleaseIfLive(structure->children[i]);
  ReleaseIfLive(structure->dictionary);
  auto* header = static_cast<Header*>(structure->private_data);
  structure->release = nullptr;
  structure->private_data = nullptr;
  MemoryPool* pool = header->pool;
  const int64_t block_bytes = header->block_bytes;
  std::destroy_at(header);
  pool->Free(reinterpret_cast<uint8_t*>(header), block_bytes);
}

}  // namespace sheaf::inline v1::internal
