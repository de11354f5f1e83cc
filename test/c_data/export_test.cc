#include "sheaf/c_data/export.h"

#include <cstring>
#include <thread>
#include <vector>

#include "array/array_data.h"
#include "c_data/foreign.h"
#include "sheaf/c_data/import.h"
#include "testing/array_literals.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;
using ::testing::ElementsAre;

template <typename T>
std::vector<T> ValuesOf(const ArrowArray& array, int buffer, int64_t count) {
  const auto* values = static_cast<const T*>(array.buffers[buffer]);
  return {values, values + count};
}

// What a consumer reads: imported again as the type says, from structures moved out of `source`.
Array ReadBack(ArrowArray* source, const DataType& type) {
  StatusOr<Array> array = ImportArray(source, type, {.level = ValidationLevel::kFull});
  EXPECT_OK(array);
  return array.ok() ? *array : Array();
}

TEST(CDataExport, CEX_04_AListViewsBuffersAreItsOwn) {
  const Array views = FromJson(ListView(Int8()), "[[1, 2], [3, null], null]");
  ScopedArray out;
  ASSERT_OK(ExportArray(views, &out));

  EXPECT_EQ(out.length, 3);
  EXPECT_EQ(out.offset, 0);
  EXPECT_EQ(out.null_count, 1);
  ASSERT_EQ(out.n_buffers, 3);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(out.buffers[i], views.buffer(i).data());
  ASSERT_EQ(out.n_children, 1);
  EXPECT_EQ(out.children[0]->null_count, 1);
  EXPECT_EQ(out.children[0]->buffers[1], views.child(0).buffer(1).data());
  EXPECT_EQ(out.dictionary, nullptr);
}

TEST(CDataExport, CEX_05_NoBitmapWhereNothingIsNull) {
  ScopedArray out;
  ASSERT_OK(ExportArray(Ints({1, 2}), &out));
  EXPECT_EQ(out.buffers[0], nullptr);
  EXPECT_EQ(out.null_count, 0);

  // A bitmap without a null, of the whole or of the window, is left out too.
  ScopedArray window;
  ASSERT_OK(ExportArray(Ints({kNull, 1, 2}).Slice(1), &window));
  EXPECT_EQ(window.buffers[0], nullptr);
  EXPECT_EQ(window.null_count, 0);
}

TEST(CDataExport, CEX_06_EmptyArraysHaveAllTheirBuffers) {
  for (const DataType& type :
       {Null(), Boolean(), Int32(), Binary(), Utf8View(), Struct({Field("a", Utf8())}),
        ListView(Int32()), List(List(Utf8())), *Dictionary(Int8(), Utf8())}) {
    ASSERT_OK_AND_ASSIGN(const Array empty, MakeEmptyArray(type));
    ScopedArray out;
    ASSERT_OK(ExportArray(empty, &out));
    for (int64_t i = type.layout().has_validity ? 1 : 0; i < out.n_buffers; ++i) {
      EXPECT_NE(out.buffers[i], nullptr) << type.ToString() << ", buffer " << i;
    }
  }
}

TEST(CDataExport, CEX_07_DataOutlivesTheLibrarysHandlesUntilRelease) {
  FailingPool pool;
  const int64_t before = pool.bytes_in_use();
  ArrowArray out;
  {
    const Array views = FromJson("struct<a: list_view<int32>, b: utf8>",
                                 R"([{"a": [1, 2], "b": "x"}, null, {"a": null, "b": "zz"}])");
    ASSERT_OK(ExportArray(views.Slice(1), &out, nullptr, &pool));
  }
  EXPECT_EQ(
      ValuesOf<int32_t>(*out.children[1], 1, 3)[2] - ValuesOf<int32_t>(*out.children[1], 1, 3)[1],
      2);
  EXPECT_EQ(std::memcmp(static_cast<const char*>(out.children[1]->buffers[2]) + 1, "zz", 2), 0);
  EXPECT_GT(pool.bytes_in_use(), before);
  out.release(&out);
  EXPECT_EQ(out.release, nullptr);
  EXPECT_EQ(pool.bytes_in_use(), before);
}

