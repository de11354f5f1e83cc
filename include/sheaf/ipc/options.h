#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sheaf/array/array.h"
#include "sheaf/c_data/dictionary_registry.h"
#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1::ipc {

/// How the buffers of a body are compressed, each by itself.
enum class Compression : uint8_t { kNone, kLz4Frame, kZstd };

struct ReadOptions {
  /// Columns to read, by position in the stream's schema and in the order wanted; none: all of
  /// them. What is left out is neither copied nor decompressed.
  std::optional<std::vector<int>> columns;
  /// Most fields on the longest path of a column, leaf included; at most 1,024.
  int max_depth = 64;
  /// What is checked of every batch. What `kDefault` does not look at is checked by `Array::Verify`
  /// when an operation first follows it.
  ValidationLevel validation = ValidationLevel::kDefault;
  /// For all that is copied, realigned or decompressed, and for the nodes of arrays.
  MemoryPool* pool = MemoryPool::Default();
  /// Where to register dictionaries as they come; several readers may share one. Left out: nowhere.
  std::shared_ptr<DictionaryRegistry> dictionaries = nullptr;
};

struct WriteOptions {
  /// A buffer that would not shrink is stored as it is.
  Compression compression = Compression::kNone;
  /// Of every buffer within its body, and of every body within the stream or file, in bytes: 8
  /// or 64.
  int alignment = 8;
  /// Most fields on the longest path of a column, leaf included.
  int max_depth = 256;
  /// For moved offsets, shifted bitmaps and compressed buffers.
  MemoryPool* pool = MemoryPool::Default();
  /// Where a batch's dictionary begins with the values of the one before, only the new values are
  /// sent. False: the whole again, for readers that know no deltas; files cannot have that.
  bool dictionary_deltas = true;
};

}  // namespace sheaf::inline v1::ipc
