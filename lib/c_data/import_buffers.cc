#include "c_data/import_buffers.h"

#include <limits>

#include "array/check_shape.h"
#include "base/error.h"
#include "sheaf/base/bits.h"
#include "sheaf/type/layout.h"

namespace sheaf::inline v1::internal {
namespace {

/// Takes one node's buffers.
class BufferImporter {
 public:
  BufferImporter(const ArrowArray& node, const DataType& type, int64_t slots,
                 ImportedStorage* storage, MemoryPool* pool) noexcept
      : node_(node),
        type_(type),
        layout_(type.layout()),
        slots_(slots),
        storage_(storage),
        pool_(pool) {}

  int num_fixed() const noexcept { return layout_.num_buffers; }
  // None is of use to an array without a row.
  int64_t num_variadic() const noexcept {
    if (!layout_.has_variadic_buffers || node_.length == 0) return 0;
    return node_.n_buffers - layout_.num_buffers - 1;
  }

  Status CheckCount() const {
    const int64_t given = node_.n_buffers;
    const int64_t least = layout_.num_buffers + (layout_.has_variadic_buffers ? 1 : 0);
    if (given == least || (layout_.has_variadic_buffers && given > least)) return OkStatus();
    // Some producers (Polars) give a null array one buffer.
    if (layout_.id == LayoutId::kNull && given == 1) return OkStatus();
    return InvalidArgument(given, " buffers where the layout has ", least,
                           layout_.has_variadic_buffers ? " or more" : "");
  }

  StatusOr<Buffer> Fixed(int i) {
    const BufferRole role = layout_.buffers[static_cast<size_t>(i)].role;
    if (role == BufferRole::kValidity) return Validity(i);
    if (node_.length == 0) return Buffer::Empty();
    int64_t size_bytes = BufferBytesNeeded(type_, i, slots_);
    if (role == BufferRole::kData) {
      SHEAF_ASSIGN_OR_RETURN(size_bytes, DataBytes(i - 1));
    }
    return Share(i, size_bytes, AlignmentNeeded(type_, i));
  }

  StatusOr<Buffer> Variadic(int64_t i) {
    const auto* sizes = static_cast<const uint8_t*>(pointer(node_.n_buffers - 1));
    if (sizes == nullptr) return InvalidArgument("the buffer of data buffer sizes is null");
    const auto size_bytes = LoadUnaligned<int64_t>(sizes + i * 8);
    if (size_bytes < 0) return InvalidArgument("data buffer ", i, " has ", size_bytes, " bytes");
    return Share(layout_.num_buffers + i, size_bytes, /*alignment=*/1);
  }

 private:
  const void* pointer(int64_t i) const noexcept {
    return node_.buffers == nullptr ? nullptr : node_.buffers[i];
  }
  StatusOr<Buffer> Validity(int i) {
    if (pointer(i) != nullptr && node_.length > 0) {
      return Share(i, BufferBytesNeeded(type_, i, slots_), /*alignment=*/1);
    }
    if (node_.null_count > 0) {
      return InvalidArgument(node_.null_count, " nulls, but no validity bitmap");
    }
    return Buffer();
  }

  // The last offset is where the data of the last row ends, so the data is that long at least.
  StatusOr<int64_t> DataBytes(int offsets_index) const {
    const auto* offsets = static_cast<const uint8_t*>(pointer(offsets_index));
    if (offsets == nullptr) return InvalidArgument("buffer ", offsets_index, " is null");
    const bool wide = layout_.offset_bits == 64;
    const uint8_t* last = offsets + slots_ * (wide ? 8 : 4);
    const int64_t end = wide ? LoadUnaligned<int64_t>(last) : LoadUnaligned<int32_t>(last);
    if (end < 0) return InvalidArgument("the last offset is ", end);
    return end;
  }

  StatusOr<Buffer> Share(int64_t i, int64_t size_bytes, int64_t alignment) {
    if (size_bytes == 0) return Buffer::Empty();
    const auto* data = static_cast<const uint8_t*>(pointer(i));
    if (data == nullptr) return InvalidArgument("buffer ", i, " of ", size_bytes, " bytes is null");
    if (size_bytes == std::numeric_limits<int64_t>::max()) {
      return InvalidArgument("buffer ", i, " of ", slots_,
                             " slots has more bytes than 64 bits count");
    }
    if (reinterpret_cast<uintptr_t>(data) % static_cast<uintptr_t>(alignment) != 0) {
      return Buffer::Copy({data, static_cast<size_t>(size_bytes)}, pool_);
    }
    return storage_->Share(data, size_bytes);
  }

  const ArrowArray& node_;
  const DataType& type_;
  const Layout& layout_;
  int64_t slots_;
  ImportedStorage* storage_;
  MemoryPool* pool_;
};

}  // namespace

Status ImportedBuffers::Import(const ArrowArray& node, const DataType& type, int64_t slots,
                               ImportedStorage* storage, MemoryPool* pool) {
  BufferImporter importer(node, type, slots, storage, pool);
  SHEAF_RETURN_IF_ERROR(importer.CheckCount());
  num_fixed_ = static_cast<size_t>(importer.num_fixed());
  for (size_t i = 0; i < num_fixed_; ++i) {
    SHEAF_ASSIGN_OR_RETURN(fixed_[i], importer.Fixed(static_cast<int>(i)));
  }
  if (importer.num_variadic() == 0) return OkStatus();
  for (size_t i = 0; i < num_fixed_; ++i) variadic_.push_back(std::move(fixed_[i]));
  for (int64_t i = 0; i < importer.num_variadic(); ++i) {
    SHEAF_ASSIGN_OR_RETURN(Buffer buffer, importer.Variadic(i));
    variadic_.push_back(std::move(buffer));
  }
  return OkStatus();
}

}  // namespace sheaf::inline v1::internal
