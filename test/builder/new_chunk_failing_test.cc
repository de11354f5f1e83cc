// Operations that cut (OnOverflow::kNewChunk): allocation number k of each fails, for every k, and
// the builder is as it was; then the same call succeeds.

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builder/huge_lists.h"
#include "sheaf/builder/list_builder.h"
#include "sheaf/builder/list_view_builder.h"
#include "sheaf/type/field.h"
#include "testing/failing_pool.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

constexpr int64_t kThird = kMost / 3;
const std::vector<int64_t> kThirds(4, kThird);

/// What `append` gives a builder that has kBefore, in whatever chunks.
struct Cut {
  std::string name;
  std::function<Status(ListLikeBuilder&)> append;
  std::vector<int64_t> sizes;
  /// With memory: opens a list.
  std::function<Status(ListLikeBuilder&)> before = [](ListLikeBuilder&) { return OkStatus(); };
};
const std::vector<int64_t> kBefore = {kMost - 20, 0, 5};

Array Thirds() {
  return LargeListsOver(Nulls(4 * kThird), {0, kThird, 2 * kThird, 3 * kThird, 4 * kThird});
}

template <typename Builder>
std::vector<Cut> Cuts() {
  using Lists = ListLikeBuilder;
  static const std::vector<int64_t> four_of_eight = {11, 12, 14, 16};
  static const std::vector<int64_t> one_of_five = {3};
  return {
      {"AppendList", [](Lists& b) { return b.AppendList(Nulls(16)); }, {16}},
      {"AppendRepeatedList", [](Lists& b) { return b.AppendRepeatedList(Nulls(kThird), 4); },
       kThirds},
      {"AppendUniform", [](Lists& b) { return b.AppendUniform(Nulls(4 * kThird), kThird); },
       kThirds},
      {"AppendArray", [](Lists& b) { return b.AppendArray(Thirds()); }, kThirds},
      {"AppendArray slice",
       [](Lists& b) { return b.AppendArray(Thirds(), 1, 3); },
       {kThird, kThird, kThird}},
      {"AppendChunked",
       [](Lists& b) {
         return b.AppendChunked(*ChunkedArray::Make(LargeList(Null()), {RowOf(9), Thirds()}));
       },
       {9, kThird, kThird, kThird, kThird}},
      {"AppendRepeated", [](Lists& b) { return b.AppendRepeated(Thirds(), 1, 4); }, kThirds},
      {"AppendSparse",
       [](Lists& b) { return b.AppendSparse(RowOf(7), four_of_eight, Thirds(), 10, 8); },
       {7, kThird, kThird, 7, kThird, 7, kThird, 7}},
      {"AppendSparse null",
       [](Lists& b) {
         return b.AppendSparse(*MakeNullArray(LargeList(Null()), 1), four_of_eight, Thirds(), 10,
                               8);
       },
       {0, kThird, kThird, 0, kThird, 0, kThird, 0}},
      {"AppendSparse of large fills",
       [](Lists& b) { return b.AppendSparse(RowOf(kThird), one_of_five, RowOf(7), 0, 5); },
       {kThird, kThird, kThird, 7, kThird}},
      {"EndList",
       [](Lists& b) { return static_cast<Builder&>(b).EndList(); },
       {16},
       [](Lists& b) {
         b.BeginList();
         return b.elements().AppendNulls(16);
       }},
  };
}

template <typename Builder>
class NewChunkFailingTest : public ::testing::Test {
 protected:
  static DataType Of(const DataType& elements) {
    return std::is_same_v<Builder, ListBuilder> ? List(elements) : ListView(elements);
  }
  std::unique_ptr<Builder> Make(const DataType& elements, int64_t min_chunk_bytes) {
    BuilderOptions options = Cutting(min_chunk_bytes);
    options.pool = &pool_;
    return BuilderOf<Builder>(Of(elements), options);
  }
  std::unique_ptr<Builder> Prepared(const Cut& cut, int64_t min_chunk_bytes) {
    auto builder = Make(Null(), min_chunk_bytes);
    EXPECT_OK(builder->AppendList(Nulls(kBefore[0])));
    EXPECT_OK(builder->AppendNull());
    EXPECT_OK(builder->AppendList(Nulls(kBefore[2])));
    EXPECT_OK(cut.before(*builder));
    return builder;
  }
  FailingPool pool_;
};
using ListTypes = ::testing::Types<ListBuilder, ListViewBuilder>;
TYPED_TEST_SUITE(NewChunkFailingTest, ListTypes);

std::vector<int64_t> Behind(std::vector<int64_t> sizes, const std::vector<int64_t>& more) {
  sizes.insert(sizes.end(), more.begin(), more.end());
  return sizes;
}

