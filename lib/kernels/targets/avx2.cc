#include <xsimd/xsimd.hpp>

#include "kernels/loops/make_table.h"
#include "kernels/targets/targets.h"

namespace sheaf::inline v1::kernels {
namespace {

struct Avx2Target {
  template <typename T>
  using Vector = xsimd::batch<T, xsimd::avx2>;

  // Of each half for itself; then the lower half's last goes to the upper one.
  static Vector<int32_t> PrefixSums(Vector<int32_t> x) noexcept {
    const __m256i pairs = _mm256_add_epi32(x, _mm256_slli_si256(x, 4));
    const __m256i halves = _mm256_add_epi32(pairs, _mm256_slli_si256(pairs, 8));
    const __m256i lasts = _mm256_shuffle_epi32(halves, 0xFF);
    return _mm256_add_epi32(halves, _mm256_permute2x128_si256(lasts, lasts, 0x08));
  }
  static Vector<int64_t> PrefixSums(Vector<int64_t> x) noexcept {
    const __m256i halves = _mm256_add_epi64(x, _mm256_slli_si256(x, 8));
    const __m256i lasts = _mm256_unpackhi_epi64(halves, halves);
    return _mm256_add_epi64(halves, _mm256_permute2x128_si256(lasts, lasts, 0x08));
  }
  static Vector<int32_t> Last(Vector<int32_t> x) noexcept {
    return _mm256_permutevar8x32_epi32(x, _mm256_set1_epi32(7));
  }
  static Vector<int64_t> Last(Vector<int64_t> x) noexcept {
    return _mm256_permute4x64_epi64(x, 0xFF);
  }
  static bool AnyNegative(Vector<int32_t> x) noexcept {
    return _mm256_movemask_ps(_mm256_castsi256_ps(x)) != 0;
  }
  static bool AnyNegative(Vector<int64_t> x) noexcept {
    return _mm256_movemask_pd(_mm256_castsi256_pd(x)) != 0;
  }
  static Vector<uint8_t> Upper(Vector<uint8_t> x) noexcept { return _mm256_srli_epi16(x, 4); }
  static Vector<uint8_t> LookUp(Vector<uint8_t> table, Vector<uint8_t> x) noexcept {
    return _mm256_shuffle_epi8(table, x);
  }
  static Vector<uint64_t> SumsOfEight(Vector<uint8_t> x) noexcept {
    return _mm256_sad_epu8(x, _mm256_setzero_si256());
  }

  // Of 8 bytes, and by indices of 64 bits, gathers of four gain nothing in the first cache.
  static __m256i Gathered(loops::Width<4>, const uint8_t* values, const int32_t* at) noexcept {
    const __m256i indices = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
    return _mm256_i32gather_epi32(reinterpret_cast<const int*>(values), indices, 4);
  }
};

}  // namespace

constinit const Kernels kAvx2 = loops::MakeTable<Avx2Target>("avx2");

}  // namespace sheaf::inline v1::kernels
