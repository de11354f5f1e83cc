// Arrays of every type out and in again: as whole arrays, slices, empty ones; checked against the
// naive model.

#include <vector>

#include "c_data/foreign.h"
#include "sheaf/c_data/export.h"
#include "sheaf/c_data/import.h"
#include "testing/array_literals.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;

// What every export promises, at every level.
void ExpectPlainForm(const ArrowArray& array, const DataType& type) {
  EXPECT_EQ(array.offset, 0) << type.ToString();
  EXPECT_GE(array.null_count, 0) << type.ToString();
  EXPECT_NE(array.release, nullptr);
  const Layout& layout = type.layout();
  for (int64_t i = layout.has_validity ? 1 : 0; i < array.n_buffers; ++i) {
    EXPECT_NE(array.buffers[i], nullptr) << type.ToString() << ", buffer " << i;
  }
  if (layout.has_validity) {
    EXPECT_EQ(array.buffers[0] == nullptr, array.null_count == 0) << type.ToString();
  }
  for (int64_t i = 0; i < array.n_children; ++i) {
    ExpectPlainForm(*array.children[i], type.field(static_cast<int>(i)).type());
  }
  if (array.dictionary != nullptr) ExpectPlainForm(*array.dictionary, type.value_type());
}

void ExpectRoundTrip(const Array& array) {
  SCOPED_TRACE(array.type().ToString() + ", " + std::to_string(array.length()) + " rows from " +
               std::to_string(array.offset()));
  ScopedArray out;
  ScopedSchema schema;
  ASSERT_OK(ExportArray(array, &out, &schema));
  ExpectPlainForm(out, array.type());
  ASSERT_OK_AND_ASSIGN(const Array back,
                       ImportArray(&out, &schema, {.level = ValidationLevel::kFull}));
  EXPECT_EQ(back.length(), array.length());
  EXPECT_EQ(back.null_count(), array.null_count());
  EXPECT_THAT(back, ReadsLike(array));
}

void ExpectSlicesRoundTrip(const Array& array) {
  ExpectRoundTrip(array);
  for (const auto& [offset, length] :
       {std::pair{1, 1}, {3, 11}, {5, 0}, {7, 20}, {8, 8}, {0, 13}, {16, 34}}) {
    ExpectRoundTrip(array.Slice(offset, length));
  }
}

TEST(CDataRoundTrip, EveryTypeWholeSlicedAndEmpty) {
  const int64_t before = MemoryPool::Default()->bytes_in_use();
  for (const TypeId id : AllTypeIds()) {
    if (id == TypeId::kExtension) continue;  // Comes back as its storage: below.
    for (const uint64_t seed : Seeds(3)) {
      Random random(seed);
      ExpectSlicesRoundTrip(RandomArray(SampleType(id), {.sliced = seed % 2 == 1}, random));
      ExpectSlicesRoundTrip(RandomArray(SampleType(id), {.null_rate = 0}, random));
    }
    ASSERT_OK_AND_ASSIGN(const Array empty, MakeEmptyArray(SampleType(id)));
    ExpectRoundTrip(empty);
    ASSERT_OK_AND_ASSIGN(const Array nulls, MakeNullArray(SampleType(id), 20));
    ExpectRoundTrip(nulls);
  }
  EXPECT_EQ(MemoryPool::Default()->bytes_in_use(), before);
}

TEST(CDataRoundTrip, EveryTypeInsideEveryParent) {
  std::vector<TypeId> ids = AllTypeIds();
  std::erase(ids, TypeId::kExtension);
  for (const uint64_t seed : Seeds(60)) {
    Random random(seed);
    const DataType type = RandomType(ids, 4, random);
    ExpectSlicesRoundTrip(RandomArray(type, {.sliced = Chance(random, 0.5)}, random));
  }
}

TEST(CDataRoundTrip, ListViewsOfEveryShape) {
  for (const ViewShape shape : kViewShapes) {
    for (const DataType& type :
         {ListView(Int32()), LargeListView(Utf8()), ListView(ListView(Int8()))}) {
      Random random(7);
      ExpectSlicesRoundTrip(RandomArray(type, {.shape = shape, .sliced = true}, random));
    }
  }
}

TEST(CDataRoundTrip, ExtensionsKeepTheirStorageAndTheirKeys) {
  Random random(1);
  const Array array = RandomArray(SampleType(TypeId::kExtension), {}, random);
  ScopedArray out;
  ScopedSchema schema;
  ASSERT_OK(ExportArray(array.Slice(3), &out, &schema));
  ASSERT_NE(schema.metadata, nullptr);
  // The type is told: the array comes in as an extension array.
  ScopedArray again;
  ASSERT_OK(ExportArray(array.Slice(3), &again));
  ASSERT_OK_AND_ASSIGN(const Array told, ImportArray(&again, array.type()));
  EXPECT_EQ(told.type(), array.type());
  EXPECT_THAT(told, ReadsLike(array.Slice(3)));
  // It is not known here: the storage comes in.
  ASSERT_OK_AND_ASSIGN(const Array stored, ImportArray(&out, &schema));
  EXPECT_EQ(stored.type(), array.type().storage());
}

TEST(CDataRoundTrip, RecordBatchesAndTheirSlices) {
  Random random(3);
  std::vector<Field> fields;
  std::vector<Array> columns;
  for (const TypeId id : AllTypeIds()) {
    if (id == TypeId::kExtension) continue;
    fields.emplace_back("f" + std::to_string(static_cast<int>(id)), SampleType(id));
    columns.push_back(RandomArray(SampleType(id), {.length = 40, .sliced = true}, random));
  }
  ASSERT_OK_AND_ASSIGN(const RecordBatch batch,
                       RecordBatch::Make(Schema(fields, {{"a", ""}}), 40, columns));
  for (const RecordBatch& part : {batch, batch.Slice(5, 17), batch.Slice(40, 0)}) {
    ScopedArray out;
    ScopedSchema schema;
    ASSERT_OK(ExportRecordBatch(part, &out, &schema));
    EXPECT_EQ(out.length, part.num_rows());
    EXPECT_EQ(out.buffers[0], nullptr);
    ASSERT_OK_AND_ASSIGN(const RecordBatch back, ImportRecordBatch(&out, &schema));
    EXPECT_TRUE(back.schema().Identical(batch.schema()));
    ASSERT_EQ(back.num_rows(), part.num_rows());
    for (int i = 0; i < back.num_columns(); ++i)
      EXPECT_THAT(back.column(i), ReadsLike(part.column(i)));
  }
}

}  // namespace
}  // namespace sheaf
