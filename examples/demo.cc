// The main job of Sheaf, on a real file: list-views that overlap are appended to a million rows and
// stay list-views. Prints what was kept beside what a flattening builder keeps, and proves that the
// values are the same: by comparing, through an IPC file, and through an Arrow C stream to a
// consumer and back.
//
//   ./dev demo        or: build/release/examples/demo test/data/large/temperatures.arrow

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include "sheaf/array/array.h"
#include "sheaf/array/bytes.h"
#include "sheaf/array/record_batch.h"
#include "sheaf/array/record_batch_reader.h"
#include "sheaf/base/status.h"
#include "sheaf/builder/make_builder.h"
#include "sheaf/c_data/stream.h"
#include "sheaf/ipc/byte_sink.h"
#include "sheaf/ipc/file_reader.h"
#include "sheaf/ipc/file_writer.h"
#include "sheaf/type/data_type.h"

namespace {

using sheaf::Array;
using sheaf::DataType;
using sheaf::RecordBatch;
using sheaf::Status;
using sheaf::StatusOr;

constexpr int64_t kRows = 1'000'000;
constexpr int64_t kSliceBegin = 1'000;  // The slice: rows 1,000 to 6,000 of every batch.
constexpr int64_t kSliceRows = 5'000;
constexpr int64_t kStreamRows = 65'536;

/// Rows [offset, offset + length) of batch `batch` of the file.
struct Piece {
  size_t batch;
  int64_t offset;
  int64_t length;
};

/// The file, a slice of it, the file again ... until there are kRows.
std::vector<Piece> PlanPieces(const std::vector<RecordBatch>& batches) {
  std::vector<Piece> pieces;
  int64_t rows = 0;
  for (bool whole = true; rows < kRows; whole = !whole) {
    for (size_t i = 0; i < batches.size(); ++i) {
      const int64_t offset = whole ? 0 : kSliceBegin;
      const int64_t available = whole ? batches[i].num_rows() : kSliceRows;
      const int64_t length = std::min(available, kRows - rows);
      if (length > 0) pieces.push_back({i, offset, length});
      rows += length;
    }
  }
  return pieces;
}

/// The same type with lists in place of list-views: what a builder that flattens makes.
DataType Flattened(const DataType& type) {
  return sheaf::IsListView(type.id()) ? sheaf::List(type.field(0)) : type;
}

struct Built {
  Array array;
  double milliseconds = 0;
  int64_t bytes = 0;
  int64_t elements() const { return array.num_children() == 0 ? 0 : array.child(0).length(); }
};

/// Column `column` of all pieces, appended whole to one builder of `type`.
StatusOr<Built> BuildColumn(const DataType& type, int column,
                            const std::vector<RecordBatch>& batches,
                            const std::vector<Piece>& pieces) {
  const auto start = std::chrono::steady_clock::now();
  SHEAF_ASSIGN_OR_RETURN(const auto builder, sheaf::MakeBuilder(type));
  for (const Piece& piece : pieces) {
    SHEAF_RETURN_IF_ERROR(
        builder->AppendArray(batches[piece.batch].column(column), piece.offset, piece.length));
  }
  SHEAF_ASSIGN_OR_RETURN(Array array, builder->Finish());
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
  SHEAF_ASSIGN_OR_RETURN(const int64_t bytes, sheaf::UsedBytes(array));
  return Built{std::move(array), taken.count(), bytes};
}

Status Require(bool holds, const std::string& what) {
  std::printf("  %-76s %s\n", what.c_str(), holds ? "yes" : "NO");
  return holds ? sheaf::OkStatus() : Status(sheaf::StatusCode::kInternal, what + " does not hold");
}

bool ReadsLikePieces(const Array& built, int column, const std::vector<RecordBatch>& batches,
                     const std::vector<Piece>& pieces) {
  int64_t row = 0;
  for (const Piece& piece : pieces) {
    const Array source = batches[piece.batch].column(column).Slice(piece.offset, piece.length);
    if (!(built.Slice(row, piece.length) == source)) return false;
    row += piece.length;
  }
  return row == built.length();
}

/// Lists and list-views are different types: the flattened lists are compared as list-views of
/// their elements.
StatusOr<bool> ReadsLikeFlattened(const Array& kept, const Array& flattened) {
  SHEAF_ASSIGN_OR_RETURN(const auto builder, sheaf::MakeBuilder(kept.type()));
  SHEAF_RETURN_IF_ERROR(builder->AppendArray(flattened));
  SHEAF_ASSIGN_OR_RETURN(const Array views, builder->Finish());
  return views == kept;
}

/// What one builder made of one column, or of several.
struct Cost {
  int64_t elements = 0;
  int64_t bytes = 0;
  double milliseconds = 0;