TEST(CDataExport, CEX_08_AStructureMayBeMoved) {
  const int64_t before = MemoryPool::Default()->bytes_in_use();
  {
    const Array lists = FromJson("list<utf8>", R"([["a", null], []])");
    ArrowArray out;
    ASSERT_OK(ExportArray(lists, &out));
    ScopedArray moved(MoveOut(&out));
    EXPECT_EQ(out.release, nullptr);
    EXPECT_THAT(ReadBack(&moved, lists.type()), ReadsLike(lists));
  }
  EXPECT_EQ(MemoryPool::Default()->bytes_in_use(), before);
}

TEST(CDataExport, CEX_09_ChildrenMovedOutOutliveTheParent) {
  const Array rows = FromJson("struct<a: int32, b: utf8, c: list_view<int8>>",
                              R"([{"a": 1, "b": "x", "c": [1]}, {"a": 2, "b": null, "c": null}])");
  ScopedArray out;
  ASSERT_OK(ExportArray(rows, &out));
  ScopedArray a(MoveOut(out.children[0]));
  ScopedArray c(MoveOut(out.children[2]));
  out.release(&out);

  EXPECT_THAT(ReadBack(&a, Int32()), ReadsAs("[1, 2]"));
  EXPECT_THAT(ReadBack(&c, ListView(Int8())), ReadsAs("[[1], null]"));
}

TEST(CDataExport, C16_AChildADictionaryAndASchemaChildMovedOut) {
  const int64_t before = MemoryPool::Default()->bytes_in_use();
  {
    const Array rows =
        FromJson("struct<a: int32, b: utf8>",
                 R"([{"a": 1, "b": "x"}, {"a": 2, "b": null}, {"a": 3, "b": "zz"}])");
    ScopedArray out;
    ScopedSchema schema;
    ASSERT_OK(ExportArray(rows, &out, &schema));
    ScopedArray b(MoveOut(out.children[1]));
    ScopedSchema b_schema(MoveOut(schema.children[1]));
    out.release(&out);
    schema.release(&schema);
    ASSERT_OK_AND_ASSIGN(const Array read, ImportArray(&b, &b_schema));
    EXPECT_THAT(read, ReadsAs(R"(["x", null, "zz"])"));
    EXPECT_EQ(b.release, nullptr);

    const Array words = FromJson(*Dictionary(Int8(), Utf8()), R"(["a", "b", "a"])");
    ScopedArray indices;
    ASSERT_OK(ExportArray(words, &indices));
    ScopedArray dictionary(MoveOut(indices.dictionary));
    indices.release(&indices);
    EXPECT_THAT(ReadBack(&dictionary, Utf8()), ReadsLike(words.dictionary()));
  }
  EXPECT_EQ(MemoryPool::Default()->bytes_in_use(), before);
}

TEST(CDataExport, CEX_10_ArrayAndTypeAreIndependent) {
  ASSERT_OK_AND_ASSIGN(
      const RecordBatch batch,
      RecordBatch::Make(Schema({Field("a", Int32())}, {{"key", "value"}}), 2, {Ints({1, kNull})}));
  ScopedArray out;
  ScopedSchema schema;
  ASSERT_OK(ExportRecordBatch(batch, &out, &schema));
  EXPECT_EQ(out.n_buffers, 1);
  EXPECT_EQ(out.buffers[0], nullptr);
  EXPECT_NE(schema.metadata, nullptr);
  out.release(&out);
  EXPECT_STREQ(schema.children[0]->name, "a");

  ASSERT_OK(ExportRecordBatch(batch, &out));
  schema.release(&schema);
  ASSERT_OK_AND_ASSIGN(const RecordBatch back, ImportRecordBatch(&out, batch.schema()));
  EXPECT_EQ(back, batch);
}

