#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "sheaf/engines/duckdb_layout.h"

// Lists of a DuckDB vector taken apart into offsets and sizes, and put together, beside the loop
// one would write: 2048 rows are a vector of DuckDB's, a million a whole column.
namespace sheaf {
namespace {

struct Entry {
  uint64_t offset;
  uint64_t length;
};

constexpr uint64_t kListSize = 5;

template <typename Offset>
struct Lists {
  explicit Lists(int64_t rows)
      : entries(static_cast<size_t>(rows)),
        offsets(entries.size()),
        sizes(entries.size()),
        elements(rows * static_cast<int64_t>(kListSize)) {
    for (uint64_t i = 0; i < entries.size(); ++i) entries[i] = {i * kListSize, kListSize};
    for (size_t i = 0; i < entries.size(); ++i) {
      offsets[i] = static_cast<Offset>(entries[i].offset);
      sizes[i] = static_cast<Offset>(entries[i].length);
    }
  }
  std::vector<Entry> entries;
  std::vector<Offset> offsets;
  std::vector<Offset> sizes;
  int64_t elements;
};

/// The loop that is asked of a compiler: no vectors in the source, every entry checked.
template <typename Offset>
[[gnu::noinline]] bool PlainSplit(const Entry* entries, int64_t n, uint64_t elements,
                                  Offset* offsets, Offset* sizes) {
  bool good = true;
  for (int64_t i = 0; i < n; ++i) {
    good &= entries[i].offset <= elements && entries[i].length <= elements - entries[i].offset;
    offsets[i] = static_cast<Offset>(entries[i].offset);
    sizes[i] = static_cast<Offset>(entries[i].length);
  }
  return good;
}

template <typename Offset>
[[gnu::noinline]] void PlainJoin(const Offset* offsets, const Offset* sizes, int64_t n,
                                 Entry* entries) {
  for (int64_t i = 0; i < n; ++i)
    entries[i] = {static_cast<uint64_t>(offsets[i]), static_cast<uint64_t>(sizes[i])};
}

template <typename Offset>
void SplitByLoop(benchmark::State& state) {
  Lists<Offset> lists(state.range(0));
  for (auto _ : state) {
    benchmark::DoNotOptimize(PlainSplit(lists.entries.data(), state.range(0),
                                        static_cast<uint64_t>(lists.elements), lists.offsets.data(),
                                        lists.sizes.data()));
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

template <typename Offset>
void Split(benchmark::State& state) {
  Lists<Offset> lists(state.range(0));
  const engines::DuckDbLists<Entry> rows{lists.entries.data(), state.range(0)};
  if (engines::SplitEntries(rows, lists.elements, lists.offsets.data(), lists.sizes.data()) >= 0)
    return state.SkipWithError("entries out of bounds");
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        engines::SplitEntries(rows, lists.elements, lists.offsets.data(), lists.sizes.data()));
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

template <typename Offset>
void JoinByLoop(benchmark::State& state) {
  Lists<Offset> lists(state.range(0));
  for (auto _ : state) {
    PlainJoin(lists.offsets.data(), lists.sizes.data(), state.range(0), lists.entries.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

template <typename Offset>
void Join(benchmark::State& state) {
  Lists<Offset> lists(state.range(0));
  for (auto _ : state) {
    engines::JoinEntries(lists.offsets.data(), lists.sizes.data(), state.range(0),
                         lists.entries.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

template <typename Offset>
bool Register() {
  const std::string bits = std::to_string(8 * sizeof(Offset));
  for (const auto& [name, run] : {std::pair{"split/loop/", &SplitByLoop<Offset>},
                                  {"split/sheaf/", &Split<Offset>},
                                  {"join/loop/", &JoinByLoop<Offset>},
                                  {"join/sheaf/", &Join<Offset>}}) {
    benchmark::RegisterBenchmark(("duckdb_entries/" + (name + bits)).c_str(), run)
        ->Arg(2048)
        ->Arg(1 << 20);
  }
  return true;
}

const bool registered = Register<int32_t>() && Register<int64_t>();

}  // namespace
}  // namespace sheaf
