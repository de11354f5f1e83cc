// Struct rows value by value: one value into each field, then EndRow.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/builder/binary_builder.h"
#include "sheaf/builder/fixed_width_builder.h"
#include "sheaf/builder/list_builder.h"
#include "sheaf/builder/list_view_builder.h"
#include "sheaf/builder/null_builder.h"
#include "sheaf/builder/struct_builder.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/builders.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

constexpr char kRow[] = "struct<a: int32, b: utf8>";

Int32Builder& IntsOf(StructBuilder& rows, int i = 0) { return **rows.field_as<Int32Builder>(i); }
BinaryBuilder& TextsOf(StructBuilder& rows, int i = 1) { return **rows.field_as<BinaryBuilder>(i); }

TEST(StructRowsTest, ARowIsOneValueOfEachField) {
  const auto builder = BuilderOf<StructBuilder>(kRow);
  ASSERT_OK(IntsOf(*builder).Append(1));
  ASSERT_OK(TextsOf(*builder).Append("x"));
  EXPECT_EQ(builder->length(), 0);
  ASSERT_OK(builder->EndRow());
  ASSERT_OK(TextsOf(*builder).AppendNull());
  ASSERT_OK(IntsOf(*builder).Append(2));
  ASSERT_OK(builder->EndRow());

  EXPECT_EQ(builder->length(), 2);
  EXPECT_THAT(Finished(*builder), ReadsAs(R"([{"a": 1, "b": "x"}, {"a": 2, "b": null}])"));
}

TEST(StructRowsTest, RowsAndWholeArraysInTurn) {
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = BuilderOf<StructBuilder>(kRow, options);
    const Array rows = FromJson(kRow, R"([{"a": 1, "b": "x"}, null])");
    ASSERT_OK(builder->AppendArray(rows));
    ASSERT_OK(IntsOf(*builder).AppendArray(Ints({2})));
    ASSERT_OK(TextsOf(*builder).Append("y"));
    ASSERT_OK(builder->EndRow());
    ASSERT_OK(builder->AppendNull());
    ASSERT_OK(builder->AppendArray(rows, 0, 1));

    EXPECT_THAT(Finished(*builder), ReadsAs(R"([{"a": 1, "b": "x"}, null, {"a": 2, "b": "y"},
                                                null, {"a": 1, "b": "x"}])"));
  }
}

TEST(StructRowsTest, FieldsLeftOutAreAnErrorOrNull) {
  const auto builder = BuilderOf<StructBuilder>(kRow);
  ASSERT_OK(IntsOf(*builder).Append(1));
  EXPECT_THAT(builder->EndRow(), StatusIs(StatusCode::kFailedPrecondition, "b: utf8"));
  EXPECT_EQ(builder->length(), 0);

  ASSERT_OK(builder->EndRow(MissingFields::kNull));
  ASSERT_OK(builder->EndRow(MissingFields::kNull));

  EXPECT_THAT(Finished(*builder), ReadsAs(R"([{"a": 1, "b": null}, {"a": null, "b": null}])"));
}

TEST(StructRowsTest, TwoValuesOfAFieldAreAnError) {
  const auto builder = BuilderOf<StructBuilder>(kRow);
  ASSERT_OK(IntsOf(*builder).AppendArray(Ints({1, 2})));
  ASSERT_OK(TextsOf(*builder).Append("x"));

  EXPECT_THAT(builder->EndRow(), StatusIs(StatusCode::kFailedPrecondition, "2 rows ahead"));
  EXPECT_THAT(builder->EndRow(MissingFields::kNull),
              StatusIs(StatusCode::kFailedPrecondition, "a: int32"));
}