// Two data buffers: "a longer text than twelve" in the first, "thirteen chars" in the second.
Array ViewsOverTwoBuffers(bool drop_second = false) {
  const std::string first = "a longer text than twelve", second = "thirteen chars";
  const auto view = [](const std::string& text, int32_t index) {
    const auto size = static_cast<int32_t>(text.size());
    std::string bytes(16, '\0');
    std::memcpy(bytes.data(), &size, 4);
    if (size <= 12) {
      std::memcpy(bytes.data() + 4, text.data(), text.size());
    } else {
      std::memcpy(bytes.data() + 4, text.data(), 4);
      std::memcpy(bytes.data() + 8, &index, 4);
    }
    return bytes;
  };
  Buffer buffers[] = {Buffer(), ValuesBuffer(view(first, 0) + view("short", 0) + view(second, 1)),
                      ValuesBuffer(first), drop_second ? Buffer() : ValuesBuffer(second)};
  return *internal::MakeNode({.type = Utf8View(), .length = 3, .null_count = 0, .buffers = buffers},
                             MemoryPool::Default());
}

TEST(CDataExport, CEX_11_TheLastBufferOfViewsHoldsTheSizesOfTheDataBuffers) {
  const Array views = ViewsOverTwoBuffers();
  for (const int64_t from : {0, 1}) {
    const Array window = views.Slice(from);
    ScopedArray out;
    ASSERT_OK(ExportArray(window, &out));
    ASSERT_EQ(out.n_buffers, 5);
    EXPECT_EQ(out.offset, 0);
    EXPECT_EQ(out.buffers[1], views.buffer(1).data() + 16 * from);
    EXPECT_THAT(ValuesOf<int64_t>(out, 4, 2), ElementsAre(25, 14));
    EXPECT_THAT(ReadBack(&out, Utf8View()), ReadsLike(window));
  }
}

TEST(CDataExport, CEX_12_AMissingDataBufferIsAnErrorWithItsNumber) {
  ScopedArray out;
  EXPECT_THAT(ExportArray(ViewsOverTwoBuffers(/*drop_second=*/true), &out),
              StatusIs(StatusCode::kInvalidArgument, "data buffer 1"));
  EXPECT_EQ(out.release, nullptr);
}

TEST(CDataExport, C22_ViewsThatAreAllInline) {
  const Array inline_views = FromJson(Utf8View(), R"(["hi", null, "twelve bytes"])");
  ScopedArray out;
  ASSERT_OK(ExportArray(inline_views, &out));
  ASSERT_GE(out.n_buffers, 3);
  EXPECT_NE(out.buffers[out.n_buffers - 1], nullptr);
  EXPECT_THAT(ReadBack(&out, Utf8View()), ReadsLike(inline_views));

  const Array longer = FromJson(Utf8View(), R"(["hi", null, "twelve bytes", "thirteen byte"])");
  ASSERT_OK(ExportArray(longer, &out));
  ASSERT_EQ(out.n_buffers, 4);
  EXPECT_GE(ValuesOf<int64_t>(out, 3, 1)[0], 13);
  EXPECT_THAT(ReadBack(&out, Utf8View()), ReadsLike(longer));
}

TEST(CDataExport, ViewsUnderNullsAreZeroedIfTheyAreNot) {
  const Array views = ViewsOverTwoBuffers();
  Buffer buffers[] = {Bits("101"), views.buffer(1), views.buffer(2), views.buffer(3)};
  ASSERT_OK_AND_ASSIGN(const Array stray,
                       internal::MakeNode({.type = Utf8View(), .length = 3, .buffers = buffers},
                                          MemoryPool::Default()));
  ScopedArray out;
  ASSERT_OK(ExportArray(stray, &out));
  EXPECT_NE(out.buffers[1], views.buffer(1).data());
  EXPECT_THAT(ValuesOf<int64_t>(out, 1, 6),
              ElementsAre(::testing::_, ::testing::_, 0, 0, ::testing::_, ::testing::_));
  EXPECT_THAT(ReadBack(&out, Utf8View()), ReadsLike(stray));

  // Zero already: shared.
  const Array clean = FromJson(Utf8View(), R"(["hi", null, "ho"])");
  ScopedArray shared;
  ASSERT_OK(ExportArray(clean, &shared));
  EXPECT_EQ(shared.buffers[1], clean.buffer(1).data());
}

