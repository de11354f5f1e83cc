// Rows CHK-01 to CHK-14: children kept as chunks, validity kept as pieces.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/array/chunked_array.h"
#include "sheaf/builder/fixed_width_builder.h"
#include "sheaf/builder/list_builder.h"
#include "sheaf/builder/list_view_builder.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/builders.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

Array Constant(int64_t value, int64_t n) { return Ints(MaybeInts(static_cast<size_t>(n), value)); }

/// n int32, every second one null, the first valid.
Array EverySecondNull(int64_t n) {
  MaybeInts values;
  for (int64_t i = 0; i < n; ++i) values.push_back(i % 2 == 0 ? std::optional<int64_t>(i) : kNull);
  return Ints(values);
}

TEST(KeptChunksConformance, CHK_01_ValuesAndChunksComeInTheOrderOfTheCalls) {
  const auto builder = BuilderOf<Int32Builder>("int32", kKeepAll);
  ASSERT_OK(builder->Append(1));
  ASSERT_OK(builder->AppendArray(Constant(2, 64)));
  EXPECT_EQ(builder->chunk_count(), 1);
  ASSERT_OK(builder->Append(3));

  const Array array = Finished(*builder);

  EXPECT_EQ(array.length(), 66);
  EXPECT_THAT(array.Slice(0, 2), ReadsAs("[1, 2]"));
  EXPECT_THAT(array.Slice(64, 2), ReadsAs("[2, 3]"));
}

TEST(KeptChunksConformance, CHK_02_OneArrayAloneIsHandedThrough) {
  Random random(1);
  for (const TypeId id : AllTypeIds()) {
    const DataType type = SampleType(id);
    if (!MakeBuilder(type).ok()) continue;
    const Array source = RandomArray(type, {.null_rate = 0, .shape = ViewShape::kPacked}, random);
    const auto builder = BuilderOf(type, kKeepAll);
    ASSERT_OK(builder->AppendArray(source));

    const Array array = Finished(*builder);

    EXPECT_THAT(array, ReadsLike(source)) << type.ToString();
    switch (type.layout().id) {
      case LayoutId::kList:
        break;
      case LayoutId::kSparseUnion:
      case LayoutId::kDenseUnion:
        // Type ids and offsets are written anew, as run ends are; the children are what they were.
        for (int i = 0; i < array.num_children(); ++i) {
          EXPECT_THAT(array.child(i), SharesAllBuffersWith(source.child(i))) << type.ToString();
        }
        break;
      case LayoutId::kRunEndEncoded:
        EXPECT_THAT(array.child(1), SharesAllBuffersWith(source.child(1))) << type.ToString();
        break;
      default:
        EXPECT_THAT(array, SharesAllBuffersWith(source)) << type.ToString();
    }
  }
  const Array elements = Constant(7, 64);
  const auto lists = BuilderOf<ListBuilder>("list<int32>", kKeepAll);
  ASSERT_OK(lists->AppendList(elements));
  EXPECT_THAT(Finished(*lists).child(0), SharesAllBuffersWith(elements));
}

TEST(KeptChunksConformance, CHK_03_AnEmptyArrayAloneGivesAnOrdinaryEmptyChild) {
  const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>", kKeepAll);
  ASSERT_OK(builder->AppendList(Ints({})));

  const Array array = Finished(*builder);

  EXPECT_THAT(array, ReadsAs("[[]]"));
  EXPECT_EQ(array.child(0).type(), Int32());
  EXPECT_EQ(array.child(0).length(), 0);
  EXPECT_NE(array.child(0).buffer(1).data(), nullptr);
}

TEST(KeptChunksConformance, CHK_04_TheTypeIsCheckedBeforeTheEmptiness) {
  const auto builder = BuilderOf("int32", kKeepAll);

  EXPECT_THAT(builder->AppendArray(Ints({}, Int64())),
              StatusIs(StatusCode::kInvalidArgument, "int64"));
  EXPECT_THAT(builder->AppendArray(Range(0, 64, Int64())),
              StatusIs(StatusCode::kInvalidArgument, "int64"));
  EXPECT_THAT(builder->AppendArray(Range(0, 64, Int64()), 0, 0),
              StatusIs(StatusCode::kInvalidArgument, "int64"));
}

TEST(KeptChunksConformance, CHK_05_FinishLeavesNothingBehind) {
  const auto builder = BuilderOf<Int32Builder>("int32", kKeepAll);
  ASSERT_OK(builder->AppendArray(Constant(1, 64)));
  ASSERT_OK(builder->Append(2));
  EXPECT_EQ(Finished(*builder).length(), 65);
  EXPECT_EQ(builder->length(), 0);
  EXPECT_EQ(builder->chunk_count(), 0);
  EXPECT_EQ(builder->bytes_used(), 0);

  ASSERT_OK(builder->Append(3));
  EXPECT_THAT(Finished(*builder), ReadsAs("[3]"));
}

TEST(KeptChunksConformance, CHK_06_BitmapsOfChunksAreJoinedAtFinish) {
  const auto builder = BuilderOf("int32", kKeepAll);
  ASSERT_OK(builder->AppendArray(EverySecondNull(64)));
  ASSERT_OK(builder->AppendArray(EverySecondNull(64)));
  EXPECT_EQ(builder->chunk_count(), 2);
  EXPECT_EQ(builder->null_count(), 64);

  const Array array = Finished(*builder);

  for (int64_t i = 0; i < 128; ++i) EXPECT_EQ(array.IsValid(i), i % 2 == 0) << i;
}

