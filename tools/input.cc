#include "tools/input.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "array/path.h"
#include "array/verified.h"
#include "base/error.h"
#include "sheaf/ipc/byte_sink.h"
#include "sheaf/ipc/byte_source.h"
#include "sheaf/ipc/stream_reader.h"
#include "tools/report.h"

namespace sheaf::tools {
namespace {

constexpr int64_t kMagicBytes = 6;  // `ipc::FormatOf` looks at no more.

Status VerifyColumns(const RecordBatch& batch) {
  const internal::Path root;
  for (int i = 0; i < batch.num_columns(); ++i) {
    SHEAF_RETURN_IF_ERROR(
        internal::VerifyStructure(batch.column(i), root.Child(batch.schema().fields(), i)));
  }
  return OkStatus();
}

}  // namespace

/// Reads a descriptor of its own, knows how far it has come, and can be looked into before it is
/// read.
class CountingSource final : public ipc::ByteSource {
 public:
  explicit CountingSource(int descriptor) : descriptor_(descriptor) {
    struct stat facts = {};
    if (::fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode)) size_bytes_ = facts.st_size;
  }
  ~CountingSource() override { ::close(descriptor_); }

  bool is_regular_file() const { return size_bytes_ >= 0; }
  double fraction() const {
    if (size_bytes_ <= 0) return -1;
    return static_cast<double>(position_) / static_cast<double>(size_bytes_);
  }

  /// Whether the first bytes are a file's; they are read again by `Read`.
  StatusOr<bool> BeginsLikeFile() {
    while (peeked_ < kMagicBytes) {
      SHEAF_ASSIGN_OR_RETURN(const int64_t read,
                             ReadDescriptor(magic_ + peeked_, kMagicBytes - peeked_));
      if (read == 0) return false;
      peeked_ += read;
    }
    return ipc::FormatOf(Buffer::Borrow(magic_, kMagicBytes)) == ipc::Format::kFile;
  }

  StatusOr<int64_t> Read(uint8_t* target, int64_t size_bytes) override {
    int64_t read = std::min(peeked_ - position_, size_bytes);
    if (read > 0) {
      std::memcpy(target, magic_ + position_, static_cast<size_t>(read));
    } else {
      SHEAF_ASSIGN_OR_RETURN(read, ReadDescriptor(target, size_bytes));
    }
    position_ += read;
    return read;
  }

  StatusOr<Buffer> ReadAll(MemoryPool* pool) {
    ipc::MemorySink sink(pool);
    std::vector<uint8_t> block(size_t{1} << 18);
    while (true) {
      SHEAF_ASSIGN_OR_RETURN(const int64_t read,
                             Read(block.data(), static_cast<int64_t>(block.size())));
      if (read == 0) return sink.Finish();
      SHEAF_RETURN_IF_ERROR(sink.Write({block.data(), static_cast<size_t>(read)}));
    }
  }

 private:
  StatusOr<int64_t> ReadDescriptor(uint8_t* target, int64_t size_bytes) {
    while (true) {
      const ssize_t read = ::read(descriptor_, target, static_cast<size_t>(size_bytes));
      if (read >= 0) return read;
      if (errno != EINTR) return SystemError("cannot read", errno);
    }
  }

  int descriptor_;
  int64_t size_bytes_ = -1;  // -1: not a regular file.
  int64_t position_ = 0;
  int64_t peeked_ = 0;
  uint8_t magic_[kMagicBytes] = {};
};

StatusOr<std::unique_ptr<Input>> Input::Open(const std::string& path,
                                             const ipc::ReadOptions& options) {
  const int descriptor =
      path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return SystemError("cannot open", errno);
  auto source = std::make_unique<CountingSource>(descriptor);
  SHEAF_ASSIGN_OR_RETURN(const bool is_file, source->BeginsLikeFile());

  std::unique_ptr<Input> input(new Input);
  if (!is_file) {
    SHEAF_RETURN_IF_ERROR(input->OpenStream(std::move(source), options));
  } else if (path != "-" && source->is_regular_file()) {
    SHEAF_ASSIGN_OR_RETURN(Buffer bytes, ipc::MapFile(path));
    SHEAF_RETURN_IF_ERROR(input->OpenFile(std::move(bytes), options));
  } else {
    SHEAF_ASSIGN_OR_RETURN(Buffer bytes, source->ReadAll(options.pool));
    SHEAF_RETURN_IF_ERROR(input->OpenFile(std::move(bytes), options));
  }
  return input;
}

Input::~Input() = default;

Status Input::OpenFile(Buffer bytes, const ipc::ReadOptions& options) {
  SHEAF_ASSIGN_OR_RETURN(const ipc::FileReader file,
                         ipc::FileReader::Open(std::move(bytes), options));
  format_ = ipc::Format::kFile;
  num_batches_ = file.num_batches();
  reader_ = file.Batches();
  return OkStatus();
}

Status Input::OpenStream(std::unique_ptr<CountingSource> source, const ipc::ReadOptions& options) {
  source_ = source.get();
  SHEAF_ASSIGN_OR_RETURN(reader_, ipc::StreamReader::Open(std::move(source), options));
  return OkStatus();
}

StatusOr<std::optional<RecordBatch>> Input::NextBatch() {
  StatusOr<std::optional<RecordBatch>> batch = reader_->Next();
  if (!batch.ok()) {  // Files name the batch themselves.
    return source_ == nullptr ? batch.status() : AtBatch(batch.status(), batches_read_);
  }
  if (batch->has_value()) ++batches_read_;
  return batch;
}

StatusOr<std::optional<RecordBatch>> Input::NextVerifiedBatch() {
  SHEAF_ASSIGN_OR_RETURN(std::optional<RecordBatch> batch, NextBatch());
  if (!batch.has_value()) return batch;
  if (Status status = VerifyColumns(*batch); !status.ok()) {
    return AtBatch(status, batches_read_ - 1);
  }
  return batch;
}

double Input::fraction() const {
  if (source_ != nullptr) return source_->fraction();
  return num_batches_ == 0 ? 1.0
                           : static_cast<double>(batches_read_) / static_cast<double>(num_batches_);
}

Status AtBatch(const Status& status, int64_t batch) {
  return internal::ErrorOf(status.code(), {status.message(), ", batch ", batch});
}

}  // namespace sheaf::tools
