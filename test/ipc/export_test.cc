// What comes from IPC goes out through the C data interface in the form that every consumer reads,
// and lives as long as anybody uses it.

#include "sheaf/c_data/export.h"

#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "c_data/foreign.h"
#include "ipc/forge.h"
#include "ipc/ipc_testing.h"
#include "sheaf/c_data/import.h"
#include "testing/array_literals.h"
#include "testing/from_json.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;

/// One zero offset in every array of length 0.
void ExpectZeroOffsets(const ArrowArray& array, const DataType& type) {
  const Layout& layout = type.layout();
  for (int i = 0; i < layout.num_buffers && array.length == 0; ++i) {
    if (layout.buffers[static_cast<size_t>(i)].role != BufferRole::kOffsets) continue;
    ASSERT_NE(array.buffers[i], nullptr);
    int64_t offset = -1;
    std::memcpy(&offset, array.buffers[i], static_cast<size_t>(layout.offset_bits / 8));
    EXPECT_EQ(layout.offset_bits == 32 ? static_cast<int32_t>(offset) : offset, 0);
  }
  for (int i = 0; i < array.n_children; ++i) {
    ExpectZeroOffsets(*array.children[i], type.field(i).type());
  }
}

void ExpectExportsWell(const Array& array) {
  ScopedArray out;
  ASSERT_OK(ExportArray(array, &out));
  ExpectZeroOffsets(out, array.type());
  ASSERT_OK_AND_ASSIGN(const Array back,
                       ImportArray(&out, array.type(), {.level = ValidationLevel::kFull}));
  EXPECT_THAT(back, ReadsLike(array));
}

TEST(IpcExport, EmptyArraysOfEveryEngineHaveOneZeroOffset) {
  for (const char* name :
       {"arrow_rs_empty.arrows", "duckdb_empty.arrows", "java_empty.arrows",
        "nanoarrow_empty.arrows", "polars_empty.arrows", "polars_empty_file.arrow",
        "pyarrow_empty_batches.arrows", "pyarrow_lz4_empty.arrows", "java_map_single_null.arrows",
        "pyarrow_map_single_null.arrows"}) {
    for (const ValidationLevel level : {ValidationLevel::kNone, ValidationLevel::kMinimal,
                                        ValidationLevel::kDefault, ValidationLevel::kFull}) {
      const auto sidecar = Sidecar(name);
      ipc::ReadOptions options;
      options.validation = level;
      options.columns = std::vector<int>{};
      for (size_t i = 0; i < sidecar.at("fields").size(); ++i) {
        if (sidecar.at("fields")[i].dump().find("dictionary_id") == std::string::npos) {
          options.columns->push_back(static_cast<int>(i));
        }
      }
      ASSERT_OK_AND_ASSIGN(const auto batches,
                           ReadBatches(DataFile(std::string("ipc/") + name), options));
      for (const RecordBatch& batch : batches) {
        for (const Array& column : batch.columns()) ExpectExportsWell(column);
      }
    }
  }
}

TEST(IpcExport, OffsetsOfZeroBytesInFrontOfAnotherColumnsBytes) {
  // Column a holds one empty list; where its strings' offsets would be, column b's 0x55555555 are.
  const RecordBatch batch =
      RecordBatch::Make(Schema({Field("a", List(Utf8())), Field("b", Int32())}), 1,
                        {FromJson("list<utf8>", "[[]]"), Ints({0x55555555})})
          .value();
  const Buffer stream = ForgedStream(batch, [](internal::BatchBody& body) {
    // a: validity, offsets; its strings: validity, offsets, data; b: validity, values.
    body.places[3] = {body.places[6].offset(), 0};
  });
  const Buffer shared = Buffer::Borrow(stream.data(), stream.size_bytes());
  for (const Buffer& bytes : {stream, shared}) {
    for (const ValidationLevel level : {ValidationLevel::kNone, ValidationLevel::kMinimal,
                                        ValidationLevel::kDefault, ValidationLevel::kFull}) {
      ipc::ReadOptions options;
      options.validation = level;
      ASSERT_OK_AND_ASSIGN(const auto batches, ReadBatches(bytes, options));
      const Array& column = batches.at(0).column(0);
      EXPECT_EQ(LoadUnaligned<uint32_t>(column.child(0).buffer(1).data()), 0x55555555U);
      ExpectExportsWell(column);
      EXPECT_THAT(Trip(column), ReadsAs("[[]]"));
    }
  }
}

TEST(IpcExport, TruncatedOffsetsOfAnArrayWithElementsAreAnError) {
  const RecordBatch batch = BatchOf(FromJson("list<utf8>", R"([["a","b"],[]])"));
  for (const int truncated : {1, 3}) {
    const Buffer stream = ForgedStream(batch, [&](internal::BatchBody& body) {
      const auto i = static_cast<size_t>(truncated);
      body.places[i] = {body.places[i].offset(), body.places[i].length() - 4};
    });
    EXPECT_THAT(ReadBatches(stream), StatusIs(StatusCode::kInvalidArgument, "$.c"));
  }
}

TEST(IpcExport, IPC_15_ABodyLivesUntilTheLastOfManyThreadsLetsGo) {
  ASSERT_OK_AND_ASSIGN(auto batches, ReadBatches(DataFile("ipc/pyarrow_list_view.arrows")));
  const Array column = batches.at(0).column(0);
  const Values expected = Read(column);
  batches.clear();
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([copy = column, &expected]() mutable {
      for (int i = 0; i < 200; ++i) {
        const Array slice = copy.Slice(i % 6, 1);
        if (FirstDifference(Read(slice), {expected[static_cast<size_t>(i % 6)]}) != "")
          std::abort();
      }
      copy = Array();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(FirstDifference(Read(column), expected), "");
}

}  // namespace
}  // namespace sheaf