  void Add(const Built& built) {
    elements += built.elements();
    bytes += built.bytes;
    milliseconds += built.milliseconds;
  }
};

/// 1,234,567
std::string Grouped(int64_t number) {
  std::string digits = std::to_string(number);
  for (auto at = static_cast<int64_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<size_t>(at), ",");
  }
  return digits;
}

void PrintCosts(const std::string& name, const Cost& kept, const Cost& flattened) {
  std::printf("%-11s", name.c_str());
  for (const Cost& cost : {kept, flattened}) {
    std::printf(" %13s %8.1f MB %8.1f ms",
                cost.elements == 0 ? "-" : Grouped(cost.elements).c_str(),
                static_cast<double>(cost.bytes) / 1e6, cost.milliseconds);
  }
  std::printf("\n");
}

double Ratio(double a, double b) { return b == 0 ? 0 : a / b; }

void PrintTotals(const Cost& kept, const Cost& flattened, const std::string& dearer) {
  PrintCosts("all", kept, flattened);
  std::printf("\nFlattened: %.0f times the elements, %.1f times the bytes, %.0f times the time.\n",
              Ratio(static_cast<double>(flattened.elements), static_cast<double>(kept.elements)),
              Ratio(static_cast<double>(flattened.bytes), static_cast<double>(kept.bytes)),
              Ratio(flattened.milliseconds, kept.milliseconds));
  std::printf(
      "%s costs more as a list-view: its lists share nothing, and each row has a size as well.\n\n",
      dearer.empty() ? "No column" : dearer.c_str());
}

/// The columns of the result, kept as list-views; prints what each costs and checks that it reads
/// right.
StatusOr<std::vector<Array>> BuildAndCompare(const std::vector<RecordBatch>& batches,
                                             const std::vector<Piece>& pieces) {
  std::printf("%-11s %37s %37s\n", "", "list-views kept", "flattened to lists");
  std::printf("%-11s %13s %11s %11s %13s %11s %11s\n", "column", "elements", "bytes", "time",
              "elements", "bytes", "time");
  std::vector<Array> columns;
  Cost kept_total;
  Cost flattened_total;
  std::string dearer;
  bool same = true;
  const sheaf::Schema& schema = batches.front().schema();
  for (int i = 0; i < schema.num_fields(); ++i) {
    const DataType& type = schema.field(i).type();
    SHEAF_ASSIGN_OR_RETURN(const Built kept, BuildColumn(type, i, batches, pieces));
    SHEAF_ASSIGN_OR_RETURN(const Built flattened, BuildColumn(Flattened(type), i, batches, pieces));
    Cost kept_cost;
    Cost flattened_cost;
    for (Cost* cost : {&kept_cost, &kept_total}) cost->Add(kept);
    for (Cost* cost : {&flattened_cost, &flattened_total}) cost->Add(flattened);
    PrintCosts(schema.field(i).name(), kept_cost, flattened_cost);
    if (kept.bytes > flattened.bytes) dearer = schema.field(i).name();
    same = same && ReadsLikePieces(kept.array, i, batches, pieces);
    SHEAF_ASSIGN_OR_RETURN(const bool as_flattened,
                           ReadsLikeFlattened(kept.array, flattened.array));
    same = same && as_flattened;
    columns.push_back(kept.array);
  }
  PrintTotals(kept_total, flattened_total, dearer);
  std::printf("Are the values the same?\n");
  SHEAF_RETURN_IF_ERROR(Require(same, "every row as in the file, and as in the flattened lists"));
  return columns;
}

