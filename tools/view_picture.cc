#include "tools/view_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "base/error.h"
#include "tools/svg.h"

namespace sheaf::tools {
namespace {

using internal::Concat;

constexpr int64_t kMostLines = 64;     // Rows with a line of their own.
constexpr int64_t kMostBins = 286;     // Of elements: 3 pixels each.
constexpr int64_t kMostRowBins = 200;  // 3 pixels each.
constexpr int64_t kPlotWidth = 860;
constexpr int64_t kPlotHeight = 600;
constexpr int64_t kWidestElement = 48;
constexpr size_t kMostBorders = 50;  // Of batches: more lines would hide the views.
constexpr double kLeft = 86;
constexpr double kTop = 70;
constexpr double kBandHeight = 44;

constexpr const char* kOne = "#2171b5";
constexpr const char* kSeveral = "#e6550d";
constexpr const char* kNone = "#dcdcdc";
// Hues of the grid, by how much of what is read several lists read: nothing, at most half, more;
// each by how often the rows of a cell read its elements: below 0.1, below 1, 1 and more.
constexpr std::array<std::array<const char*, 3>, 3> kCellColours = {
    {{"#b5d2ec", "#5fa3d6", "#2171b5"},
     {"#d3c7e6", "#a184cc", "#6a3fa0"},
     {"#fdcf9f", "#fb9a4b", "#e6550d"}}};

std::string Fill(const char* colour) { return Concat("fill=\"", colour, "\""); }

std::string Percent(int64_t part, int64_t whole) {
  if (part == 0) return "0 %";
  const double percent = 100 * static_cast<double>(part) / static_cast<double>(whole);
  if (part > 0 && percent < 0.1) return "under 0.1 %";
  char text[32];
  std::snprintf(text, sizeof(text), percent < 10 || percent > 99 ? "%.1f %%" : "%.0f %%", percent);
  return part == whole ? "100 %" : text;
}

/// A scale cut into bins of one width; the last one may be narrower.
struct Bins {
  Bins(int64_t length_, int64_t most)
      : length(length_),
        width(std::max<int64_t>(1, length / most + (length % most != 0 ? 1 : 0))),
        count(length / width + (length % width != 0 ? 1 : 0)) {}
  int64_t of(int64_t position) const { return position / width; }
  int64_t begin(int64_t bin) const { return bin * width; }
  int64_t end(int64_t bin) const { return bin + 1 == count ? length : (bin + 1) * width; }
  int64_t size(int64_t bin) const { return end(bin) - begin(bin); }

  int64_t length;
  int64_t width;
  int64_t count;
};

/// Elements of a bin, or of all, by how many lists read them.
struct Readers {
  int64_t one = 0;
  int64_t several = 0;

  void Add(int64_t elements, int64_t depth) {
    if (depth > 0) (depth == 1 ? one : several) += elements;
  }
};

class Picture {
 public:
  explicit Picture(const ViewLayout& layout)
      : layout_(layout),
        in_lines_(layout.rows() <= kMostLines),
        bins_(layout.elements, kMostBins),
        row_bins_(layout.rows(), in_lines_ ? kMostLines : kMostRowBins),
        cell_width_(
            std::clamp<int64_t>(kPlotWidth / std::max<int64_t>(1, bins_.count), 3, kWidestElement)),
        row_height_(in_lines_ ? (layout.rows() <= 24 ? 20 : 11)
                              : std::max<int64_t>(3, kPlotHeight / row_bins_.count)),
        readers_(static_cast<size_t>(bins_.count)) {
    Depths(layout).Visit([&](int64_t begin, int64_t end, int64_t depth) {
      CountReaders(begin, end, depth);
      if (in_lines_) stretches_.push_back({begin, end, depth});
    });
  }

