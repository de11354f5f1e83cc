// The traps of the strong guarantee (sheaf/builder/array_builder.h): what a failed append has
// written beyond the marks must not show in what other appends write there later.

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/builder/fixed_width_builder.h"
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

constexpr char kRow[] = "struct<a: int32, b: utf8>";

/// Rows of one number each, all with a text that no inline memory holds.
Array Rows(const std::vector<std::optional<int64_t>>& numbers) {
  const MaybeTexts texts(numbers.size(), std::string(300, 'x'));
  return StructOver({Field("a", Int32()), Field("b", Utf8())}, {Ints(numbers), Utf8s(texts)},
                    static_cast<int64_t>(numbers.size()));
}

/// For every k: `before`, then `failing` with allocation k refused, then `after`; `check` sees the
/// result.
/// \return how often an allocation was refused.
int ForEveryFailure(const DataType& type, BuilderOptions options, const Array& before,
                    const Array& failing, const Array& after,
                    const std::function<void(const Array&)>& check) {
  FailingPool pool;
  options.pool = &pool;
  for (int k = 0;; ++k) {
    SCOPED_TRACE("allocation " + std::to_string(k));
    const auto builder = BuilderOf(type, options);
    EXPECT_OK(builder->AppendArray(before));
    pool.FailAt(k);
    const Status status = builder->AppendArray(failing);
    const bool failed = pool.failed();
    pool.SwitchOff();
    if (!failed) return k;
    EXPECT_THAT(status, StatusIs(StatusCode::kResourceExhausted));
    EXPECT_OK(builder->AppendArray(after));
    const Array array = Finished(*builder);
    Values expected = Read(before);
    Append(&expected, Read(after));
    EXPECT_THAT(array, ReadsLike(expected));
    check(array);
    if (::testing::Test::HasFailure()) return k;
  }
}

TEST(StrongGuaranteeTest, DiscardedBitsOfAByteAreWrittenAnew) {
  // The bitmap's one byte: 10101, then 000 that is discarded, then 101 in its place.
  const int refused = ForEveryFailure(
      TypeFrom(kRow), {}, Rows({1, kNull, 3, kNull, 5}), Rows({kNull, kNull, kNull}),
      Rows({6, kNull, 8}),
      [](const Array& array) { EXPECT_EQ(array.child(0).buffer(0).data()[0], 0b1011'0101); });
  EXPECT_GT(refused, 0);
}

TEST(StrongGuaranteeTest, ADiscardedFirstNullLeavesNoBitmap) {
  const int refused =
      ForEveryFailure(TypeFrom(kRow), {}, Rows({1, 2, 3, 4, 5}), Rows({kNull, 7, kNull}),
                      Rows({8, 9, 10, 11}), [](const Array& array) {
                        EXPECT_EQ(array.child(0).null_count(), 0);
                        EXPECT_TRUE(array.child(0).buffer(0).absent());
                      });
  EXPECT_GT(refused, 0);
}

TEST(StrongGuaranteeTest, ADiscardedBitmapIsSetAnewForALaterNull) {
  ForEveryFailure(TypeFrom(kRow), {}, Rows({1, 2, 3, 4, 5}), Rows({kNull, kNull, kNull}),
                  Rows({8, 9, 10, kNull}),
                  [](const Array& array) { EXPECT_EQ(ValidOf(array.child(0)), "111111110"); });
}

TEST(StrongGuaranteeTest, ADiscardedWideningLeavesTheWindowAsItWas) {
  Random random(4);
  for (const char* type : {"list_view<utf8>", "list_view<struct<a: int32, b: utf8>>",
                           "list_view<utf8_view>", "struct<a: list_view<int32>, b: utf8>"}) {
    SCOPED_TRACE(type);
    const Array source =
        RandomArray(TypeFrom(type), {.length = 60, .shape = ViewShape::kOverlapping}, random);
    ForEveryFailure(TypeFrom(type), kKeepAll, source.Slice(20, 20), source.Slice(5, 50),
                    source.Slice(30, 20), [](const Array&) {});
    ForEveryFailure(TypeFrom(type), kKeepAll, source.Slice(20, 20), source.Slice(10, 20),
                    source.Slice(0, 60), [](const Array&) {});
  }
}

TEST(StrongGuaranteeTest, AThirdChildThatRefusesLeavesTheOthersAlone) {
  const Field fields[] = {Field("a", Int32()), Field("b", Utf8()),
                          Field("c", Int32(), /*nullable=*/false)};
  const DataType type = Struct({fields[0], fields[1], fields[2]});
  const DataType nullable = Struct({fields[0], fields[1], fields[2].WithNullable(true)});
  const Array good =
      FromJson(type, R"([{"a": 1, "b": "x", "c": 2}, {"a": null, "b": null, "c": 3}])");
  const Array bad =
      FromJson(nullable, R"([{"a": 4, "b": "y", "c": 5}, {"a": 6, "b": "z", "c": null}])");
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = BuilderOf(type, options);
    ASSERT_OK(builder->AppendArray(good));
    const int64_t bytes_used = builder->bytes_used();

    EXPECT_THAT(builder->AppendArray(bad), StatusIs(StatusCode::kInvalidArgument, "c"));

    EXPECT_EQ(builder->bytes_used(), bytes_used);
    ASSERT_OK(builder->AppendArray(bad, 0, 1));  // Its null is not in this slice.
    EXPECT_THAT(Finished(*builder),
                ReadsAs(R"([{"a": 1, "b": "x", "c": 2}, {"a": null, "b": null, "c": 3},
                                                {"a": 4, "b": "y", "c": 5}])"));
  }
}

TEST(StrongGuaranteeTest, WholeArraysWhileAListIsOpenAreRefused) {
  const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>");
  const Array rows = FromJson("list_view<int32>", "[[1], [2, 3]]");
  ASSERT_OK(builder->AppendArray(rows));
  builder->BeginList();
  ASSERT_OK(static_cast<Int32Builder&>(builder->elements()).Append(4));

  EXPECT_THAT(builder->AppendArray(rows), StatusIs(StatusCode::kFailedPrecondition));
  EXPECT_THAT(builder->AppendRepeated(rows, 0, 2), StatusIs(StatusCode::kFailedPrecondition));
  EXPECT_THAT(builder->AppendNulls(1), StatusIs(StatusCode::kFailedPrecondition));
  EXPECT_THAT(builder->AppendEmptyValues(1), StatusIs(StatusCode::kFailedPrecondition));
  EXPECT_THAT(builder->AppendList(Ints({5})), StatusIs(StatusCode::kFailedPrecondition));
  EXPECT_THAT(builder->Finish(), StatusIs(StatusCode::kFailedPrecondition));

  ASSERT_OK(builder->EndList());
  EXPECT_THAT(Finished(*builder), ReadsAs("[[1], [2, 3], [4]]"));
}

TEST(StrongGuaranteeTest, ElementsWrittenOutsideOfAListAreRefused) {
  const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>");
  ASSERT_OK(static_cast<Int32Builder&>(builder->elements()).Append(4));

  EXPECT_THAT(builder->AppendList(Ints({5})), StatusIs(StatusCode::kFailedPrecondition));
  EXPECT_THAT(builder->EndList(), StatusIs(StatusCode::kFailedPrecondition));
}

}  // namespace
}  // namespace sheaf