/// Writes the batch as an IPC file, maps it back in, compares.
Status CheckThroughFile(const RecordBatch& batch) {
  std::string path = "/tmp/sheaf_demo.XXXXXX";
  const int descriptor = ::mkstemp(path.data());
  if (descriptor < 0) return {sheaf::StatusCode::kUnknown, "cannot make a file in /tmp"};
  ::unlink(path.c_str());  // Gone with its last reader.
  const auto sink = sheaf::ipc::MakeDescriptorSink(descriptor);
  SHEAF_ASSIGN_OR_RETURN(auto writer, sheaf::ipc::FileWriter::Open(batch.schema(), sink.get()));
  SHEAF_RETURN_IF_ERROR(writer.Write(batch));
  SHEAF_RETURN_IF_ERROR(writer.Close());
  const std::string still_there = "/proc/self/fd/" + std::to_string(descriptor);
  SHEAF_ASSIGN_OR_RETURN(const auto reader, sheaf::ipc::FileReader::OpenPath(still_there));
  ::close(descriptor);
  SHEAF_ASSIGN_OR_RETURN(const RecordBatch read, reader.Batch(0));
  char what[96];
  std::snprintf(what, sizeof(what), "written as an Arrow IPC file of %.1f MB and read back",
                static_cast<double>(writer.bytes_written()) / 1e6);
  return Require(read == batch, what);
}

/// The rows of a batch in slices.
class SlicingReader final : public sheaf::RecordBatchReader {
 public:
  explicit SlicingReader(RecordBatch batch) : batch_(std::move(batch)) {}
  const sheaf::Schema& schema() const noexcept override { return batch_.schema(); }
  StatusOr<std::optional<RecordBatch>> Next() override {
    if (next_row_ == batch_.num_rows()) return std::nullopt;
    RecordBatch slice = batch_.Slice(next_row_, kStreamRows);
    next_row_ += slice.num_rows();
    return slice;
  }

 private:
  RecordBatch batch_;
  int64_t next_row_ = 0;
};

/// Some engine: knows nothing of Sheaf, only the Arrow C stream interface. It takes a stream in,
/// reads the raw offsets, sizes and elements of one list-view column, and hands the batches on
/// through a stream of its own.
struct Engine {
  ArrowArrayStream input;
  int column;
  int64_t rows = 0;
  int64_t readings = 0;
  float warmest = -1000;

  void Read(const ArrowArray& batch) {
    const ArrowArray& views = *batch.children[column];
    const auto* offsets = static_cast<const int32_t*>(views.buffers[1]);
    const auto* sizes = static_cast<const int32_t*>(views.buffers[2]);
    const auto* elements = static_cast<const float*>(views.children[0]->buffers[1]);
    for (int64_t row = 0; row < views.length; ++row) {
      const float* list = elements + views.children[0]->offset + offsets[views.offset + row];
      const int32_t size = sizes[views.offset + row];
      for (int32_t i = 0; i < size; ++i) warmest = std::max(warmest, list[i]);
      readings += size;
    }
    rows += batch.length;
  }

