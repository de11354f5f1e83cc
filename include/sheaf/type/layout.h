#pragma once

#include <array>
#include <cstdint>

#include "sheaf/base/export.h"
#include "sheaf/type/data_type.h"
#include "sheaf/type/type_id.h"

namespace sheaf::inline v1 {

/// What a buffer holds (Arrow columnar format, "Physical memory layout").
enum class BufferRole : uint8_t {
  kValidity,      ///< Bits, may be absent.
  kBits,          ///< Boolean values.
  kValues,        ///< Fixed-width values, dictionary indices.
  kOffsets,       ///< n + 1 ascending positions in data or elements.
  kViewOffsets,   ///< n positions in elements (list-views).
  kSizes,         ///< n element counts (list-views).
  kData,          ///< Bytes that offsets point into.
  kViews,         ///< n 16-byte string views.
  kTypeIds,       ///< n int8 (unions).
  kUnionOffsets,  ///< n int32 positions in a child (dense unions).
};

struct BufferSpec {
  BufferRole role;
  /// Bits a slot; 0: by the type (`kValues` of fixed-width types: byte_width) or counted in bytes
  /// (`kData`).
  int32_t bit_width;
};

/// A row of the layout table. Buffers come in the order of the C data interface and IPC.
struct Layout {
  LayoutId id;
  int8_t num_buffers;  ///< Fixed ones; binary views have any number of data buffers behind them.
  bool has_validity;   ///< Whether buffer 0 is a validity bitmap.
  bool has_variadic_buffers;
  /// Bits of offsets, sizes or run ends: 32 or 64; 0 where there are none. Run ends have 16 too:
  /// their row is by the type (`DataType::layout`), not by its id.
  int8_t offset_bits;
  std::array<BufferSpec, 3> buffers;
};

/// The row of the table for a type's id; an extension has none of its own (use DataType::layout()).
SHEAF_EXPORT const Layout& LayoutOf(TypeId id) noexcept;

/// Bits a slot of buffer i of `type` has, with the type's own width filled in; 0 for `kData`.
SHEAF_EXPORT int64_t BufferBitWidth(const DataType& type, int i) noexcept;

/// Smallest size in bytes of buffer i of `type` that serves slots [0, slots); `kData` gives 0.
/// `kOffsets` counts slots + 1 where slots > 0. Slots must be in [0, 2^59); a size past 64 bits is
/// the largest int64.
SHEAF_EXPORT int64_t BufferBytesNeeded(const DataType& type, int i, int64_t slots) noexcept;

}  // namespace sheaf
