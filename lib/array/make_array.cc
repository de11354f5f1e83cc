#include <cstdint>
#include <utility>

#include "array/array_data.h"
#include "array/check_shape.h"
#include "array/path.h"
#include "sheaf/array/array.h"

namespace sheaf::inline v1 {
namespace {

using internal::NodeParts;
using internal::Path;

/// A buffer that typed reads may use: copied if its address does not suit the width of its values.
StatusOr<Buffer> Aligned(Buffer buffer, int64_t alignment, MemoryPool* pool) {
  if (reinterpret_cast<uintptr_t>(buffer.data()) % static_cast<uintptr_t>(alignment) == 0)
    return buffer;
  return Buffer::Copy(buffer.bytes(), pool);
}

/// No buffer of an empty array is read, whatever it holds, so none is kept: its offsets are one
/// zero of ours, at slot 0. Data buffers of binary views stay, so that their number does.
void EmptyBuffers(ArrayParts& parts) {
  const Layout& layout = parts.type.layout();
  parts.offset = 0;
  for (int i = 0; i < layout.num_buffers; ++i) {
    const bool validity = layout.buffers[static_cast<size_t>(i)].role == BufferRole::kValidity;
    parts.buffers[static_cast<size_t>(i)] = validity ? Buffer() : Buffer::Empty();
  }
}

/// Absent only where that means something, and aligned for typed reads.
Status NormaliseBuffers(ArrayParts& parts, MemoryPool* pool) {
  const Layout& layout = parts.type.layout();
  if (parts.length == 0) EmptyBuffers(parts);
  for (size_t i = 0; i < parts.buffers.size(); ++i) {
    Buffer& buffer = parts.buffers[i];
    const bool fixed = i < static_cast<size_t>(layout.num_buffers);
    if (fixed && layout.buffers[i].role == BufferRole::kValidity) continue;
    if (buffer.absent()) {
      buffer = Buffer::Empty();
    } else if (fixed) {
      const int64_t alignment = internal::AlignmentNeeded(parts.type, static_cast<int>(i));
      SHEAF_ASSIGN_OR_RETURN(buffer, Aligned(std::move(buffer), alignment, pool));
    }
  }
  return OkStatus();
}

/// The number of nulls as far as the parts tell: without a bitmap there are none.
int64_t KnownNullCount(const ArrayParts& parts) {
  const Layout& layout = parts.type.layout();
  if (layout.id == LayoutId::kNull) return parts.length;
  if (!layout.has_validity || parts.buffers[0].absent()) return 0;
  return parts.null_count;
}

}  // namespace

StatusOr<Array> MakeArray(ArrayParts parts, ValidationLevel level, MemoryPool* pool) {
  const Path root;
  SHEAF_RETURN_IF_ERROR(CheckCounts(internal::ShapeOf(parts), root));
  if (level != ValidationLevel::kNone) {
    SHEAF_RETURN_IF_ERROR(CheckShape(internal::ShapeOf(parts), root));
  }
  SHEAF_RETURN_IF_ERROR(NormaliseBuffers(parts, pool));

  NodeParts node;
  node.null_count = KnownNullCount(parts);
  node.offset = parts.offset;
  node.length = parts.length;
  node.buffers = parts.buffers;
  node.children = parts.children;
  node.dictionary = parts.dictionary.empty() ? nullptr : &parts.dictionary.front();
  node.type = std::move(parts.type);
  SHEAF_ASSIGN_OR_RETURN(Array array, internal::MakeNode(std::move(node), pool));
  if (level >= ValidationLevel::kDefault) SHEAF_RETURN_IF_ERROR(Validate(array, level));
  return array;
}

}  // namespace sheaf
