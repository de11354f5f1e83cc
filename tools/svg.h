#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::tools {

/// Builds an SVG picture as text, in pixels from the upper left corner.
class Svg {
 public:
  enum class Anchor { kStart, kMiddle, kEnd };

  /// `attributes` such as `fill="#fff"`. Widths below one pixel would hardly be seen: they are one.
  /// \param hint  shown where the mouse rests, if it is not empty.
  void Rect(double x, double y, double width, double height, std::string_view attributes,
            std::string_view hint = "");
  void Line(double x1, double y1, double x2, double y2, std::string_view attributes);
  void Text(double x, double y, std::string_view text, Anchor anchor = Anchor::kStart,
            std::string_view attributes = "");
  /// Text that is part of the picture already, such as a path.
  void Raw(std::string_view text) { body_ += text; }

  /// The whole picture, on white.
  std::string Finish(double width, double height, std::string_view title) &&;

 private:
  std::string body_;
};

/// At most two digits behind the point, and none that is not needed: `12`, `0.5`.
std::string PixelText(double value);
/// `12,345,678`.
std::string CountText(int64_t count);
/// A round number, short: `500`, `20k`, `1.5M`, `2G`.
std::string ShortCountText(int64_t count);
/// The step of a scale to `end` with about `wanted` marks: 1, 2 or 5 times a power of ten.
int64_t RoundStep(int64_t end, int64_t wanted);

}  // namespace sheaf::tools
