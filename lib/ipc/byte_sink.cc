#include "sheaf/ipc/byte_sink.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ostream>
#include <unistd.h>
#include <utility>

#include "base/error.h"
#include "sheaf/base/checked.h"

namespace sheaf::inline v1::ipc {

ByteSink::~ByteSink() = default;

namespace {

class DescriptorSink final : public ByteSink {
 public:
  explicit DescriptorSink(int descriptor) : descriptor_(descriptor) {}

  Status Write(std::span<const uint8_t> bytes) override {
    while (!bytes.empty()) {
      const size_t count = std::min(bytes.size(), size_t{1} << 30);
      const ssize_t put = ::write(descriptor_, bytes.data(), count);
      if (put < 0) {
        if (errno == EINTR) continue;
        return internal::ErrorOf(
            errno == ENOSPC ? StatusCode::kResourceExhausted : StatusCode::kUnavailable,
            {"write: ", std::strerror(errno)});
      }
      bytes = bytes.subspan(static_cast<size_t>(put));
    }
    return OkStatus();
  }

 private:
  int descriptor_;
};

class OstreamSink final : public ByteSink {
 public:
  explicit OstreamSink(std::ostream& stream) : stream_(stream) {}

  Status Write(std::span<const uint8_t> bytes) override {
    stream_.write(reinterpret_cast<const char*>(bytes.data()),
                  static_cast<std::streamsize>(bytes.size()));
    if (!stream_) return internal::ErrorOf(StatusCode::kUnavailable, {"the output stream failed"});
    return OkStatus();
  }

 private:
  std::ostream& stream_;
};

}  // namespace

std::unique_ptr<ByteSink> MakeDescriptorSink(int descriptor) {
  return std::make_unique<DescriptorSink>(descriptor);
}

std::unique_ptr<ByteSink> MakeOstreamSink(std::ostream& stream) {
  return std::make_unique<OstreamSink>(stream);
}

MemorySink::~MemorySink() {
  if (bytes_ != nullptr) pool_->Free(bytes_, capacity_bytes_);
}

Status MemorySink::Write(std::span<const uint8_t> bytes) {
  if (bytes.empty()) return OkStatus();
  SHEAF_ASSIGN_OR_RETURN(
      const int64_t needed,
      CheckedAdd(size_bytes_, static_cast<int64_t>(bytes.size()), "bytes written"));
  if (needed > capacity_bytes_) {
    // Doubling keeps many small writes linear.
    const int64_t capacity = std::max({needed, 2 * capacity_bytes_, int64_t{4096}});
    uint8_t* block = bytes_ == nullptr ? pool_->Allocate(capacity)
                                       : pool_->Reallocate(bytes_, capacity_bytes_, capacity);
    if (block == nullptr) return internal::OutOfMemory(capacity);
    bytes_ = block;
    capacity_bytes_ = capacity;
  }
  std::memcpy(bytes_ + size_bytes_, bytes.data(), bytes.size());
  size_bytes_ = needed;
  return OkStatus();
}

StatusOr<Buffer> MemorySink::Finish() {
  if (bytes_ == nullptr) return Buffer::Empty();
  uint8_t* bytes = std::exchange(bytes_, nullptr);
  MemoryPool* pool = pool_;
  const int64_t capacity = std::exchange(capacity_bytes_, 0);
  const int64_t size_bytes = std::exchange(size_bytes_, 0);
  return Buffer::Wrap(bytes, size_bytes, [bytes, pool, capacity] { pool->Free(bytes, capacity); });
}

}  // namespace sheaf::inline v1::ipc
