// Arrays of every nested layout over other children: the type follows, buffers and what is known
// stay.

#include "array/with_children.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "array/array_data.h"
#include "sheaf/array/list_view_array.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

/// Values of any int8 array as an extension, whose name shows in types.
Array Marked(const Array& array) {
  ArrayParts parts;
  parts.type = Extension("mark", "", array.type());
  parts.length = array.length();
  parts.offset = array.offset();
  for (int i = 0; i < array.num_buffers(); ++i) parts.buffers.push_back(array.buffer(i));
  return MakeRaw(std::move(parts));
}

TEST(WithChildrenTest, TheTypeFollowsAndAllElseStays) {
  const std::pair<const char*, const char*> types[] = {
      {"list<x: int8 not null>", "list<x: extension<mark, int8> not null>"},
      {"large_list<int8>", "large_list<extension<mark, int8>>"},
      {"list_view<x: int8>", "list_view<x: extension<mark, int8>>"},
      {"large_list_view<int8>", "large_list_view<extension<mark, int8>>"},
      {"fixed_size_list<int8>[3]", "fixed_size_list<extension<mark, int8>>[3]"},
      {"struct<a: int8, a: int8 not null>",
       "struct<a: extension<mark, int8>, a: extension<mark, int8> not null>"},
      {"sparse_union<a: int8=5, b: int8=2>",
       "sparse_union<a: extension<mark, int8>=5, b: extension<mark, int8>=2>"},
      {"dense_union<a: int8=5, b: int8=2>",
       "dense_union<a: extension<mark, int8>=5, b: extension<mark, int8>=2>"},
      {"dictionary<int16, int8, ordered>", "dictionary<int16, extension<mark, int8>, ordered>"},
      {"extension<mine, list<int8>, \"p\">", "extension<mine, list<extension<mark, int8>>, \"p\">"},
  };
  Random random(1);
  for (const auto& [from, to] : types) {
    SCOPED_TRACE(from);
    const Array whole = RandomArray(TypeFrom(from), {.length = 20}, random);
    for (const Array& array : {whole, whole.Slice(3, 9)}) {
      ASSERT_OK(array.Verify());
      std::vector<Array> children;
      for (int i = 0; i < array.num_children(); ++i) children.push_back(Marked(array.child(i)));
      Array dictionary = array.has_dictionary() ? Marked(array.dictionary()) : Array();
      ASSERT_OK_AND_ASSIGN(
          const Array made,
          internal::WithChildren(array, children, array.has_dictionary() ? &dictionary : nullptr,
                                 MemoryPool::Default()));
      EXPECT_TRUE(made.type().Identical(TypeFrom(to))) << made.type().ToString();
      EXPECT_THAT(made, IsValidArray());
      EXPECT_THAT(made, ReadsLike(array));
      EXPECT_THAT(made, SharesAllBuffersWith(array));
      EXPECT_EQ(made.null_count(), array.null_count());
    }
  }
}

TEST(WithChildrenTest, RunEndsAndMapsToo) {
  const Array runs = FromJson("run_end_encoded<int16, int8>", "[1, 1, null, 2]");
  std::vector<Array> children = {runs.child(0), Marked(runs.child(1))};
  ASSERT_OK_AND_ASSIGN(const Array made_runs,
                       internal::WithChildren(runs, children, nullptr, MemoryPool::Default()));
  EXPECT_EQ(made_runs.type().ToString(), "run_end_encoded<int16, extension<mark, int8>>");
  EXPECT_THAT(made_runs, ReadsLike(runs));

  const Array map = FromJson("map<utf8, int8, keys_sorted>", R"([{"a": 1}, null])");
  std::vector<Array> fields = {map.child(0).child(0), Marked(map.child(0).child(1))};
  ASSERT_OK_AND_ASSIGN(
      Array entries, internal::WithChildren(map.child(0), fields, nullptr, MemoryPool::Default()));
  ASSERT_OK_AND_ASSIGN(const Array made_map,
                       internal::WithChildren(map, {&entries, 1}, nullptr, MemoryPool::Default()));
  EXPECT_EQ(made_map.type().ToString(), "map<utf8, extension<mark, int8>, keys_sorted>");
  EXPECT_THAT(made_map, IsValidArray());
  EXPECT_THAT(made_map, ReadsLike(map));
}

TEST(WithChildrenTest, TheSameChildrenGiveTheSameArray) {
  const Array list = ListsOver(Range(0, 5), {0, 2, 5});
  Array same = list.child(0);
  FailingPool pool;
  pool.FailAt(0);
  ASSERT_OK_AND_ASSIGN(const Array made, internal::WithChildren(list, {&same, 1}, nullptr, &pool));
  EXPECT_TRUE(internal::IsSameArray(made, list));
  Array other = Range(0, 5);
  EXPECT_THAT(internal::WithChildren(list, {&other, 1}, nullptr, &pool),
              StatusIs(StatusCode::kResourceExhausted));
}

TEST(WithChildrenTest, ViewStatisticsStayKnown) {
  const Array views = ListViewsOver(Range(0, 9), {4, 0, 2}, {2, 2, 2});
  EXPECT_FALSE(StatsOf(views).packed);
  Array other = Range(10, 19);
  ASSERT_OK_AND_ASSIGN(const Array made,
                       internal::WithChildren(views, {&other, 1}, nullptr, MemoryPool::Default()));
  EXPECT_EQ(made.data()->view_state.load(), 2);
  EXPECT_EQ(StatsOf(made).end, 6);
  EXPECT_THAT(made, ReadsAs("[[14, 15], [10, 11], [12, 13]]"));
}

}  // namespace
}  // namespace sheaf
