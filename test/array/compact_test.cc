// BinaryViewArray::Compact: data buffers become what the rows use.

#include <cstring>
#include <string>
#include <vector>

#include "sheaf/array/binary_view_array.h"
#include "sheaf/array/bytes.h"
#include "testing/array_literals.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;
using ::testing::ElementsAre;

BinaryViewArray Texts(const MaybeTexts& values) {
  return *BinaryViewArray::From(Utf8s(values, Utf8View()));
}

/// Row i is "<i>xxx…", `size` letters long.
BinaryViewArray ManyTexts(int64_t n, size_t size) {
  MaybeTexts values;
  for (int64_t i = 0; i < n; ++i) {
    std::string text = std::to_string(i);
    text.resize(size, 'x');
    values.push_back(text);
  }
  return Texts(values);
}

BinaryViewArray Slice(const BinaryViewArray& array, int64_t offset, int64_t length) {
  return *BinaryViewArray::From(array.Slice(offset, length));
}

std::vector<int64_t> DataSizes(const BinaryViewArray& array) {
  std::vector<int64_t> sizes;
  for (int i = 0; i < array.num_data_buffers(); ++i)
    sizes.push_back(array.data_buffer(i).size_bytes());
  return sizes;
}

/// Views (size, buffer, offset) over foreign data; prefixes are the data's.
BinaryViewArray ViewsOver(const std::vector<Buffer>& data,
                          const std::vector<std::vector<int32_t>>& views,
                          const std::string& valid = "") {
  std::vector<int32_t> slots;
  for (const auto& view : views) {
    int32_t prefix = 0;
    std::memcpy(&prefix, data[static_cast<size_t>(view[1])].data() + view[2], 4);
    slots.insert(slots.end(), {view[0], prefix, view[1], view[2]});
  }
  return *BinaryViewArray::Make(ValuesBuffer(slots), data, static_cast<int64_t>(views.size()),
                                Bits(valid));
}

std::string Letters(size_t n) {
  std::string letters;
  for (size_t i = 0; i < n; ++i) letters += static_cast<char>('a' + i % 26);
  return letters;
}

