// Fixed-size binary: values as bytes, of any width, that of no byte too.

#include <array>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/array/bytes.h"
#include "sheaf/builder/fixed_width_builder.h"
#include "testing/array_literals.h"
#include "testing/builders.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

constexpr std::array<uint8_t, 3> kAbc = {'a', 'b', 'c'};

/// n rows of no byte each; `valid` as digits.
Array NoBytes(int64_t n, const std::string& valid = "") {
  return MakeRaw({.type = TypeFrom("fixed_size_binary[0]"),
                  .length = n,
                  .buffers = {Bits(valid), Buffer::Empty()}});
}

TEST(FixedSizeBinaryBuilderTest, ValuesHaveTheWidthOfTheType) {
  const auto builder = BuilderOf<FixedSizeBinaryBuilder>("fixed_size_binary[3]");
  ASSERT_OK(builder->Append(kAbc));
  EXPECT_THAT(builder->Append({kAbc.data(), 2}),
              StatusIs(StatusCode::kInvalidArgument, "a value of 2 bytes"));
  EXPECT_THAT(builder->Append({}), StatusIs(StatusCode::kInvalidArgument));
  ASSERT_OK(builder->AppendNull());
  ASSERT_OK(builder->AppendEmptyValue());
  EXPECT_EQ(builder->bytes_used(), 9 + 1);

  const Array array = Finished(*builder);

  EXPECT_THAT(array, ReadsAs(R"(["abc", null, "\u0000\u0000\u0000"])"));
}

TEST(FixedSizeBinaryBuilderTest, ManyValuesAtOnceWithTheirValidity) {
  const auto builder = BuilderOf<FixedSizeBinaryBuilder>("fixed_size_binary[3]");
  const Buffer validity = Bits("101");
  ASSERT_OK(builder->AppendBytes("abcdefghi", 3, {validity.data(), 0, 3}));
  EXPECT_THAT(builder->AppendBytes("abcdef", 2, {validity.data(), 0, 3}),
              StatusIs(StatusCode::kInvalidArgument, "3 validity bits for 2 values"));

  EXPECT_THAT(Finished(*builder), ReadsAs(R"(["abc", null, "ghi"])"));
}

TEST(FixedSizeBinaryBuilderTest, ReservedRoomTakesUncheckedValues) {
  const auto builder = BuilderOf<FixedSizeBinaryBuilder>("fixed_size_binary[3]");
  ASSERT_OK(builder->Reserve(2));
  builder->UnsafeAppend("abc");
  builder->UnsafeAppend("def");

  EXPECT_THAT(Finished(*builder), ReadsAs(R"(["abc", "def"])"));
}

TEST(FixedSizeBinaryBuilderTest, OtherWidthsAreRefused) {
  const auto builder = BuilderOf("fixed_size_binary[3]");
  EXPECT_THAT(builder->AppendArray(NoBytes(1)), StatusIs(StatusCode::kInvalidArgument));
  EXPECT_THAT(FixedSizeBinaryBuilder::CheckBuilds(Int32()), StatusIs(StatusCode::kInvalidArgument));
}

TEST(FixedSizeBinaryBuilderTest, ValuesOfNoByteAreOnlyCounted) {
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = BuilderOf<FixedSizeBinaryBuilder>("fixed_size_binary[0]", options);
    ASSERT_OK(builder->Append({}));
    ASSERT_OK(builder->Reserve(1));
    builder->UnsafeAppend(kAbc.data());
    ASSERT_OK(builder->AppendBytes(nullptr, 2, {Bits("10").data(), 0, 2}));
    ASSERT_OK(builder->AppendNulls(2));
    ASSERT_OK(builder->AppendEmptyValues(2));
    ASSERT_OK(builder->AppendArray(NoBytes(3, "101"), 1, 2));
    ASSERT_OK(builder->AppendRepeated(NoBytes(3, "101"), 0, 2));
    ASSERT_OK(builder->AppendRepeated(NoBytes(3, "101"), 1, 2));
    EXPECT_EQ(builder->bytes_used(), 2);

    const Array array = Finished(*builder);

    EXPECT_THAT(array, ReadsAs(R"(["", "", "", null, null, null, "", "", null, "", "", "",
                                    null, null])"));
    EXPECT_NE(array.buffer(1).data(), nullptr);
  }
}

TEST(FixedSizeBinaryBuilderTest, ValuesOfNoByteInListsAndStructs) {
  for (const char* text : {"list<fixed_size_binary[0]>", "list_view<fixed_size_binary[0]>",
                           "fixed_size_list<fixed_size_binary[0]>[2]",
                           "struct<a: fixed_size_binary[0], b: fixed_size_binary[2]>"}) {
    SCOPED_TRACE(text);
    for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
      Random random(3);
      const Array source = RandomArray(TypeFrom(text), {.length = 40, .sliced = true}, random);
      const auto builder = BuilderOf(text, options);
      ASSERT_OK(builder->AppendArray(source, 3, 20));
      ASSERT_OK(builder->AppendArray(source));
      ASSERT_OK(builder->AppendRepeated(source, 1, 3));
      const int64_t bytes_used = builder->bytes_used();

      const Array array = Finished(*builder);

      EXPECT_EQ(*UsedBytes(array), bytes_used);
      EXPECT_THAT(array.Slice(0, 20), ReadsLike(source.Slice(3, 20)));
      EXPECT_THAT(array.Slice(20, 40), ReadsLike(source));
    }
  }
}

}  // namespace
}  // namespace sheaf
