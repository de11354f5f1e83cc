// `ListViewOptions::on_append`: what becomes of the views of whole arrays.

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/array/chunked_array.h"
#include "sheaf/builder/list_view_builder.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/builders.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"
#include "testing/raw_buffers.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using ::testing::ElementsAre;

BuilderOptions With(ListViewPolicy policy, BuilderOptions options = {}) {
  options.list_views.on_append = policy;
  return options;
}

/// What the policy makes of one array.
ListViewArray Appended(const Array& array, ListViewPolicy policy, BuilderOptions options = {}) {
  const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>", With(policy, options));
  EXPECT_OK(builder->AppendArray(array));
  const bool flag = builder->zero_copy_to_list();
  auto views = FinishedAs<ListViewArray>(*builder);
  EXPECT_EQ(flag, views.zero_copy_to_list());
  EXPECT_THAT(views, ReadsLike(array));
  return views;
}

// elements 0 .. 9
//   [6 7] null [1 2 3] [2 3] []        the null row's view is [8]
Array Sparse() { return ListViewsOver(Range(0, 10), {6, 8, 1, 2, 9}, {2, 1, 3, 2, 0}, "10111"); }

TEST(AppendPoliciesTest, KeepBringsAllBetweenTheFirstAndTheLastView) {
  const ListViewArray views = Appended(Sparse(), ListViewPolicy::kKeep);
  EXPECT_THAT(views.offsets(), ElementsAre(5, 7, 0, 1, 8));
  EXPECT_THAT(views.sizes(), ElementsAre(2, 1, 3, 2, 0));
  EXPECT_EQ(views.elements().length(), 8);
}

TEST(AppendPoliciesTest, ExactWritesTheElementsOfValidRowsInOrder) {
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const ListViewArray views = Appended(Sparse(), ListViewPolicy::kExact, options);
    EXPECT_THAT(views.elements(), ReadsAs("[6, 7, 1, 2, 3, 2, 3]"));
    EXPECT_THAT(views.offsets(), ElementsAre(0, 2, 2, 5, 7));
    EXPECT_THAT(views.sizes(), ElementsAre(2, 0, 3, 2, 0));
    EXPECT_TRUE(views.zero_copy_to_list());
  }
}

TEST(AppendPoliciesTest, CheapestCopiesOnlyWhatIsReferencedWhereThatIsLess) {
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const ListViewArray views = Appended(Sparse(), ListViewPolicy::kCheapest, options);
    EXPECT_THAT(views.elements(), ReadsAs("[1, 2, 3, 6, 7]"));
    EXPECT_THAT(views.offsets(), ElementsAre(3, 5, 0, 1, 5));
    EXPECT_THAT(views.sizes(), ElementsAre(2, 0, 3, 2, 0));
  }
}

TEST(AppendPoliciesTest, CheapestKeepsWhereBothAreTheSame) {
  const Array overlapping = ListViewsOver(Range(0, 10), {3, 1, 2}, {4, 3, 1}, "110");
  const ListViewArray views = Appended(overlapping, ListViewPolicy::kCheapest, kKeepAll);
  EXPECT_THAT(views.offsets(), ElementsAre(2, 0, 1));
  EXPECT_THAT(views.sizes(), ElementsAre(4, 3, 1)) << "a null row's view stays";
  EXPECT_EQ(views.buffer(2).data(), overlapping.buffer(2).data());
}

TEST(AppendPoliciesTest, PackedArraysAreHandedThroughByEveryPolicy) {
  const Array packed = ListViewsOver(Range(0, 10), {1, 3, 3}, {2, 0, 4});
  for (const auto policy :
       {ListViewPolicy::kKeep, ListViewPolicy::kCheapest, ListViewPolicy::kExact}) {
    const ListViewArray views = Appended(packed, policy, kKeepAll);
    EXPECT_EQ(views.sizes().data(), packed.slots<int32_t>(2));
    EXPECT_EQ(views.elements().buffer(1).data(), packed.child(0).buffer(1).data());
  }
}

