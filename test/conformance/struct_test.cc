// Rows STR-01 to STR-07 and case C20: structs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/builder/struct_builder.h"
#include "sheaf/type/field.h"
#include "sheaf/type/schema.h"
#include "testing/array_literals.h"
#include "testing/builders.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using ::testing::HasSubstr;

constexpr char kPair[] = "struct<a: int32, b: int32>";

TEST(StructConformance, STR_01_NullsFillEveryChild) {
  const auto builder = BuilderOf(kPair);
  ASSERT_OK(builder->AppendArray(FromJson(kPair, R"([{"a": 1, "b": 2}])")));
  ASSERT_OK(builder->AppendNulls(2));

  const Array array = Finished(*builder);

  EXPECT_EQ(array.length(), 3);
  EXPECT_EQ(array.null_count(), 2);
  EXPECT_EQ(array.child(0).length(), 3);
  EXPECT_EQ(array.child(1).length(), 3);
}

TEST(StructConformance, STR_02_ANullRepeatedPutsPlaceholdersUnderIt) {
  const Array rows = FromJson(kPair, R"([{"a": 1, "b": 2}, null])");
  const auto builder = BuilderOf(kPair);
  ASSERT_OK(builder->AppendArray(rows));
  ASSERT_OK(builder->AppendRepeated(rows, 1, 3));

  const Array array = Finished(*builder);

  EXPECT_EQ(array.child(0).length(), 5);
  EXPECT_THAT(array, ReadsAs(R"([{"a": 1, "b": 2}, null, null, null, null])"));
  EXPECT_EQ(array, FromJson(kPair, R"([{"a": 1, "b": 2}, null, null, null, null])"));
}

TEST(StructConformance, STR_03_AValueUnderANullParentIsNotForcedToBeNull) {
  const Array lists = FromJson("list<int32>", "[[1], [2, 3]]");
  const Array source = StructOver({Field("l", lists.type())}, {lists}, 2, "10");
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = BuilderOf(source.type(), options);
    ASSERT_OK(builder->AppendArray(source));

    const Array array = Finished(*builder);

    EXPECT_THAT(array, ReadsAs(R"([{"l": [1]}, null])"));
    EXPECT_EQ(array.child(0).null_count(), 0);
  }
}

TEST(StructConformance, STR_04_ValidityIsRightOnBothSidesOfANull) {
  std::string valid;
  for (int i = 0; i < 64; ++i) valid += i % 3 == 0 ? '0' : '1';
  const Array source = StructOver({Field("a", Int32())}, {Range(0, 64)}, 64, valid);
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = BuilderOf(source.type(), options);
    ASSERT_OK(builder->AppendArray(source));
    ASSERT_OK(builder->AppendNull());
    ASSERT_OK(builder->AppendArray(source));

    const Array array = Finished(*builder);

    EXPECT_EQ(array.length(), 129);
    EXPECT_EQ(ValidOf(array), valid + "0" + valid);
    EXPECT_THAT(array.Slice(0, 64), ReadsLike(source));
    EXPECT_THAT(array.Slice(65, 64), ReadsLike(source));
  }
}

TEST(StructConformance, STR_05_TheParentsOffsetIsAddedToEachChildOnce) {
  const Array children[] = {Range(0, 20).Slice(5, 10), Range(100, 130).Slice(7, 10)};
  const Array source =
      StructOver({Field("a", Int32()), Field("b", Int32())}, {children[0], children[1]}, 10);
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = BuilderOf(kPair, options);
    ASSERT_OK(builder->AppendArray(source.Slice(2, 3)));
    ASSERT_OK(builder->AppendArray(source.Slice(2, 3), 1, 1));

    EXPECT_THAT(Finished(*builder),
                ReadsAs(R"([{"a": 7, "b": 109}, {"a": 8, "b": 110}, {"a": 9, "b": 111},
                                                {"a": 8, "b": 110}])"));
  }
}

TEST(StructConformance, STR_06_AShortChildIsAnErrorNamingBothLengths) {
  const Array array =
      StructOver({Field("a", Int32()), Field("b", Int32())}, {Range(0, 3), Range(0, 2)}, 3);

  const Status status = Validate(array, ValidationLevel::kMinimal);

  EXPECT_THAT(status, StatusIs(StatusCode::kInvalidArgument, "b"));
  EXPECT_THAT(status, StatusIs(StatusCode::kInvalidArgument, "2"));
  EXPECT_THAT(status, StatusIs(StatusCode::kInvalidArgument, "3"));
}

TEST(StructConformance, STR_07_ANameThatIsThereTwiceCannotBeLookedUp) {
  const std::vector<Field> fields = {Field("f0", Int32()), Field("f1", Int32()),
                                     Field("f2", Int32()), Field("f1", Utf8())};

  ASSERT_OK_AND_ASSIGN(const int index, FieldIndex(fields, "f0"));
  EXPECT_EQ(index, 0);
  EXPECT_THAT(FieldIndex(fields, "nope"), StatusIs(StatusCode::kNotFound));
  EXPECT_THAT(FieldIndex(fields, "f1"), StatusIs(StatusCode::kInvalidArgument));
}

TEST(StructConformance, C20_RowsWithoutColumns) {
  const Array rows = StructOver({}, {}, 4, "1101");
  EXPECT_THAT(rows, ReadsAs("[{}, {}, null, {}]"));
  EXPECT_THAT(rows.Slice(2, 2), ReadsAs("[null, {}]"));
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = BuilderOf(Struct({}), options);
    ASSERT_OK(builder->AppendArray(rows));
    ASSERT_OK(builder->AppendArray(rows, 2, 2));
    ASSERT_OK(builder->AppendRepeated(rows, 0, 2));
    EXPECT_THAT(Finished(*builder), ReadsAs("[{}, {}, null, {}, null, {}, {}, {}]"));
  }
}

}  // namespace
}  // namespace sheaf
