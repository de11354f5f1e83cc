// Rebuilds of random list-views, every shape with every kind of elements, against numbers found
// naively: the same values, exactly the elements promised, the flag where it may be, and nothing to
// do a second time.

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "sheaf/array/list_view_array.h"
#include "sheaf/compute/list_view/plan.h"
#include "sheaf/compute/list_view/rebuild.h"
#include "sheaf/type/field.h"
#include "sheaf/type/layout.h"
#include "testing/from_json.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

/// Numbers of elements that the modes promise, found view by view.
struct Promised {
  int64_t trim = 0;
  int64_t compact = 0;
  int64_t exact = 0;
  int64_t unique = 0;  ///< With one copy of equal lists, the first one's.
  bool packed = true;  ///< Once trimmed.

  template <typename Views>
  explicit Promised(const Views& views) {
    int64_t begin = views.elements().length(), end = 0;
    std::set<int64_t> read;
    for (int64_t i = 0; i < views.length(); ++i) {
      const auto at = static_cast<size_t>(i);
      const int64_t offset = views.offsets()[at], size = views.sizes()[at];
      if (size > 0) {
        begin = std::min(begin, offset);
        end = std::max(end, offset + size);
      }
      if (views.IsNull(i)) continue;
      exact += size;
      for (int64_t k = 0; k < size; ++k) read.insert(offset + k);
    }
    trim = std::max<int64_t>(0, end - begin);
    if (trim == 0) begin = end = 0;
    compact = static_cast<int64_t>(read.size());
    unique = Unique(views);
    int64_t at = begin;
    for (int64_t i = 0; i < views.length(); ++i) {
      const int64_t offset =
          std::clamp<int64_t>(views.offsets()[static_cast<size_t>(i)], begin, end);
      packed = packed && offset == at;
      at = offset + views.sizes()[static_cast<size_t>(i)];
    }
  }

  template <typename Views>
  static int64_t Unique(const Views& views) {
    const Values rows = Read(views);
    std::map<std::string, int64_t> firsts;  // Equal values have the same text.
    std::set<int64_t> read;
    for (int64_t i = 0; i < views.length(); ++i) {
      if (views.IsNull(i)) continue;
      const int64_t first = firsts.emplace(ToText(rows[static_cast<size_t>(i)]), i).first->second;
      const auto at = static_cast<size_t>(first);
      for (int64_t k = 0; k < views.sizes()[at]; ++k) read.insert(views.offsets()[at] + k);
    }
    return static_cast<int64_t>(read.size());
  }

  int64_t Of(RebuildMode mode) const {
    switch (mode) {
      case RebuildMode::kTrim:
        return trim;
      case RebuildMode::kCompact:
        return compact;
      case RebuildMode::kExact:
        return exact;
      case RebuildMode::kZeroCopyToList:
        return packed ? trim : exact;
      case RebuildMode::kDeduplicate:
        return unique;
      case RebuildMode::kOverlap:
        return -1;  // At most `unique`.
    }
    return -1;
  }
};

bool IsSameArray(const Array& a, const Array& b) {
  return a.data() == b.data() && a.offset() == b.offset() && a.length() == b.length();
}

/// The plan made in advance is what the rebuild left.
void CheckPlan(const RebuildSize& planned, RebuildMode mode, const Array& elements) {
  EXPECT_EQ(planned.at_most, mode == RebuildMode::kOverlap);
  if (planned.at_most) {
    EXPECT_LE(elements.length(), planned.elements);
    return;
  }
  EXPECT_EQ(planned.elements, elements.length());
  const LayoutId layout = elements.layout().id;
  if (layout == LayoutId::kFixedWidth || layout == LayoutId::kBoolean) {
    const int64_t bits = elements.length() * BufferBitWidth(elements.type(), 1);
    const int64_t with_bitmap = bits + elements.length();
    EXPECT_GE(planned.element_bytes, bits / 8);
    EXPECT_LE(planned.element_bytes, (with_bitmap + 7) / 8);
    if (!elements.has_nulls()) {
      EXPECT_EQ(planned.element_bytes, (bits + 7) / 8);
    }
  }
}

