#include "ipc/byte_order.h"

#include <algorithm>
#include <vector>

#include "ipc/forge.h"
#include "testing/from_json.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;

/// Buffer 1 of a type, from big-endian bytes.
std::vector<uint8_t> Swap(const char* type, const std::vector<uint8_t>& bytes, int buffer = 1) {
  return BytesOf(
      internal::SwapBytes(BufferOf(bytes), TypeFrom(type), buffer, MemoryPool::Default()).value());
}

using ::testing::ElementsAre;

TEST(ByteOrder, C30_ValuesAreTurnedRoundAsAWhole) {
  EXPECT_THAT(Swap("int16", {1, 2, 3, 4}), ElementsAre(2, 1, 4, 3));
  EXPECT_THAT(Swap("float32", {1, 2, 3, 4}), ElementsAre(4, 3, 2, 1));
  EXPECT_THAT(Swap("timestamp[us, UTC]", {1, 2, 3, 4, 5, 6, 7, 8}),
              ElementsAre(8, 7, 6, 5, 4, 3, 2, 1));
  std::vector<uint8_t> decimal(32);
  for (size_t i = 0; i < decimal.size(); ++i) decimal[i] = static_cast<uint8_t>(i);
  std::vector<uint8_t> turned = decimal;
  std::reverse(turned.begin(), turned.end());
  EXPECT_EQ(Swap("decimal256(40, 2)", decimal), turned);
}

TEST(ByteOrder, C30_IntervalsAreTurnedRoundPartByPart) {
  EXPECT_THAT(Swap("interval[day_time]", {1, 2, 3, 4, 5, 6, 7, 8}),
              ElementsAre(4, 3, 2, 1, 8, 7, 6, 5));
  EXPECT_THAT(
      Swap("interval[month_day_nano]", {1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15, 16, 17, 18}),
      ElementsAre(4, 3, 2, 1, 8, 7, 6, 5, 18, 17, 16, 15, 14, 13, 12, 11));
}

TEST(ByteOrder, C30_OffsetsSizesAndRunEndsAreTurnedRound) {
  EXPECT_THAT(Swap("utf8", {0, 0, 1, 2}), ElementsAre(2, 1, 0, 0));
  EXPECT_THAT(Swap("large_list<int8>", {0, 0, 0, 0, 0, 0, 1, 2}),
              ElementsAre(2, 1, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(Swap("list_view<int8>", {0, 0, 1, 2}, 1), ElementsAre(2, 1, 0, 0));
  EXPECT_THAT(Swap("list_view<int8>", {0, 0, 1, 2}, 2), ElementsAre(2, 1, 0, 0));
  EXPECT_THAT(Swap("dense_union<a: int8=0>", {0, 0, 1, 2}, 1), ElementsAre(2, 1, 0, 0));
}

TEST(ByteOrder, C30_BitsBytesAndTypeIdsStay) {
  const std::vector<uint8_t> bytes = {1, 2, 3, 4};
  EXPECT_EQ(Swap("int32", bytes, 0), bytes);
  EXPECT_EQ(Swap("bool", bytes), bytes);
  EXPECT_EQ(Swap("utf8", bytes, 2), bytes);
  EXPECT_EQ(Swap("fixed_size_binary[4]", bytes), bytes);
  EXPECT_EQ(Swap("dense_union<a: int8=0>", bytes, 0), bytes);
}

TEST(ByteOrder, C30_ViewsAreTurnedRoundByTheirOwnRule) {
  EXPECT_THAT(Swap("utf8_view", {0, 0, 0, 2, 'h', 'i', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}),
              ElementsAre(2, 0, 0, 0, 'h', 'i', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(Swap("utf8_view", {0, 0, 0, 13, 'a', 'b', 'c', 'd', 0, 0, 0, 1, 0, 0, 2, 0}),
              ElementsAre(13, 0, 0, 0, 'a', 'b', 'c', 'd', 1, 0, 0, 0, 0, 2, 0, 0));
}

}  // namespace
}  // namespace sheaf