TEST(AppendPoliciesTest, CheapestAlwaysSharesWindows) {
  const Array packed = ListViewsOver(Range(0, 10), {1, 3, 3}, {2, 0, 4});
  const auto builder =
      BuilderOf<ListViewBuilder>("list_view<int32>", With(ListViewPolicy::kCheapest, kKeepAll));
  ASSERT_OK(builder->AppendArray(packed));
  EXPECT_TRUE(builder->zero_copy_to_list());
  ASSERT_OK(builder->AppendArray(packed));
  EXPECT_FALSE(builder->zero_copy_to_list());
  EXPECT_EQ(builder->elements().length(), 6);
  // A window that is there costs nothing: less than to copy what is referenced of it.
  ASSERT_OK(builder->AppendArray(ListViewsOver(packed.child(0), {1, 6}, {1, 1})));
  EXPECT_EQ(builder->elements().length(), 6);
  EXPECT_THAT(Finished(*builder),
              ReadsAs("[[1, 2], [], [3, 4, 5, 6], [1, 2], [], [3, 4, 5, 6], [1], [6]]"));
}

TEST(AppendPoliciesTest, ExactSharesNothing) {
  const Array packed = ListViewsOver(Range(0, 10), {1, 3, 3}, {2, 0, 4});
  const auto builder =
      BuilderOf<ListViewBuilder>("list_view<int32>", With(ListViewPolicy::kExact, kKeepAll));
  ASSERT_OK(builder->AppendRepeated(packed, 0, 2));  // Shared, as always: a repeat has no policy.
  ASSERT_OK(builder->AppendArray(packed));
  EXPECT_EQ(builder->elements().length(), 2 + 6);
  const auto views = FinishedAs<ListViewArray>(*builder);
  EXPECT_THAT(views.offsets(), ElementsAre(0, 0, 2, 4, 4));
}

TEST(AppendPoliciesTest, BytesAreMeasuredWhereElementsDiffer) {
  // Referenced: 2 of 3 rows, and nearly none of the bytes.
  const Array texts = Utf8s({"a", std::string(1000, 'x'), "b"});
  const auto builder =
      BuilderOf<ListViewBuilder>("list_view<utf8>", With(ListViewPolicy::kCheapest));
  ASSERT_OK(builder->AppendArray(ListViewsOver(texts, {0, 2}, {1, 1})));
  EXPECT_EQ(builder->elements().length(), 2);
  // A window of the long text alone, then views around it: 1 byte each on top of what is there.
  const auto keeping =
      BuilderOf<ListViewBuilder>("list_view<utf8>", With(ListViewPolicy::kCheapest, kKeepAll));
  ASSERT_OK(keeping->AppendArray(ListViewsOver(texts, {1}, {1})));
  ASSERT_OK(keeping->AppendArray(ListViewsOver(texts, {0, 2}, {1, 1})));
  EXPECT_EQ(keeping->elements().length(), 3);
  EXPECT_EQ(keeping->elements().chunk_count(), 1) << "both ways bring the same: ties keep";
}

TEST(AppendPoliciesTest, AllChunksGoByThePolicy) {
  const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>", With(ListViewPolicy::kExact));
  ASSERT_OK_AND_ASSIGN(const ChunkedArray chunks,
                       ChunkedArray::Make(builder->type(), {Sparse(), Sparse()}));
  ASSERT_OK(builder->AppendChunked(chunks));
  EXPECT_TRUE(builder->zero_copy_to_list());
  EXPECT_EQ(builder->elements().length(), 14);
}

TEST(AppendPoliciesTest, ExactReachesEveryLevel) {
  const Array inner = Sparse();
  for (const BuilderOptions& options : {kKeepAll, kKeepNone}) {
    const Array outer = ListViewsOver(inner, {3, 0, 4}, {2, 2, 0}, "110");
    const auto builder =
        BuilderOf<ListViewBuilder>(outer.type(), With(ListViewPolicy::kExact, options));
    ASSERT_OK(builder->AppendArray(outer));
    ASSERT_OK(builder->AppendArray(ListViewsOver(inner, {0}, {3})));
    const Array array = Finished(*builder);
    EXPECT_THAT(array, ReadsAs("[[[2, 3], []], [[6, 7], null], null, [[6, 7], null, [1, 2, 3]]]"));
    EXPECT_TRUE(StatsOf(array).zero_copy_to_list);
    EXPECT_TRUE(StatsOf(array.child(0)).zero_copy_to_list);

    const auto in_struct =
        BuilderOf("struct<a: list_view<int32>>", With(ListViewPolicy::kExact, options));
    ASSERT_OK(in_struct->AppendArray(StructOver({Field("a", inner.type())}, {inner}, 5)));
    EXPECT_TRUE(StatsOf(Finished(*in_struct).child(0)).zero_copy_to_list);
  }
}

