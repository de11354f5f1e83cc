#include "sheaf/array/array.h"

#include <thread>

#include "array/array_data.h"
#include "sheaf/array/logical_nulls.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;

TEST(Array, DefaultMadeIsAnEmptyNullArray) {
  const Array array;
  EXPECT_EQ(array.length(), 0);
  EXPECT_EQ(array.type(), Null());
  EXPECT_THAT(array, IsValidArray());
  EXPECT_TRUE(array == *MakeEmptyArray(Null()));
}

TEST(Array, SlicesAreClampedAndShareTheNode) {
  const Array array = Ints({1, kNull, 3});
  EXPECT_THAT(array.Slice(1, 100), ReadsAs("[null, 3]"));
  EXPECT_EQ(array.Slice(5).length(), 0);
  EXPECT_EQ(array.Slice(-3, 2).length(), 2);
  EXPECT_EQ(array.Slice(1, -1).length(), 0);
  EXPECT_EQ(array.Slice(1).data(), array.data());
  EXPECT_EQ(array.Slice(1).null_count(), 1);
  EXPECT_EQ(array.Slice(2).null_count(), 0);
  EXPECT_THAT(array.Slice(1).Slice(1).Row(0), ReadsAs("[3]"));
}

TEST(Array, C31_ManyThreadsCountNullsOfOneArray) {
  constexpr int64_t kRows = 1000000;
  std::vector<uint8_t> bits(kRows / 8, 0);
  for (int64_t i = 0; i < kRows; ++i) {
    if (i % 3 != 0) bits[static_cast<size_t>(i / 8)] |= static_cast<uint8_t>(1U << (i % 8));
  }
  const Array array =
      MakeRaw({.type = Int8(),
               .length = kRows,
               .buffers = {ValuesBuffer(bits), ValuesBuffer(std::vector<int8_t>(kRows, 1))}});
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([&] {
      const Array slice = array.Slice(1, kRows - 1);
      EXPECT_EQ(slice.null_count(), 333333);
      EXPECT_EQ(array.null_count(), 333334);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Array, DeepNestingIsDestroyedWithoutADeepStack) {
  Array array = Ints({1});
  const DataType type = array.type();
  for (int i = 0; i < 300000; ++i) {
    Buffer buffers[] = {Buffer(), Buffer::Empty()};
    Array children[] = {std::move(array)};
    // One type for all levels: only the nodes are deep.
    auto made = internal::MakeNode({.type = type, .buffers = buffers, .children = children},
                                   MemoryPool::Default());
    ASSERT_OK(made);
    array = *std::move(made);
  }
}

TEST(Array, ANodeIsOneBlockOfItsPool) {
  FailingPool pool;
  const Array element = Ints({1, 2});
  std::vector<Buffer> buffers(5, Buffer::Empty());
  std::vector<Array> children(3, element);
  const MemoryCounts before = pool.counts();
  {
    ASSERT_OK_AND_ASSIGN(
        const Array array,
        internal::MakeNode({.type = Utf8View(), .buffers = buffers, .children = children}, &pool));
    EXPECT_EQ(pool.counts().allocation_count - before.allocation_count, 1);
    EXPECT_EQ(array.num_buffers(), 5);
    EXPECT_EQ(array.num_children(), 3);
    EXPECT_EQ(array.child(2).data(), element.data());
  }
  EXPECT_EQ(pool.counts().bytes_in_use, before.bytes_in_use);
}

TEST(MakeNullArray, RPT_16_AllNullOfEveryType) {
  for (const TypeId id : AllTypeIds()) {
    const DataType type = SampleType(id);
    for (const int64_t length : {0, 1, 16, 133}) {
      SCOPED_TRACE(::testing::Message() << type.ToString() << " x " << length);
      ASSERT_OK_AND_ASSIGN(const Array array, MakeNullArray(type, length));
      EXPECT_THAT(array, IsValidArray());
      EXPECT_EQ(array.length(), length);
      const LayoutId layout = type.layout().id;
      const bool by_values = layout == LayoutId::kSparseUnion || layout == LayoutId::kDenseUnion ||
                             layout == LayoutId::kRunEndEncoded;
      EXPECT_EQ(array.null_count(), by_values ? 0 : length);
      ASSERT_OK_AND_ASSIGN(const int64_t nulls, LogicalNullCount(array));
      EXPECT_EQ(nulls, length);
      const Values model = Read(array);
      if (!by_values) {
        EXPECT_EQ(CountNulls(model), length);
      }
    }
  }
  EXPECT_THAT(MakeNullArray(Int32(), -1),
              StatusIs(StatusCode::kInvalidArgument, "negative length"));
}

TEST(MakeNullArray, RPT_08_RequiredFieldsGetPlaceholders) {
  const DataType type = Struct({Field("a", Int32(), false), Field("b", Utf8(), false)});
  ASSERT_OK_AND_ASSIGN(const Array array, MakeNullArray(type, 3));
  EXPECT_THAT(array, IsValidArray());
  EXPECT_EQ(array.null_count(), 3);
  EXPECT_EQ(array.child(0).null_count(), 0);
}

TEST(MakeEmptyArray, EveryTypeHasOne) {
  for (const TypeId id : AllTypeIds()) {
    const DataType type = SampleType(id);
    SCOPED_TRACE(type.ToString());
    ASSERT_OK_AND_ASSIGN(const Array array, MakeEmptyArray(type));
    EXPECT_THAT(array, IsValidArray());
    EXPECT_EQ(array.length(), 0);
    EXPECT_TRUE(array.type().Identical(type));
    for (int i = 0; i < array.num_buffers(); ++i) {
      const bool validity = i == 0 && type.layout().has_validity;
      EXPECT_EQ(array.buffer(i).absent(), validity);
    }
  }
}

TEST(MakeArray, RealignsValuesAndKeepsWhatIsAlignedEnough) {
  alignas(16) uint8_t bytes[64] = {};
  for (int i = 0; i < 64; ++i) bytes[i] = static_cast<uint8_t>(i);
  const auto at = [&](int shift, const DataType& type) {
    return *MakeArray(
        {.type = type, .length = 1, .buffers = {Buffer(), Buffer::Borrow(bytes + shift, 32)}},
        ValidationLevel::kMinimal);
  };
  EXPECT_EQ(at(8, *Decimal(TypeId::kDecimal128, 38, 0)).buffer(1).data(), bytes + 8);  // CIM-13
  EXPECT_NE(at(4, Int64()).buffer(1).data(), bytes + 4);
  EXPECT_EQ(at(3, *FixedSizeBinary(5)).buffer(1).data(), bytes + 3);
  EXPECT_EQ(at(4, Int64()).slots<uint8_t>(1)[0], 4);
}

TEST(MakeArray, ChildrenDictionariesAndBuffersAreCounted) {
  EXPECT_THAT(MakeArray({.type = Int32(), .buffers = {Buffer()}}, ValidationLevel::kNone),
              StatusIs(StatusCode::kInvalidArgument, "has 1 buffers, the layout 2"));
  EXPECT_THAT(
      MakeArray({.type = List(Int32()), .buffers = {Buffer(), Buffer()}}, ValidationLevel::kNone),
      StatusIs(StatusCode::kInvalidArgument, "has 0 children, the type 1"));
  EXPECT_THAT(MakeArray({.type = *Dictionary(Int8(), Utf8()), .buffers = {Buffer(), Buffer()}}),
              StatusIs(StatusCode::kInvalidArgument, "no dictionary"));
  EXPECT_THAT(
      MakeArray({.type = Int32(), .buffers = {Buffer(), Buffer()}, .dictionary = {Ints({})}}),
      StatusIs(StatusCode::kInvalidArgument, "has a dictionary"));
}

}  // namespace
}  // namespace sheaf
