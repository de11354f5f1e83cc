#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <unistd.h>

namespace sheaf::tools {

/// A bar on standard error, `concat [#########···········]  45 %  1234567 rows`, wiped when the
/// work is done.
///
/// Shown only where standard error is a terminal, and only once the work has taken longer than
/// `patience`.
class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Progress(std::string label, int terminal = STDERR_FILENO,
                    Clock::duration patience = std::chrono::milliseconds(500));
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { Wipe(); }

  /// \param fraction  of the work done, 0 to 1; below 0 where it cannot be known: then only rows
  /// are shown.
  void Update(double fraction, int64_t rows);

  /// Clears the line, for a message to take its place.
  void Wipe();

 private:
  std::string label_;
  int terminal_;
  bool wanted_;
  bool visible_ = false;
  Clock::time_point next_;
};

}  // namespace sheaf::tools