TEST(StructRowsTest, NullsAndGapsInNonNullableFieldsAreErrors) {
  const DataType type = Struct({Field("a", Int32(), /*nullable=*/false), Field("b", Utf8())});
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll}) {
    const auto builder = BuilderOf<StructBuilder>(type, options);
    ASSERT_OK(builder->AppendNull());  // Its placeholder is no null of the field.
    ASSERT_OK(TextsOf(*builder).Append("x"));
    EXPECT_THAT(builder->EndRow(MissingFields::kNull),
                StatusIs(StatusCode::kInvalidArgument, "a: int32 not null is not nullable"));
    ASSERT_OK_AND_ASSIGN(const BuilderMark mark, builder->field(0).Mark());
    ASSERT_OK(builder->field(0).AppendNull());
    EXPECT_THAT(builder->EndRow(), StatusIs(StatusCode::kInvalidArgument, "a null"));
    ASSERT_OK(builder->field(0).RollBack(mark));
    ASSERT_OK(builder->field(0).AppendArray(Ints({kNull})));
    EXPECT_THAT(builder->EndRow(), StatusIs(StatusCode::kInvalidArgument, "a null"));

    ASSERT_OK(builder->field(0).RollBack(mark));
    ASSERT_OK(IntsOf(*builder).Append(1));
    ASSERT_OK(builder->EndRow());
    EXPECT_THAT(Finished(*builder), ReadsAs(R"([null, {"a": 1, "b": "x"}])"));
  }
}

TEST(StructRowsTest, WholeArraysWhileARowIsOpenAreRefused) {
  const auto builder = BuilderOf<StructBuilder>(kRow);
  const Array rows = FromJson(kRow, R"([{"a": 1, "b": "x"}])");
  ASSERT_OK(builder->AppendArray(rows));
  ASSERT_OK(IntsOf(*builder).Append(2));

  EXPECT_THAT(builder->AppendArray(rows),
              StatusIs(StatusCode::kFailedPrecondition, "a row is open"));
  EXPECT_THAT(builder->AppendRepeated(rows, 0, 2), StatusIs(StatusCode::kFailedPrecondition));
  EXPECT_THAT(builder->AppendNull(), StatusIs(StatusCode::kFailedPrecondition));
  EXPECT_THAT(builder->AppendEmptyValue(), StatusIs(StatusCode::kFailedPrecondition));
  EXPECT_THAT(builder->Finish(), StatusIs(StatusCode::kFailedPrecondition, "a: int32"));

  ASSERT_OK(builder->EndRow(MissingFields::kNull));
  EXPECT_THAT(Finished(*builder), ReadsAs(R"([{"a": 1, "b": "x"}, {"a": 2, "b": null}])"));
}

TEST(StructRowsTest, AStructInAListInAStruct) {
  const char* type = "struct<id: int32, items: list<struct<a: int32, tags: list_view<utf8>>>>";
  const auto builder = BuilderOf<StructBuilder>(type);
  auto& items = **builder->field_as<ListBuilder>(1);
  auto& item = static_cast<StructBuilder&>(items.elements());
  auto& tags = **item.field_as<ListViewBuilder>(1);
  for (int32_t row = 0; row < 3; ++row) {
    ASSERT_OK(IntsOf(*builder).Append(row));
    items.BeginList();
    for (int32_t i = 0; i < row; ++i) {
      ASSERT_OK(IntsOf(item).Append(10 * row + i));
      tags.BeginList();
      ASSERT_OK(static_cast<BinaryBuilder&>(tags.elements()).Append("t"));
      ASSERT_OK(tags.EndList());
      ASSERT_OK(item.EndRow());
    }
    ASSERT_OK(items.EndList());
    ASSERT_OK(builder->EndRow());
  }

  EXPECT_THAT(Finished(*builder), ReadsAs(R"([
      {"id": 0, "items": []},
      {"id": 1, "items": [{"a": 10, "tags": ["t"]}]},
      {"id": 2, "items": [{"a": 20, "tags": ["t"]}, {"a": 21, "tags": ["t"]}]}])"));
}

TEST(StructRowsTest, RowsAndListsOpenWithinAreRefused) {
  const char* type = "struct<items: list<struct<a: int32, b: int32>>>";
  const auto builder = BuilderOf<StructBuilder>(type);
  auto& items = **builder->field_as<ListBuilder>(0);
  auto& item = static_cast<StructBuilder&>(items.elements());
  items.BeginList();
  ASSERT_OK(IntsOf(item, 0).Append(1));
  EXPECT_THAT(items.EndList(), StatusIs(StatusCode::kFailedPrecondition, "a row is open"));
  ASSERT_OK(IntsOf(item, 1).Append(2));
  ASSERT_OK(item.EndRow());
  EXPECT_THAT(builder->EndRow(MissingFields::kNull),
              StatusIs(StatusCode::kFailedPrecondition, "a list is open"));
  EXPECT_THAT(builder->Finish(), StatusIs(StatusCode::kFailedPrecondition, "a list is open"));
  ASSERT_OK(items.EndList());
  EXPECT_THAT(builder->Finish(), StatusIs(StatusCode::kFailedPrecondition, "a row is open"));
  ASSERT_OK(builder->EndRow());
  EXPECT_THAT(Finished(*builder), ReadsAs(R"([{"items": [{"a": 1, "b": 2}]}])"));
}

