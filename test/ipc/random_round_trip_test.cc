// Random batches written and read back, compared by the naive model; and what was read, which
// nobody has verified yet, appended to builders.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ipc/ipc_testing.h"
#include "ipc/write_schema.h"
#include "sheaf/builder/make_builder.h"
#include "sheaf/ipc/options.h"
#include "sheaf/type/field.h"
#include "sheaf/type/schema.h"
#include "testing/builders.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

/// An unknown extension is read as its storage.
std::vector<TypeId> WrittenIds() {
  std::vector<TypeId> ids = AllTypeIds();
  std::erase(ids, TypeId::kExtension);
  return ids;
}

/// A type that the format can say: not a dictionary of dictionaries.
DataType RandomWritable(Random& random) {
  while (true) {
    DataType type = RandomType(WrittenIds(), 5, random);
    if (internal::CheckWritable(Schema({Field("c", type)}), 64).ok()) return type;
  }
}

/// Slices of one array a column: all batches have its dictionaries, as in a file.
std::vector<RecordBatch> SlicedBatches(const std::vector<Field>& fields, Random& random) {
  std::vector<Array> columns;
  for (const Field& field : fields) {
    columns.push_back(RandomArray(field.type(), {.length = 100, .sliced = true}, random));
  }
  std::vector<RecordBatch> batches;
  for (int64_t at = 0; at <= 100 || batches.empty();) {
    const int64_t length = Draw(random, 0, 40);
    std::vector<Array> slices;
    for (const Array& column : columns) slices.push_back(column.Slice(at, length));
    batches.push_back(*RecordBatch::Make(Schema(fields), slices[0].length(), slices));
    at += std::max<int64_t>(length, 1);
  }
  return batches;
}

std::vector<RecordBatch> RandomBatches(Container container, Random& random) {
  std::vector<Field> fields;
  for (int i = 0; i < 3; ++i) {
    fields.emplace_back("c" + std::to_string(i), RandomWritable(random));
  }
  if (container == Container::kFile) return SlicedBatches(fields, random);
  std::vector<RecordBatch> batches;
  for (int64_t left = Draw(random, 0, 3); left > 0; --left) {
    const RandomOptions options = {.length = Draw(random, 0, 60),
                                   .null_rate = Chance(random, 0.8) ? 0.2 : 0,
                                   .sliced = Chance(random, 0.5)};
    std::vector<Array> columns;
    for (const Field& field : fields) columns.push_back(RandomArray(field.type(), options, random));
    batches.push_back(*RecordBatch::Make(Schema(fields), options.length, columns));
  }
  if (batches.empty()) {
    std::vector<Array> columns;
    for (const Field& field : fields) columns.push_back(*MakeEmptyArray(field.type()));
    batches.push_back(*RecordBatch::Make(Schema(fields), 0, columns));
  }
  return batches;
}

/// Foreign data into a builder: the batch's column twice, once as it is and once a slice of it.
void ExpectAppendable(const Array& column) {
  if (!MakeBuilder(column.type()).ok()) return;  // Its builder comes with a later issue.
  const auto builder = BuilderOf(column.type());
  ASSERT_OK(builder->AppendArray(column));
  ASSERT_OK(builder->AppendArray(column.Slice(column.length() / 3)));
  Values expected = Read(column);
  const int64_t cut = column.length() / 3;
  AppendSlice(&expected, expected, cut, column.length() - cut);
  EXPECT_THAT(Finished(*builder), ReadsLike(expected));
}

void ExpectRoundTrip(const std::vector<RecordBatch>& batches, Container container,
                     const ipc::WriteOptions& options) {
  ASSERT_OK_AND_ASSIGN(const Buffer bytes,
                       WriteBatches(batches[0].schema(), batches, container, options));
  ASSERT_OK_AND_ASSIGN(const std::vector<RecordBatch> read, ReadBatches(bytes));
  ASSERT_EQ(read.size(), batches.size());
  for (size_t i = 0; i < read.size(); ++i) {
    ASSERT_EQ(read[i].num_rows(), batches[i].num_rows());
    for (int column = 0; column < batches[i].num_columns(); ++column) {
      SCOPED_TRACE("column " + std::to_string(column) + ", " +
                   batches[i].column(column).type().ToString());
      EXPECT_EQ(read[i].column(column).type(), batches[i].column(column).type());
      EXPECT_THAT(read[i].column(column), ReadsLike(batches[i].column(column)));
      EXPECT_THAT(read[i].column(column), IsValidArray());
      ExpectAppendable(read[i].column(column));
    }
  }
}

TEST(IpcRandomRoundTrip, StreamsAndFilesOfRandomBatches) {
  constexpr ipc::Compression kCompressions[] = {
      ipc::Compression::kNone, ipc::Compression::kLz4Frame, ipc::Compression::kZstd};
  for (const uint64_t seed : Seeds(60)) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Container container = seed % 2 == 0 ? Container::kStream : Container::kFile;
    const std::vector<RecordBatch> batches = RandomBatches(container, random);
    ExpectRoundTrip(batches, container,
                    {.compression = kCompressions[seed % 3], .alignment = seed % 4 < 2 ? 8 : 64});
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace sheaf
