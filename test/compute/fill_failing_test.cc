// Fills into every builder, with the allocations of one after the other refused: the builder is as
// it was — length, null count, bytes used, chunks, what `Finish` gives — and the same fill succeeds
// afterwards.

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builder/random_rows.h"
#include "sheaf/compute/fill.h"
#include "testing/array_literals.h"
#include "testing/failing_pool.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

struct Fill {
  std::string name;
  std::function<Status(ArrayBuilder&)> append;
};

/// Each gives more rows than any capacity that is left from before.
std::vector<Fill> FillsInto(const DataType& type) {
  Random random(13);
  const Array rows =
      RandomArray(type, {.length = 60, .shape = ViewShape::kOverlapping, .sliced = true}, random);
  const Array value =
      RandomArray(type, {.length = 1, .null_rate = 0, .shape = ViewShape::kPacked}, random);
  const Array null = *MakeNullArray(type, 1);
  MaybeInts positions;
  for (int64_t i = 0; i < rows.length(); ++i) positions.push_back(1000 + 9 * i + i % 3);
  const Array indices = Ints(positions, Int32());
  const PageRows page = {.base = 1000, .length = 700};
  return {
      {"FillConstant",
       [value](ArrayBuilder& builder) { return FillConstant(builder, value, 700); }},
      {"FillConstant null",
       [null](ArrayBuilder& builder) { return FillConstant(builder, null, 700); }},
      {"FillSparse",
       [=](ArrayBuilder& builder) { return FillSparse(builder, value, indices, rows, page); }},
      {"FillSparse null",
       [=](ArrayBuilder& builder) { return FillSparse(builder, null, indices, rows, page); }},
      {"FillSparse of patches alone",
       [=](ArrayBuilder& builder) {
         return FillSparse(builder, value, Range(0, rows.length()), rows,
                           {.base = 0, .length = rows.length()});
       }},
      {"FillSparse without patches",
       [=](ArrayBuilder& builder) {
         return FillSparse(builder, value, indices.Slice(0, 0), rows.Slice(0, 0), page);
       }},
  };
}

struct State {
  int64_t length = 0;
  int64_t null_count = 0;
  int64_t bytes_used = 0;
  int64_t chunk_count = 0;
  friend bool operator==(const State&, const State&) = default;
};

State StateOf(const ArrayBuilder& builder) {
  return {builder.length(), builder.null_count(), builder.bytes_used(), builder.chunk_count()};
}

/// What a builder of the rows gives, with the fill or without.
Values Expected(const BuilderOptions& options, const Array& rows, const Fill* fill) {
  const auto builder = BuilderOf(rows.type(), options);
  EXPECT_OK(builder->AppendArray(rows));
  if (fill != nullptr) {
    EXPECT_OK(fill->append(*builder));
  }
  return Read(Finished(*builder));
}

void Check(BuilderOptions options, const Array& rows, const Fill& fill) {
  FailingPool pool;
  options.pool = &pool;
  const Values before = Expected(options, rows, nullptr);
  const Values after = Expected(options, rows, &fill);
  for (int64_t k = 0; k < 2000; ++k) {
    SCOPED_TRACE("allocation " + std::to_string(k / 2));
    const auto builder = BuilderOf(rows.type(), options);
    ASSERT_OK(builder->AppendArray(rows));
    const State state = StateOf(*builder);
    pool.FailAt(k / 2, /*for_good=*/k % 2 == 1);
    const Status status = fill.append(*builder);
    const bool failed = pool.failed();
    pool.SwitchOff();
    if (!failed) {
      EXPECT_OK(status);
      return;
    }
    if (status.ok()) continue;  // A refusal that was not needed: growth tried in vain, say.
    EXPECT_THAT(status, StatusIs(StatusCode::kResourceExhausted));
    EXPECT_TRUE(StateOf(*builder) == state);
    if (k % 4 < 2) {
      EXPECT_TRUE(Read(Finished(*builder)) == before);
    } else {
      EXPECT_OK(fill.append(*builder));
      EXPECT_TRUE(Read(Finished(*builder)) == after);
    }
    if (::testing::Test::HasFailure()) return;
  }
  FAIL() << "no end of allocations";
}

void CheckType(const DataType& type) {
  Random random(3);
  for (const int64_t length : {0, 64}) {
    const Array rows =
        RandomArray(type, {.length = length, .null_rate = 0.2, .shape = ViewShape::kGaps}, random);
    for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
      for (const Fill& fill : FillsInto(type)) {
        SCOPED_TRACE(fill.name + ", " + type.ToString() + ", kept from " +
                     std::to_string(options.min_chunk_bytes) + " bytes, " + std::to_string(length) +
                     " rows before");
        Check(options, rows, fill);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(FillFailingAllocationsTest, AFailedFillOfAnyBuilderChangesNothing) {
  for (const TypeId id : BuiltIds()) CheckType(SampleType(id));
}

TEST(FillFailingAllocationsTest, AFailedFillOfATreeOfBuildersChangesNothing) {
  for (const char* type : {"struct<a: utf8, b: list_view<int32>, c: list<utf8>>",
                           "list_view<struct<a: int32, b: list_view<utf8>>>",
                           "list<fixed_size_list<bool>[3]>", "fixed_size_list<list_view<utf8>>[2]",
                           "struct<a: utf8_view, b: list_view<utf8_view>, c: list<binary_view>>",
                           "large_list_view<list<large_list_view<float64>>>"}) {
    CheckType(TypeFrom(type));
  }
}

}  // namespace
}  // namespace sheaf