  std::string Draw(const std::string& title, const std::string& subtitle) {
    svg_.Text(12, 24, title, Svg::Anchor::kStart, "font-size=\"16\" font-weight=\"bold\"");
    svg_.Text(12, 44, subtitle, Svg::Anchor::kStart, "fill=\"#555\"");
    DrawGaps();
    svg_.Raw("<g shape-rendering=\"crispEdges\">\n");
    if (in_lines_) {
      DrawLines();
    } else {
      DrawGrid();
    }
    DrawBand();
    svg_.Raw("</g>\n");
    DrawBorders();
    DrawScales();
    const double bottom = DrawLegend();
    return std::move(svg_).Finish(kLeft + kPlotWidth + 60, bottom, title);
  }

 private:
  struct Stretch {
    int64_t begin;
    int64_t end;
    int64_t depth;
  };

  void CountReaders(int64_t begin, int64_t end, int64_t depth) {
    deepest_ = std::max(deepest_, depth);
    all_.Add(end - begin, depth);
    if (depth == 0) return;
    for (int64_t bin = bins_.of(begin); begin < end; ++bin) {
      const int64_t stop = std::min(end, bins_.end(bin));
      readers_[static_cast<size_t>(bin)].Add(stop - begin, depth);
      begin = stop;
    }
  }

  double x(int64_t element) const {
    return kLeft + static_cast<double>(element) / static_cast<double>(bins_.width) *
                       static_cast<double>(cell_width_);
  }
  double y(int64_t row) const {
    return kTop + static_cast<double>(row) / static_cast<double>(row_bins_.width) *
                      static_cast<double>(row_height_);
  }
  double plot_bottom() const { return y(layout_.rows()); }
  double band_top() const { return plot_bottom() + 12; }
  double band_bottom() const { return band_top() + kBandHeight; }

  /// Elements that no list reads, over the whole height: whole bins, or exactly where rows are
  /// few.
  void DrawGaps() {
    const std::string fill = "fill=\"#f0f0f0\"";
    const auto gap = [&](int64_t begin, int64_t end) {
      svg_.Rect(x(begin), kTop, x(end) - x(begin), plot_bottom() - kTop, fill);
    };
    if (in_lines_) {
      for (const Stretch& stretch : stretches_) {
        if (stretch.depth == 0) gap(stretch.begin, stretch.end);
      }
      return;
    }
    for (int64_t bin = 0; bin < bins_.count; ++bin) {
      const int64_t first = bin;
      while (bin < bins_.count && IsGap(bin)) ++bin;
      if (bin > first) gap(bins_.begin(first), bins_.end(bin - 1));
    }
  }
  bool IsGap(int64_t bin) const {
    const Readers& readers = readers_[static_cast<size_t>(bin)];
    return readers.one + readers.several == 0;
  }

  void DrawLines() {
    for (int64_t row = 0; row < layout_.rows(); ++row) {
      const PlacedView& view = layout_.views[static_cast<size_t>(row)];
      const double top = y(row) + (row_height_ > 12 ? 3 : 1);
      const double height = static_cast<double>(row_height_) - (row_height_ > 12 ? 6 : 2);
      const std::string hint = Concat("row ", row, ": [", view.offset, ", ", view.end(), ")");
      if (view.is_null != 0) {
        svg_.Rect(x(view.offset), top, x(view.end()) - x(view.offset), height,
                  "fill=\"none\" stroke=\"#999\" stroke-dasharray=\"3 2\"", hint + ", null");
      } else if (view.size == 0) {
        svg_.Rect(x(view.offset) - 1, top, 2, height, "fill=\"#000\"", hint + ", empty");
      }
      if (!view.reads()) continue;
      // Stretches that this list reads; the first one that ends behind its begin.
      auto stretch = std::ranges::upper_bound(stretches_, view.offset, {}, &Stretch::end);
      for (; stretch != stretches_.end() && stretch->begin < view.end(); ++stretch) {
        const int64_t begin = std::max(stretch->begin, view.offset);
        const int64_t end = std::min(stretch->end, view.end());
        // One element of very many would not be seen.
        svg_.Rect(x(begin), top, std::max(2.0, x(end) - x(begin)), height,
                  Fill(stretch->depth == 1 ? kOne : kSeveral), hint);
      }
    }
  }

