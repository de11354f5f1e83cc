// StructArray::FlattenedField: a field with the struct's nulls.

#include <string>
#include <vector>

#include "sheaf/array/logical_nulls.h"
#include "sheaf/array/run_end_array.h"
#include "sheaf/array/struct_array.h"
#include "sheaf/array/union_array.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/builders.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"
#include "testing/raw_buffers.h"

namespace sheaf {
namespace {

using namespace testing;

StructArray RowsOf(const Array& field, const std::string& valid, bool nullable = true) {
  return *StructArray::From(
      StructOver({Field("a", field.type(), nullable)}, {field}, field.length(), valid));
}

StructArray Slice(const StructArray& rows, int64_t offset, int64_t length) {
  return *StructArray::From(rows.Slice(offset, length));
}

TEST(FlattenedFieldTest, ARowIsNullWhereTheStructOrTheFieldIs) {
  const StructArray rows = RowsOf(Ints({1, kNull, 3, 4}), "1101");
  ASSERT_OK_AND_ASSIGN(const Array field, rows.FlattenedField(0));
  EXPECT_THAT(field, ReadsAs("[1, null, null, 4]"));
  EXPECT_EQ(field.null_count(), 2);
  EXPECT_TRUE(SharesBuffer(field, rows.child(0), 1));
}

TEST(FlattenedFieldTest, WithoutNullsInTheStructTheFieldIsHandedOut) {
  const StructArray rows = RowsOf(Ints({1, kNull, 3, 4}), "");
  ASSERT_OK_AND_ASSIGN(const Array field, Slice(rows, 1, 2).FlattenedField(0));
  EXPECT_THAT(field, ReadsAs("[null, 3]"));
  EXPECT_EQ(field.data(), rows.child(0).data());

  const StructArray outside = RowsOf(Ints({1, kNull, 3, 4}), "0111");
  ASSERT_OK_AND_ASSIGN(const Array part, Slice(outside, 1, 3).FlattenedField(0));
  EXPECT_EQ(part.data(), outside.child(0).data());
}

TEST(FlattenedFieldTest, WithoutNullsInTheFieldTheStructsBitmapIsShared) {
  const StructArray rows = RowsOf(Range(0, 20), "11110000111100001111");
  ASSERT_OK_AND_ASSIGN(const Array field, Slice(rows, 10, 10).FlattenedField(0));
  EXPECT_EQ(field.buffer(0).data(), rows.buffer(0).data() + 1);
  EXPECT_THAT(field, ReadsAs("[10, 11, null, null, null, null, 16, 17, 18, 19]"));
}

TEST(FlattenedFieldTest, AFieldThatDoesNotExistIsAnError) {
  EXPECT_THAT(RowsOf(Ints({1}), "0").FlattenedField(1),
              StatusIs(StatusCode::kInvalidArgument, "field 1 of 1"));
  EXPECT_THAT(RowsOf(Ints({1}), "0").FlattenedField(-1), StatusIs(StatusCode::kInvalidArgument));
}

/// Row by row: null where the struct or the field is, else the field's value.
void ExpectFlattened(const StructArray& rows, const Array& flattened) {
  EXPECT_THAT(flattened, IsValidArray());
  ASSERT_EQ(flattened.length(), rows.length());
  const Array field = rows.field(0);
  const Values values = Read(field);
  const Values got = Read(flattened);
  for (int64_t i = 0; i < rows.length(); ++i) {
    const bool null = rows.IsNull(i) || IsLogicallyNull(field, i);
    EXPECT_EQ(IsLogicallyNull(flattened, i), null) << "row " << i;
    if (!null) {
      EXPECT_EQ(got[static_cast<size_t>(i)], values[static_cast<size_t>(i)]) << "row " << i;
    }
  }
}

TEST(FlattenedFieldTest, RandomFieldsOfEveryLayoutWithABitmap) {
  std::vector<TypeId> ids = AllTypeIds();
  std::erase_if(ids, [](TypeId id) {
    return id == TypeId::kDenseUnion || id == TypeId::kRunEndEncoded;  // See below.
  });
  for (const uint64_t seed : Seeds(300)) {
    Random random(seed);
    const DataType type = Struct({Field("a", RandomType(ids, 3, random), Chance(random, 0.8))});
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + type.ToString());
    const Array all =
        RandomArray(type, {.length = 70, .null_rate = 0.3, .sliced = Chance(random, 0.7)}, random);
    const int64_t offset = Draw(random, 0, 70);
    ASSERT_OK_AND_ASSIGN(const StructArray rows,
                         StructArray::From(all.Slice(offset, Draw(random, 0, 70 - offset))));

    ASSERT_OK_AND_ASSIGN(const Array flattened, rows.FlattenedField(0));

    ExpectFlattened(rows, flattened);
    if (HasFailure()) return;
  }
}

Array DenseUnion(const std::vector<int64_t>& ids, const std::vector<int64_t>& offsets,
                 bool nullable = true) {
  const DataType type =
      *Union(TypeId::kDenseUnion, {Field("i", Int32(), nullable), Field("t", Utf8())}, {5, 7});
  return *UnionArray::MakeDense(type, Integers(ids, 8), Integers(offsets, 32),
                                {Range(0, 4), Utf8s({"a", kNull, "c"})},
                                static_cast<int64_t>(ids.size()));
}

TEST(FlattenedFieldTest, DenseUnionsGetNullsInTheSlotsOfNullRows) {
  for (const bool nullable : {true, false}) {
    const StructArray rows =
        RowsOf(DenseUnion({5, 7, 5, 7, 7, 5}, {0, 0, 2, 1, 2, 3}, nullable), "101101");
    for (int64_t offset = 0; offset < 6; ++offset) {
      const StructArray part = Slice(rows, offset, 6 - offset);
      ASSERT_OK_AND_ASSIGN(const Array flattened, part.FlattenedField(0));
      ExpectFlattened(part, flattened);
      EXPECT_TRUE(flattened.child(0).length() == 4);
    }
  }
}

TEST(FlattenedFieldTest, ASlotThatANullAndAValidRowShareIsAnError) {
  const Array shared = DenseUnion({5, 7, 5}, {1, 0, 1});
  EXPECT_THAT(RowsOf(shared, "110").FlattenedField(0),
              StatusIs(StatusCode::kInvalidArgument, "row 0 and a null row share slot 1"));
  ASSERT_OK_AND_ASSIGN(const Array flattened, RowsOf(shared, "010").FlattenedField(0));
  ExpectFlattened(RowsOf(shared, "010"), flattened);
}

TEST(FlattenedFieldTest, RunsGetNullsWhereAllTheirRowsAreNull) {
  ASSERT_OK_AND_ASSIGN(const RunEndArray runs,
                       RunEndArray::Make(Ints({2, 5, 6}), Ints({1, 2, kNull})));
  const StructArray rows = RowsOf(runs, "001110");
  ASSERT_OK_AND_ASSIGN(const Array flattened, rows.FlattenedField(0));
  ExpectFlattened(rows, flattened);
  EXPECT_EQ(flattened.child(0).data(), runs.child(0).data());

  // Of the first run only null rows are left in the slice.
  const StructArray mixed = RowsOf(runs, "101110");
  ASSERT_OK_AND_ASSIGN(const Array part, Slice(mixed, 1, 5).FlattenedField(0));
  ExpectFlattened(Slice(mixed, 1, 5), part);
  EXPECT_THAT(mixed.FlattenedField(0), StatusIs(StatusCode::kInvalidArgument,
                                                "$.a: run_end_encoded<int32, int32>: rows [0, 2)"));
}

TEST(FlattenedFieldTest, RunsOfUnionsGetNullsInTheirChildren) {
  const Array values = DenseUnion({5, 7, 5}, {0, 2, 3}, /*nullable=*/false);
  ASSERT_OK_AND_ASSIGN(const RunEndArray runs, RunEndArray::Make(Ints({2, 5, 6}), values));
  const StructArray rows = RowsOf(runs, "110000", /*nullable=*/false);
  ASSERT_OK_AND_ASSIGN(const Array flattened, rows.FlattenedField(0));
  ExpectFlattened(rows, flattened);
}

TEST(FlattenedFieldTest, ARefusedAllocationIsAnError) {
  const StructArray rows = Slice(RowsOf(Ints({1, kNull, 3, 4, 5}), "11011"), 1, 4);
  FailingPool pool;
  int64_t k = 0;
  for (bool failed = true; failed; ++k) {
    pool.FailAt(k);
    const StatusOr<Array> field = rows.FlattenedField(0, &pool);
    failed = pool.failed();
    pool.SwitchOff();
    EXPECT_EQ(field.ok(), !failed);
  }
  EXPECT_EQ(k, 3);  // The bitmap and the node.
}

TEST(FlattenedFieldTest, ABitmapThatIsTooShortIsAnErrorBeforeABitIsCounted) {
  const Array field = Range(0, 100);
  const Array rows = MakeRaw({.type = Struct({Field("a", Int32())}),
                              .length = 100,
                              .buffers = {ValuesBuffer(std::vector<uint8_t>{255, 255})},
                              .children = {field}});
  EXPECT_THAT(StructArray::From(rows)->FlattenedField(0),
              StatusIs(StatusCode::kInvalidArgument, "validity"));
}

}  // namespace
}  // namespace sheaf
