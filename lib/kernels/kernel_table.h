#pragma once

#include <cstdint>
#include <span>

#include "kernels/view_stats.h"

namespace sheaf::inline v1::kernels {

/// One row a kernel: the loops of one target. A kernel takes pointers and lengths and cannot fail.
struct Kernels {
  const char* target;
  void (*scan_views_32)(const int32_t* offsets, const int32_t* sizes, int64_t length,
                        int64_t elements, ViewScan* scan) noexcept;
  void (*scan_views_64)(const int64_t* offsets, const int64_t* sizes, int64_t length,
                        int64_t elements, ViewScan* scan) noexcept;

  void ScanViews(const int32_t* offsets, const int32_t* sizes, int64_t length, int64_t elements,
                 ViewScan* scan) const noexcept {
    scan_views_32(offsets, sizes, length, elements, scan);
  }
  void ScanViews(const int64_t* offsets, const int64_t* sizes, int64_t length, int64_t elements,
                 ViewScan* scan) const noexcept {
    scan_views_64(offsets, sizes, length, elements, scan);
  }
};

/// The table every machine can run.
const Kernels& Scalar() noexcept;

/// The tables this machine can run, best first; the last is the scalar one.
std::span<const Kernels* const> Runnable() noexcept;

/// The best table, or the one that the environment variable SHEAF_KERNELS names. Chosen once.
const Kernels& Best() noexcept;

}  // namespace sheaf::inline v1::kernels
