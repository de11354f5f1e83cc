// Rows CMP-01 to CMP-03 and LSB-08: slices read, sliced again, sent and appended.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/c_data/export.h"
#include "sheaf/c_data/import.h"
#include "testing/array_literals.h"
#include "testing/builders.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using ::testing::ElementsAre;

TEST(SliceConformance, CMP_01_ASliceOfShuffledViews) {
  const ListViewArray views = ListViews({.offsets = {6, 0, 3, 8, 2},
                                         .sizes = {2, 3, 2, 1, 1},
                                         .elements = {10, 20, 30, 40, 50, 60, 70, 80, 90}});

  EXPECT_THAT(views.Slice(1, 3), ReadsAs("[[10, 20, 30], [40, 50], [90]]"));
}

TEST(SliceConformance, CMP_02_ASliceWithNullsKeepsTheViews) {
  const ListViewArray views = ListViews({.offsets = {0, 2, 4, 6},
                                         .sizes = {2, 2, 2, 2},
                                         .elements = {1, 2, 3, 4, 5, 6, 7, 8},
                                         .valid = "1010"});

  ASSERT_OK_AND_ASSIGN(const ListViewArray slice, ListViewArray::From(views.Slice(1, 2)));

  EXPECT_EQ(slice.null_count(), 1);
  EXPECT_TRUE(slice.IsNull(0));
  EXPECT_THAT(slice.offsets(), ElementsAre(2, 4));
  EXPECT_THAT(slice.sizes(), ElementsAre(2, 2));
  EXPECT_EQ(slice.elements().buffer(1).data(), views.elements().buffer(1).data());
}

TEST(SliceConformance, CMP_03_ASliceOfASlice) {
  const ListViewArray views = ListViews({.offsets = {0, 1, 2, 3, 0},
                                         .sizes = {1, 1, 1, 1, 4},
                                         .elements = {1, 2, 3, 4},
                                         .valid = "10101"});

  const Array twice = views.Slice(1, 4).Slice(1, 2);

  EXPECT_EQ(twice, views.Slice(2, 2));
  EXPECT_EQ(views.null_count(), 2);
  EXPECT_EQ(twice.null_count(), 1);
}

TEST(SliceConformance, LSB_08_AnImportedSliceBringsHalfOfTheElements) {
  std::vector<int64_t> offsets;
  for (int64_t row = 0; row <= 1000; ++row) offsets.push_back(row * 100);
  const Array slice = ListsOver(Range(0, 100'000), offsets).Slice(500, 500);
  ArrowArray array;
  ArrowSchema schema;
  ASSERT_OK(ExportArray(slice, &array, &schema));
  ASSERT_OK_AND_ASSIGN(const Array imported, ImportArray(&array, &schema));
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = BuilderOf(imported.type(), options);
    ASSERT_OK(builder->AppendArray(imported));

    const Array appended = Finished(*builder);

    EXPECT_EQ(appended, slice);
    EXPECT_EQ(appended.child(0).length(), 50'000);
  }
}

}  // namespace
}  // namespace sheaf