  /// One path a colour of strokes one cell high, in units of cells: few bytes a cell.
  void DrawGrid() {
    std::array<std::array<std::string, 3>, 3> paths;
    int64_t row = 0;
    for (int64_t bin = 0; bin < row_bins_.count; ++bin) {
      const std::vector<double> depths = DepthsOfRows(row, row_bins_.end(bin));
      row = row_bins_.end(bin);
      for (int64_t first = 0; first < bins_.count;) {
        const auto colour = ColourOf(first, depths);
        int64_t last = first + 1;
        while (last < bins_.count && ColourOf(last, depths) == colour) ++last;
        if (colour.first >= 0) {
          paths[static_cast<size_t>(colour.first)][static_cast<size_t>(colour.second)] +=
              Concat("M", first, " ", bin, "h", last - first);
        }
        first = last;
      }
    }
    svg_.Raw(Concat("<g transform=\"translate(", PixelText(kLeft), " ",
                    PixelText(kTop + static_cast<double>(row_height_) / 2), ") scale(", cell_width_,
                    " ", row_height_, ")\" stroke-width=\"1\" fill=\"none\">\n"));
    for (size_t hue = 0; hue < 3; ++hue) {
      for (size_t shade = 0; shade < 3; ++shade) {
        if (paths[hue][shade].empty()) continue;
        svg_.Raw(Concat("<path stroke=\"", kCellColours[hue][shade], "\" d=\"", paths[hue][shade],
                        "\"/>\n"));
      }
    }
    svg_.Raw("</g>\n");
  }

  /// How often rows [begin, end) read the elements of each bin on average. O(1) a row: ends of
  /// views count by their elements, whole bins between them by a difference.
  std::vector<double> DepthsOfRows(int64_t begin, int64_t end) const {
    const auto count = static_cast<size_t>(bins_.count);
    std::vector<double> parts(count);
    std::vector<int64_t> whole(count + 1);
    for (int64_t row = begin; row < end; ++row) {
      const PlacedView& view = layout_.views[static_cast<size_t>(row)];
      if (!view.reads()) continue;
      const int64_t first = bins_.of(view.offset);
      const int64_t last = bins_.of(view.end() - 1);
      const int64_t in_first = std::min(view.end(), bins_.end(first)) - view.offset;
      parts[static_cast<size_t>(first)] += static_cast<double>(in_first);
      if (first == last) continue;
      parts[static_cast<size_t>(last)] += static_cast<double>(view.end() - bins_.begin(last));
      ++whole[static_cast<size_t>(first) + 1];
      --whole[static_cast<size_t>(last)];
    }
    int64_t covering = 0;
    for (size_t bin = 0; bin < count; ++bin) {
      covering += whole[bin];
      parts[bin] = parts[bin] / static_cast<double>(bins_.size(static_cast<int64_t>(bin))) +
                   static_cast<double>(covering);
    }
    return parts;
  }

  /// Hue and shade of a cell, -1 where its rows read nothing of the bin.
  std::pair<int, int> ColourOf(int64_t bin, const std::vector<double>& depths) const {
    const double depth = depths[static_cast<size_t>(bin)];
    if (depth <= 0) return {-1, 0};
    const Readers& readers = readers_[static_cast<size_t>(bin)];
    const int hue = readers.several == 0 ? 0 : readers.several <= readers.one ? 1 : 2;
    return {hue, depth < 0.1 ? 0 : depth < 0.999 ? 1 : 2};
  }

  /// For each bin how much of it nobody, one list and several lists read, from the bottom up. What
  /// there is at all is at least three pixels high.
  void DrawBand() {
    svg_.Text(kLeft - 8, band_top() + kBandHeight / 2, "readers", Svg::Anchor::kEnd,
              "fill=\"#555\"");
    svg_.Text(kLeft - 8, band_top() + kBandHeight / 2 + 13, "of elements", Svg::Anchor::kEnd,
              "fill=\"#555\"");
    const auto same = [&](int64_t a, int64_t b) {
      const Readers& one = readers_[static_cast<size_t>(a)];
      const Readers& other = readers_[static_cast<size_t>(b)];
      return bins_.size(a) == bins_.size(b) && one.one == other.one && one.several == other.several;
    };
    for (int64_t bin = 0; bin < bins_.count;) {
      const int64_t first = bin;
      while (bin < bins_.count && same(first, bin)) ++bin;
      const Readers& readers = readers_[static_cast<size_t>(first)];
      const int64_t size = bins_.size(first);
      const std::array<std::pair<int64_t, const char*>, 3> parts = {
          {{readers.several, kSeveral},
           {readers.one, kOne},
           {size - readers.one - readers.several, kNone}}};
      DrawStack(x(bins_.begin(first)), x(bins_.end(bin - 1)), size, parts);
    }
  }