TEST(CDataExport, CEX_13_UnionsAndRunEndsHaveNoBitmap) {
  const Array sparse = FromJson("sparse_union<a: int32=0, b: utf8=1>", R"([1, "x", null])");
  ScopedArray out;
  ASSERT_OK(ExportArray(sparse, &out));
  EXPECT_EQ(out.n_buffers, 1);
  EXPECT_EQ(out.null_count, 0);
  EXPECT_EQ(out.n_children, 2);

  const Array dense = FromJson("dense_union<a: int32=0, b: utf8=1>", R"([1, "x", null])");
  ScopedArray dense_out;
  ASSERT_OK(ExportArray(dense, &dense_out));
  EXPECT_EQ(dense_out.n_buffers, 2);
  EXPECT_EQ(dense_out.null_count, 0);

  const Array runs =
      FromJson(*RunEndEncoded(Int32(), Field("values", Utf8())), R"(["a", "a", null])");
  ScopedArray runs_out;
  ASSERT_OK(ExportArray(runs, &runs_out));
  EXPECT_EQ(runs_out.n_buffers, 0);
  EXPECT_EQ(runs_out.null_count, 0);
  EXPECT_EQ(runs_out.n_children, 2);
}

TEST(CDataExport, CEX_14_ClonesAreReleasedOnTenThreads) {
  const int64_t before = MemoryPool::Default()->bytes_in_use();
  {
    std::vector<ArrowArray> clones(10);
    {
      const Array lists = FromJson("list<struct<a: utf8, b: list_view<int32>>>",
                                   R"([[{"a": "x", "b": [1, 2]}], null, [{"a": null, "b": []}]])");
      for (ArrowArray& clone : clones) ASSERT_OK(ExportArray(lists.Slice(1), &clone));
    }
    std::vector<std::thread> threads;
    for (ArrowArray& clone : clones) threads.emplace_back([&clone] { clone.release(&clone); });
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(MemoryPool::Default()->bytes_in_use(), before);
}

TEST(CDataExport, BytesAreSharedAndBitsAreCopiedOnlyInsideAByte) {
  const Array ints = Ints({0, kNull, 2, 3, 4, 5, 6, kNull, 8, kNull, 10});
  ScopedArray whole_byte;
  ASSERT_OK(ExportArray(ints.Slice(8), &whole_byte));
  EXPECT_EQ(whole_byte.buffers[0], ints.buffer(0).data() + 1);
  EXPECT_EQ(whole_byte.buffers[1], ints.buffer(1).data() + 32);
  EXPECT_EQ(whole_byte.null_count, 1);

  ScopedArray inside;
  ASSERT_OK(ExportArray(ints.Slice(1, 9), &inside));
  EXPECT_NE(inside.buffers[0], ints.buffer(0).data());
  EXPECT_EQ(inside.buffers[1], ints.buffer(1).data() + 4);
  // Rows 1..9: null, five values, null, value, null; the bits behind are clear.
  EXPECT_THAT(ValuesOf<uint8_t>(inside, 0, 2), ElementsAre(0b10111110, 0));
}

TEST(CDataExport, C21_RunEndsOfASliceStartFromZero) {
  const DataType type = *RunEndEncoded(Int32(), Field("values", Utf8()));
  const Array runs = FromJson(type, R"(["a", "a", "a", null, null, "b", "b", "b", "b"])");
  const Array slice = runs.Slice(4, 3);
  ScopedArray out;
  ASSERT_OK(ExportArray(slice, &out));
  EXPECT_EQ(out.offset, 0);
  ASSERT_EQ(out.children[0]->length, 2);
  EXPECT_THAT(ValuesOf<int32_t>(*out.children[0], 1, 2), ElementsAre(1, 3));
  EXPECT_EQ(out.children[1]->length, 2);
  EXPECT_THAT(ReadBack(&out, type), ReadsAs(R"([null, "b", "b"])"));

  for (const int64_t at : {0, 9}) {
    ScopedArray empty;
    ASSERT_OK(ExportArray(runs.Slice(at, 0), &empty));
    EXPECT_EQ(empty.length, 0);
    EXPECT_EQ(empty.children[0]->length, 0);
  }
  // From the first run to the end of one: nothing to rewrite.
  ScopedArray prefix;
  ASSERT_OK(ExportArray(runs.Slice(0, 5), &prefix));
  EXPECT_EQ(prefix.children[0]->buffers[1], runs.child(0).buffer(1).data());
  EXPECT_THAT(ReadBack(&prefix, type), ReadsLike(runs.Slice(0, 5)));
  ScopedArray cut;
  ASSERT_OK(ExportArray(runs.Slice(0, 4), &cut));
  EXPECT_THAT(ReadBack(&cut, type), ReadsLike(runs.Slice(0, 4)));
}

TEST(CDataExport, C23_AMapsEntriesHaveNoNulls) {
  const Array map = FromJson("map<utf8, int32>", R"([{"a": 1, "b": null}, null, {}])");
  ScopedArray out;
  ASSERT_OK(ExportArray(map, &out));
  EXPECT_EQ(out.null_count, 1);
  EXPECT_EQ(out.children[0]->null_count, 0);
  EXPECT_EQ(out.children[0]->length, 2);
  EXPECT_THAT(ReadBack(&out, map.type()), ReadsLike(map));
}

TEST(CDataExport, C24_ASlicedSparseUnionGoesOutFromZero) {
  const DataType type = TypeFrom("sparse_union<a: int32=0, b: utf8=1>");
  const Array children[] = {FromJson("int32", "[1, 2, null, 4]"),
                            FromJson("utf8", R"(["a", "b", "c", null])")};
  ASSERT_OK_AND_ASSIGN(const Array whole, MakeArray({.type = type,
                                                     .length = 4,
                                                     .null_count = 0,
                                                     .buffers = {Integers({0, 1, 0, 1}, 8)},
                                                     .children = {children[0], children[1]}}));
  const Array slice = whole.Slice(1, 3);
  ScopedArray out;
  ASSERT_OK(ExportArray(slice, &out));
  EXPECT_EQ(out.offset, 0);
  EXPECT_EQ(out.null_count, 0);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(out.children[i]->offset, 0);
    EXPECT_EQ(out.children[i]->length, 3);
  }
  EXPECT_THAT(ReadBack(&out, type), ReadsLike(slice));
}

