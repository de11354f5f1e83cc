#include "array/check_shape.h"

#include <algorithm>

#include "array/array_data.h"
#include "sheaf/base/bits.h"
#include "sheaf/base/checked.h"
#include "sheaf/type/layout.h"

namespace sheaf::inline v1::internal {
namespace {

const char* RoleName(BufferRole role) {
  static constexpr const char* kNames[] = {"validity", "bits", "values", "offsets",  "offsets",
                                           "sizes",    "data", "views",  "type ids", "offsets"};
  return kNames[static_cast<int>(role)];
}

/// Bytes that `slots` slots of `bits` bits need; false where the number does not fit.
bool BytesNeeded(int64_t slots, int64_t bits, int64_t* bytes) {
  if (bits % 8 == 0) return !MultiplyOverflows(slots, bits / 8, bytes);
  *bytes = BytesForBits(slots);
  return true;
}

Status CheckLengths(const NodeShape& node, const Path& path) {
  if (node.length < 0) return ArrayError(node.type, path, "negative length: ", node.length);
  if (node.offset < 0) return ArrayError(node.type, path, "negative offset: ", node.offset);
  int64_t slots = 0;
  if (AddOverflows(node.offset, node.length, &slots)) {
    return ArrayError(node.type, path, "offset + length exceeds 64 bits: ", node.offset, " + ",
                      node.length);
  }
  if (node.null_count < -1 || node.null_count > node.length) {
    return ArrayError(node.type, path, "null count outside [-1, ", node.length,
                      "]: ", node.null_count);
  }
  if (node.null_count > 0 && node.layout.has_validity && node.length > 0 &&
      node.buffer(0).absent()) {
    return ArrayError(node.type, path, "null count is ", node.null_count,
                      " without a validity bitmap");
  }
  return OkStatus();
}

Status CheckBufferSize(const NodeShape& node, const Path& path, int i) {
  const BufferSpec& spec = node.layout.buffers[static_cast<size_t>(i)];
  const Buffer& buffer = node.buffer(i);
  const int64_t bits = BufferBitWidth(node.type, i);
  if (bits == 0 || (spec.role == BufferRole::kValidity && buffer.absent())) return OkStatus();
  int64_t slots = node.offset + node.length;
  int64_t needed = 0;
  if ((spec.role == BufferRole::kOffsets && AddOverflows(slots, 1, &slots)) ||
      !BytesNeeded(slots, bits, &needed) || buffer.size_bytes() < needed) {
    return ArrayError(node.type, path, RoleName(spec.role),
                      " buffer too small: ", buffer.size_bytes(), " bytes for ", slots,
                      " slots of ", bits, " bits");
  }
  return OkStatus();
}

Status CheckBufferSizes(const NodeShape& node, const Path& path) {
  for (int i = 0; i < node.num_buffers(); ++i) {
    if (node.buffer(i).size_bytes() < 0) {
      return ArrayError(node.type, path, "buffer ", i, " has a negative size");
    }
  }
  if (node.length == 0) return OkStatus();  // No buffer of an empty array is read.
  for (int i = 0; i < node.layout.num_buffers; ++i) {
    SHEAF_RETURN_IF_ERROR(CheckBufferSize(node, path, i));
  }
  return OkStatus();
}

/// Structs and sparse unions: each child has a slot for each of ours.
Status CheckParallelChildren(const NodeShape& node, const Path& path) {
  const int64_t slots = node.offset + node.length;
  for (int i = 0; i < node.num_children(); ++i) {
    const int64_t has = node.child(i).length();
    if (has < slots) {
      return ArrayError(node.type, path, "field ", PathStep(node.type.fields(), i),
                        " is shorter: ", has, " < ", slots, " rows");
    }
  }
  return OkStatus();
}

Status CheckFixedSizeListChild(const NodeShape& node, const Path& path) {
  const int64_t list_size = node.type.list_size();
  const int64_t slots = node.offset + node.length;
  const int64_t has = node.child(0).length();
  int64_t needed = 0;
  if (list_size < 0) return ArrayError(node.type, path, "negative list size: ", list_size);
  if (MultiplyOverflows(slots, list_size, &needed) || has < needed) {
    return ArrayError(node.type, path, "too few elements: ", has, " < ", slots, " rows x ",
                      list_size);
  }
  return OkStatus();
}

Status CheckRunChildren(const NodeShape& node, const Path& path) {
  const int64_t runs = node.child(0).length();
  const int64_t values = node.child(1).length();
  if (values < runs)
    return ArrayError(node.type, path, "fewer values than run ends: ", values, " < ", runs);
  if (node.length > 0 && runs == 0)
    return ArrayError(node.type, path, "no run for ", node.length, " rows");
  return OkStatus();
}

Status CheckChildTypes(const NodeShape& node, const Path& path) {
  for (int i = 0; i < node.num_children(); ++i) {
    const Field& field = node.type.field(i);
    const DataType& has = node.child(i).type();
    if (!(has == field.type())) {
      return ArrayError(node.type, path, "field ", PathStep(node.type.fields(), i), " is ",
                        field.type().ToString(), ", its array is ", has.ToString());
    }
  }
  if (node.dictionary != nullptr && !(node.dictionary->type() == node.type.value_type())) {
    return ArrayError(node.type, path, "the dictionary should be ",
                      node.type.value_type().ToString(), ", it is ",
                      node.dictionary->type().ToString());
  }
  return OkStatus();
}

}  // namespace

NodeShape ShapeOf(const Array& array) {
  const ArrayData& data = *array.data();
  // A slice never counted its nulls: what the node knows is of the primary window.
  const int64_t null_count = data.IsPrimary(array.offset(), array.length())
                                 ? data.null_count.load(std::memory_order_relaxed)
                                 : -1;
  const Layout& layout = data.type.layout();
  const bool has_children = data.num_children > 0;
  const auto beyond_first = static_cast<size_t>(has_children ? data.num_children - 1 : 0);
  return {data.type,
          layout,
          array.length(),
          array.offset(),
          null_count,
          {data.buffers, static_cast<size_t>(layout.num_buffers)},
          {data.variadic_buffers, static_cast<size_t>(data.num_variadic)},
          has_children ? &data.child(0) : nullptr,
          {data.more_children, beyond_first},
          data.has_dictionary ? data.dictionary : nullptr};
}

NodeShape ShapeOf(const ArrayParts& parts) {
  const std::span<const Array> children = parts.children;
  return {parts.type,
          parts.type.layout(),
          parts.length,
          parts.offset,
          parts.null_count,
          parts.buffers,
          {},
          children.empty() ? nullptr : &children.front(),
          children.empty() ? children : children.subspan(1),
          parts.dictionary.empty() ? nullptr : &parts.dictionary.front()};
}

int64_t AlignmentNeeded(const DataType& type, int i) {
  if (type.storage().id() == TypeId::kFixedSizeBinary) return 1;
  const int64_t bytes = BufferBitWidth(type, i) / 8;
  return std::clamp<int64_t>(bytes, 1, 8);  // Wider values are structures of integers of 8 bytes.
}

Status CheckCounts(const NodeShape& node, const Path& path) {
  const Layout& layout = node.layout;
  const bool right_number = layout.has_variadic_buffers ? node.num_buffers() >= layout.num_buffers
                                                        : node.num_buffers() == layout.num_buffers;
  if (!right_number) {
    return ArrayError(node.type, path, "has ", node.num_buffers(), " buffers, the layout ",
                      int{layout.num_buffers});
  }
  if (node.num_children() != node.type.num_fields()) {
    return ArrayError(node.type, path, "has ", node.num_children(), " children, the type ",
                      node.type.num_fields());
  }
  const bool needs_dictionary = layout.id == LayoutId::kDictionary;
  if (needs_dictionary != (node.dictionary != nullptr)) {
    return ArrayError(node.type, path, needs_dictionary ? "has no dictionary" : "has a dictionary");
  }
  return OkStatus();
}

Status CheckShape(const NodeShape& node, const Path& path) {
  SHEAF_RETURN_IF_ERROR(CheckLengths(node, path));
  SHEAF_RETURN_IF_ERROR(CheckChildTypes(node, path));
  SHEAF_RETURN_IF_ERROR(CheckBufferSizes(node, path));
  const LayoutId id = node.layout.id;
  if (id == LayoutId::kStruct || id == LayoutId::kSparseUnion)
    return CheckParallelChildren(node, path);
  if (id == LayoutId::kFixedSizeList) return CheckFixedSizeListChild(node, path);
  if (id == LayoutId::kRunEndEncoded) return CheckRunChildren(node, path);
  return OkStatus();
}

}  // namespace sheaf::inline v1::internal
