#include "tools/report.h"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "base/error.h"
#include "kernels/utf8.h"

namespace sheaf::tools {
namespace {

void AppendEscaped(std::string& line, char character) {
  switch (character) {
    case '\n':
      line += "\\n";
      return;
    case '\r':
      line += "\\r";
      return;
    case '\t':
      line += "\\t";
      return;
    default:
      break;
  }
  char hex[8];
  std::snprintf(hex, sizeof(hex), "\\x%02x",
                static_cast<unsigned>(static_cast<uint8_t>(character)));
  line += hex;
}

/// U+0080 to U+009F steer terminals too.
bool IsControl(std::string_view sequence) {
  const auto first = static_cast<uint8_t>(sequence[0]);
  if (sequence.size() == 1) return first < 0x20 || first == 0x7F;
  return first == 0xC2 && static_cast<uint8_t>(sequence[1]) < 0xA0;
}

}  // namespace

std::string OneLine(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  while (!text.empty()) {
    const size_t length = kernels::CodePointSize(text, 0);
    const std::string_view sequence = text.substr(0, length == 0 ? 1 : length);
    if (length == 0 || IsControl(sequence)) {
      for (const char character : sequence) AppendEscaped(line, character);
    } else {
      line += sequence;
    }
    text.remove_prefix(sequence.size());
  }
  return line;
}

std::string ShapeText(std::string_view format, int64_t batches, int64_t rows) {
  return internal::Concat(format, ", ", batches, batches == 1 ? " batch, " : " batches, ", rows,
                          rows == 1 ? " row" : " rows");
}

ExitStatus ReportError(std::string_view file, std::string_view what) {
  // One write for the whole line, so that lines of several programs do not mix.
  const std::string line = "sheaf: " + OneLine(file) + ": " + OneLine(what) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
  return kBadData;
}

ExitStatus ReportError(std::string_view file, const Status& status) {
  const string_view message = status.message();
  return ReportError(file, std::string_view(message.data(), message.size()));
}

Status SystemError(std::string_view what, int error_number) {
  return internal::ErrorOf(error_number == ENOENT ? StatusCode::kNotFound : StatusCode::kUnknown,
                           {what, ": ", std::strerror(error_number)});
}

int OutputError() {
  static int first_error = 0;
  if (first_error == 0 && !std::cout.good()) first_error = errno == 0 ? EIO : errno;
  return first_error;
}

}  // namespace sheaf::tools