TEST(AppendPoliciesTest, ANullThatNoValidRowReadsIsNotBrought) {
  const Field item = Field("item", Int32(), /*nullable=*/false);
  const Array source = ListViewsOver(Ints({1, kNull, 3, kNull, 5}), {4, 1, 0}, {1, 1, 1}, "101");
  for (const auto policy : {ListViewPolicy::kCheapest, ListViewPolicy::kExact}) {
    const auto builder = BuilderOf<ListViewBuilder>(ListView(item), With(policy));
    ASSERT_OK(builder->AppendArray(source));
    EXPECT_EQ(builder->elements().null_count(), 0);
    EXPECT_THAT(Finished(*builder), ReadsAs("[[5], null, [1]]"));
    EXPECT_THAT(builder->AppendArray(ListViewsOver(Ints({1, kNull, 3}), {2, 0}, {1, 2})),
                StatusIs(StatusCode::kInvalidArgument, "item"));
  }
}

TEST(AppendPoliciesTest, FlatteningThatOutgrowsTheWidthIsOutOfRange) {
  const int64_t most = std::numeric_limits<int32_t>::max();
  const Array nulls = *MakeNullArray(Null(), most);
  const Array twice = ListViewsOver(nulls, {0, 0}, {most, most});
  const auto exact = BuilderOf<ListViewBuilder>("list_view<null>", With(ListViewPolicy::kExact));
  EXPECT_THAT(exact->AppendArray(twice), StatusIs(StatusCode::kOutOfRange, "large_list_view"));
  EXPECT_EQ(exact->length(), 0);
  const auto cheapest =
      BuilderOf<ListViewBuilder>("list_view<null>", With(ListViewPolicy::kCheapest));
  ASSERT_OK(cheapest->AppendArray(twice));
  EXPECT_EQ(cheapest->elements().length(), most);
}

TEST(AppendPoliciesTest, AFailedAppendChangesNothing) {
  Random random(3);
  for (const auto policy : {ListViewPolicy::kCheapest, ListViewPolicy::kExact}) {
    for (const ViewShape shape : {ViewShape::kGaps, ViewShape::kShuffled}) {
      const Array source =
          RandomArray(TypeFrom("list_view<utf8>"), {.length = 200, .shape = shape}, random);
      int refused = 0;
      for (int64_t k = 0;; ++k, ++refused) {
        FailingPool pool;
        const auto builder =
            BuilderOf<ListViewBuilder>("list_view<utf8>", With(policy, {.pool = &pool}));
        ASSERT_OK(builder->AppendArray(source, 10, 3));
        const int64_t bytes_used = builder->bytes_used();
        const bool flag = builder->zero_copy_to_list();
        pool.FailAt(k);
        const Status status = builder->AppendArray(source);
        const bool failed = pool.failed();
        pool.SwitchOff();
        if (!failed) break;
        EXPECT_THAT(status, StatusIs(StatusCode::kResourceExhausted));
        EXPECT_EQ(builder->bytes_used(), bytes_used);
        EXPECT_EQ(builder->zero_copy_to_list(), flag);
        EXPECT_THAT(Finished(*builder), ReadsLike(source.Slice(10, 3)));
      }
      EXPECT_GT(refused, 3);
    }
  }
}

