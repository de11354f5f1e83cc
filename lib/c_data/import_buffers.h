#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "c_data/imported_storage.h"
#include "sheaf/base/status.h"
#include "sheaf/c_data/abi.h"
#include "sheaf/memory/buffer.h"
#include "sheaf/type/data_type.h"

namespace sheaf::inline v1::internal {

/// The buffers of one node of an imported array in the layout table's order, variadic ones last.
/// The interface gives no sizes: they follow from the type and the slots, those of strings' data
/// from the last offset, those of views' data from the buffer of sizes. Of a node of length 0 no
/// buffer is read.
class ImportedBuffers {
 public:
  /// \param slots  offset + length; at most 2^59.
  /// \return kInvalidArgument for a number of buffers that is not the layout's, a null pointer to
  /// bytes, a size that is negative or beyond 64 bits; kResourceExhausted where a misaligned buffer
  /// cannot be copied.
  Status Import(const ArrowArray& node, const DataType& type, int64_t slots,
                ImportedStorage* storage, MemoryPool* pool);

  std::span<Buffer> all() noexcept {
    return variadic_.empty() ? std::span<Buffer>(fixed_).first(num_fixed_) : std::span(variadic_);
  }

 private:
  std::array<Buffer, 3> fixed_;
  size_t num_fixed_ = 0;
  std::vector<Buffer> variadic_;  ///< Where there are data buffers of views: all buffers.
};

}  // namespace sheaf::inline v1::internal
