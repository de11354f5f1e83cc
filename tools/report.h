#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sheaf/base/status.h"

namespace sheaf::tools {

/// What the program exits with.
enum ExitStatus : int {
  kSuccess = 0,
  kBadData = 1,  ///< A file that cannot be read, is broken, or does not fit; an output that cannot
                 ///< be written.
  kUsage = 2,    ///< A command line that makes no sense.

  // Of `sheaf diff`, as diff(1) has it.
  kDifferent = 1,
  kTrouble = 2,
};

/// `text` fit for one line of a terminal: control characters become `\n`, `\t`, `\x1b` and the
/// like, bytes that are not UTF-8 become `\xff`.
std::string OneLine(std::string_view text);

/// What a file is in a few words: `file, 2 batches, 17518 rows`.
std::string ShapeText(std::string_view format, int64_t batches, int64_t rows);

/// Prints `sheaf: FILE: what, where` on standard error, always as one line; returns kBadData.
ExitStatus ReportError(std::string_view file, std::string_view what);
ExitStatus ReportError(std::string_view file, const Status& status);

/// The more serious of two.
inline ExitStatus Worse(ExitStatus a, ExitStatus b) { return a > b ? a : b; }

/// The system's word for `errno` with what was tried in front: `cannot open: No such file or
/// directory`.
Status SystemError(std::string_view what, int error_number);

/// The system's number of the first failed write to standard output, 0 while all is well. Asked
/// soon after writing: later calls may have changed `errno`.
int OutputError();

}  // namespace sheaf::tools
