// Handles of `AddSource` with OnOverflow::kNewChunk: they stay good over a cut, and what they name
// is brought again in the chunk that needs it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builder/huge_lists.h"
#include "sheaf/builder/list_view_builder.h"
#include "sheaf/builder/struct_builder.h"
#include "sheaf/type/field.h"
#include "testing/failing_pool.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

const DataType kBytes = ListView(Int8());

/// elements 9 1 2 3 9
Array Patches() { return ListViewsOver(Ints({9, 1, 2, 3, 9}, Int8()), {1, 2, 3, 1}, {1, 2, 1, 0}); }
Array Fill() { return ListViewsOver(Ints({7, 8}, Int8()), {0}, {2}); }
std::string Size(int64_t n) { return std::to_string(n); }

/// Rows one after the other, whatever chunks they are in.
std::vector<std::string> AllRowsOf(const ChunkedArray& chunks) {
  std::vector<std::string> all;
  for (const std::vector<std::string>& rows : RowsOf(chunks))
    all.insert(all.end(), rows.begin(), rows.end());
  return all;
}
/// Elements of the chunk that is being built.
int64_t Stored(ListViewBuilder& builder) { return builder.elements().length(); }

TEST(NewChunkSourcesTest, AHandleIsGoodInAllChunks) {
  const auto builder = BuilderOf<ListViewBuilder>(kBytes, Cutting());
  ASSERT_OK_AND_ASSIGN(const SourceHandle fill, builder->AddSource(Fill()));
  ASSERT_OK_AND_ASSIGN(const SourceHandle patches, builder->AddSource(Patches()));
  ASSERT_OK(builder->AppendRepeated(fill, 0, 3));
  ASSERT_OK(builder->AppendViews(patches, 0, 2));
  ASSERT_OK(builder->AppendList(Zeros(kMost - 5)));
  ASSERT_OK(builder->AppendRepeated(fill, 0, 1));  // No element more.
  EXPECT_EQ(Stored(*builder), kMost);

  ASSERT_OK(builder->AppendList(Zeros(kMost - 5)));  // Another array: a chunk of its own.
  EXPECT_EQ(Stored(*builder), kMost - 5);
  ASSERT_OK(builder->AppendViews(patches, 1, 3));
  EXPECT_EQ(Stored(*builder), kMost - 2) << "brought again";
  ASSERT_OK(builder->AppendRepeated(fill, 0, 2));
  EXPECT_EQ(Stored(*builder), kMost);
  ASSERT_OK(builder->AppendViews(patches, 0, 1));
  ASSERT_OK(builder->AppendRepeated(fill, 0, 1));
  EXPECT_EQ(Stored(*builder), kMost) << "once in a chunk";

  ASSERT_OK(builder->AppendList(Ints({4}, Int8())));
  ASSERT_OK(builder->AppendViews(patches, 0, 3));
  ASSERT_OK(builder->AppendRepeated(fill, 0, 1));
  EXPECT_EQ(Stored(*builder), 1 + 3 + 2);
  ASSERT_OK_AND_ASSIGN(const ChunkedArray chunks, builder->FinishChunked());
  EXPECT_EQ(AllRowsOf(chunks),
            (std::vector<std::string>{"[7, 8]",        "[7, 8]", "[7, 8]", "[1]", "[2, 3]",
                                      Size(kMost - 5), "[7, 8]",                             //
                                      Size(kMost - 5), "[2, 3]", "[3]",    "[]",  "[7, 8]",  //
                                      "[7, 8]",        "[1]",    "[7, 8]",                   //
                                      "[4]",           "[1]",    "[2, 3]", "[3]", "[7, 8]"}));
  EXPECT_THAT(builder->AppendRepeated(fill, 0, 1), StatusIs(StatusCode::kFailedPrecondition));
}

