#include <xsimd/xsimd.hpp>

#include "kernels/loops/make_table.h"
#include "kernels/targets/targets.h"

namespace sheaf::inline v1::kernels {
namespace {

struct Sse4_2Target {
  template <typename T>
  using Vector = xsimd::batch<T, xsimd::sse4_2>;

  static Vector<int32_t> PrefixSums(Vector<int32_t> x) noexcept {
    const __m128i pairs = _mm_add_epi32(x, _mm_slli_si128(x, 4));
    return _mm_add_epi32(pairs, _mm_slli_si128(pairs, 8));
  }
  static Vector<int64_t> PrefixSums(Vector<int64_t> x) noexcept {
    return _mm_add_epi64(x, _mm_slli_si128(x, 8));
  }
  static Vector<int32_t> Last(Vector<int32_t> x) noexcept { return _mm_shuffle_epi32(x, 0xFF); }
  static Vector<int64_t> Last(Vector<int64_t> x) noexcept { return _mm_unpackhi_epi64(x, x); }
  static bool AnyNegative(Vector<int32_t> x) noexcept {
    return _mm_movemask_ps(_mm_castsi128_ps(x)) != 0;
  }
  static bool AnyNegative(Vector<int64_t> x) noexcept {
    return _mm_movemask_pd(_mm_castsi128_pd(x)) != 0;
  }
  static Vector<uint8_t> Upper(Vector<uint8_t> x) noexcept { return _mm_srli_epi16(x, 4); }
  static Vector<uint8_t> LookUp(Vector<uint8_t> table, Vector<uint8_t> x) noexcept {
    return _mm_shuffle_epi8(table, x);
  }
  static Vector<uint64_t> SumsOfEight(Vector<uint8_t> x) noexcept {
    return _mm_sad_epu8(x, _mm_setzero_si128());
  }
};

}  // namespace

constinit const Kernels kSse4_2 = loops::MakeTable<Sse4_2Target>("sse4_2");

}  // namespace sheaf::inline v1::kernels