TEST(KeptChunksConformance, CHK_07_ManyAppendsOfOneNull) {
  FailingPool pool;
  pool.SwitchOff();
  const auto builder = BuilderOf("int32", {.pool = &pool});
  for (int i = 0; i < 64; ++i) ASSERT_OK(builder->AppendNull());
  EXPECT_EQ(builder->null_count(), 64);
  EXPECT_LT(pool.calls(), 20);

  const Array array = Finished(*builder);

  EXPECT_EQ(array.null_count(), 64);
  EXPECT_EQ(array.buffer(0).size_bytes(), 8);
}

TEST(KeptChunksConformance, CHK_08_SingleBitsAndPiecesKeepTheirOrder) {
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = BuilderOf<Int32Builder>("int32", options);
    ASSERT_OK(builder->AppendNull());
    ASSERT_OK(builder->AppendArray(Constant(5, 64)));
    ASSERT_OK(builder->Append(5));
    ASSERT_OK(builder->AppendArray(*MakeNullArray(Int32(), 64)));

    EXPECT_EQ(ValidOf(Finished(*builder)), "0" + std::string(65, '1') + std::string(64, '0'));
  }
}

TEST(KeptChunksConformance, CHK_09_ABitmapMadeLateHasItsBitsSet) {
  const auto builder = BuilderOf<Int32Builder>("int32");
  for (int i = 0; i < 100; ++i) ASSERT_OK(builder->Append(i));
  ASSERT_OK(builder->AppendNull());

  const Array array = Finished(*builder);

  EXPECT_EQ(ValidOf(array), std::string(100, '1') + "0");
  EXPECT_EQ(array.buffer(0).data()[12] >> 4, 0) << "bits behind the length are zero";
}

TEST(KeptChunksConformance, CHK_10_ReservingMakesNoBitmap) {
  const auto builder = BuilderOf<Int32Builder>("int32");
  ASSERT_OK(builder->Reserve(1000));
  for (int i = 0; i < 5; ++i) ASSERT_OK(builder->Append(i));

  EXPECT_TRUE(Finished(*builder).buffer(0).absent());
}

TEST(KeptChunksConformance, CHK_11_ChunksBecomeOneChildSizedExactly) {
  const Array source = StructOver({Field("a", Int32())}, {Range(0, 64)}, 64);
  const auto builder = BuilderOf(source.type(), kKeepAll);
  ASSERT_OK(builder->AppendArray(source));
  ASSERT_OK(builder->AppendArray(source));

  const Array array = Finished(*builder);

  EXPECT_EQ(array.num_children(), 1);
  EXPECT_EQ(array.child(0).length(), 128);
  EXPECT_EQ(array.child(0).buffer(1).size_bytes(), 128 * 4);
  EXPECT_LE(array.child(0).buffer(1).retained_bytes(),
            128 * 4 + 256);  // And a header, and padding.
}

TEST(KeptChunksConformance, CHK_12_EveryBufferOfEveryRoundComesFromThePool) {
  FailingPool pool;
  const auto builder = BuilderOf("struct<a: int32, b: utf8>", {.pool = &pool});
  for (int round = 0; round < 2; ++round) {
    pool.SwitchOff();
    const int64_t before = pool.bytes_in_use();
    ASSERT_OK(builder->AppendNull());
    const Array array = Finished(*builder);
    EXPECT_GE(pool.calls(), 4);  // At least the values, the offsets, the bitmap and a node.
    EXPECT_GT(pool.bytes_in_use(), before);
    EXPECT_THAT(array, ReadsAs("[null]"));
  }
}

TEST(KeptChunksConformance, CHK_13_ChunkedArraysAreAppendedWhole) {
  const auto chunked = [](std::vector<Array> chunks) {
    return *ChunkedArray::Make(Int32(), std::move(chunks));
  };
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = BuilderOf("int32", options);
    ASSERT_OK(builder->AppendChunked(chunked({Ints({1, 2}), Ints({3})})));
    const int64_t chunks = builder->chunk_count();
    ASSERT_OK(builder->AppendChunked(chunked({Ints({4, 5, 6}), Ints({})})));
    EXPECT_LE(builder->chunk_count(), chunks + 1);

    EXPECT_THAT(Finished(*builder), ReadsAs("[1, 2, 3, 4, 5, 6]"));
  }
}

TEST(KeptChunksConformance, CHK_14_TheBuilderHoldsItsOwnReference) {
  const auto builder = BuilderOf("int32", kKeepAll);
  {
    const Array shared = Range(0, 64);
    ASSERT_OK(builder->AppendArray(shared));
    ASSERT_OK(builder->AppendArray(shared));
  }

  const Array array = Finished(*builder);

  EXPECT_THAT(array.Slice(0, 64), ReadsLike(Range(0, 64)));
  EXPECT_THAT(array.Slice(64, 64), ReadsLike(Range(0, 64)));
}

}  // namespace
}  // namespace sheaf