TEST(AppendPoliciesTest, HostileSourcesAreErrorsAndChangeNothing) {
  struct Views {
    std::vector<int32_t> offsets, sizes;
  };
  constexpr int32_t kMax = std::numeric_limits<int32_t>::max();
  constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
  for (const Views& hostile :
       {Views{{0, -1}, {1, 1}}, Views{{0, 1}, {1, -1}}, Views{{0, 4}, {1, 1}},
        Views{{0, 1}, {1, 4}}, Views{{0, kMax}, {1, kMax}}, Views{{0, kMin}, {1, kMin}},
        Views{{kMin, 0}, {kMax, 1}}}) {
    for (const auto policy :
         {ListViewPolicy::kKeep, ListViewPolicy::kCheapest, ListViewPolicy::kExact}) {
      SCOPED_TRACE(::testing::Message() << hostile.offsets[1] << " " << hostile.sizes[1]);
      const Array source = MakeRaw(
          {.type = TypeFrom("list_view<int32>"),
           .length = 2,
           .buffers = {Buffer(), ValuesBuffer(hostile.offsets), ValuesBuffer(hostile.sizes)},
           .children = {Range(0, 4)}});
      const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>", With(policy));
      ASSERT_OK(builder->AppendArray(Sparse()));
      const int64_t bytes_used = builder->bytes_used();
      EXPECT_THAT(builder->AppendArray(source), StatusIs(StatusCode::kInvalidArgument, "row"));
      EXPECT_EQ(builder->bytes_used(), bytes_used);
      EXPECT_EQ(builder->length(), 5);
      EXPECT_THAT(Finished(*builder), ReadsLike(Sparse()));
    }
  }
}

/// Elements of [begin, end) that some valid row of a list-view reads.
int64_t Referenced(const Array& array) { return ContentOf(array)->referenced_elements; }

TEST(AppendPoliciesTest, RandomArraysReadTheSameAndBringWhatThePolicySays) {
  for (const uint64_t seed : Seeds(60)) {
    for (const ViewShape shape : kViewShapes) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + Name(shape));
      Random random(seed);
      const Array source = RandomArray(
          TypeFrom("list_view<int32>"),
          {.length = Draw(random, 0, 60), .null_rate = 0.3, .shape = shape, .sliced = true},
          random);
      const ViewStats stats = StatsOf(source);
      const ViewContent content = *ContentOf(source);
      for (const BuilderOptions& options : {kKeepAll, kKeepNone}) {
        const ListViewArray exact = Appended(source, ListViewPolicy::kExact, options);
        EXPECT_TRUE(exact.zero_copy_to_list());
        const bool kept = stats.packed && source.null_count() == 0;
        EXPECT_EQ(exact.elements().length(), kept ? stats.sum_of_sizes : content.sum_of_sizes);
        const ListViewArray cheapest = Appended(source, ListViewPolicy::kCheapest, options);
        EXPECT_EQ(cheapest.elements().length(), content.referenced_elements);
        EXPECT_EQ(Referenced(cheapest), content.referenced_elements);
        const ListViewArray keep = Appended(source, ListViewPolicy::kKeep, options);
        EXPECT_EQ(keep.elements().length(), stats.end - stats.begin);
        if (HasFailure()) return;
      }
    }
  }
}

TEST(AppendPoliciesTest, RandomNestedAppendsReadLikeTheModel) {
  for (const uint64_t seed : Seeds(150)) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const auto policy = Chance(random, 0.5) ? ListViewPolicy::kCheapest : ListViewPolicy::kExact;
    BuilderOptions options = With(policy);
    options.min_chunk_bytes = Draw(random, 0, 2) * 50;
    const char* types[] = {"list_view<list_view<int32>>",
                           "large_list_view<list<list_view<utf8>>>",
                           "list<list_view<bool>>",
                           "struct<a: list_view<int32>>",
                           "list_view<struct<a: list_view<utf8>, b: int32>>",
                           "list_view<fixed_size_list<list_view<int32>>[2]>"};
    const DataType type = TypeFrom(types[Draw(random, 0, 5)]);
    const auto builder = BuilderOf(type, options);
    const Array shared = RandomArray(type, {.length = 30, .sliced = true}, random);
    Values model;
    for (int step = 0; step < 8; ++step) {
      const Array source =
          Chance(random, 0.5) ? shared : RandomArray(type, {.length = 20, .sliced = true}, random);
      const int64_t row = Draw(random, 0, source.length() - 1);
      const int64_t n = Draw(random, 0, source.length() - row);
      if (Chance(random, 0.8)) {
        ASSERT_OK(builder->AppendArray(source, row, n));
        AppendSlice(&model, Read(source), row, n);
      } else {
        ASSERT_OK(builder->AppendRepeated(source, row, n));
        AppendRepeated(&model, Read(source)[static_cast<size_t>(row)], n);
      }
    }
    ASSERT_THAT(Finished(*builder), ReadsLike(model));
  }
}

}  // namespace
}  // namespace sheaf