TEST(CDataExport, StructsAndFixedSizeListsAreCutToTheirWindow) {
  const Array rows =
      FromJson("struct<a: utf8, b: fixed_size_list<int32>[2]>",
               R"([{"a": "x", "b": [1, 2]}, {"a": null, "b": null}, {"a": "z", "b": [3, 4]}])");
  ScopedArray out;
  ASSERT_OK(ExportArray(rows.Slice(1, 1), &out));
  EXPECT_EQ(out.length, 1);
  EXPECT_EQ(out.children[0]->length, 1);
  EXPECT_EQ(out.children[0]->null_count, 1);
  EXPECT_EQ(out.children[1]->length, 1);
  EXPECT_EQ(out.children[1]->children[0]->length, 2);
  EXPECT_EQ(out.children[1]->children[0]->offset, 0);
  EXPECT_THAT(ReadBack(&out, rows.type()), ReadsLike(rows.Slice(1, 1)));
}

TEST(CDataExport, C08_AListsFirstOffsetMayStayNonzero) {
  const Array elements = Range(0, 6);
  const Array first = ListsOver(elements, {2, 3, 6});
  ScopedArray out;
  ASSERT_OK(ExportArray(first, &out));
  EXPECT_EQ(out.buffers[1], first.buffer(1).data());
  EXPECT_THAT(ReadBack(&out, first.type()), ReadsAs("[[2], [3, 4, 5]]"));

  const Array second = ListsOver(elements, {0, 0, 0, 3, 5}).Slice(1, 2);
  ASSERT_OK(ExportArray(second, &out));
  EXPECT_THAT(ReadBack(&out, second.type()), ReadsAs("[[], [0, 1, 2]]"));

  const Array views = FromJson(
      "large_list<utf8_view>",
      R"([["a"], ["a long value, not inline"], ["bb", "another value that is long"], []])");
  ASSERT_OK(ExportArray(views.Slice(2, 2), &out));
  EXPECT_THAT(ReadBack(&out, views.type()),
              ReadsAs(R"([["bb", "another value that is long"], []])"));
}

