// `AppendUniform`: many lists of one size from one array or from plain memory.

#include <numeric>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/builder/fixed_size_list_builder.h"
#include "sheaf/builder/list_builder.h"
#include "sheaf/builder/list_view_builder.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/builders.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

std::vector<std::string> ListTypes() {
  return {"list<int32>", "large_list<int32>", "list_view<int32>", "large_list_view<int32>",
          "fixed_size_list<int32>[3]"};
}

/// Every list-like builder has the operation from here.
ListLikeBuilder& AsLists(ArrayBuilder& builder) { return static_cast<ListLikeBuilder&>(builder); }

class AppendUniform : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<ArrayBuilder> builder(const BuilderOptions& options = {}) const {
    return BuilderOf(GetParam().c_str(), options);
  }
  bool is_fixed() const { return GetParam().starts_with("fixed"); }
};
INSTANTIATE_TEST_SUITE_P(Lists, AppendUniform, ::testing::ValuesIn(ListTypes()),
                         [](const auto& test) {
                           return test.param.substr(0, test.param.find('<')) + "_";
                         });

TEST_P(AppendUniform, CutsAnArrayIntoListsOfOneSize) {
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto made = builder(options);
    ASSERT_OK(made->AppendNull());
    ASSERT_OK(AsLists(*made).AppendUniform(Ints({1, 2, kNull, 4, 5, 6}), 3));
    ASSERT_OK(AsLists(*made).AppendUniform(Range(6, 16).Slice(1, 6), 3));
    EXPECT_THAT(Finished(*made),
                ReadsAs("[null, [1, 2, null], [4, 5, 6], [7, 8, 9], [10, 11, 12]]"));
  }
}

TEST_P(AppendUniform, CopiesPlainValuesHoweverMany) {
  const auto made = builder(kKeepAll);
  {
    std::vector<int32_t> values(3000);
    std::iota(values.begin(), values.end(), 0);
    ASSERT_OK(AsLists(*made).AppendUniform(std::span<const int32_t>(values), 3));
    std::fill(values.begin(), values.end(), -1);  // Nobody reads them again.
  }
  const Array array = Finished(*made);
  ASSERT_EQ(array.length(), 1000);
  EXPECT_THAT(array.Slice(999, 1), ReadsAs("[[2997, 2998, 2999]]"));
}

TEST_P(AppendUniform, RefusesSizesThatDoNotDivideTheValues) {
  const auto made = builder();
  const auto refused = [&](const Array& values, int64_t size, const char* text) {
    EXPECT_THAT(AsLists(*made).AppendUniform(values, size),
                StatusIs(StatusCode::kInvalidArgument, text));
  };
  refused(Range(0, 7), 3, "7 values as lists of 3 elements");
  refused(Range(0, 6), 0, "6 values as lists of 0 elements");
  refused(Range(0, 0), 0, "0 values as lists of 0 elements");
  refused(Range(0, 6), -3, "6 values as lists of -3 elements");
  refused(Range(0, 6, Int64()), 3, "int64");
  const std::vector<int64_t> wide = {1, 2, 3};
  EXPECT_THAT(AsLists(*made).AppendUniform(std::span<const int64_t>(wide), 3),
              StatusIs(StatusCode::kInvalidArgument, "int32"));
  if (is_fixed()) refused(Range(0, 6), 2, "a list of 2 elements");
  AsLists(*made).BeginList();
  EXPECT_THAT(AsLists(*made).AppendUniform(Range(0, 3), 3),
              StatusIs(StatusCode::kFailedPrecondition));
  EXPECT_EQ(made->length(), 0);
  EXPECT_EQ(AsLists(*made).elements().length(), 0);
}

TEST_P(AppendUniform, NoValuesAreNoLists) {
  const auto made = builder();
  ASSERT_OK(AsLists(*made).AppendUniform(Range(0, 0), 3));
  ASSERT_OK(AsLists(*made).AppendUniform(std::span<const int32_t>(), 3));
  EXPECT_EQ(Finished(*made).length(), 0);
}

TEST(AppendUniformTest, ANullInNonNullableElementsIsRefused) {
  const Field item = Field("item", Int32(), /*nullable=*/false);
  for (const DataType& type : {List(item), ListView(item), *FixedSizeList(item, 2)}) {
    const auto made = BuilderOf(type);
    EXPECT_THAT(AsLists(*made).AppendUniform(Ints({1, 2, 3, kNull}), 2),
                StatusIs(StatusCode::kInvalidArgument, "item"));
    EXPECT_EQ(made->length(), 0);
  }
}

TEST(AppendUniformTest, ViewsOverOneLongArrayAreHandedThroughAndStayAPlainList) {
  const Array values = Range(0, 80'000);
  const auto made = BuilderOf<ListViewBuilder>("list_view<int32>");
  ASSERT_OK(made->AppendUniform(values, 8));
  EXPECT_TRUE(made->zero_copy_to_list());
  const Array array = Finished(*made);
  EXPECT_EQ(array.child(0).buffer(1).data(), values.buffer(1).data());
  EXPECT_TRUE(StatsOf(array).zero_copy_to_list);
}

TEST(AppendUniformTest, ManyNullsOutgrowTheOffsets) {
  const auto made = BuilderOf("list_view<null>");
  EXPECT_THAT(AsLists(*made).AppendUniform(*MakeNullArray(Null(), int64_t{1} << 32), 1 << 30),
              StatusIs(StatusCode::kOutOfRange, "large_list_view"));
  EXPECT_EQ(made->length(), 0);
}

}  // namespace
}  // namespace sheaf
