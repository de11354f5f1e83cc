// An exported variable-size array of length 0 has one zero offset of its width, whatever it was
// made from (design.md, section 7): several libraries refuse such arrays or read them wrong where
// the offset is missing or rubbish.

#include <cstring>
#include <string>
#include <vector>

#include "array/array_data.h"
#include "c_data/foreign.h"
#include "sheaf/c_data/export.h"
#include "sheaf/c_data/import.h"
#include "testing/array_literals.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;

constexpr ValidationLevel kLevels[] = {ValidationLevel::kNone, ValidationLevel::kMinimal,
                                       ValidationLevel::kDefault, ValidationLevel::kFull};

std::vector<DataType> VariableSizeTypes() {
  return {Utf8(),
          Binary(),
          LargeUtf8(),
          LargeBinary(),
          List(Int32()),
          LargeList(Int32()),
          Map(Utf8(), Field("value", Int32())),
          List(List(Utf8()))};
}

// How the offsets buffer of an array without a row came to be. Of an IPC body two columns are
// shown: ours has a 0-byte offsets buffer, at the place where the next one's bytes are 0x55555555.
struct Origin {
  const char* name;
  Buffer offsets;
};

std::vector<Origin> Origins() {
  const std::vector<uint8_t> body(192, 0x55);
  const Buffer owned = ValuesBuffer(body);
  static const std::vector<uint8_t> kShared(192, 0x55);
  const Buffer shared = Buffer::Borrow(kShared.data(), 192);
  return {{"never allocated", Buffer()},
          {"0 bytes", Buffer::Empty()},
          {"0 bytes of its own", std::move(*MutableBuffer::Allocate(0)).Finish()},
          {"0 bytes in an owned body", owned.Slice(64, 0)},
          {"0 bytes in a shared body", shared.Slice(64, 0)},
          {"rubbish in an owned body", owned.Slice(64, 8)},
          {"rubbish in a shared body", shared.Slice(64, 64)}};
}

ArrayParts PartsOf(const DataType& type, int64_t length, const Buffer& offsets) {
  ArrayParts parts{.type = type, .length = length, .null_count = 0, .buffers = {Buffer(), offsets}};
  if (type.layout().num_buffers == 3) parts.buffers.push_back(Buffer());
  for (const Field& field : type.fields()) parts.children.push_back(*MakeEmptyArray(field.type()));
  return parts;
}

// Every offsets buffer of a tree without a row holds one zero of its width.
void ExpectZeroOffsets(const ArrowArray& array, const DataType& type, const std::string& what) {
  const Layout& layout = type.layout();
  for (int i = 0; i < layout.num_buffers; ++i) {
    if (layout.buffers[static_cast<size_t>(i)].role == BufferRole::kValidity) continue;
    ASSERT_NE(array.buffers[i], nullptr) << what;
    if (layout.buffers[static_cast<size_t>(i)].role != BufferRole::kOffsets) continue;
    int64_t offset = -1;
    std::memcpy(&offset, array.buffers[i], sizeof(offset));
    if (layout.offset_bits == 32) offset = static_cast<int32_t>(offset);
    EXPECT_EQ(offset, 0) << what;
  }
  EXPECT_EQ(array.length, 0) << what;
  EXPECT_EQ(array.offset, 0) << what;
  for (int i = 0; i < array.n_children; ++i) {
    ExpectZeroOffsets(*array.children[i], type.field(i).type(), what);
  }
}

void ExpectExportsOneZero(const Array& array, const std::string& what) {
  FailingPool pool;
  ScopedArray out;
  ASSERT_OK(ExportArray(array, &out, nullptr, &pool));
  ExpectZeroOffsets(out, array.type(), what);
  // Blocks for the nodes, and none for an offset.
  EXPECT_EQ(pool.calls(), Depth(array.type()) + (array.type().id() == TypeId::kMap ? 1 : 0))
      << what;
  ASSERT_OK_AND_ASSIGN(const Array back,
                       ImportArray(&out, array.type(), {.level = ValidationLevel::kFull}));
  EXPECT_EQ(back.length(), 0);
}

TEST(ZeroOffset, WhateverAnEmptyArrayWasMadeFromAtEveryLevel) {
  for (const DataType& type : VariableSizeTypes()) {
    for (const Origin& origin : Origins()) {
      for (const ValidationLevel level : kLevels) {
        const std::string what = type.ToString() + ", " + origin.name;
        ASSERT_OK_AND_ASSIGN(const Array array, MakeArray(PartsOf(type, 0, origin.offsets), level));
        ExpectExportsOneZero(array, what);
      }
    }
  }
}

