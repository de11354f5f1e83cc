#include "sheaf/ipc/byte_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <istream>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "base/error.h"

namespace sheaf::inline v1::ipc {

ByteSource::~ByteSource() = default;

namespace {

Status SystemError(int code, const std::string& path) {
  const StatusCode status = code == ENOENT                    ? StatusCode::kNotFound
                            : code == EACCES || code == EPERM ? StatusCode::kPermissionDenied
                            : code == ENOMEM                  ? StatusCode::kResourceExhausted
                                                              : StatusCode::kInvalidArgument;
  return internal::ErrorOf(status, {path, ": ", std::strerror(code)});
}

class DescriptorSource final : public ByteSource {
 public:
  explicit DescriptorSource(int descriptor) : descriptor_(descriptor) {}

  StatusOr<int64_t> Read(uint8_t* target, int64_t size_bytes) override {
    // 1 GiB: some systems refuse counts beyond 31 bits.
    const auto count = static_cast<size_t>(std::min(size_bytes, int64_t{1} << 30));
    while (true) {
      const ssize_t got = ::read(descriptor_, target, count);
      if (got >= 0) return int64_t{got};
      if (errno != EINTR) return SystemError(errno, "read");
    }
  }

 private:
  int descriptor_;
};

class IstreamSource final : public ByteSource {
 public:
  explicit IstreamSource(std::istream& stream) : stream_(stream) {}

  StatusOr<int64_t> Read(uint8_t* target, int64_t size_bytes) override {
    stream_.read(reinterpret_cast<char*>(target), static_cast<std::streamsize>(size_bytes));
    if (stream_.bad()) return internal::InvalidArgument("the input stream failed");
    return static_cast<int64_t>(stream_.gcount());
  }

 private:
  std::istream& stream_;
};

class BufferSource final : public ByteSource {
 public:
  explicit BufferSource(Buffer bytes) : bytes_(std::move(bytes)) {}

  StatusOr<int64_t> Read(uint8_t* target, int64_t size_bytes) override {
    const int64_t count = std::min(size_bytes, bytes_.size_bytes() - position_);
    if (count > 0) std::memcpy(target, bytes_.data() + position_, static_cast<size_t>(count));
    position_ += count;
    return count;
  }

 private:
  Buffer bytes_;
  int64_t position_ = 0;
};

/// Closes at the end of the scope: a mapping outlives its descriptor.
class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  int value() const { return value_; }

 private:
  int value_;
};

}  // namespace

std::unique_ptr<ByteSource> MakeDescriptorSource(int descriptor) {
  return std::make_unique<DescriptorSource>(descriptor);
}

std::unique_ptr<ByteSource> MakeIstreamSource(std::istream& stream) {
  return std::make_unique<IstreamSource>(stream);
}

std::unique_ptr<ByteSource> MakeBufferSource(Buffer bytes) {
  return std::make_unique<BufferSource>(std::move(bytes));
}

StatusOr<Buffer> MapFile(const std::string& path) {
  const Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (descriptor.value() < 0) return SystemError(errno, path);
  struct stat status = {};
  if (::fstat(descriptor.value(), &status) != 0) return SystemError(errno, path);
  if (!S_ISREG(status.st_mode)) return internal::InvalidArgument(path, ": not a regular file");
  if (status.st_size == 0) return Buffer::Empty();

  const auto size_bytes = static_cast<size_t>(status.st_size);
  void* address = ::mmap(nullptr, size_bytes, PROT_READ, MAP_PRIVATE, descriptor.value(), 0);
  if (address == MAP_FAILED) return SystemError(errno, path);
  return Buffer::Wrap(address, static_cast<int64_t>(size_bytes),
                      [address, size_bytes] { ::munmap(address, size_bytes); });
}

}  // namespace sheaf::inline v1::ipc
