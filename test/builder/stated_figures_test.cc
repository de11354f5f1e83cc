#include <string>
#include <vector>

#include "sheaf/builder/binary_builder.h"
#include "sheaf/builder/fixed_width_builder.h"
#include "sheaf/builder/list_builder.h"
#include "sheaf/builder/list_view_builder.h"
#include "sheaf/builder/make_builder.h"
#include "sheaf/memory/memory_pool.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;

/// Forwards to the default pool, and counts only what goes through it.
class CountingPool final : public MemoryPool {
 public:
  uint8_t* Allocate(int64_t size) noexcept override {
    ++allocations;
    bytes += size;
    return Default()->Allocate(size);
  }
  uint8_t* Reallocate(uint8_t* block, int64_t old_size, int64_t new_size) noexcept override {
    ++(new_size > old_size ? growths : shrinks);
    if (new_size > old_size) bytes += new_size;
    return Default()->Reallocate(block, old_size, new_size);
  }
  void Free(uint8_t* block, int64_t size) noexcept override { Default()->Free(block, size); }
  MemoryCounts counts() const noexcept override { return Default()->counts(); }

  int64_t allocations = 0;
  int64_t growths = 0;
  int64_t shrinks = 0;
  int64_t bytes = 0;
};

template <typename Builder>
void TestTenThousandRepeats(const DataType& type, int64_t view_bytes) {
  ASSERT_OK_AND_ASSIGN(const auto builder, MakeBuilderAs<Builder>(type));
  ASSERT_OK(builder->AppendRepeatedList(Ints({1, 2, 3}), 10'000));

  EXPECT_EQ(builder->bytes_used(), 12 + view_bytes);
  ASSERT_OK_AND_ASSIGN(const Array filled, builder->Finish());
  EXPECT_EQ(filled.length(), 10'000);
  EXPECT_EQ(filled.child(0).length(), 3);
  EXPECT_EQ(filled.child(0).buffer(1).size_bytes(), 12);
  EXPECT_EQ(filled.buffer(1).size_bytes() + filled.buffer(2).size_bytes(), view_bytes);
  EXPECT_THAT(filled.Slice(9'998), ReadsAs("[[1, 2, 3], [1, 2, 3]]"));
}

TEST(StatedFigures, TenThousandRepeatsOfAListOfThreeKeepThreeElements) {
  TestTenThousandRepeats<ListViewBuilder>(ListView(Int32()), 80'000);
  TestTenThousandRepeats<LargeListViewBuilder>(LargeListView(Int32()), 160'000);
}

TEST(StatedFigures, C32_OneListRepeatedAMillionTimes) {
  ASSERT_OK_AND_ASSIGN(const auto builder, MakeBuilderAs<ListViewBuilder>(ListView(Int32())));
  const int64_t before = MemoryPool::Default()->bytes_in_use();
  ASSERT_OK(builder->AppendRepeatedList(Range(0, 1000), 1'000'000));
  EXPECT_LT(MemoryPool::Default()->bytes_in_use() - before, int64_t{64} << 20);
  ASSERT_OK_AND_ASSIGN(const Array filled, builder->Finish());
  EXPECT_EQ(filled.child(0).length(), 1000);

  ASSERT_OK_AND_ASSIGN(const auto lists, MakeBuilder(List(Int32())));
  ASSERT_OK(lists->AppendArray(filled, 17, 3));
  ASSERT_OK_AND_ASSIGN(const Array flat, lists->Finish());
  EXPECT_EQ(flat.child(0).length(), 3000);
}

/// Every buffer that `array` and its children have lies within a buffer of `source` at the same
/// place of the tree.
void ExpectSharesAllBuffers(const Array& array, const Array& source) {
  for (int i = 0; i < array.num_buffers(); ++i) {
    if (array.buffer(i).absent() || array.buffer(i).size_bytes() == 0) continue;
    EXPECT_EQ(array.buffer(i).storage_id(), source.buffer(i).storage_id())
        << array.type().ToString() << " buffer " << i;
  }
  for (int i = 0; i < array.num_children(); ++i)
    ExpectSharesAllBuffers(array.child(i), source.child(i));
}

TEST(StatedFigures, OneArrayAppendedToAFreshBuilderSharesEveryBuffer) {
  const Array elements = FromJson(Utf8(), R"(["a", null, "ccc", "d"])");
  const std::vector<Array> sources = {
      Ints({1, kNull, 3}),
      Bools({true, kNull, false}),
      elements,
      Utf8s({"a text of some length", kNull, "short"}, Utf8View()),
      ListViewsOver(elements, {0, 2, 1}, {2, 2, 1}, "110"),
      LargeListViewsOver(elements, {0, 2, 1}, {2, 2, 1}, "110"),
      ListsOver(elements, {0, 2, 2, 4}, "101"),
      LargeListsOver(elements, {0, 2, 2, 4}, "101"),
      FixedSizeListsOver(elements, 2, 2, "01"),
      FromJson(Struct({Field("a", Int32()), Field("b", ListView(Utf8()))}),
               R"([{"a": 1, "b": ["x"]}, null, {"a": null, "b": []}])"),
  };
  for (const Array& source : sources) {
    ASSERT_OK_AND_ASSIGN(
        const auto builder,
        MakeBuilder(source.type(), {.min_chunk_bytes = BuilderOptions::kAlwaysKeep}));
    ASSERT_OK(builder->AppendArray(source));
    ASSERT_OK_AND_ASSIGN(const Array result, builder->Finish());
    EXPECT_THAT(result, ReadsLike(source));
    ExpectSharesAllBuffers(result, source);
  }
}

TEST(StatedFigures, AnElementOfAKeptArrayIsCopiedAtMostOnce) {
  constexpr int64_t kElements = 100'000;
  std::vector<Array> sources;
  for (int i = 0; i < 8; ++i) {
    std::vector<int64_t> offsets, sizes;
    for (int64_t row = 0; row < kElements / 4; ++row) {
      offsets.push_back(4 * row);
      sizes.push_back(4);
    }
    sources.push_back(ListViewsOver(Range(i * kElements, (i + 1) * kElements), offsets, sizes));
  }
  CountingPool pool;
  ASSERT_OK_AND_ASSIGN(const auto builder, MakeBuilder(ListView(Int32()), {.pool = &pool}));
  for (const Array& source : sources) ASSERT_OK(builder->AppendArray(source));
  const int64_t kept = pool.bytes;
  EXPECT_LT(kept, 10'000) << "appends of long arrays copy nothing";
  ASSERT_OK_AND_ASSIGN(const Array result, builder->Finish());
  const int64_t result_bytes = 8 * (kElements * 4 + kElements / 4 * 8);
  EXPECT_GE(pool.bytes - kept, result_bytes);
  EXPECT_LT(pool.bytes - kept, result_bytes + 2'000) << "exactly sized, and once";
}

TEST(StatedFigures, C34_GEN_07_SmallAppendsReallocateLogarithmically) {
  constexpr int64_t kRows = 1 << 20;
  for (const bool reserves : {false, true}) {
    CountingPool pool;
    const BuilderOptions options{.pool = &pool};
    ASSERT_OK_AND_ASSIGN(const auto views,
                         MakeBuilderAs<ListViewBuilder>(ListView(Int32()), options));
    ASSERT_OK_AND_ASSIGN(const auto lists, MakeBuilderAs<ListBuilder>(List(Int32()), options));
    ASSERT_OK_AND_ASSIGN(const auto texts, MakeBuilderAs<BinaryBuilder>(Utf8(), options));
    auto& view_elements = static_cast<Int32Builder&>(views->elements());
    auto& list_elements = static_cast<Int32Builder&>(lists->elements());
    const auto append = [&](int32_t i) -> Status {
      if (reserves) {
        SHEAF_RETURN_IF_ERROR(views->Reserve(1));
        SHEAF_RETURN_IF_ERROR(lists->Reserve(1));
        SHEAF_RETURN_IF_ERROR(texts->Reserve(1));
        SHEAF_RETURN_IF_ERROR(view_elements.Reserve(1));
      }
      views->BeginList();
      SHEAF_RETURN_IF_ERROR(view_elements.Append(i));
      SHEAF_RETURN_IF_ERROR(views->EndList());
      lists->BeginList();
      SHEAF_RETURN_IF_ERROR(list_elements.Append(i));
      SHEAF_RETURN_IF_ERROR(lists->EndList());
      return texts->Append("x");
    };
    for (int32_t i = 0; i < kRows; ++i) ASSERT_OK(append(i));
    // Seven buffers, each doubling from 64 bytes or so.
    EXPECT_LT(pool.allocations + pool.growths, 7 * 24);
    ASSERT_OK_AND_ASSIGN(const Array result, views->Finish());
    EXPECT_EQ(result.length(), kRows);
    EXPECT_THAT(result.Row(kRows - 1), ReadsAs("[[1048575]]"));
  }
}

}  // namespace
}  // namespace sheaf