TEST(ZeroOffset, AlsoWhereTheNodeKeepsTheBuffersAsTheyCame) {
  for (const DataType& type : VariableSizeTypes()) {
    for (const Origin& origin : Origins()) {
      ArrayParts parts = PartsOf(type, 0, origin.offsets);
      ASSERT_OK_AND_ASSIGN(
          const Array array,
          internal::MakeNode(
              {.type = type, .length = 0, .buffers = parts.buffers, .children = parts.children},
              MemoryPool::Default()));
      ExpectExportsOneZero(array, type.ToString() + ", " + origin.name);
    }
  }
}

TEST(ZeroOffset, C10_EmptyArraysOfEveryVariableSizeType) {
  for (const DataType& type : VariableSizeTypes()) {
    ASSERT_OK_AND_ASSIGN(const Array empty, MakeEmptyArray(type));
    ExpectExportsOneZero(empty, type.ToString());
  }
  ASSERT_OK_AND_ASSIGN(const Array words, MakeEmptyArray(*Dictionary(Int32(), Utf8())));
  ScopedArray out;
  ASSERT_OK(ExportArray(words, &out));
  ExpectZeroOffsets(*out.dictionary, Utf8(), "dictionary");
}

TEST(ZeroOffset, SlicesWithoutARowAreEmptyArraysToo) {
  const Array texts = Utf8s({"a", "bb", "ccc"});
  for (const int64_t at : {0, 1, 3}) ExpectExportsOneZero(texts.Slice(at, 0), "utf8 slice");
  const Array lists = FromJson("list<utf8>", R"([["a"], ["b", "c"]])");
  ScopedArray out;
  ASSERT_OK(ExportArray(lists.Slice(1, 0), &out));
  ExpectZeroOffsets(out, lists.type(), "list slice");
}

TEST(ZeroOffset, AMapColumnHoldingASingleNull) {
  const DataType type = Map(Utf8(), Field("value", Int32()));
  for (const Origin& origin : Origins()) {
    // One row, whose entries were never begun: the strings of the keys have no row.
    ASSERT_OK_AND_ASSIGN(const Array keys, MakeArray(PartsOf(Utf8(), 0, origin.offsets)));
    ASSERT_OK_AND_ASSIGN(const Array entries, MakeArray({.type = type.field(0).type(),
                                                         .length = 0,
                                                         .buffers = {Buffer()},
                                                         .children = {keys, Ints({})}}));
    ASSERT_OK_AND_ASSIGN(const Array map, MakeArray({.type = type,
                                                     .length = 1,
                                                     .null_count = 1,
                                                     .buffers = {Bits("0"), Integers({0, 0}, 32)},
                                                     .children = {entries}}));
    ScopedArray out;
    ASSERT_OK(ExportArray(map, &out));
    EXPECT_EQ(out.null_count, 1);
    EXPECT_EQ(out.children[0]->null_count, 0);
    ExpectZeroOffsets(*out.children[0], type.field(0).type(), origin.name);
    ASSERT_OK_AND_ASSIGN(const Array back,
                         ImportArray(&out, type, {.level = ValidationLevel::kFull}));
    EXPECT_THAT(back, ReadsAs("[null]"));
  }
}

TEST(ZeroOffset, AnArrayWithElementsAndTruncatedOffsetsStillFails) {
  const std::vector<uint8_t> body(192, 0);
  const Buffer owned = ValuesBuffer(body);
  for (const DataType& type : VariableSizeTypes()) {
    for (const int64_t size_bytes :
         {int64_t{0}, int64_t{3}, int64_t{type.layout().offset_bits / 8}}) {
      for (const Buffer& offsets :
           {owned.Slice(64, size_bytes), Buffer::Borrow(body.data(), size_bytes)}) {
        for (const ValidationLevel level : kLevels) {
          const auto array = MakeArray(PartsOf(type, 1, offsets), level);
          if (level != ValidationLevel::kNone) {
            EXPECT_THAT(array, StatusIs(StatusCode::kInvalidArgument, "offsets"))
                << type.ToString();
            continue;
          }
          // Nothing was checked when it was made; it does not get out either.
          ASSERT_OK(array);
          ScopedArray out;
          EXPECT_THAT(ExportArray(*array, &out), StatusIs(StatusCode::kInvalidArgument));
          EXPECT_EQ(out.release, nullptr);
        }
      }
    }
  }
}

}  // namespace
}  // namespace sheaf
