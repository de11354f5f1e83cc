#include "array/trimmed.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/array/list_view_array.h"
#include "testing/array_literals.h"
#include "testing/from_json.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"
#include "testing/raw_buffers.h"

namespace sheaf {
namespace {

using namespace testing;

Array Trim(const Array& array) { return internal::Trimmed(array, MemoryPool::Default()).value(); }

/// Buffers of exactly the bytes needed and no offset, at every level.
void ExpectTrimmed(const Array& array) {
  EXPECT_EQ(array.offset(), 0);
  const Layout& layout = array.layout();
  for (int i = 0; i < layout.num_buffers; ++i) {
    if (layout.buffers[static_cast<size_t>(i)].role == BufferRole::kData) continue;
    if (array.buffer(i).absent()) continue;
    const int64_t slots = array.length();
    int64_t needed = BufferBytesNeeded(array.type(), i, slots);
    if (slots == 0 && layout.buffers[static_cast<size_t>(i)].role == BufferRole::kOffsets) {
      needed = layout.offset_bits / 8;
    }
    EXPECT_EQ(array.buffer(i).size_bytes(), needed) << array.type().ToString() << " buffer " << i;
  }
  for (int i = 0; i < array.num_children(); ++i) ExpectTrimmed(array.child(i));
}

TEST(Trimmed, KeepsTheValuesOfEverySliceOfEveryType) {
  for (const TypeId id : AllTypeIds()) {
    Random random(static_cast<uint64_t>(id) + 100);
    const Array array = RandomArray(SampleType(id), {.length = 30, .sliced = true}, random);
    for (int64_t begin = 0; begin <= 30; begin += 3) {
      for (const int64_t length : {int64_t{0}, int64_t{1}, int64_t{9}, int64_t{30}}) {
        const Array slice = array.Slice(begin, length);
        const Array trimmed = Trim(slice);
        EXPECT_THAT(trimmed, ReadsLike(slice)) << array.type().ToString();
        EXPECT_THAT(trimmed, IsValidArray()) << array.type().ToString();
        ExpectTrimmed(trimmed);
      }
    }
  }
}

TEST(Trimmed, SharesWhatNeedNotChange) {
  const Array numbers = Range(0, 100);
  EXPECT_EQ(Trim(numbers).buffer(1).data(), numbers.buffer(1).data());
  EXPECT_EQ(Trim(numbers.Slice(10, 5)).buffer(1).data(), numbers.buffer(1).data() + 40);

  const Array lists = ListViews({.offsets = {2, 0}, .sizes = {1, 3}, .elements = {1, 2, 3, 4}});
  const Array trimmed = Trim(lists);
  for (int i = 1; i < 3; ++i) EXPECT_TRUE(SharesBuffer(trimmed, lists, i));
  EXPECT_TRUE(SharesBuffer(trimmed.child(0), lists.child(0), 1));
  EXPECT_EQ(trimmed.child(0).length(), 3);
}

TEST(Trimmed, ABitmapThatBeginsAByteIsShared) {
  std::vector<std::optional<int64_t>> values(24, kNull);
  const Array array = Ints(values);
  EXPECT_EQ(Trim(array.Slice(8, 9)).buffer(0).data(), array.buffer(0).data() + 1);
  EXPECT_NE(Trim(array.Slice(3, 9)).buffer(0).data(), array.buffer(0).data());
  EXPECT_TRUE(Trim(array.Slice(3, 0)).buffer(0).absent());
}

TEST(Trimmed, ABitmapWithoutNullsGoes) {
  const Array array = Ints({kNull, 2, 3});
  EXPECT_TRUE(Trim(array.Slice(1)).buffer(0).absent());
  EXPECT_EQ(Trim(array.Slice(1)).null_count(), 0);
  EXPECT_EQ(Trim(array).null_count(), 1);
}

/// Slots of string views: `size`, the data buffer and the offset in it; short ones are given as
/// text.
struct Slot {
  int32_t size;
  char prefix[4];
  int32_t buffer;
  int32_t offset;
};

TEST(Trimmed, StringViewsKeepTheDataInUse) {
  const std::string first = "the first data buffer";
  const std::string second = "....a value that is long....another value, too....";
  const std::vector<Slot> slots = {{21, {'t', 'h', 'e', ' '}, 0, 0},
                                   {20, {'a', ' ', 'v', 'a'}, 1, 4},
                                   {99, {'?', '?', '?', '?'}, 7, 7},  // Null.
                                   {18, {'a', 'n', 'o', 't'}, 1, 28}};
  const Array texts = MakeRaw(
      {.type = Utf8View(),
       .length = 4,
       .buffers = {Bits("1101"), ValuesBuffer(slots), ValuesBuffer(first), ValuesBuffer(second)}});

  const Array tail = Trim(texts.Slice(1));

  EXPECT_THAT(tail, ReadsAs(R"(["a value that is long", null, "another value, too"])"));
  ASSERT_EQ(tail.num_buffers(), 3);  // The first data buffer is gone.
  EXPECT_EQ(tail.buffer(2).data(), texts.buffer(3).data() + 4);
  EXPECT_EQ(tail.buffer(2).size_bytes(), 42);
  const auto* views = tail.slots<Slot>(1);
  EXPECT_EQ(views[0].buffer, 0);
  EXPECT_EQ(views[0].offset, 0);
  EXPECT_EQ(views[1].size, 0);  // Some readers follow the views of null rows.
  EXPECT_EQ(views[1].buffer, 0);
  EXPECT_EQ(views[2].offset, 24);
}

TEST(Trimmed, StringViewsThatNeedNoChangeAreShared) {
  const Array texts = FromJson("utf8_view", R"(["a long text, not in the view", "short"])");
  EXPECT_THAT(Trim(texts), SharesAllBuffersWith(texts));
}

TEST(Trimmed, ListViewsMoveToTheElementsInUse) {
  // elements: 9 9 1 2 3 9; used [2, 5). The empty views outside move to the nearer bound.
  const Array lists =
      ListViews({.offsets = {3, 2, 0, 6}, .sizes = {2, 2, 0, 0}, .elements = {9, 9, 1, 2, 3, 9}});
  ASSERT_OK_AND_ASSIGN(const ListViewArray trimmed, ListViewArray::From(Trim(lists)));
  EXPECT_THAT(trimmed.offsets(), ::testing::ElementsAre(1, 0, 0, 3));
  EXPECT_THAT(trimmed.sizes(), ::testing::ElementsAre(2, 2, 0, 0));
  EXPECT_THAT(trimmed.elements(), ReadsAs("[1,2,3]"));
  EXPECT_EQ(trimmed.elements().buffer(1).data(), lists.child(0).buffer(1).data() + 8);
}

TEST(Trimmed, DenseUnionsKeepTheSlotsInUse) {
  const DataType type = TypeFrom("dense_union<a: int32=3, b: utf8=5>");
  const Array array = MakeRaw({.type = type,
                               .length = 4,
                               .buffers = {Integers({3, 5, 3, 3}, 8), Integers({0, 0, 2, 3}, 32)},
                               .children = {Ints({10, 11, 12, 13, 14}), Utf8s({"x", "y"})}});
  const Array tail = Trim(array.Slice(2));
  EXPECT_THAT(tail, ReadsLike(array.Slice(2)));
  EXPECT_EQ(tail.child(0).length(), 2);
  EXPECT_EQ(tail.child(1).length(), 0);
  EXPECT_EQ(tail.slots<int32_t>(1)[0], 0);
  EXPECT_EQ(tail.slots<int32_t>(1)[1], 1);
}

TEST(Trimmed, RunEndsRestartAtZero) {
  const Array runs = FromJson("run_end_encoded<int16, utf8>", R"(["a","a","b","b","b",null])");
  const Array middle = Trim(runs.Slice(1, 3));
  EXPECT_THAT(middle, ReadsAs(R"(["a","b","b"])"));
  EXPECT_EQ(middle.child(0).length(), 2);
  EXPECT_EQ(middle.child(0).slots<int16_t>(1)[0], 1);
  EXPECT_EQ(middle.child(0).slots<int16_t>(1)[1], 3);
  EXPECT_EQ(Trim(runs).child(0).buffer(1).data(), runs.child(0).buffer(1).data());
}

TEST(Trimmed, EmptyVariableSizeArraysHaveOneZeroOffset) {
  // Offsets of an empty array may be missing or anything.
  const Array missing = MakeRaw({.type = Utf8(), .length = 0, .buffers = {{}, {}, {}}});
  const Array rubbish =
      MakeRaw({.type = LargeUtf8(), .length = 0, .buffers = {{}, Integers({0x55555555}, 64), {}}});
  for (const Array& array : {missing, rubbish}) {
    const Array trimmed = Trim(array);
    EXPECT_EQ(trimmed.buffer(1).size_bytes(), array.layout().offset_bits / 8);
    EXPECT_EQ(trimmed.buffer(1).data()[0], 0);
  }
}

TEST(Trimmed, BadStructureIsAnErrorNotFollowed) {
  const Array bad = ListViews({.offsets = {0, 5}, .sizes = {1, 1}, .elements = {1, 2}});
  EXPECT_THAT(internal::Trimmed(bad, MemoryPool::Default()),
              StatusIs(StatusCode::kInvalidArgument, "row 1"));
}

}  // namespace
}  // namespace sheaf
