// What is drawn of views, against a naive count of who reads which element.

#include "tools/view_layout.h"

#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/array/list_view_array.h"
#include "testing/array_literals.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"
#include "tools/svg.h"
#include "tools/view_picture.h"

namespace sheaf::tools {
namespace {

using namespace sheaf::testing;  // NOLINT(google-build-using-namespace)
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

using Stretch = std::tuple<int64_t, int64_t, int64_t>;

std::vector<Stretch> StretchesOf(const ViewLayout& layout) {
  std::vector<Stretch> stretches;
  Depths(layout).Visit([&](int64_t begin, int64_t end, int64_t depth) {
    stretches.emplace_back(begin, end, depth);
  });
  return stretches;
}

TEST(ViewLayout, NullAndEmptyRowsReadNothing) {
  ViewLayout layout;
  layout.Add(ListViewsOver(Range(0, 9), {1, 2, 0, 4}, {3, 2, 9, 0}, "1101"));
  EXPECT_THAT(StretchesOf(layout),
              ElementsAre(Stretch(0, 1, 0), Stretch(1, 2, 1), Stretch(2, 4, 2), Stretch(4, 9, 0)));
  EXPECT_EQ(layout.views[2].is_null, 1);
  EXPECT_EQ(layout.views[2].end(), 9);
}

TEST(ViewLayout, BatchesLieOneBehindTheOther) {
  ViewLayout layout;
  layout.Add(ListViewsOver(Range(0, 4), {0, 2}, {2, 2}));
  layout.Add(LargeListViewsOver(Range(0, 3), {1}, {2}).Slice(0));
  layout.Add(ListViewsOver(Range(0, 5), {9, 0}, {9, 1}).Slice(1));
  EXPECT_THAT(layout.row_borders, ElementsAre(2, 3));
  EXPECT_THAT(layout.element_borders, ElementsAre(4, 7));
  EXPECT_EQ(layout.elements, 12);
  EXPECT_EQ(layout.views[2].offset, 5);
  EXPECT_EQ(layout.views[3].offset, 7);
}

TEST(ViewLayout, MoreElementsThanMemoryCouldCountAreNoTrouble) {
  ASSERT_OK_AND_ASSIGN(const Array many, MakeNullArray(Null(), int64_t{1} << 40));
  ViewLayout layout;
  layout.Add(LargeListViewsOver(many, {5, int64_t{1} << 39}, {10, 20}));
  EXPECT_EQ(StretchesOf(layout).size(), 5);
  EXPECT_LT(DrawViews(layout, "t", "s").size(), 20000);
}

TEST(ViewLayout, DepthsAreThoseOfANaiveCountForEveryShape) {
  Random random(3);
  for (const ViewShape shape : kViewShapes) {
    for (int i = 0; i < 20; ++i) {
      const Array array = RandomArray(ListView(Int32()), {.length = 30, .shape = shape}, random);
      ViewLayout layout;
      layout.Add(array);
      std::vector<int64_t> naive(static_cast<size_t>(array.child(0).length()));
      const auto views = *ListViewArray::From(array);
      for (int64_t row = 0; row < views.length(); ++row) {
        if (views.IsNull(row)) continue;
        for (int32_t k = 0; k < views.sizes()[static_cast<size_t>(row)]; ++k)
          ++naive[static_cast<size_t>(views.offsets()[static_cast<size_t>(row)] + k)];
      }
      int64_t at = 0;
      for (const auto& [begin, end, depth] : StretchesOf(layout)) {
        ASSERT_EQ(begin, at) << Name(shape);
        for (; at < end; ++at) ASSERT_EQ(naive[static_cast<size_t>(at)], depth) << Name(shape);
      }
      EXPECT_EQ(at, layout.elements);
    }
  }
}

TEST(ViewPicture, FewRowsHaveALineEachAndTheLegendCounts) {
  ViewLayout layout;
  layout.Add(ListViewsOver(Range(0, 10), {0, 2, 6, 4, 8}, {4, 2, 2, 0, 1}, "11110"));
  const std::string svg = DrawViews(layout, "$.a: list_view<int32>", "x.arrow");
  EXPECT_THAT(svg, HasSubstr("<title>row 0: [0, 4)</title>"));
  EXPECT_THAT(svg, HasSubstr("<title>row 3: [4, 4), empty</title>"));
  EXPECT_THAT(svg, HasSubstr("<title>row 4: [8, 9), null</title>"));
  EXPECT_THAT(svg, HasSubstr(">read by one list: 4 elements (40 %)<"));
  EXPECT_THAT(svg, HasSubstr(">read by several lists, at most 2: 2 elements (20 %)<"));
  EXPECT_THAT(svg, HasSubstr(">read by no list: 4 elements (40 %)<"));
  EXPECT_THAT(svg, HasSubstr("list_view&lt;int32&gt;"));
}

TEST(ViewPicture, OverlapsAndGapsBeginAndEndWhereTheyAre) {
  ViewLayout layout;  // 10 elements of 48 pixels from 86 on.
  layout.Add(ListViewsOver(Range(0, 10), {0, 2}, {4, 4}));
  const std::string svg = DrawViews(layout, "t", "s");
  EXPECT_THAT(svg, HasSubstr("x=\"182\" y=\"73\" width=\"96\" height=\"14\" fill=\"#e6550d\""));
  EXPECT_THAT(svg, HasSubstr("x=\"374\" y=\"70\" width=\"192\" height=\"40\" fill=\"#f0f0f0\""));
}

TEST(ViewPicture, ManyRowsAreCellsAndTheSizeIsBounded) {
  Random random(5);
  for (const int64_t rows : {65, 200, 201, 1000, 300000}) {
    const int64_t elements = rows * 7 + 3;
    std::vector<int64_t> offsets;
    std::vector<int64_t> sizes;
    for (int64_t i = 0; i < rows; ++i) {
      sizes.push_back(static_cast<int64_t>(random() % 5));
      offsets.push_back(static_cast<int64_t>(random() % static_cast<uint64_t>(elements - 5)));
    }
    ViewLayout layout;
    layout.Add(ListViewsOver(*MakeNullArray(Null(), elements), offsets, sizes));
    const std::string svg = DrawViews(layout, "t", "s");
    EXPECT_THAT(svg, HasSubstr(". A cell stands for "));
    EXPECT_THAT(svg, Not(HasSubstr("<title>row ")));
    EXPECT_LT(svg.size(), 1000000) << rows;
  }
}

TEST(ViewPicture, CellsAreAsDarkAsTheirRowsReadThem) {
  ViewLayout layout;  // 400 rows over 572 elements: cells of 2 rows and 2 elements.
  std::vector<int64_t> offsets(400, 0);
  std::vector<int64_t> sizes(400, 0);
  offsets[0] = 0, sizes[0] = 2;  // Cell (0, 0): all of it once.
  offsets[2] = 4, sizes[2] = 1;  // Cell (2, 1): half.
  offsets[4] = 8, sizes[4] = 2;  // Cell (4, 2): by two lists.
  offsets[5] = 8, sizes[5] = 2;
  layout.Add(ListViewsOver(*MakeNullArray(Null(), 572), offsets, sizes));
  const std::string svg = DrawViews(layout, "t", "s");
  EXPECT_THAT(svg, HasSubstr("<path stroke=\"#2171b5\" d=\"M0 0h1\"/>"));
  EXPECT_THAT(svg, HasSubstr("<path stroke=\"#5fa3d6\" d=\"M2 1h1\"/>"));
  EXPECT_THAT(svg, HasSubstr("<path stroke=\"#e6550d\" d=\"M4 2h1\"/>"));
}

TEST(ViewPicture, NoRowsAndNoElementsArePicturesToo) {
  ViewLayout nothing;
  EXPECT_THAT(DrawViews(nothing, "t", "s"), HasSubstr("read by no list: 0 elements (0 %)"));
  ViewLayout empties;
  empties.Add(ListViewsOver(Range(0, 0), {0, 0}, {0, 0}));
  EXPECT_THAT(DrawViews(empties, "t", "s"), HasSubstr("row 1: [0, 0), empty"));
  ViewLayout no_rows;
  no_rows.Add(ListViewsOver(Range(0, 7), {}, {}));
  EXPECT_THAT(DrawViews(no_rows, "t", "s"), HasSubstr("read by no list: 7 elements (100 %)"));
}

TEST(Svg, NumbersAreShort) {
  EXPECT_EQ(PixelText(12.0), "12");
  EXPECT_EQ(PixelText(0.504), "0.5");
  EXPECT_EQ(PixelText(-3.25), "-3.25");
  EXPECT_EQ(CountText(0), "0");
  EXPECT_EQ(CountText(999), "999");
  EXPECT_EQ(CountText(1234567), "1,234,567");
  EXPECT_EQ(ShortCountText(500), "500");
  EXPECT_EQ(ShortCountText(1500), "1.5k");
  EXPECT_EQ(ShortCountText(20000000), "20M");
  EXPECT_EQ(ShortCountText(int64_t{4000000000000000000}), "4E");
}

TEST(Svg, StepsAreRound) {
  EXPECT_EQ(RoundStep(10, 12), 1);
  EXPECT_EQ(RoundStep(30, 12), 5);
  EXPECT_EQ(RoundStep(10000000, 12), 1000000);
  EXPECT_EQ(RoundStep(std::numeric_limits<int64_t>::max(), 12), int64_t{1000000000000000000});
}

TEST(Svg, NamesFromFilesCannotBreakOut) {
  Svg svg;
  svg.Text(0, 0, "</text><script>&\n\xff");
  const std::string text = std::move(svg).Finish(10, 10, "<t>");
  EXPECT_THAT(text, HasSubstr(">&lt;/text&gt;&lt;script&gt;&amp;\\n\\xff</text>"));
  EXPECT_THAT(text, HasSubstr("<title>&lt;t&gt;</title>"));
}

}  // namespace
}  // namespace sheaf::tools
