// Counts that no memory holds, and products of them that 64 bits do not: refused in no time, and
// the builder goes on as it was.
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "sheaf/builder/fixed_size_list_builder.h"
#include "sheaf/builder/list_builder.h"
#include "sheaf/builder/make_builder.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

DataType Fixed(const DataType& elements, int32_t size) {
  return *FixedSizeList(Field("item", elements), size);
}

TEST(HugeCounts, NoCountOfOffsetsWraps) {
  const auto pool = MakeLimitedPool(MemoryPool::Default(), int64_t{1} << 20);
  BuilderOptions options;
  options.pool = pool.get();
  for (const DataType& type : {Utf8(), LargeBinary(), List(Null()), LargeList(Null()),
                               ListView(Null()), LargeListView(Null())}) {
    ASSERT_OK_AND_ASSIGN(const auto builder, MakeBuilder(type, options));
    for (int bits = 31; bits < 64; ++bits) {
      const int64_t n = static_cast<int64_t>((uint64_t{1} << bits) - 1);
      EXPECT_FALSE(builder->Reserve(n).ok()) << type.ToString() << " " << n;
      EXPECT_FALSE(builder->AppendNulls(n).ok()) << type.ToString() << " " << n;
      EXPECT_FALSE(builder->AppendEmptyValues(n).ok()) << type.ToString() << " " << n;
    }
    ASSERT_OK(builder->AppendEmptyValue());
    EXPECT_EQ(builder->length(), 1) << type.ToString();
  }
}

TEST(HugeCounts, ElementsOfFixedSizeListsCountIn64Bits) {
  for (const DataType& elements : {Null(), Struct({}), Boolean()}) {
    ASSERT_OK_AND_ASSIGN(const auto builder, MakeBuilder(Fixed(elements, 7)));
    ASSERT_OK(builder->AppendEmptyValue());
    EXPECT_FALSE(builder->AppendEmptyValues(kMost / 7).ok()) << elements.ToString();
    EXPECT_FALSE(builder->AppendNulls(kMost / 7).ok()) << elements.ToString();
    EXPECT_EQ(builder->length(), 1) << elements.ToString();
  }
}

TEST(HugeCounts, ArraysOfFixedSizeListsAddUpIn64Bits) {
  ASSERT_OK_AND_ASSIGN(const auto source, MakeBuilder(Fixed(Null(), 2)));
  ASSERT_OK(source->AppendEmptyValues(int64_t{1} << 61));
  ASSERT_OK_AND_ASSIGN(const Array rows, source->Finish());
  for (const int64_t min_chunk_bytes : {BuilderOptions::kAlwaysKeep, BuilderOptions::kNeverKeep}) {
    BuilderOptions options;
    options.min_chunk_bytes = min_chunk_bytes;
    ASSERT_OK_AND_ASSIGN(const auto builder, MakeBuilder(rows.type(), options));
    ASSERT_OK(builder->AppendArray(rows));
    EXPECT_THAT(builder->AppendArray(rows), StatusIs(StatusCode::kOutOfRange, "64 bits"));
    EXPECT_EQ(builder->length(), rows.length());
  }
}

TEST(HugeCounts, AWrongListSizeDoesNotWrapToTheRightOne) {
  ASSERT_OK_AND_ASSIGN(const auto builder, MakeBuilder(Fixed(Null(), 0)));
  const Array list = FromJson("list<null>", "[[null, null, null, null]]");
  EXPECT_THAT(builder->AppendRepeated(list, 0, int64_t{1} << 62),
              StatusIs(StatusCode::kInvalidArgument, "a list of 4"));
}

TEST(HugeCounts, TheLeastBytesOfARowAreCountedWithoutWrapping) {
  const int32_t most = std::numeric_limits<int32_t>::max();
  const DataType type = Fixed(Fixed(Fixed(Int64(), most), most), most);
  ASSERT_OK_AND_ASSIGN(const auto builder, MakeBuilder(type));
  builder->set_byte_limit(1000);
  EXPECT_FALSE(builder->AppendEmptyValue().ok());
  EXPECT_EQ(builder->length(), 0);
}

TEST(HugeCounts, RepeatsOfNestedRowsAreOnePass) {
  for (const char* type : {"list<int32>", "list_view<int32>", "large_list<int32>"}) {
    for (const DataType& inner : {List(Int32()), LargeList(Int32())}) {
      const Array rows = FromJson(type, "[[9], [1, 2], null, [], [3]]").Slice(1, 3);
      ASSERT_OK_AND_ASSIGN(const auto builder, MakeBuilderAs<ListBuilder>(List(inner)));
      ASSERT_OK(builder->AppendList(rows));
      ASSERT_OK(builder->AppendRepeatedList(rows, 2));
      ASSERT_OK_AND_ASSIGN(const Array result, builder->Finish());
      EXPECT_THAT(result, ReadsAs("[[[1, 2], null, []], [[1, 2], null, []], [[1, 2], null, []]]"));
    }
  }
  // Another layout is converted once: n rounds would take minutes here.
  ASSERT_OK_AND_ASSIGN(const auto builder,
                       MakeBuilderAs<FixedSizeListBuilder>(Fixed(Fixed(Null(), 1), 2)));
  const Array pair = FromJson("list<null>", "[[null], [null]]");
  ASSERT_OK(builder->AppendRepeatedList(pair, int64_t{1} << 40));
  EXPECT_EQ(builder->length(), int64_t{1} << 40);
}

}  // namespace
}  // namespace sheaf