  void DrawStack(double left, double right, int64_t whole,
                 const std::array<std::pair<int64_t, const char*>, 3>& parts) {
    constexpr double kLeast = 3;
    double spare = kBandHeight;  // For what is shown by its share.
    int64_t shared = 0;
    for (const auto& [part, colour] : parts) {
      const bool thin =
          static_cast<double>(part) < kLeast / kBandHeight * static_cast<double>(whole);
      if (part > 0 && thin) spare -= kLeast;
      if (!thin) shared += part;
    }
    double bottom = band_bottom();
    for (const auto& [part, colour] : parts) {
      if (part == 0) continue;
      const bool thin =
          static_cast<double>(part) < kLeast / kBandHeight * static_cast<double>(whole);
      const double height =
          thin ? kLeast : spare * static_cast<double>(part) / static_cast<double>(shared);
      svg_.Rect(left, bottom - height, right - left, height, Fill(colour));
      bottom -= height;
    }
  }

  void DrawBorders() {
    if (layout_.row_borders.size() >= kMostBorders) return;
    for (size_t i = 0; i < layout_.row_borders.size(); ++i) {
      const std::string_view style =
          "stroke=\"#888\" stroke-width=\"0.6\" stroke-dasharray=\"2 3\"";
      const double at_y = y(layout_.row_borders[i]);
      const double at_x = x(layout_.element_borders[i]);
      svg_.Line(kLeft, at_y, x(layout_.elements), at_y, style);
      svg_.Line(at_x, kTop, at_x, band_bottom(), style);
    }
  }

  void DrawScales() {
    const std::string_view line = "stroke=\"#333\" stroke-width=\"1\"";
    const double right = x(layout_.elements);
    svg_.Line(kLeft - 1, kTop, kLeft - 1, plot_bottom(), line);
    svg_.Line(kLeft, band_bottom() + 0.5, right, band_bottom() + 0.5, line);
    if (layout_.elements > 0) {
      const int64_t marks = std::clamp<int64_t>(static_cast<int64_t>(right - kLeft) / 60, 1, 12);
      const int64_t step = RoundStep(layout_.elements, marks);
      for (int64_t at = 0;; at += step) {
        svg_.Line(x(at), band_bottom(), x(at), band_bottom() + 5, line);
        svg_.Text(x(at), band_bottom() + 18, ShortCountText(at), Svg::Anchor::kMiddle);
        if (at > layout_.elements - step) break;
      }
    }
    svg_.Text(kLeft, band_bottom() + 34, "element", Svg::Anchor::kStart, "fill=\"#555\"");
    svg_.Text(kLeft - 8, kTop - 8, "row", Svg::Anchor::kEnd, "fill=\"#555\"");
    if (layout_.rows() == 0) return;
    const int64_t step = in_lines_ ? (row_height_ > 12 ? 1 : 2) : RoundStep(layout_.rows(), 12);
    for (int64_t row = 0;; row += step) {
      // Of a line its middle, of a grid its upper border.
      const double at = y(row) + (in_lines_ ? static_cast<double>(row_height_) / 2 : 0);
      if (row < layout_.rows()) {
        svg_.Line(kLeft - 4, at, kLeft, at, line);
        svg_.Text(kLeft - 8, at + 4, ShortRow(row), Svg::Anchor::kEnd,
                  row_height_ == 11 ? "font-size=\"10\"" : "");
      }
      if (row >= layout_.rows() - step) break;
    }
  }
  std::string ShortRow(int64_t row) const {
    return in_lines_ ? std::to_string(row) : ShortCountText(row);
  }

