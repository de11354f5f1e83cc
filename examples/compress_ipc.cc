// An Arrow IPC file, mapped into memory and written again as a Zstandard-compressed stream.
//
//   compress_ipc in.arrow out.arrows

#include <fstream>
#include <iostream>
#include <string>

#include "sheaf/ipc/byte_sink.h"
#include "sheaf/ipc/file_reader.h"
#include "sheaf/ipc/stream_writer.h"

namespace ipc = sheaf::ipc;

sheaf::Status Run(const std::string& in, std::ostream& out) {
  SHEAF_ASSIGN_OR_RETURN(const ipc::FileReader reader, ipc::FileReader::OpenPath(in));
  const auto sink = ipc::MakeOstreamSink(out);
  SHEAF_ASSIGN_OR_RETURN(auto writer,
                         ipc::StreamWriter::Open(reader.schema(), sink.get(),
                                                 {.compression = ipc::Compression::kZstd}));
  for (int i = 0; i < reader.num_batches(); ++i) {
    SHEAF_ASSIGN_OR_RETURN(const sheaf::RecordBatch batch, reader.Batch(i));
    SHEAF_RETURN_IF_ERROR(writer.Write(batch));
  }
  SHEAF_RETURN_IF_ERROR(writer.Close());
  std::cout << reader.num_batches() << " batches in " << writer.bytes_written() << " bytes\n";
  return sheaf::OkStatus();
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::ofstream out(argv[2], std::ios::binary);
  const sheaf::Status status = Run(argv[1], out);
  if (!status.ok()) std::cerr << status << '\n';
  return status.ok() ? 0 : 1;
}
