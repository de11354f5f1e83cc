#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "sheaf/array/record_batch.h"
#include "sheaf/array/record_batch_reader.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/ipc/options.h"
#include "sheaf/memory/buffer.h"

namespace sheaf::inline v1::ipc {

/// Reads the batches of an Arrow IPC file by number, as its footer says where they are. Arrays
/// share the file's bytes (see `MapFile`). A cheap handle; may be used from several threads at
/// once.
class SHEAF_EXPORT FileReader {
 public:
  /// Reads the dictionaries of the columns that are read.
  /// \return kInvalidArgument where these are not the bytes of a whole file, or a dictionary is
  /// damaged or comes twice.
  static StatusOr<FileReader> Open(Buffer bytes, ReadOptions options = {});
  /// Maps the file at `path` into memory.
  static StatusOr<FileReader> OpenPath(const std::string& path, ReadOptions options = {});

  /// Of the columns read.
  const Schema& schema() const noexcept;
  int num_batches() const noexcept;
  /// Batch i in [0, num_batches). \return kInvalidArgument naming batch and column;
  /// kResourceExhausted.
  StatusOr<RecordBatch> Batch(int i) const;
  /// All batches in order.
  std::unique_ptr<RecordBatchReader> Batches() const;

  /// Under which id `ReadOptions::dictionaries` has the dictionary that the file calls `id`.
  /// \return kNotFound.
  StatusOr<int64_t> RegistryId(int64_t id) const;

 private:
  struct State;
  explicit FileReader(std::shared_ptr<const State> state);
  std::shared_ptr<const State> state_;
};

/// The two containers of the format.
enum class Format : uint8_t { kStream, kFile };

/// By the magic that a file starts with.
SHEAF_EXPORT Format FormatOf(const Buffer& bytes) noexcept;

/// The batches of a stream or a file, whichever `bytes` are.
SHEAF_EXPORT StatusOr<std::unique_ptr<RecordBatchReader>> OpenReader(Buffer bytes,
                                                                     ReadOptions options = {});

}  // namespace sheaf::inline v1::ipc