TEST(NewChunkSourcesTest, AnAppendByHandleCuts) {
  for (const bool repeated : {false, true}) {
    for (const int64_t min_chunk_bytes : {BuilderOptions::kAlwaysKeep, int64_t{1024}}) {
      const auto builder = BuilderOf<ListViewBuilder>(kBytes, Cutting(min_chunk_bytes));
      ASSERT_OK_AND_ASSIGN(const SourceHandle patches, builder->AddSource(Patches()));
      ASSERT_OK_AND_ASSIGN(const SourceHandle nothing,
                           builder->AddSource(ListViewsOver(Ints({}, Int8()), {0}, {0})));
      ASSERT_OK(builder->AppendList(Zeros(kMost - 2)));
      ASSERT_OK(builder->AppendViews(nothing, 0, 1));
      if (repeated) {
        ASSERT_OK(builder->AppendRepeated(patches, 1, 40));
      } else {
        ASSERT_OK(builder->AppendViews(patches, 0, 4));
      }
      EXPECT_EQ(Stored(*builder), 3);
      ASSERT_OK(builder->AppendViews(nothing, 0, 1));
      ASSERT_OK(builder->AppendViews(patches, 0, 1));
      EXPECT_EQ(Stored(*builder), 3);
      std::vector<std::string> rows = {Size(kMost - 2), "[]"};
      if (repeated) {
        rows.insert(rows.end(), 40, "[2, 3]");
      } else {
        rows.insert(rows.end(), {"[1]", "[2, 3]", "[3]", "[]"});
      }
      rows.insert(rows.end(), {"[]", "[1]"});
      EXPECT_EQ(AllRowsOf(*builder->FinishChunked()), rows);
    }
  }
}

TEST(NewChunkSourcesTest, WithoutTheOptionAnAppendByHandleIsAnError) {
  const auto builder = BuilderOf<ListViewBuilder>(kBytes);
  ASSERT_OK_AND_ASSIGN(const SourceHandle patches, builder->AddSource(Patches()));
  ASSERT_OK(builder->AppendList(Zeros(kMost - 2)));
  EXPECT_THAT(builder->AppendViews(patches, 0, 1), StatusIs(StatusCode::kOutOfRange));
  EXPECT_EQ(builder->length(), 1);
}

TEST(NewChunkSourcesTest, ARollBackFindsTheSourcesWhereTheyWere) {
  const auto builder = BuilderOf<ListViewBuilder>(kBytes, Cutting());
  ASSERT_OK_AND_ASSIGN(const SourceHandle fill, builder->AddSource(Fill()));
  ASSERT_OK_AND_ASSIGN(const SourceHandle patches, builder->AddSource(Patches()));
  ASSERT_OK(builder->AppendList(Ints({4, 5, 6}, Int8())));
  ASSERT_OK(builder->AppendRepeated(fill, 0, 2));
  ASSERT_OK_AND_ASSIGN(const BuilderMark mark, builder->Mark());
  for (int round = 0; round < 2; ++round) {
    ASSERT_OK(builder->AppendViews(patches, 0, 4));
    ASSERT_OK(builder->AppendList(Zeros(kMost - 8)));  // All that there is room for.
    EXPECT_EQ(Stored(*builder), kMost);
    ASSERT_OK(builder->AppendList(Zeros(kMost - 8)));
    ASSERT_OK_AND_ASSIGN(const BuilderMark later, builder->Mark());
    ASSERT_OK(builder->AppendViews(patches, 0, 1));
    ASSERT_OK(builder->AppendRepeated(fill, 0, 2));
    EXPECT_EQ(Stored(*builder), kMost - 8 + 3 + 2);
    ASSERT_OK(builder->AppendList(Zeros(kMost - 8)));
    ASSERT_OK(builder->AppendRepeated(fill, 0, 2));
    ASSERT_OK(builder->RollBack(later));
    EXPECT_EQ(Stored(*builder), kMost - 8);
    ASSERT_OK(builder->AppendRepeated(fill, 0, 2));
    EXPECT_EQ(Stored(*builder), kMost - 8 + 2) << "brought again";
    ASSERT_OK(builder->RollBack(mark));
    EXPECT_EQ(Stored(*builder), 3 + 2);
    ASSERT_OK(builder->AppendRepeated(fill, 0, 1));
    EXPECT_EQ(Stored(*builder), 3 + 2) << "there still";
    ASSERT_OK(builder->RollBack(mark));
  }
  ASSERT_OK(builder->AppendRepeated(fill, 0, 1));
  ASSERT_OK(builder->AppendViews(patches, 1, 1));
  EXPECT_THAT(Finished(*builder), ReadsAs("[[4, 5, 6], [7, 8], [7, 8], [7, 8], [2, 3]]"));
}

