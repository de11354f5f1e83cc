#pragma once

#include <memory>
#include <optional>

#include "sheaf/array/record_batch_reader.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/ipc/byte_source.h"
#include "sheaf/ipc/options.h"

namespace sheaf::inline v1 {
namespace internal {
class MessageSource;  // lib/ipc/message.h
}

namespace ipc {

/// Reads the batches of an Arrow IPC stream, in order. Metadata V4 and V5, with and without the
/// continuation marker (before 0.15).
///
/// From a buffer the arrays share its bytes; only a buffer that lies at an address too odd for its
/// values is copied. A delta or a replacement of a dictionary counts for the batches after it;
/// those before keep theirs. A column of nulls alone may come before its dictionary.
class SHEAF_EXPORT StreamReader final : public RecordBatchReader {
 public:
  /// Reads the schema. \return kInvalidArgument where these are not the bytes of a stream, or
  /// nested too deep.
  static StatusOr<std::unique_ptr<StreamReader>> Open(Buffer bytes, ReadOptions options = {});
  static StatusOr<std::unique_ptr<StreamReader>> Open(std::unique_ptr<ByteSource> source,
                                                      ReadOptions options = {});
  ~StreamReader() override;

  /// Of the columns read.
  const Schema& schema() const noexcept override;

  /// The next batch; nothing at the end of the stream, which is the end marker or the end of the
  /// bytes between two messages.
  /// \return kInvalidArgument naming the column where the batch is damaged or cut;
  /// kResourceExhausted. After an error about one batch's content the next may be read; after one
  /// about the framing each call gives it again.
  StatusOr<std::optional<RecordBatch>> Next() override;

  /// Under which id `ReadOptions::dictionaries` has the dictionary that the stream calls `id`, as
  /// it was for the last batch. \return kNotFound.
  StatusOr<int64_t> RegistryId(int64_t id) const;

 private:
  struct State;
  static StatusOr<std::unique_ptr<StreamReader>> Open(
      std::unique_ptr<internal::MessageSource> messages, ReadOptions options);
  explicit StreamReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace ipc
}  // namespace sheaf::inline v1
