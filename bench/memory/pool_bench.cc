#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <memory_resource>
#include <new>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "sheaf/memory/memory_pool.h"

// Memory for a result, taken, filled and given back; and the small blocks of many arrays. `system`
// is malloc, whichever the process has: `pool_table.py` runs these with others preloaded.
namespace sheaf {
namespace {

constexpr int64_t kKiB = 1024;
constexpr int64_t kStepBytes = 64 * kKiB;

/// A pool's blocks for what asks a memory resource.
class PoolResource final : public std::pmr::memory_resource {
 public:
  explicit PoolResource(MemoryPool* pool) : pool_(pool) {}

 private:
  void* do_allocate(size_t bytes, size_t /*alignment*/) override {
    void* block = pool_->Allocate(static_cast<int64_t>(bytes));
    if (block == nullptr) throw std::bad_alloc();
    return block;
  }
  void do_deallocate(void* block, size_t bytes, size_t /*alignment*/) override {
    pool_->Free(static_cast<uint8_t*>(block), static_cast<int64_t>(bytes));
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  MemoryPool* pool_;
};

MemoryPool* PoolNamed(const std::string& name) {
  static const std::unique_ptr<MemoryPool> warm = MakeWarmPool();
  static const std::unique_ptr<MemoryPool> system = MakeSystemPool();
  // What the standard library has for small blocks: its own slabs, one set a thread, and a lock;
  // over new and delete, and over pages of a stock.
  constexpr std::pmr::pool_options kOptions = {.max_blocks_per_chunk = 0,
                                               .largest_required_pool_block = 32 * kKiB};
  static PoolResource pages(warm.get());
  static std::pmr::synchronized_pool_resource over_new(kOptions);
  static std::pmr::synchronized_pool_resource over_stock(kOptions, &pages);
  static const std::unique_ptr<MemoryPool> pmr = MakePmrPool(&over_new);
  static const std::unique_ptr<MemoryPool> pmr_stock = MakePmrPool(&over_stock);
  if (name == "pmr") return pmr.get();
  if (name == "pmr_stock") return pmr_stock.get();
  return name == "system" ? system.get() : warm.get();
}

/// A result whose size is known before.
void AtOnce(benchmark::State& state, MemoryPool* pool, int64_t size_bytes) {
  for (auto _ : state) {
    uint8_t* block = pool->Allocate(size_bytes);
    if (block == nullptr) return state.SkipWithError("refused");
    std::memset(block, 1, static_cast<size_t>(size_bytes));
    benchmark::DoNotOptimize(block);
    pool->Free(block, size_bytes);
  }
}

/// A result that grows by appends of 64 KiB, as a builder's memory does: its room doubles.
void Growing(benchmark::State& state, MemoryPool* pool, int64_t size_bytes) {
  for (auto _ : state) {
    int64_t room_bytes = kStepBytes;
    uint8_t* block = pool->Allocate(room_bytes);
    for (int64_t filled = 0; filled < size_bytes; filled += kStepBytes) {
      if (filled == room_bytes) {
        block = pool->Reallocate(block, room_bytes, 2 * room_bytes);
        room_bytes *= 2;
      }
      if (block == nullptr) return state.SkipWithError("refused");
      std::memset(block + filled, 1, static_cast<size_t>(kStepBytes));
    }
    benchmark::DoNotOptimize(block);
    pool->Free(block, room_bytes);
  }
}

/// The blocks of 1,000 arrays of a few lists, made and dropped.
void SmallBlocks(benchmark::State& state, MemoryPool* pool) {
  constexpr int64_t kSizes[] = {192, 192, 320, 256, 128};
  std::vector<uint8_t*> blocks(5000);
  for (auto _ : state) {
    for (size_t i = 0; i < blocks.size(); ++i) {
      blocks[i] = pool->Allocate(kSizes[i % 5]);
      blocks[i][0] = 1;
    }
    for (size_t i = 0; i < blocks.size(); ++i) pool->Free(blocks[i], kSizes[i % 5]);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(blocks.size()));
}

std::string SizeName(int64_t size_bytes) {
  if (size_bytes >= kKiB * kKiB) return std::to_string(size_bytes / kKiB / kKiB) + "MiB";
  return std::to_string(size_bytes / kKiB) + "KiB";
}

void RegisterSize(const std::string& pool, int64_t size_bytes, int threads) {
  const std::string row = "/" + pool + "/" + SizeName(size_bytes);
  benchmark::RegisterBenchmark(
      ("pool_at_once" + row).c_str(),
      [=](benchmark::State& state) { AtOnce(state, PoolNamed(pool), size_bytes); })
      ->Threads(threads)
      ->UseRealTime();
  benchmark::RegisterBenchmark(
      ("pool_growing" + row).c_str(),
      [=](benchmark::State& state) { Growing(state, PoolNamed(pool), size_bytes); })
      ->Threads(threads)
      ->UseRealTime();
}

void RegisterSmall(const std::string& pool, int threads) {
  benchmark::RegisterBenchmark(
      ("pool_small/" + pool).c_str(),
      [=](benchmark::State& state) { SmallBlocks(state, PoolNamed(pool)); })
      ->Threads(threads)
      ->UseRealTime();
}

/// A few rows always; with SHEAF_BENCH_POOL=all every size, with one and with four threads (up to 4
/// GiB).
bool RegisterAll() {
  const char* wanted = std::getenv("SHEAF_BENCH_POOL");
  const bool all = wanted != nullptr && std::string(wanted) == "all";
  for (const std::string pool : {"warm", "system"}) {
    for (const int64_t mib : {8, 64}) RegisterSize(pool, mib * kKiB * kKiB, 1);
    if (!all) continue;
    for (const int64_t kib : {64, 256, 512, 1024, 262'144, 1'048'576})
      RegisterSize(pool, kib * kKiB, 1);
    for (const int64_t kib : {64, 256, 512, 1024, 8192, 65'536, 262'144, 1'048'576}) {
      RegisterSize(pool, kib * kKiB, 4);
    }
  }
  for (const std::string pool : {"warm", "system", "pmr", "pmr_stock"}) {
    RegisterSmall(pool, 1);
    if (all) RegisterSmall(pool, 4);
  }
  return true;
}
[[maybe_unused]] const bool registered = RegisterAll();

}  // namespace
}  // namespace sheaf
