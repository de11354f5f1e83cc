#pragma once

#include <cstdint>
#include <unordered_set>

#include "sheaf/array/array.h"
#include "sheaf/memory/buffer.h"
#include "sheaf/memory/buffer_builder.h"

namespace sheaf::inline v1::internal {

/// Bytes of allocations, each counted once, however many buffers lie in it.
class RetainedSet {
 public:
  int64_t bytes() const noexcept { return bytes_; }
  void Add(const Buffer& buffer) { Add(buffer.storage_id(), buffer.retained_bytes()); }
  void Add(const BufferBuilder& memory) { Add(memory.storage_id(), memory.retained_bytes()); }
  /// All that an array's node keeps alive: buffers, children, dictionary.
  void Add(const Array& array);

 private:
  void Add(const void* storage, int64_t bytes) {
    if (storage != nullptr && seen_.insert(storage).second) bytes_ += bytes;
  }

  std::unordered_set<const void*> seen_;
  int64_t bytes_ = 0;
};

}  // namespace sheaf::inline v1::internal
