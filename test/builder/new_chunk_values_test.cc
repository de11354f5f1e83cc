// Sparse fills and lists of one size with OnOverflow::kNewChunk: the values on both sides of a cut.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builder/huge_lists.h"
#include "sheaf/builder/list_builder.h"
#include "sheaf/builder/list_view_builder.h"
#include "sheaf/type/field.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

template <typename Builder>
class NewChunkValuesTest : public ::testing::Test {
 protected:
  /// A builder that has room for `room` elements more.
  static std::unique_ptr<Builder> Filled(int64_t room) {
    const DataType type = std::is_same_v<Builder, ListBuilder> ? List(Int8()) : ListView(Int8());
    auto builder = BuilderOf<Builder>(type, Cutting());
    EXPECT_OK(builder->AppendList(Zeros(kMost - room)));
    return builder;
  }
};
using ListTypes = ::testing::Types<ListBuilder, ListViewBuilder>;
TYPED_TEST_SUITE(NewChunkValuesTest, ListTypes);

std::string Size(int64_t n) { return std::to_string(n); }
Array Patches() { return ListsOver(Ints({1, 2, kNull}, Int8()), {0, 1, 3, 3}); }
const std::vector<int64_t> kPositions = {100, 102, 104};

TYPED_TEST(NewChunkValuesTest, ASparseFillThatFitsAChunkIsNotSplit) {
  const Array fill = ListsOver(Ints({7, 8}, Int8()), {0, 2});
  const std::vector<std::string> rows = {"[1]", "[7, 8]", "[2, null]", "[7, 8]", "[]", "[7, 8]"};
  // As many elements as a list-view brings, and more than that.
  for (const int64_t room : {4, 100}) {
    const auto builder = this->Filled(room);
    ASSERT_OK(builder->AppendSparse(fill, kPositions, Patches(), 100, 6));
    ASSERT_OK(
        builder->AppendSparse(*MakeNullArray(List(Int8()), 1), kPositions, Patches(), 100, 5));
    ASSERT_OK_AND_ASSIGN(const ChunkedArray chunks, builder->FinishChunked());
    std::vector<std::string> expected = rows;
    expected.insert(expected.end(), {"[1]", "null", "[2, null]", "null", "[]"});
    EXPECT_EQ(RowsOf(chunks).front().front(), Size(kMost - room));
    std::vector<std::string> read;
    for (const std::vector<std::string>& chunk : RowsOf(chunks))
      read.insert(read.end(), chunk.begin(), chunk.end());
    expected.insert(expected.begin(), Size(kMost - room));
    EXPECT_EQ(read, expected);
    EXPECT_EQ(chunks.num_chunks(), 2) << "a border: of the cut, or where kept elements end";
    EXPECT_EQ(chunks.chunk(0).length(), 1);
  }
}

TYPED_TEST(NewChunkValuesTest, ListsOfOneSizeGoOnInTheNextChunk) {
  for (const bool plain : {false, true}) {
    const auto builder = this->Filled(5);
    const std::vector<int8_t> values = {1, 2, 3, 4, 5, 6};
    if (plain) {
      ASSERT_OK(builder->AppendUniform(std::span<const int8_t>(values), 2));
    } else {
      ASSERT_OK(builder->AppendUniform(Ints({0, 1, 2, 3, 4, 5, 6}, Int8()).Slice(1, 6), 2));
    }
    EXPECT_EQ(builder->elements().length(), 6);
    ASSERT_OK(builder->AppendUniform(Ints({kNull, 8}, Int8()), 1));
    EXPECT_EQ(RowsOf(*builder->FinishChunked()),
              (Rows{{Size(kMost - 5)}, {"[1, 2]", "[3, 4]", "[5, 6]", "[null]", "[8]"}}));
  }
}

}  // namespace
}  // namespace sheaf