TEST(StructRowsTest, ANullFieldThatIsNotNullableTakesNoRow) {
  const DataType type = Struct({Field("n", Null(), /*nullable=*/false)});
  const auto builder = BuilderOf<StructBuilder>(type);
  ASSERT_OK(builder->field(0).AppendNull());
  EXPECT_THAT(builder->EndRow(), StatusIs(StatusCode::kInvalidArgument, "n"));
}

TEST(StructRowsTest, AStructWithoutFieldsHasRows) {
  const auto builder = BuilderOf<StructBuilder>(Struct({}));
  ASSERT_OK(builder->EndRow());
  ASSERT_OK(builder->AppendNull());
  ASSERT_OK(builder->EndRow());
  const Array array = Finished(*builder);
  EXPECT_EQ(array.length(), 3);
  EXPECT_EQ(ValidOf(array), "101");
}

TEST(StructRowsTest, FieldsAreFoundByNumberAndClass) {
  const auto builder = BuilderOf<StructBuilder>(kRow);
  EXPECT_THAT(builder->field_as<Int64Builder>(0), StatusIs(StatusCode::kInvalidArgument, "int32"));
  EXPECT_THAT(builder->field_as<Int32Builder>(2),
              StatusIs(StatusCode::kInvalidArgument, "field 2"));
  EXPECT_THAT(builder->field_as<Int32Builder>(-1), StatusIs(StatusCode::kInvalidArgument));
  EXPECT_EQ(builder->field(1).type(), Utf8());
}

TEST(StructRowsTest, ByteLimitsCountTheFieldsOfTheRow) {
  const auto builder = BuilderOf<StructBuilder>(kRow);
  builder->set_byte_limit(30);
  ASSERT_OK_AND_ASSIGN(const BuilderMark mark, builder->Mark());
  ASSERT_OK(IntsOf(*builder).Append(1));
  ASSERT_OK(TextsOf(*builder).Append("a text of more than twenty bytes"));

  EXPECT_THAT(builder->EndRow(), StatusIs(StatusCode::kResourceExhausted, "limit"));

  EXPECT_EQ(builder->length(), 0);
  ASSERT_OK(builder->RollBack(mark));
  ASSERT_OK(IntsOf(*builder).Append(1));
  ASSERT_OK(TextsOf(*builder).Append("short"));
  ASSERT_OK(builder->EndRow());
  EXPECT_THAT(Finished(*builder), ReadsAs(R"([{"a": 1, "b": "short"}])"));
}

TEST(StructRowsTest, AFailedEndRowLeavesTheRowOpen) {
  FailingPool pool;
  BuilderOptions options;
  options.pool = &pool;
  for (int64_t k = 0;; ++k) {
    SCOPED_TRACE(k);
    const auto builder = BuilderOf<StructBuilder>(kRow, options);
    ASSERT_OK(builder->AppendNulls(8));  // The next row needs another byte of the bitmap.
    ASSERT_OK(IntsOf(*builder).Append(1));
    const int64_t bytes_used = builder->bytes_used();
    pool.FailAt(k);
    const Status status = builder->EndRow(MissingFields::kNull);
    const bool failed = pool.failed();
    pool.SwitchOff();
    if (!status.ok()) {
      EXPECT_THAT(status, StatusIs(StatusCode::kResourceExhausted));
      EXPECT_EQ(builder->length(), 8);
      EXPECT_EQ(builder->field(1).length(), 8);
      EXPECT_EQ(builder->bytes_used(), bytes_used);
      ASSERT_OK(builder->EndRow(MissingFields::kNull));
    }
    EXPECT_EQ(Finished(*builder).Slice(8, 1).null_count(), 0);
    if (!failed) {
      EXPECT_GT(k, 0);
      break;
    }
  }
}

}  // namespace
}  // namespace sheaf