TYPED_TEST(NewChunkFailingTest, AnAppendThatCutsAndFailsChangesNothing) {
  for (const Cut& cut : Cuts<TypeParam>()) {
    for (const int64_t min_chunk_bytes :
         {BuilderOptions::kAlwaysKeep, BuilderOptions::kNeverKeep}) {
      for (int k = 0;; ++k) {
        SCOPED_TRACE(cut.name + ", allocation " + std::to_string(k));
        ASSERT_LT(k, 1000) << "no end of allocations";
        const auto builder = this->Prepared(cut, min_chunk_bytes);
        const int64_t bytes_used = builder->bytes_used();
        const int64_t chunk_count = builder->chunk_count();
        const int64_t elements = builder->elements().length();
        ASSERT_OK_AND_ASSIGN(const BuilderMark mark, builder->Mark());
        this->pool_.FailAt(k);
        const Status status = cut.append(*builder);
        const bool failed = this->pool_.failed();
        this->pool_.SwitchOff();
        if (!failed) {
          EXPECT_OK(status);
          EXPECT_GT(k, 1);
        } else if (!status.ok()) {  // A refusal may do no harm: growth tried in vain, say.
          EXPECT_THAT(status, StatusIs(StatusCode::kResourceExhausted));
          EXPECT_EQ(builder->length(), 3);
          EXPECT_EQ(builder->null_count(), 1);
          EXPECT_EQ(builder->bytes_used(), bytes_used);
          EXPECT_EQ(builder->chunk_count(), chunk_count);
          EXPECT_EQ(builder->elements().length(), elements);
          ASSERT_OK(cut.append(*builder));
        }
        if (k % 2 == 1) {
          ASSERT_OK(builder->RollBack(mark));
          EXPECT_EQ(builder->bytes_used(), bytes_used);
          EXPECT_EQ(builder->elements().length(), elements);
          ASSERT_OK(cut.append(*builder));
        }
        ASSERT_OK(builder->AppendList(Nulls(1)));
        EXPECT_THAT(builder->Finish(), StatusIs(StatusCode::kFailedPrecondition, "chunks"));
        ASSERT_OK_AND_ASSIGN(const ChunkedArray chunks, builder->FinishChunked());
        EXPECT_EQ(AllSizesOf(chunks), Behind(Behind(kBefore, cut.sizes), {1}));
        if (!failed || this->HasFailure()) break;
      }
    }
  }
}

TYPED_TEST(NewChunkFailingTest, AListOfValuesThatCannotMoveStaysOpen) {
  const Array zeros = Zeros(kMost - 2);
  const Array kept = Zeros(1 << 15);
  for (int k = 0;; ++k) {
    SCOPED_TRACE("allocation " + std::to_string(k));
    const auto builder = this->Make(Int8(), 1 << 15);
    ArrayBuilder& elements = builder->elements();
    ASSERT_OK(builder->AppendList(zeros));
    builder->BeginList();
    ASSERT_OK(elements.AppendArray(Ints({1, kNull}, Int8())));
    ASSERT_OK(elements.AppendArray(kept));
    ASSERT_OK(elements.AppendArray(Ints({kNull, 2}, Int8())));
    const int64_t bytes_used = builder->bytes_used();
    this->pool_.FailAt(k);
    const Status status = builder->EndList();
    const bool failed = this->pool_.failed();
    this->pool_.SwitchOff();
    if (!status.ok()) {
      EXPECT_THAT(status, StatusIs(StatusCode::kResourceExhausted));
      EXPECT_EQ(builder->length(), 1);
      EXPECT_EQ(builder->bytes_used(), bytes_used);
      EXPECT_EQ(elements.length(), kMost + 2 + (1 << 15));
      EXPECT_EQ(elements.null_count(), 2);
      if (k % 2 == 0) {
        ASSERT_OK(elements.AppendNull());  // Open still.
      }
      ASSERT_OK(builder->EndList());
    }
    const bool longer = !status.ok() && k % 2 == 0;
    ASSERT_OK_AND_ASSIGN(const ChunkedArray chunks, builder->FinishChunked());
    ASSERT_EQ(AllSizesOf(chunks),
              (std::vector<int64_t>{kMost - 2, 4 + (1 << 15) + (longer ? 1 : 0)}));
    const Array row = chunks.chunk(1).child(0);
    EXPECT_THAT(row.Slice(0, 3), ReadsAs("[1, null, 0]"));
    EXPECT_THAT(row.Slice(1 + (1 << 15)), ReadsAs(longer ? "[0, null, 2, null]" : "[0, null, 2]"));
    if (!failed) {
      EXPECT_GT(k, 4);
      break;
    }
  }
}

}  // namespace
}  // namespace sheaf
