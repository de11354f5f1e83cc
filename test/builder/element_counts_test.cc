#include <cstdint>
#include <limits>

#include "sheaf/builder/make_builder.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/builders.h"
#include "testing/matchers.h"

// Nulls and structs without fields take no memory, so that nothing but 64 bits bounds their number.
namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

constexpr int64_t kHuge = int64_t{1} << 62;

TEST(ElementCounts, ListsThatShareMoreElementsThan64BitsCountCannotBeLaidOutOneByOne) {
  ASSERT_OK_AND_ASSIGN(const Array nulls, MakeNullArray(Null(), kHuge));
  const Array views = LargeListViewsOver(nulls, {0, 0, 0, 0}, {kHuge, kHuge, kHuge, kHuge});
  const auto builder = BuilderOf(LargeList(Null()));
  EXPECT_THAT(builder->AppendArray(views), StatusIs(StatusCode::kOutOfRange));
  EXPECT_EQ(builder->length(), 0);
  ASSERT_OK(builder->AppendArray(views, 0, 1));
  EXPECT_EQ(Finished(*builder).child(0).length(), kHuge);
}

TEST(ElementCounts, ViewsOfThemStayViews) {
  ASSERT_OK_AND_ASSIGN(const Array nulls, MakeNullArray(Null(), kHuge));
  const Array views = LargeListViewsOver(nulls, {0, 0, 0, 0}, {kHuge, kHuge, kHuge, kHuge});
  const auto builder = BuilderOf(ListView(LargeListView(Null())));
  ASSERT_OK(builder->AppendArray(ListViewsOver(views, {0, 2}, {2, 2})));
  EXPECT_EQ(Finished(*builder).child(0).child(0).length(), kHuge);
}

TEST(ElementCounts, ElementsOfFixedSizeListsDoNotWrap) {
  ASSERT_OK_AND_ASSIGN(const DataType type, FixedSizeList(Field("item", Struct({})),
                                                          std::numeric_limits<int32_t>::max()));
  const auto builder = BuilderOf(type);
  constexpr int64_t kRows = int64_t{1} << 31;
  ASSERT_OK(builder->AppendEmptyValues(kRows));
  ASSERT_OK(builder->AppendEmptyValues(kRows));
  EXPECT_THAT(builder->AppendEmptyValues(kRows), StatusIs(StatusCode::kOutOfRange));
  EXPECT_EQ(builder->length(), 2 * kRows);
  ASSERT_OK_AND_ASSIGN(const Array all, builder->Finish());
  ASSERT_OK(builder->AppendArray(all));
  EXPECT_THAT(builder->AppendArray(all), StatusIs(StatusCode::kOutOfRange));
  EXPECT_EQ(builder->length(), 2 * kRows);
}

TEST(ElementCounts, ALimitOfBytesMeetsRowsOfMoreBitsThan64BitsCount) {
  constexpr int32_t kMost = std::numeric_limits<int32_t>::max();
  ASSERT_OK_AND_ASSIGN(const DataType inner, FixedSizeList(Field("item", Int32()), kMost));
  ASSERT_OK_AND_ASSIGN(const DataType middle, FixedSizeList(Field("item", inner), kMost));
  ASSERT_OK_AND_ASSIGN(const DataType outer, FixedSizeList(Field("item", middle), kMost));
  const auto builder = BuilderOf(outer);
  builder->set_byte_limit(1000);
  EXPECT_THAT(builder->AppendEmptyValue(), StatusIs(StatusCode::kResourceExhausted));
  EXPECT_EQ(builder->length(), 0);
}

}  // namespace
}  // namespace sheaf