template <typename Views>
void CheckAllModes(const Array& array) {
  const Views views = *Views::From(array);
  const Promised promised(views);
  ASSERT_OK_AND_ASSIGN(const RebuildPlan plan, Plan(array));
  EXPECT_EQ(plan.now.elements, views.elements().length());
  for (const RebuildMode mode :
       {RebuildMode::kTrim, RebuildMode::kCompact, RebuildMode::kExact,
        RebuildMode::kZeroCopyToList, RebuildMode::kDeduplicate, RebuildMode::kOverlap}) {
    SCOPED_TRACE(static_cast<int>(mode));
    ASSERT_OK_AND_ASSIGN(const Array array_of_mode, Rebuild(array, mode));
    ASSERT_OK_AND_ASSIGN(const Views rebuilt, Views::From(array_of_mode));
    EXPECT_THAT(rebuilt, IsValidArray());
    EXPECT_THAT(rebuilt, ReadsLike(array));
    EXPECT_EQ(rebuilt.null_count(), array.null_count());
    if (mode == RebuildMode::kOverlap) {
      EXPECT_LE(rebuilt.elements().length(), promised.unique);
    } else {
      EXPECT_EQ(rebuilt.elements().length(), promised.Of(mode));
    }
    CheckPlan(plan.of(mode), mode, rebuilt.elements());
    if (mode == RebuildMode::kExact || mode == RebuildMode::kZeroCopyToList) {
      EXPECT_TRUE(rebuilt.zero_copy_to_list());
    }
    // What is known of the result is what a pass over its buffers finds.
    ASSERT_OK_AND_ASSIGN(
        const Views anew,
        Views::Make(rebuilt.elements(),
                    Buffer::Borrow(rebuilt.offsets().data(),
                                   static_cast<int64_t>(rebuilt.offsets().size_bytes())),
                    Buffer::Borrow(rebuilt.sizes().data(),
                                   static_cast<int64_t>(rebuilt.sizes().size_bytes())),
                    rebuilt.length(), {}, ValidationLevel::kFull, &array.type()));
    const ViewStats known = rebuilt.stats(), found = anew.stats();
    EXPECT_EQ(known.begin, found.begin);
    EXPECT_EQ(known.end, found.end);
    EXPECT_EQ(known.sum_of_sizes, found.sum_of_sizes);
    EXPECT_GE(known.max_size, found.max_size);
    EXPECT_EQ(known.packed, found.packed);
    EXPECT_EQ(known.in_order, found.in_order);
    EXPECT_EQ(known.ascending, found.ascending);
    EXPECT_EQ(known.zero_copy_to_list, found.zero_copy_to_list);
    EXPECT_EQ(known.empties_outside, found.empties_outside);

    ASSERT_OK_AND_ASSIGN(const Array again, Rebuild(rebuilt, mode));
    EXPECT_TRUE(IsSameArray(again, rebuilt)) << "a second rebuild does nothing";
  }
}

constexpr const char* kElements[] = {
    "int8",
    "int32",
    "float64",
    "bool",
    "null",
    "decimal128(20, 2)",
    "fixed_size_binary[3]",
    "utf8",
    "large_binary",
    "utf8_view",
    "list<int16>",
    "list_view<utf8>",
    "large_list_view<list_view<int8>>",
    "fixed_size_list<int32>[2]",
    "struct<a: int32, b: list_view<utf8>>",
};

TEST(RandomRebuildTest, EveryShapeWithAllElementsKeepsItsPromises) {
  for (const uint64_t seed : Seeds(2)) {
    Random random(seed);
    for (const char* elements : kElements) {
      for (const ViewShape shape : kViewShapes) {
        for (const bool sliced : {false, true}) {
          const RandomOptions options = {.length = Draw(random, 0, 70),
                                         .null_rate = Chance(random, 0.5) ? 0.3 : 0,
                                         .shape = shape,
                                         .sliced = sliced};
          SCOPED_TRACE(std::string(elements) + ", " + Name(shape) + ", seed " +
                       std::to_string(seed) + (sliced ? ", sliced" : ""));
          const DataType type = TypeFrom(elements);
          CheckAllModes<ListViewArray>(RandomArray(ListView(type), options, random));
          CheckAllModes<LargeListViewArray>(RandomArray(LargeListView(type), options, random));
          if (::testing::Test::HasFailure()) return;
        }
      }
    }
  }
}

}  // namespace
}  // namespace sheaf
