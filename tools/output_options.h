#pragma once

#include <memory>
#include <string>

#include "sheaf/base/status.h"
#include "sheaf/type/schema.h"
#include "tools/batch_writer.h"

namespace CLI {
class App;
}

namespace sheaf::tools {

/// Where and how a command writes record batches.
struct OutputOptions {
  std::string path;
  std::string format;  ///< "file", "stream", or empty: by the path.
  std::string compression = "none";
};

/// Adds -o, --format and --compression to a command.
void AddOutputOptions(CLI::App& command, OutputOptions& options);

/// The writer that they ask for.
StatusOr<std::unique_ptr<BatchWriter>> OpenOutput(const OutputOptions& options,
                                                  const Schema& schema);

}  // namespace sheaf::tools