TEST(NewChunkSourcesTest, AFailureInTheMiddleLeavesTheSourcesWhereTheyWere) {
  const Array zeros = Zeros(kMost - 2);
  for (const int64_t min_chunk_bytes : {BuilderOptions::kAlwaysKeep, int64_t{1024}}) {
    FailingPool pool;
    for (int k = 0;; ++k) {
      SCOPED_TRACE("allocation " + std::to_string(k));
      BuilderOptions options = Cutting(min_chunk_bytes);
      options.pool = &pool;
      const auto builder = BuilderOf<ListViewBuilder>(kBytes, options);
      ASSERT_OK_AND_ASSIGN(const SourceHandle fill, builder->AddSource(Fill()));
      ASSERT_OK_AND_ASSIGN(const SourceHandle patches, builder->AddSource(Patches()));
      ASSERT_OK(builder->AppendRepeated(fill, 0, 2));
      ASSERT_OK(builder->AppendList(zeros));
      const int64_t bytes_used = builder->bytes_used();
      pool.FailAt(k);
      const Status status = builder->AppendViews(patches, 0, 2);
      const bool failed = pool.failed();
      pool.SwitchOff();
      const bool done = status.ok();
      if (!done) {
        EXPECT_THAT(status, StatusIs(StatusCode::kResourceExhausted));
        EXPECT_EQ(builder->length(), 3);
        EXPECT_EQ(builder->bytes_used(), bytes_used);
        EXPECT_EQ(Stored(*builder), kMost);
        ASSERT_OK(builder->AppendRepeated(fill, 0, 1));
        EXPECT_EQ(Stored(*builder), kMost) << "no element more";
        if (k % 2 == 0) {
          EXPECT_EQ(builder->FinishChunked()->length(), 4);
          continue;
        }
        ASSERT_OK(builder->AppendViews(patches, 0, 2));
      }
      EXPECT_EQ(Stored(*builder), 3);
      ASSERT_OK(builder->AppendRepeated(fill, 0, 1));
      EXPECT_EQ(Stored(*builder), 5);
      std::vector<std::string> rows = {"[7, 8]", "[7, 8]", Size(kMost - 2)};
      if (!done) rows.push_back("[7, 8]");
      rows.insert(rows.end(), {"[1]", "[2, 3]", "[7, 8]"});
      EXPECT_EQ(AllRowsOf(*builder->FinishChunked()), rows);
      if (!failed) {
        EXPECT_GT(k, 2);
        break;
      }
    }
  }
}

TEST(NewChunkSourcesTest, ARowTooLargeForAnyChunkUndoesTheCutsBeforeIt) {
  const auto builder = BuilderOf<ListViewBuilder>(kBytes, Cutting());
  ASSERT_OK_AND_ASSIGN(const SourceHandle fill, builder->AddSource(Fill()));
  ASSERT_OK(builder->AppendRepeated(fill, 0, 1));
  const Array zeros = Zeros(4 * kMost);
  const Array rows = LargeListsOver(zeros, {0, kMost, 2 * kMost, 4 * kMost});
  EXPECT_THAT(builder->AppendArray(rows), StatusIs(StatusCode::kOutOfRange));
  EXPECT_EQ(Stored(*builder), 2);
  ASSERT_OK(builder->AppendRepeated(fill, 0, 1));
  EXPECT_EQ(Stored(*builder), 2);
  EXPECT_THAT(Finished(*builder), ReadsAs("[[7, 8], [7, 8]]"));
}

TEST(NewChunkSourcesTest, SourcesOfElementsStayGoodToo) {
  const auto builder = BuilderOf<ListViewBuilder>(ListView(kBytes), Cutting());
  auto& views = static_cast<ListViewBuilder&>(builder->elements());
  ASSERT_OK_AND_ASSIGN(const SourceHandle fill, views.AddSource(Fill()));
  const auto append = [&]() -> Status {
    builder->BeginList();
    SHEAF_RETURN_IF_ERROR(views.AppendRepeated(fill, 0, 2));
    return builder->EndList();
  };
  ASSERT_OK(append());
  const auto large = [] {
    return LargeListsOver(LargeListsOver(Zeros(kMost - 2), {0, kMost - 2}), {0, 1});
  };
  ASSERT_OK(builder->AppendArray(large()));
  ASSERT_OK(append());
  EXPECT_EQ(Stored(views), kMost);
  ASSERT_OK(builder->AppendArray(large()));
  EXPECT_EQ(Stored(views), kMost - 2);
  ASSERT_OK(append());
  EXPECT_EQ(Stored(views), kMost);
  ASSERT_OK_AND_ASSIGN(const ChunkedArray chunks, builder->FinishChunked());
  EXPECT_EQ(AllSizesOf(chunks), (std::vector<int64_t>{2, 1, 2, 1, 2}));
  const Array last = chunks.chunk(chunks.num_chunks() - 1);
  EXPECT_EQ(ValueToString(last, last.length() - 1), "[[7, 8], [7, 8]]");
}

}  // namespace
}  // namespace sheaf
