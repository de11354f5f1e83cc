#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <span>
#include <vector>

#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/buffer.h"

namespace sheaf::inline v1::ipc {

/// Where bytes go, one after the other.
class SHEAF_EXPORT ByteSink {
 public:
  ByteSink() = default;
  ByteSink(const ByteSink&) = delete;
  ByteSink& operator=(const ByteSink&) = delete;
  virtual ~ByteSink();

  /// Takes all of `bytes`, or returns why not; after an error the sink's content is not to be used.
  virtual Status Write(std::span<const uint8_t> bytes) = 0;
};

/// Writes to a file descriptor (a file, a pipe, a socket), which stays open.
SHEAF_EXPORT std::unique_ptr<ByteSink> MakeDescriptorSink(int descriptor);

/// Writes to a stream, which must outlive the sink.
SHEAF_EXPORT std::unique_ptr<ByteSink> MakeOstreamSink(std::ostream& stream);

/// Collects bytes in memory of a pool.
class SHEAF_EXPORT MemorySink final : public ByteSink {
 public:
  explicit MemorySink(MemoryPool* pool = MemoryPool::Default()) : pool_(pool) {}
  ~MemorySink() override;

  /// \return kResourceExhausted where the pool refuses.
  Status Write(std::span<const uint8_t> bytes) override;
  int64_t size_bytes() const noexcept { return size_bytes_; }
  /// What was written, as one buffer of exactly that size; the sink is empty again.
  StatusOr<Buffer> Finish();

 private:
  MemoryPool* pool_;
  uint8_t* bytes_ = nullptr;
  int64_t size_bytes_ = 0;
  int64_t capacity_bytes_ = 0;
};

}  // namespace sheaf::inline v1::ipc
