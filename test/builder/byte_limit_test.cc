#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "sheaf/builder/fixed_width_builder.h"
#include "sheaf/builder/list_view_builder.h"
#include "sheaf/builder/make_builder.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;

TEST(ByteLimit, AnAppendThatWouldExceedItChangesNothing) {
  ASSERT_OK_AND_ASSIGN(const auto builder, MakeBuilder(ListView(Int32())));
  const Array source = ListViews({.offsets = {0, 1}, .sizes = {2, 2}, .elements = {1, 2, 3}});
  builder->set_byte_limit(2 * 16 + 2 * 12);
  ASSERT_OK(builder->AppendArray(source));
  ASSERT_OK(builder->AppendArray(source));
  EXPECT_EQ(builder->bytes_used(), 2 * 16 + 2 * 12);
  EXPECT_THAT(builder->AppendArray(source),
              StatusIs(StatusCode::kResourceExhausted, "limit of 56 bytes"));
  EXPECT_THAT(builder->AppendNull(), StatusIs(StatusCode::kResourceExhausted));
  EXPECT_EQ(builder->length(), 4);
  EXPECT_EQ(builder->bytes_used(), 56);
  ASSERT_OK_AND_ASSIGN(const Array result, builder->Finish());
  EXPECT_THAT(result, ReadsAs("[[1, 2], [2, 3], [1, 2], [2, 3]]"));
}

TEST(ByteLimit, AHugeRepeatIsRefusedBeforeItIsWritten) {
  FailingPool pool;
  const BuilderOptions options{.pool = &pool};
  ASSERT_OK_AND_ASSIGN(const DataType pairs, FixedSizeList(Field("item", Int64()), 2));
  for (const DataType& type : {Int64(), Boolean(), Utf8(), List(Int32()), ListView(Int32()), pairs,
                               Struct({Field("a", Int64())})}) {
    ASSERT_OK_AND_ASSIGN(const auto builder, MakeBuilder(type, options));
    builder->set_byte_limit(1'000'000);
    pool.SwitchOff();
    EXPECT_THAT(builder->AppendEmptyValues(int64_t{1} << 40),
                StatusIs(StatusCode::kResourceExhausted));
    EXPECT_THAT(builder->AppendNulls(int64_t{1} << 62), StatusIs(StatusCode::kResourceExhausted));
    EXPECT_EQ(pool.calls(), 0) << type.ToString();
    EXPECT_EQ(builder->length(), 0);
  }
}

TEST(ByteLimit, RowsBuiltValueByValueCountToo) {
  ASSERT_OK_AND_ASSIGN(const auto builder, MakeBuilderAs<ListViewBuilder>(ListView(Int32())));
  auto& elements = static_cast<Int32Builder&>(builder->elements());
  builder->set_byte_limit(24);
  builder->BeginList();
  ASSERT_OK(elements.AppendValues(std::vector<int32_t>{1, 2, 3, 4}));
  ASSERT_OK(builder->EndList());
  builder->BeginList();
  EXPECT_THAT(builder->EndList(), StatusIs(StatusCode::kResourceExhausted));
}

TEST(PoolRefusal, NamesTheBuilderInAppendReserveAndFinish) {
  FailingPool pool;
  const BuilderOptions options{.pool = &pool};
  ASSERT_OK_AND_ASSIGN(const auto builder, MakeBuilder(ListView(Int32()), options));
  const Array source = ListViews({.offsets = {0, 1}, .sizes = {2, 2}, .elements = {1, 2, 3}});
  const std::string where = "list_view<int32> builder: the memory pool refused";
  pool.FailAt(0);
  EXPECT_THAT(builder->AppendArray(source), StatusIs(StatusCode::kResourceExhausted, where));
  pool.FailAt(0);
  EXPECT_THAT(builder->Reserve(10), StatusIs(StatusCode::kResourceExhausted, where));
  pool.SwitchOff();
  ASSERT_OK(builder->AppendArray(source));
  pool.FailAt(0);
  EXPECT_THAT(builder->Finish(), StatusIs(StatusCode::kResourceExhausted, where));
  pool.SwitchOff();
  ASSERT_OK_AND_ASSIGN(const Array result, builder->Finish());
  EXPECT_THAT(result, ReadsLike(source));
}

TEST(AppendViews, BorrowedOffsetsAndSizesAreNeverKept) {
  // At every threshold around their size: kept by reference, they would dangle when Finish reads
  // them.
  constexpr int64_t kRows = 100;
  const Array elements = Range(0, kRows);
  for (int64_t min_chunk_bytes = 780; min_chunk_bytes < 830; ++min_chunk_bytes) {
    ASSERT_OK_AND_ASSIGN(
        const auto builder,
        MakeBuilderAs<ListViewBuilder>(ListView(Int32()), {.min_chunk_bytes = min_chunk_bytes}));
    {
      std::vector<int32_t> offsets(kRows), sizes(kRows, 1);
      for (int32_t i = 0; i < kRows; ++i) offsets[static_cast<size_t>(i)] = i;
      std::vector<uint8_t> validity(13, 0x7F);
      ASSERT_OK(builder->AppendViews(elements, offsets, sizes, {validity.data(), 0, kRows}));
      std::fill(offsets.begin(), offsets.end(), -1);
      std::fill(sizes.begin(), sizes.end(), -1);
      std::fill(validity.begin(), validity.end(), uint8_t{0});
    }
    ASSERT_OK_AND_ASSIGN(const Array result, builder->Finish());
    ASSERT_OK(Validate(result));
    EXPECT_EQ(result.null_count(), 12);
    EXPECT_THAT(result.Slice(6, 3), ReadsAs("[[6], null, [8]]"));
  }
}

}  // namespace
}  // namespace sheaf