  /// \return where the picture ends.
  double DrawLegend() {
    double at = band_bottom() + 62;
    const auto entry = [&](const std::string& swatch, const std::string& text) {
      svg_.Rect(kLeft, at - 10, 14, 12, swatch);
      svg_.Text(kLeft + 22, at, text);
      at += 19;
    };
    const auto elements = [&](int64_t count) {
      return Concat(": ", CountText(count), count == 1 ? " element (" : " elements (",
                    Percent(count, layout_.elements), ")");
    };
    const std::string deepest =
        deepest_ > 1 ? Concat(", at most ", CountText(deepest_)) : std::string();
    entry(Fill(kOne), "read by one list" + elements(all_.one));
    entry(Fill(kSeveral), Concat("read by several lists", deepest, elements(all_.several)));
    entry(Fill(kNone), "read by no list" + elements(layout_.elements - all_.one - all_.several));
    int64_t nulls = 0;
    int64_t empty = 0;
    for (const PlacedView& view : layout_.views) {
      if (view.is_null != 0) {
        ++nulls;
      } else if (view.size == 0) {
        ++empty;
      }
    }
    if (in_lines_) {
      if (nulls > 0) {
        entry("fill=\"none\" stroke=\"#999\" stroke-dasharray=\"3 2\"",
              "view of a null row, which reads nothing");
      }
      if (empty > 0) {
        svg_.Rect(kLeft + 6, at - 10, 2, 12, "fill=\"#000\"");
        svg_.Text(kLeft + 22, at, "empty list");
        at += 19;
      }
      return at;
    }
    svg_.Text(kLeft, at + 2,
              Concat("null rows: ", CountText(nulls), ", empty lists: ", CountText(empty),
                     ". A cell stands for ", Several(row_bins_.width, "row"), " and ",
                     Several(bins_.width, "element"), ":"));
    at += 24;
    return DrawCellLegend(at);
  }

  static std::string Several(int64_t count, const char* noun) {
    return Concat(CountText(count), " ", noun, count == 1 ? "" : "s");
  }

  double DrawCellLegend(double at) {
    const std::array<const char*, 3> shades = {"below 0.1", "below 1", "1 and more"};
    const std::array<const char*, 3> hues = {"no element of the stretch is read by several lists",
                                             "up to half of what is read, several lists read",
                                             "more than half, several lists read"};
    constexpr double kColumn = 84;
    for (size_t shade = 0; shade < 3; ++shade) {
      svg_.Text(kLeft + kColumn * (static_cast<double>(shade) + 0.5), at, shades[shade],
                Svg::Anchor::kMiddle, "fill=\"#555\"");
    }
    svg_.Text(kLeft + 3 * kColumn + 14, at,
              "times the rows of a cell read each of its elements, on average", Svg::Anchor::kStart,
              "fill=\"#555\"");
    for (size_t hue = 0; hue < 3; ++hue) {
      at += 19;
      for (size_t shade = 0; shade < 3; ++shade) {
        svg_.Rect(kLeft + kColumn * static_cast<double>(shade) + 4, at - 10, kColumn - 8, 12,
                  Fill(kCellColours[hue][shade]));
      }
      svg_.Text(kLeft + 3 * kColumn + 14, at, hues[hue]);
    }
    return at + 19;
  }

  const ViewLayout& layout_;
  bool in_lines_;
  Bins bins_;
  Bins row_bins_;
  int64_t cell_width_;
  int64_t row_height_;
  std::vector<Readers> readers_;    // One a bin.
  std::vector<Stretch> stretches_;  // Where rows have lines: at most two a row, and one.
  Readers all_;
  int64_t deepest_ = 0;
  Svg svg_;
};

}  // namespace

std::string DrawViews(const ViewLayout& layout, const std::string& title,
                      const std::string& subtitle) {
  return Picture(layout).Draw(title, subtitle);
}

}  // namespace sheaf::tools
