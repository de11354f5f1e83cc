#include <xsimd/xsimd.hpp>

#include "kernels/loops/make_table.h"
#include "kernels/targets/targets.h"

namespace sheaf::inline v1::kernels {
namespace {

struct Avx512bwTarget {
  template <typename T>
  using Vector = xsimd::batch<T, xsimd::avx512bw>;

  static Vector<int32_t> PrefixSums(Vector<int32_t> x) noexcept {
    const __m512i zero = _mm512_setzero_si512();
    __m512i sums = x;
    sums = _mm512_add_epi32(sums, _mm512_alignr_epi32(sums, zero, 15));
    sums = _mm512_add_epi32(sums, _mm512_alignr_epi32(sums, zero, 14));
    sums = _mm512_add_epi32(sums, _mm512_alignr_epi32(sums, zero, 12));
    return _mm512_add_epi32(sums, _mm512_alignr_epi32(sums, zero, 8));
  }
  static Vector<int64_t> PrefixSums(Vector<int64_t> x) noexcept {
    const __m512i zero = _mm512_setzero_si512();
    __m512i sums = x;
    sums = _mm512_add_epi64(sums, _mm512_alignr_epi64(sums, zero, 7));
    sums = _mm512_add_epi64(sums, _mm512_alignr_epi64(sums, zero, 6));
    return _mm512_add_epi64(sums, _mm512_alignr_epi64(sums, zero, 4));
  }
  static Vector<int32_t> Last(Vector<int32_t> x) noexcept {
    return _mm512_permutexvar_epi32(_mm512_set1_epi32(15), x);
  }
  static Vector<int64_t> Last(Vector<int64_t> x) noexcept {
    return _mm512_permutexvar_epi64(_mm512_set1_epi64(7), x);
  }
  static bool AnyNegative(Vector<int32_t> x) noexcept { return _mm512_movepi32_mask(x) != 0; }
  static bool AnyNegative(Vector<int64_t> x) noexcept { return _mm512_movepi64_mask(x) != 0; }
  static Vector<uint8_t> Upper(Vector<uint8_t> x) noexcept { return _mm512_srli_epi16(x, 4); }
  static Vector<uint8_t> LookUp(Vector<uint8_t> table, Vector<uint8_t> x) noexcept {
    return _mm512_shuffle_epi8(table, x);
  }
  static Vector<uint64_t> SumsOfEight(Vector<uint8_t> x) noexcept {
    return _mm512_sad_epu8(x, _mm512_setzero_si512());
  }

  static __m512i Gathered(loops::Width<4>, const uint8_t* values, const int32_t* at) noexcept {
    return _mm512_i32gather_epi32(_mm512_loadu_si512(at), values, 4);
  }
  static __m512i Gathered(loops::Width<8>, const uint8_t* values, const int32_t* at) noexcept {
    const __m256i indices = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
    return _mm512_i32gather_epi64(indices, values, 8);
  }
  static __m256i Gathered(loops::Width<4>, const uint8_t* values, const int64_t* at) noexcept {
    return _mm512_i64gather_epi32(_mm512_loadu_si512(at), values, 4);
  }
  static __m512i Gathered(loops::Width<8>, const uint8_t* values, const int64_t* at) noexcept {
    return _mm512_i64gather_epi64(_mm512_loadu_si512(at), values, 8);
  }
};

}  // namespace

constinit const Kernels kAvx512bw = loops::MakeTable<Avx512bwTarget>("avx512bw");

}  // namespace sheaf::inline v1::kernels
