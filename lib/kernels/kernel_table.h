#pragma once

#include <cstdint>
#include <span>

namespace sheaf::inline v1::kernels {

struct ViewScan;

// The loops of one target, in groups of one type pair each. A kernel takes pointers and lengths and
// cannot fail. What each does, and what it expects, is said beside the function that callers use:
// `ShiftOffsets` in kernels/shift_views.h, and so on.

template <typename Offset>
struct ViewLoops {
  void (*scan_views)(const Offset* offsets, const Offset* sizes, int64_t length, int64_t elements,
                     ViewScan* scan) noexcept;
};

template <typename In, typename Out>
struct OffsetLoops {
  void (*shift)(const In* in, int64_t n, int64_t delta, Out* out) noexcept;
  bool (*try_shift)(const In* in, int64_t n, int64_t delta, Out* out) noexcept;
  void (*clamp_and_shift)(const In* in, int64_t n, int64_t shift, int64_t least, int64_t most,
                          int64_t delta, Out* out) noexcept;
  void (*copy)(const In* in, int64_t n, Out* out) noexcept;
  void (*sizes_of_offsets)(const In* offsets, int64_t n, Out* out) noexcept;
  int64_t (*ends_of_sizes)(const In* sizes, int64_t n, int64_t start, Out* out) noexcept;
};

template <typename In, typename Out>
struct NarrowLoops {
  bool (*try_narrow)(const In* in, int64_t n, Out* out) noexcept;
};

template <typename Out>
struct StepLoops {
  void (*fill_steps)(int64_t first, int64_t step, int64_t n, Out* out) noexcept;
};

struct PatternLoops {
  void (*fill_pattern)(const uint8_t* pattern, int64_t width, int64_t n, uint8_t* out) noexcept;
};

/// `gather[k]` is for values of 2^k bytes.
template <typename Index>
struct GatherLoops {
  static constexpr int kWidths = 5;
  void (*gather[kWidths])(const uint8_t* values, const Index* indices, int64_t n,
                          uint8_t* out) noexcept;
};

/// Whole words of 64 bits; `shift` is the bit of the first byte at which they begin, 0 to 7.
struct BitLoops {
  int64_t (*count_words)(const uint8_t* bytes, int64_t words) noexcept;
  void (*copy_words)(const uint8_t* bytes, int shift, int64_t words, uint8_t* out) noexcept;
  void (*and_words)(const uint8_t* a, int a_shift, const uint8_t* b, int b_shift, int64_t words,
                    uint8_t* out) noexcept;
};

struct HashLoops {
  uint64_t (*hash_bytes)(const void* bytes, int64_t size, uint64_t seed) noexcept;
};

/// One table a target. `table.Of<OffsetLoops<int32_t, int64_t>>().shift(…)` calls its loop.
struct Kernels : ViewLoops<int32_t>,
                 ViewLoops<int64_t>,
                 OffsetLoops<int32_t, int32_t>,
                 OffsetLoops<int32_t, int64_t>,
                 OffsetLoops<int64_t, int32_t>,
                 OffsetLoops<int64_t, int64_t>,
                 NarrowLoops<int64_t, int32_t>,
                 NarrowLoops<int64_t, int16_t>,
                 NarrowLoops<int64_t, int8_t>,
                 NarrowLoops<int64_t, uint32_t>,
                 NarrowLoops<int64_t, uint16_t>,
                 NarrowLoops<int64_t, uint8_t>,
                 NarrowLoops<int32_t, int16_t>,
                 NarrowLoops<int32_t, int8_t>,
                 NarrowLoops<int32_t, uint16_t>,
                 NarrowLoops<int32_t, uint8_t>,
                 StepLoops<int32_t>,
                 StepLoops<int64_t>,
                 PatternLoops,
                 GatherLoops<int32_t>,
                 GatherLoops<int64_t>,
                 BitLoops,
                 HashLoops {
  const char* target;

  template <typename Loops>
  const Loops& Of() const noexcept {
    return *this;
  }
};

/// The tables this machine can run, best first; the last is the scalar one.
std::span<const Kernels* const> Runnable() noexcept;

namespace internal {
// The scalar table until this library's initialisers have run: it gives the same results.
extern const Kernels* best;
}  // namespace internal

/// The best table, or the one that the environment variable SHEAF_KERNELS names (scalar, sse4_2,
/// avx2, avx512bw). Chosen once, when the library is loaded; a name that this machine cannot run,
/// or that nobody knows, is as if it were not there.
inline const Kernels& Best() noexcept { return *internal::best; }

/// Up to here a loop in place costs less than a call through the table:
/// bench/kernels/in_place_bench.cc.
inline constexpr int64_t kShortRun = 8;

}  // namespace sheaf::inline v1::kernels
