#pragma once

#include <cstdint>
#include <span>

#include "array/path.h"
#include "sheaf/array/array.h"
#include "sheaf/base/export.h"

namespace sheaf::inline v1::internal {

/// The parts of one node, wherever they are kept.
struct NodeShape {
  const DataType& type;
  int64_t length;
  int64_t offset;
  int64_t null_count;
  int num_buffers;
  const Buffer& (*buffer)(const void* context, int i);
  int num_children;
  const Array& (*child)(const void* context, int i);
  const Array* dictionary;
  const void* context;
};

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
