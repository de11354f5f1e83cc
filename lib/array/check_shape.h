#pragma once

#include <cstdint>
#include <span>

#include "array/path.h"
#include "sheaf/array/array.h"
#include "sheaf/base/export.h"
#include "sheaf/type/layout.h"

namespace sheaf::inline v1::internal {

/// The parts of one node, wherever they are kept: the first ones and the rest may lie apart.
struct NodeShape {
  const DataType& type;
  const Layout& layout;
  int64_t length;
  int64_t offset;
  int64_t null_count;
  std::span<const Buffer> first_buffers;
  std::span<const Buffer> more_buffers;
  const Array* first_child;
  std::span<const Array> more_children;
  const Array* dictionary;

  int num_buffers() const noexcept {
    return static_cast<int>(first_buffers.size() + more_buffers.size());
  }
  const Buffer& buffer(int i) const noexcept {
    const auto index = static_cast<size_t>(i);
    return index < first_buffers.size() ? first_buffers[index]
                                        : more_buffers[index - first_buffers.size()];
  }
  int num_children() const noexcept {
    return (first_child == nullptr ? 0 : 1) + static_cast<int>(more_children.size());
  }
  const Array& child(int i) const noexcept {
    return i == 0 ? *first_child : more_children[static_cast<size_t>(i - 1)];
  }
};

/// What comes from outside has fewer slots: bits, views and decimals of so many still count in 64
/// bits.
inline constexpr int64_t kMostSlots = int64_t{1} << 59;

NodeShape ShapeOf(const Array& array);
NodeShape ShapeOf(const ArrayParts& parts);

/// Numbers of buffers, children and dictionaries: without them not even a node can be made.
Status CheckCounts(const NodeShape& node, const Path& path);

/// What `kMinimal` looks at, besides the counts: lengths, types of children, sizes of buffers and
/// children. Nothing is read from a buffer, and no size that is computed can wrap.
Status CheckShape(const NodeShape& node, const Path& path);

/// Alignment in bytes that typed reads of buffer i need.
SHEAF_EXPORT int64_t AlignmentNeeded(const DataType& type, int i);

}  // namespace sheaf::inline v1::internal
