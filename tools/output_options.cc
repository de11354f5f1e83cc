#include "tools/output_options.h"

#include <map>

#include <CLI/CLI.hpp>

namespace sheaf::tools {
namespace {

const std::map<std::string, ipc::Compression> kCompressions = {{"none", ipc::Compression::kNone},
                                                               {"lz4", ipc::Compression::kLz4Frame},
                                                               {"zstd", ipc::Compression::kZstd}};

ipc::Format FormatOf(const OutputOptions& options) {
  if (options.format.empty()) return DefaultFormat(options.path);
  return options.format == "file" ? ipc::Format::kFile : ipc::Format::kStream;
}

}  // namespace

void AddOutputOptions(CLI::App& command, OutputOptions& options) {
  command
      .add_option("-o,--output", options.path,
                  "Where to write; - is standard output. Appears whole or not at all")
      ->option_text("OUT REQUIRED")
      ->required();
  command
      .add_option(
          "--format", options.format,
          "file or stream; without it, - and names ending in .arrows are streams, all others files")
      ->option_text("FORMAT")
      ->check(CLI::IsMember({"file", "stream"}).description(""));
  command.add_option("--compression", options.compression, "none, lz4 or zstd")
      ->option_text("CODEC [none]")
      ->check(CLI::IsMember(kCompressions).description(""));
}

StatusOr<std::unique_ptr<BatchWriter>> OpenOutput(const OutputOptions& options,
                                                  const Schema& schema) {
  return BatchWriter::Open(options.path, FormatOf(options), schema,
                           {.compression = kCompressions.at(options.compression)});
}

}  // namespace sheaf::tools
