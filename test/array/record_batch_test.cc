#include "sheaf/array/record_batch.h"

#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;

RecordBatch TwoColumns() {
  return *RecordBatch::Make(Schema({Field("a", Int32()), Field("b", Utf8())}), 3,
                            {Ints({1, 2, 3}), Utf8s({"x", kNull, "z"})});
}

TEST(RecordBatch, RefusesColumnsThatDoNotMatch) {
  const Schema schema({Field("a", Int32())});
  EXPECT_THAT(RecordBatch::Make(schema, 2, {}),
              StatusIs(StatusCode::kInvalidArgument, "0 columns for 1 fields"));
  EXPECT_THAT(RecordBatch::Make(schema, 2, {Ints({1})}),
              StatusIs(StatusCode::kInvalidArgument, "$.a: 1 rows"));
  EXPECT_THAT(RecordBatch::Make(schema, 1, {Utf8s({"x"})}),
              StatusIs(StatusCode::kInvalidArgument, "$.a"));
  EXPECT_THAT(RecordBatch::Make(schema, -1, {Ints({})}), StatusIs(StatusCode::kInvalidArgument));
}

TEST(RecordBatch, C20_RowsWithoutColumns) {
  ASSERT_OK_AND_ASSIGN(const RecordBatch batch, RecordBatch::Make(Schema(), 7, {}));
  EXPECT_EQ(batch.num_rows(), 7);
  EXPECT_EQ(batch.Slice(2, 10).num_rows(), 5);
  ASSERT_OK_AND_ASSIGN(const Array rows, batch.ToStruct());
  EXPECT_EQ(rows.length(), 7);
  ASSERT_OK_AND_ASSIGN(const RecordBatch back, RecordBatch::FromStruct(rows));
  EXPECT_EQ(back.num_rows(), 7);
}

TEST(RecordBatch, SlicesAndBecomesAStructAndBack) {
  const RecordBatch batch = TwoColumns();
  ASSERT_OK_AND_ASSIGN(const Array rows, batch.Slice(1, 2).ToStruct());
  EXPECT_THAT(rows, ReadsAs(R"([{"a": 2, "b": null}, {"a": 3, "b": "z"}])"));
  ASSERT_OK_AND_ASSIGN(const RecordBatch back, RecordBatch::FromStruct(rows.Slice(1)));
  EXPECT_TRUE(back == batch.Slice(2, 1));
  EXPECT_THAT(RecordBatch::FromStruct(Ints({1})),
              StatusIs(StatusCode::kInvalidArgument, "not a struct"));
  const Array with_null = StructOver({Field("a", Int32())}, {Ints({1, 2})}, 2, "10");
  EXPECT_THAT(RecordBatch::FromStruct(with_null), StatusIs(StatusCode::kInvalidArgument, "null"));
  EXPECT_OK(RecordBatch::FromStruct(with_null.Slice(0, 1)));
}

TEST(RecordBatch, ValidatesNullability) {
  ASSERT_OK_AND_ASSIGN(
      const RecordBatch batch,
      RecordBatch::Make(Schema({Field("a", Int32(), false)}), 2, {Ints({1, kNull})}));
  EXPECT_THAT(batch.Validate(), StatusIs(StatusCode::kInvalidArgument, "$.a: 1 nulls"));
  EXPECT_OK(batch.Validate(ValidationLevel::kDefault));
  EXPECT_OK(TwoColumns().Validate());
}

}  // namespace
}  // namespace sheaf