  ArrowArrayStream Output() {
    return {
        .get_schema =
            [](ArrowArrayStream* self, ArrowSchema* out) {
              return Of(self).input.get_schema(&Of(self).input, out);
            },
        .get_next =
            [](ArrowArrayStream* self, ArrowArray* out) {
              const int error = Of(self).input.get_next(&Of(self).input, out);
              if (error == 0 && out->release != nullptr) Of(self).Read(*out);
              return error;
            },
        .get_last_error =
            [](ArrowArrayStream* self) { return Of(self).input.get_last_error(&Of(self).input); },
        .release =
            [](ArrowArrayStream* self) {
              Of(self).input.release(&Of(self).input);
              self->release = nullptr;
            },
        .private_data = this};
  }
  static Engine& Of(ArrowArrayStream* self) { return *static_cast<Engine*>(self->private_data); }
};

/// Hands the batch to the engine as a stream, takes the engine's stream in, compares.
Status CheckThroughStream(const RecordBatch& batch) {
  SHEAF_ASSIGN_OR_RETURN(const int column, batch.schema().FieldIndex("last_24h"));
  Engine engine{.input = {}, .column = column};
  SHEAF_RETURN_IF_ERROR(sheaf::ExportStream(std::make_unique<SlicingReader>(batch), &engine.input));
  ArrowArrayStream output = engine.Output();
  SHEAF_ASSIGN_OR_RETURN(const auto reader, sheaf::ImportStream(&output));
  bool same = true;
  int64_t row = 0;
  while (true) {
    SHEAF_ASSIGN_OR_RETURN(const std::optional<RecordBatch> back, reader->Next());
    if (!back.has_value()) break;
    same = same && *back == batch.Slice(row, back->num_rows());
    row += back->num_rows();
  }
  SHEAF_RETURN_IF_ERROR(
      Require(same && row == batch.num_rows(),
              "handed to a consumer through an ArrowArrayStream, and taken back"));
  std::printf("  (the consumer read %s rows of last_24h, %s readings, the warmest %.1f F)\n",
              Grouped(engine.rows).c_str(), Grouped(engine.readings).c_str(),
              static_cast<double>(engine.warmest));
  return sheaf::OkStatus();
}

Status Run(const std::string& path) {
  SHEAF_ASSIGN_OR_RETURN(const auto file, sheaf::ipc::FileReader::OpenPath(path));
  std::vector<RecordBatch> batches;
  int64_t file_rows = 0;
  for (int i = 0; i < file.num_batches(); ++i) {
    SHEAF_ASSIGN_OR_RETURN(RecordBatch batch, file.Batch(i));
    if (batch.num_rows() < kSliceBegin + kSliceRows) {
      return {sheaf::StatusCode::kInvalidArgument, "a batch has too few rows to take the slice of"};
    }
    file_rows += batch.num_rows();
    batches.push_back(std::move(batch));
  }
  if (batches.empty()) return {sheaf::StatusCode::kInvalidArgument, "there is no batch"};
  const std::vector<Piece> pieces = PlanPieces(batches);
  std::printf("%s: %d batches, %s rows of hourly temperatures\n%s\n", path.c_str(),
              file.num_batches(), Grouped(file_rows).c_str(), file.schema().ToString().c_str());
  std::printf(
      "Appended with itself and with rows %s to %s of itself, in %zu whole arrays, until %s "
      "rows:\n\n",
      Grouped(kSliceBegin).c_str(), Grouped(kSliceBegin + kSliceRows).c_str(), pieces.size(),
      Grouped(kRows).c_str());
  SHEAF_ASSIGN_OR_RETURN(std::vector<Array> columns, BuildAndCompare(batches, pieces));
  SHEAF_ASSIGN_OR_RETURN(const RecordBatch result,
                         RecordBatch::Make(file.schema(), kRows, std::move(columns)));
  SHEAF_RETURN_IF_ERROR(CheckThroughFile(result));
  return CheckThroughStream(result);
}

}  // namespace

int main(int argc, char** argv) {
  const Status status = Run(argc > 1 ? argv[1] : "test/data/large/temperatures.arrow");
  if (status.ok()) return EXIT_SUCCESS;
  std::fprintf(stderr, "demo: %s\n", status.ToString().c_str());
  return EXIT_FAILURE;
}