TEST(CompactTest, AFewRowsLetGoOfALargeBuffer) {
  const BinaryViewArray rows = Slice(ManyTexts(10'000, 30), 5000, 10);

  ASSERT_OK_AND_ASSIGN(const BinaryViewArray compact, rows.Compact());

  EXPECT_THAT(compact, ReadsLike(rows));
  EXPECT_THAT(compact, IsValidArray());
  EXPECT_THAT(DataSizes(compact), ElementsAre(300));
  EXPECT_LT(RetainedBytes(compact), 2000);
}

TEST(CompactTest, AnArrayThatUsesAllItsDataIsReturnedAsItIs) {
  const BinaryViewArray texts = ManyTexts(1000, 30);
  ASSERT_OK_AND_ASSIGN(const BinaryViewArray compact, texts.Compact());
  EXPECT_THAT(compact, SharesAllBuffersWith(texts));
  EXPECT_EQ(compact.data(), texts.data());
}

TEST(CompactTest, ValuesThatShareBytesGoOnSharingThem) {
  const Buffer data = ValuesBuffer(Letters(100'000));
  // The same value twice, a part of it, one that overlaps its end, and one far away.
  const BinaryViewArray views = ViewsOver(
      {data}, {{50, 0, 70'000}, {50, 0, 70'000}, {20, 0, 70'010}, {30, 0, 70'040}, {13, 0, 26}});

  ASSERT_OK_AND_ASSIGN(const BinaryViewArray compact, views.Compact());

  EXPECT_THAT(compact, ReadsLike(views));
  EXPECT_THAT(compact, IsValidArray());
  EXPECT_THAT(DataSizes(compact), ElementsAre(70 + 13));
}

TEST(CompactTest, ABufferThatIsThereTwiceIsCopiedOnce) {
  const Buffer data = ValuesBuffer(Letters(100'000));
  const Buffer part = data.Slice(1000, 50'000);
  const BinaryViewArray views =
      ViewsOver({data, data, part}, {{40, 0, 2000}, {40, 1, 2000}, {40, 2, 1000}, {20, 2, 0}});

  ASSERT_OK_AND_ASSIGN(const BinaryViewArray compact, views.Compact());

  EXPECT_THAT(compact, ReadsLike(views));
  EXPECT_THAT(DataSizes(compact), ElementsAre(40 + 20));
}

TEST(CompactTest, BuffersWorthKeepingAreSharedBesideCopiedOnes) {
  const Buffer used = ValuesBuffer(Letters(10'000));
  const Buffer hardly = ValuesBuffer(Letters(10'000));
  const Buffer unused = ValuesBuffer(Letters(10'000));
  const BinaryViewArray views = ViewsOver(
      {unused, used, hardly, used}, {{5000, 1, 0}, {13, 2, 5000}, {5000, 1, 5000}, {20, 3, 100}});

  ASSERT_OK_AND_ASSIGN(const BinaryViewArray compact, views.Compact());

  EXPECT_THAT(compact, ReadsLike(views));
  EXPECT_THAT(DataSizes(compact), ElementsAre(10'000, 13));
  EXPECT_EQ(compact.data_buffer(0).data(), used.data());
}

TEST(CompactTest, BytesUnderNullsGoAndTheirViewsAreZero) {
  const Buffer data = ValuesBuffer(Letters(100'000));
  const BinaryViewArray views =
      ViewsOver({data}, {{90'000, 0, 0}, {13, 0, 5}, {50'000, 0, 7}}, "010");

  ASSERT_OK_AND_ASSIGN(const BinaryViewArray compact, views.Compact());

  EXPECT_THAT(compact, ReadsLike(views));
  EXPECT_THAT(DataSizes(compact), ElementsAre(13));
  EXPECT_EQ(compact.buffer(1).as<int32_t>()[0], 0);

  ASSERT_OK_AND_ASSIGN(const BinaryViewArray nulls, Slice(views, 2, 1).Compact());
  EXPECT_THAT(nulls, ReadsAs("[null]"));
  EXPECT_EQ(nulls.num_data_buffers(), 0);
}

TEST(CompactTest, NoRowsKeepNoData) {
  ASSERT_OK_AND_ASSIGN(const BinaryViewArray none, Slice(ManyTexts(100, 30), 50, 0).Compact());
  EXPECT_EQ(none.length(), 0);
  EXPECT_EQ(none.num_data_buffers(), 0);
  EXPECT_THAT(none, IsValidArray());
}

TEST(CompactTest, ViewsOutOfBoundsAreAnError) {
  const int32_t slots[] = {20, 0, 0, 90};
  ASSERT_OK_AND_ASSIGN(
      const BinaryViewArray broken,
      BinaryViewArray::Make(Buffer::Borrow(slots, 16), {ValuesBuffer(Letters(100))}, 1, {},
                            ValidationLevel::kNone));
  EXPECT_THAT(broken.Compact(), StatusIs(StatusCode::kInvalidArgument));
}

TEST(CompactTest, RandomRowsReadTheSame) {
  for (const uint64_t seed : Seeds(60)) {
    Random random(seed);
    const Buffer data[] = {ValuesBuffer(Letters(5000)), ValuesBuffer(Letters(300))};
    std::vector<std::vector<int32_t>> views;
    std::string valid;
    const int64_t span = Draw(random, 20, 280);
    for (int64_t i = Draw(random, 1, 40); i > 0; --i) {
      const auto size = static_cast<int32_t>(Draw(random, 13, 20));
      views.push_back({size, static_cast<int32_t>(Draw(random, 0, 1)),
                       static_cast<int32_t>(Draw(random, 0, span - size < 0 ? 0 : span - size))});
      valid += Chance(random, 0.8) ? '1' : '0';
    }
    const BinaryViewArray all = ViewsOver({data[0], data[1]}, views, valid);
    const int64_t offset = Draw(random, 0, all.length());
    const BinaryViewArray rows = Slice(all, offset, Draw(random, 0, all.length() - offset));
    SCOPED_TRACE("seed " + std::to_string(seed));

    ASSERT_OK_AND_ASSIGN(const BinaryViewArray compact, rows.Compact());

    EXPECT_THAT(compact, ReadsLike(rows));
    EXPECT_THAT(compact, IsValidArray());
    EXPECT_LE(*UsedBytes(compact), *UsedBytes(rows));
    EXPECT_LE(RetainedBytes(compact), RetainedBytes(rows) + 1024);
    if (HasFailure()) return;
  }
}

TEST(CompactTest, ARefusedAllocationIsAnErrorAndNothingElse) {
  FailingPool pool;
  const BinaryViewArray rows = Slice(ManyTexts(10'000, 30), 5003, 10);
  for (int64_t k = 0; k < 100; ++k) {
    pool.FailAt(k);
    const StatusOr<BinaryViewArray> compact = rows.Compact(&pool);
    const bool failed = pool.failed();
    pool.SwitchOff();
    if (!failed) {
      ASSERT_OK(compact);
      EXPECT_GT(k, 2);
      return;
    }
    EXPECT_THAT(compact, StatusIs(StatusCode::kResourceExhausted));
  }
}

}  // namespace
}  // namespace sheaf
