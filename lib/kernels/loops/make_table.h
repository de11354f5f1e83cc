#pragma once

#include <cstdint>

#include "kernels/kernel_table.h"
#include "kernels/loops/bitmap_bits.h"
#include "kernels/loops/fill.h"
#include "kernels/loops/gather.h"
#include "kernels/loops/hash_bytes.h"
#include "kernels/loops/narrow_integers.h"
#include "kernels/loops/scan_sizes.h"
#include "kernels/loops/shift_views.h"
#include "kernels/loops/view_stats.h"

namespace sheaf::inline v1::kernels::loops {

/// The rows of one target.
template <typename Target>
struct TableOf {
  template <typename Offset>
  static constexpr ViewLoops<Offset> kViews{&ScanViews<Target, Offset>};

  template <typename In, typename Out>
  static constexpr OffsetLoops<In, Out> kOffsets{
      &ShiftOffsets<Target, In, Out>,   &TryShiftOffsets<Target, In, Out>,
      &ClampAndShift<Target, In, Out>,  &CopyIntegers<Target, In, Out>,
      &SizesOfOffsets<Target, In, Out>, &EndsOfSizes<Target, In, Out>};

  template <typename In, typename Out>
  static constexpr NarrowLoops<In, Out> kNarrow{&TryNarrow<Target, In, Out>};

  template <typename Index>
  static constexpr GatherLoops<Index> kGather{{&Gather<Target, 1, Index>, &Gather<Target, 2, Index>,
                                               &Gather<Target, 4, Index>, &Gather<Target, 8, Index>,
                                               &Gather<Target, 16, Index>}};

  static constexpr Kernels Make(const char* name) noexcept {
    return {kViews<int32_t>,
            kViews<int64_t>,
            kOffsets<int32_t, int32_t>,
            kOffsets<int32_t, int64_t>,
            kOffsets<int64_t, int32_t>,
            kOffsets<int64_t, int64_t>,
            kNarrow<int64_t, int32_t>,
            kNarrow<int64_t, int16_t>,
            kNarrow<int64_t, int8_t>,
            kNarrow<int64_t, uint32_t>,
            kNarrow<int64_t, uint16_t>,
            kNarrow<int64_t, uint8_t>,
            kNarrow<int32_t, int16_t>,
            kNarrow<int32_t, int8_t>,
            kNarrow<int32_t, uint16_t>,
            kNarrow<int32_t, uint8_t>,
            {&FillSteps<Target, int32_t>},
            {&FillSteps<Target, int64_t>},
            {&FillPattern<Target>},
            kGather<int32_t>,
            kGather<int64_t>,
            {&CountWords<Target>, &CopyWords<Target>, &AndWords<Target>},
            {&HashBytes<Target>},
            name};
  }
};

template <typename Target>
constexpr Kernels MakeTable(const char* name) noexcept {
  return TableOf<Target>::Make(name);
}

}  // namespace sheaf::inline v1::kernels::loops
