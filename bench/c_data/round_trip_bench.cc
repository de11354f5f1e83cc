#include <chrono>
#include <string>

#include <benchmark/benchmark.h>

#include "sheaf/array/record_batch.h"
#include "sheaf/c_data/export.h"
#include "sheaf/c_data/import.h"
#include "workloads/list_views.h"

// A wide batch handed to another engine and back: what a column costs, as no data is copied.
namespace sheaf {
namespace {

StatusOr<RecordBatch> RoundTrip(const RecordBatch& batch) {
  ArrowArray array;
  ArrowSchema schema;
  SHEAF_RETURN_IF_ERROR(ExportRecordBatch(batch, &array, &schema));
  return ImportRecordBatch(&array, &schema);
}

/// The schema goes along; the imported batch is given up outside the timed region.
void CDataRoundTrip(benchmark::State& state) {
  const RecordBatch batch = workloads::WideLists(state.range(0), /*rows=*/8, /*list_size=*/4);
  if (auto once = RoundTrip(batch); !once.ok() || !(*once == batch)) {
    return state.SkipWithError("the batch did not come back as it was");
  }
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    const StatusOr<RecordBatch> result = RoundTrip(batch);
    benchmark::DoNotOptimize(result);
    const auto end = std::chrono::steady_clock::now();
    state.SetIterationTime(std::chrono::duration<double>(end - start).count());
  }
}
BENCHMARK(CDataRoundTrip)
    ->Name("cdata_roundtrip")
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond)
    ->Args({10000});

}  // namespace
}  // namespace sheaf