TEST(CDataExport, C19_ListsOfSizeZeroKeepTheirRows) {
  const Array lists = FixedSizeListsOver(Ints({}), 0, 3, "101");
  ScopedArray out;
  ASSERT_OK(ExportArray(lists, &out));
  EXPECT_EQ(out.length, 3);
  EXPECT_EQ(out.children[0]->length, 0);
  EXPECT_THAT(ReadBack(&out, lists.type()), ReadsAs("[[], null, []]"));
  const Array plain = FixedSizeListsOver(Ints({}), 0, 5);
  ASSERT_OK(ExportArray(plain, &out));
  EXPECT_EQ(ReadBack(&out, plain.type()).length(), 5);
}

TEST(CDataExport, C20_RowsWithoutColumnsKeepTheirNumber) {
  const Array rows = StructOver({}, {}, 4, "1101");
  ScopedArray out;
  ASSERT_OK(ExportArray(rows, &out));
  EXPECT_EQ(out.length, 4);
  EXPECT_EQ(out.null_count, 1);
  EXPECT_THAT(ReadBack(&out, rows.type()), ReadsLike(rows));

  ASSERT_OK_AND_ASSIGN(const RecordBatch batch, RecordBatch::Make(Schema(), 7, {}));
  ScopedSchema schema;
  ASSERT_OK(ExportRecordBatch(batch, &out, &schema));
  ASSERT_OK_AND_ASSIGN(const RecordBatch back, ImportRecordBatch(&out, &schema));
  EXPECT_EQ(back.num_rows(), 7);
  EXPECT_EQ(back.num_columns(), 0);
}

TEST(CDataExport, BuffersTooShortOrMissingAreErrorsNotReads) {
  const Array short_bitmap =
      MakeRaw({.type = Int32(), .length = 100, .buffers = {Bits("1"), Integers({1}, 32)}});
  ScopedArray out;
  EXPECT_THAT(ExportArray(short_bitmap, &out), StatusIs(StatusCode::kInvalidArgument));
  EXPECT_EQ(out.release, nullptr);
  const Array no_data =
      MakeRaw({.type = Utf8(), .length = 1, .buffers = {Buffer(), Integers({0, 5}, 32), Buffer()}});
  ScopedArray strings;
  EXPECT_THAT(ExportArray(no_data, &strings), StatusIs(StatusCode::kInvalidArgument));
}

TEST(CDataExport, AFailureOfAnyAllocationLeavesNothingBehind) {
  const Array rows = FromJson(
      "struct<a: bool, b: list_view<utf8>, c: map<utf8, int32>>",
      R"([{"a": true, "b": ["x"], "c": {"k": 1}}, {"a": null, "b": null, "c": null}, {"a": false, "b": [], "c": {}}])");
  const Array runs =
      FromJson(*RunEndEncoded(Int16(), Field("values", Utf8())), R"(["a", "a", null, "b"])");
  const Array words = FromJson(*Dictionary(Int8(), Utf8()), R"(["a", "b", null])");
  FailingPool pool;
  for (const Array& array : {rows.Slice(1), runs.Slice(1), words.Slice(1)}) {
    const int64_t before = pool.bytes_in_use();
    for (int64_t k = 0;; ++k) {
      ScopedArray out;
      ScopedSchema schema;
      pool.FailAt(k);
      const Status status = ExportArray(array, &out, &schema, &pool);
      if (!pool.failed()) {
        EXPECT_OK(status);
        EXPECT_GT(k, 3);
        break;
      }
      EXPECT_THAT(status, StatusIs(StatusCode::kResourceExhausted));
      EXPECT_EQ(out.release, nullptr);
      EXPECT_EQ(schema.release, nullptr);
      EXPECT_EQ(pool.bytes_in_use(), before);
    }
    pool.SwitchOff();
    EXPECT_EQ(pool.bytes_in_use(), before);
  }
}

}  // namespace
}  // namespace sheaf
