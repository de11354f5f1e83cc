#include "tools/progress.h"

#include <algorithm>
#include <utility>

namespace sheaf::tools {
namespace {

constexpr int kBarWidth = 20;
// Ten times a second: smooth to the eye, and nothing against the work.
constexpr auto kInterval = std::chrono::milliseconds(100);

std::string Bar(double fraction) {
  const double known = std::clamp(fraction, 0.0, 1.0);
  const int filled = static_cast<int>(known * kBarWidth);
  std::string bar = " [";
  for (int i = 0; i < kBarWidth; ++i) bar += i < filled ? "#" : "·";
  const std::string percent = std::to_string(static_cast<int>(known * 100));
  return bar + "] " + std::string(3 - std::min<size_t>(3, percent.size()), ' ') + percent + " %";
}

void WriteAll(int descriptor, const std::string& text) {
  // A bar that cannot be drawn is no reason to stop.
  [[maybe_unused]] const ssize_t written = ::write(descriptor, text.data(), text.size());
}

}  // namespace

Progress::Progress(std::string label, int terminal, Clock::duration patience)
    : label_(std::move(label)),
      terminal_(terminal),
      wanted_(::isatty(terminal) == 1),
      next_(Clock::now() + patience) {}

void Progress::Update(double fraction, int64_t rows) {
  if (!wanted_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + kInterval;
  visible_ = true;
  const std::string bar = fraction < 0 ? std::string() : Bar(fraction);
  WriteAll(terminal_, "\r\x1b[K" + label_ + bar + "  " + std::to_string(rows) + " rows");
}

void Progress::Wipe() {
  if (!visible_) return;
  WriteAll(terminal_, "\r\x1b[K");
  visible_ = false;
}

}  // namespace sheaf::tools
