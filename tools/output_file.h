#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <sys/types.h>

#include "sheaf/base/status.h"

namespace sheaf::tools {

/// A file that appears whole or not at all: written beside its place under a hidden name, moved
/// there by `Commit`. Without `Commit` (an error, or an interrupt from the terminal) nothing is
/// left behind and a file that was there before stays as it was.
///
/// `-` is standard output; what exists and is not a regular file (`/dev/null`, a pipe) is written
/// straight.
class OutputFile {
 public:
  /// \return the system's error where the folder cannot be written to or the path is a folder.
  static StatusOr<std::unique_ptr<OutputFile>> Create(const std::string& path);

  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  /// All of `bytes`, or the system's error.
  Status Write(std::span<const uint8_t> bytes);

  /// Makes the file durable and puts it in its place.
  Status Commit();

 private:
  OutputFile() = default;
  Status CreateBeside(const std::string& path, mode_t mode);
  void Discard();

  int descriptor_ = -1;
  std::string path_;
  std::string temporary_path_;  // Empty: written straight.
};

}  // namespace sheaf::tools
