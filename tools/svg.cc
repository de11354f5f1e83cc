#include "tools/svg.h"

#include <algorithm>
#include <cstdio>

#include "tools/report.h"

namespace sheaf::tools {
namespace {

/// Text between tags: names come from files and may hold anything.
std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char character : OneLine(text)) {
    switch (character) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      default:
        escaped += character;
    }
  }
  return escaped;
}

std::string Attribute(std::string_view name, double value) {
  return " " + std::string(name) + "=\"" + PixelText(value) + "\"";
}

}  // namespace

void Svg::Rect(double x, double y, double width, double height, std::string_view attributes,
               std::string_view hint) {
  body_ += "<rect" + Attribute("x", x) + Attribute("y", y) +
           Attribute("width", std::max(width, 1.0)) + Attribute("height", std::max(height, 1.0)) +
           " " + std::string(attributes);
  body_ += hint.empty() ? "/>\n" : "><title>" + Escaped(hint) + "</title></rect>\n";
}

void Svg::Line(double x1, double y1, double x2, double y2, std::string_view attributes) {
  body_ += "<line" + Attribute("x1", x1) + Attribute("y1", y1) + Attribute("x2", x2) +
           Attribute("y2", y2) + " " + std::string(attributes) + "/>\n";
}

void Svg::Text(double x, double y, std::string_view text, Anchor anchor,
               std::string_view attributes) {
  body_ += "<text" + Attribute("x", x) + Attribute("y", y);
  if (anchor == Anchor::kMiddle) body_ += " text-anchor=\"middle\"";
  if (anchor == Anchor::kEnd) body_ += " text-anchor=\"end\"";
  if (!attributes.empty()) body_ += " " + std::string(attributes);
  body_ += ">" + Escaped(text) + "</text>\n";
}

std::string Svg::Finish(double width, double height, std::string_view title) && {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\"" + Attribute("width", width) +
         Attribute("height", height) + " viewBox=\"0 0 " + PixelText(width) + " " +
         PixelText(height) +
         "\" role=\"img\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\">\n"
         "<title>" +
         Escaped(title) + "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n" +
         body_ + "</svg>\n";
}

std::string PixelText(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.2f", value);
  std::string trimmed = text;
  trimmed.erase(trimmed.find_last_not_of('0') + 1);
  if (trimmed.ends_with('.')) trimmed.pop_back();
  return trimmed;
}

std::string CountText(int64_t count) {
  std::string text = std::to_string(count);
  for (auto at = static_cast<int64_t>(text.size()) - 3; at > 0; at -= 3)
    text.insert(static_cast<size_t>(at), ",");
  return text;
}

std::string ShortCountText(int64_t count) {
  int power = 0;
  auto value = static_cast<double>(count);
  for (; value >= 1000 && power < 6; ++power) value /= 1000;
  const char* const kSuffixes[] = {"", "k", "M", "G", "T", "P", "E"};
  return PixelText(value) + kSuffixes[power];
}

int64_t RoundStep(int64_t end, int64_t wanted) {
  int64_t step = 1;
  while (true) {
    for (const int64_t factor : {1, 2, 5}) {
      if (end / (step * factor) <= wanted) return step * factor;
    }
    step *= 10;
  }
}

}  // namespace sheaf::tools
