#include "tools/batch_writer.h"

#include <cstdint>
#include <span>
#include <type_traits>

#include "base/error.h"

namespace sheaf::tools {
namespace {

class OutputFileSink final : public ipc::ByteSink {
 public:
  explicit OutputFileSink(OutputFile* file) : file_(file) {}
  Status Write(std::span<const uint8_t> bytes) override { return file_->Write(bytes); }

 private:
  OutputFile* file_;
};

/// Calls `use` with the writer, whichever it is.
template <typename Writer, typename Function>
Status WithWriter(Writer& writer, Function&& use) {
  return std::visit(
      [&](auto& chosen) -> Status {
        if constexpr (std::is_same_v<std::decay_t<decltype(chosen)>, std::monostate>) {
          return internal::FailedPrecondition("no writer is open");
        } else {
          return use(chosen);
        }
      },
      writer);
}

}  // namespace

ipc::Format DefaultFormat(const std::string& path) {
  return path == "-" || path.ends_with(".arrows") ? ipc::Format::kStream : ipc::Format::kFile;
}

StatusOr<std::unique_ptr<BatchWriter>> BatchWriter::Open(const std::string& path,
                                                         ipc::Format format, const Schema& schema,
                                                         const ipc::WriteOptions& options) {
  std::unique_ptr<BatchWriter> writer(new BatchWriter);
  SHEAF_ASSIGN_OR_RETURN(writer->file_, OutputFile::Create(path));
  writer->sink_ = std::make_unique<OutputFileSink>(writer->file_.get());
  if (format == ipc::Format::kFile) {
    SHEAF_ASSIGN_OR_RETURN(writer->writer_,
                           ipc::FileWriter::Open(schema, writer->sink_.get(), options));
  } else {
    SHEAF_ASSIGN_OR_RETURN(writer->writer_,
                           ipc::StreamWriter::Open(schema, writer->sink_.get(), options));
  }
  return writer;
}

Status BatchWriter::Write(const RecordBatch& batch) {
  return WithWriter(writer_, [&](auto& writer) { return writer.Write(batch); });
}

Status BatchWriter::Close() {
  SHEAF_RETURN_IF_ERROR(WithWriter(writer_, [](auto& writer) { return writer.Close(); }));
  return file_->Commit();
}

}  // namespace sheaf::tools
