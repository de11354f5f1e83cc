#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "array/array_data.h"
#include "array/path.h"
#include "base/error.h"
#include "sheaf/array/array.h"
#include "sheaf/base/bits.h"
#include "sheaf/base/checked.h"
#include "sheaf/type/layout.h"
#include "sheaf/type/visit_layout.h"
#include "sheaf/type/visit_type.h"

namespace sheaf::inline v1 {
namespace {

/// What every slot of the array being made is.
enum class Fill : uint8_t {
  kNull,
  kPlaceholder,  ///< A valid slot that allocates least, for what lies under a null parent.
};

StatusOr<Array> MakeFilled(const DataType& type, int64_t length, Fill fill, MemoryPool* pool,
                           int depth);

StatusOr<Buffer> Zeros(int64_t size_bytes, MemoryPool* pool) {
  if (size_bytes == 0) return Buffer::Empty();
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer buffer, MutableBuffer::Allocate(size_bytes, pool));
  std::memset(buffer.data(), 0, static_cast<size_t>(size_bytes));
  return std::move(buffer).Finish();
}

/// `length` slots of all zero bits in every buffer: nulls, or the least of values.
Status AddZeroBuffers(const DataType& type, int64_t length, Fill fill, MemoryPool* pool,
                      std::vector<Buffer>* buffers) {
  const Layout& layout = type.layout();
  for (int i = 0; i < layout.num_buffers; ++i) {
    const BufferRole role = layout.buffers[static_cast<size_t>(i)].role;
    if (role == BufferRole::kValidity && (fill == Fill::kPlaceholder || length == 0)) {
      buffers->emplace_back();
      continue;
    }
    const int64_t bits = BufferBitWidth(type, i);
    const int64_t slots = role == BufferRole::kOffsets && length > 0 ? length + 1 : length;
    int64_t size_bytes = BytesForBits(slots);
    if (bits != 1 && MultiplyOverflows(slots, bits / 8, &size_bytes)) {
      return internal::OutOfMemory(std::numeric_limits<int64_t>::max());
    }
    SHEAF_ASSIGN_OR_RETURN(Buffer zeros, Zeros(size_bytes, pool));
    buffers->push_back(std::move(zeros));
  }
  return OkStatus();
}

/// A buffer of one value.
template <typename T>
StatusOr<Buffer> BufferOf(T value, MemoryPool* pool) {
  return Buffer::Copy({reinterpret_cast<const uint8_t*>(&value), sizeof(T)}, pool);
}

/// One run: an integer array that holds where it ends.
StatusOr<Array> OneRunEnd(const DataType& type, int64_t length, MemoryPool* pool) {
  return VisitInteger(type.id(), [&](auto integer) -> StatusOr<Array> {
    using RunEnd = decltype(integer);
    if (length > static_cast<int64_t>(std::min<uint64_t>(std::numeric_limits<RunEnd>::max(),
                                                         std::numeric_limits<int64_t>::max()))) {
      return internal::OutOfRange("run_end_encoded: ", length, " rows outgrow run ends of ",
                                  type.ToString());
    }
    SHEAF_ASSIGN_OR_RETURN(Buffer ends, BufferOf(static_cast<RunEnd>(length), pool));
    Buffer buffers[2] = {Buffer(), std::move(ends)};
    return internal::MakeNode(
        {.type = type, .length = 1, .null_count = 0, .buffers = buffers, .verified = true}, pool);
  });
}

/// Children, dictionary and what buffers hold besides zeros.
Status AddChildren(const DataType& type, int64_t length, Fill fill, MemoryPool* pool, int depth,
                   std::vector<Buffer>* buffers, std::vector<Array>* children,
                   std::vector<Array>* dictionary) {
  const auto add_child = [&](int i, int64_t child_length, Fill child_fill) -> Status {
    SHEAF_ASSIGN_OR_RETURN(
        Array child, MakeFilled(type.field(i).type(), child_length, child_fill, pool, depth + 1));
    children->push_back(std::move(child));
    return OkStatus();
  };
  const auto add_parallel = [&](Fill first_fill) -> Status {
    for (int i = 0; i < type.num_fields(); ++i) {
      SHEAF_RETURN_IF_ERROR(add_child(i, length, i == 0 ? first_fill : Fill::kPlaceholder));
    }
    return OkStatus();
  };
  const auto set_type_ids = [&]() -> Status {
    if (length == 0) return OkStatus();
    if (type.num_fields() == 0) {
      return internal::InvalidArgument(type.ToString(), ": a union without children has no value");
    }
    SHEAF_ASSIGN_OR_RETURN(MutableBuffer ids, MutableBuffer::Allocate(length, pool));
    std::memset(ids.data(), type.type_codes()[0], static_cast<size_t>(length));
    (*buffers)[0] = std::move(ids).Finish();
    return OkStatus();
  };
  return VisitLayout(
      type.layout(),
      Overloaded{
          [&](ListLike auto) { return add_child(0, 0, Fill::kPlaceholder); },
          [&](FixedSizeListLayout) -> Status {
            int64_t elements = 0;
            if (MultiplyOverflows(length, type.list_size(), &elements)) {
              return internal::OutOfRange("fixed_size_list: ", length, " x ", type.list_size(),
                                          " elements exceed 64 bits");
            }
            return add_child(0, elements, Fill::kPlaceholder);
          },
          [&](StructLayout) { return add_parallel(Fill::kPlaceholder); },
          [&](SparseUnionLayout) -> Status {
            SHEAF_RETURN_IF_ERROR(set_type_ids());
            return add_parallel(fill);
          },
          [&](DenseUnionLayout) -> Status {
            // All rows share the one slot of the first child.
            SHEAF_RETURN_IF_ERROR(set_type_ids());
            for (int i = 0; i < type.num_fields(); ++i) {
              SHEAF_RETURN_IF_ERROR(add_child(i, i == 0 && length > 0 ? 1 : 0, fill));
            }
            return OkStatus();
          },
          [&](DictionaryLayout) -> Status {
            const int64_t values = fill == Fill::kPlaceholder && length > 0 ? 1 : 0;
            SHEAF_ASSIGN_OR_RETURN(Array made,
                                   MakeFilled(type.value_type(), values, fill, pool, depth + 1));
            dictionary->push_back(std::move(made));
            return OkStatus();
          },
          [&](RunEndLike auto) -> Status {
            const DataType& run_end_type = type.field(0).type();
            if (length == 0) {
              SHEAF_RETURN_IF_ERROR(add_child(0, 0, Fill::kPlaceholder));
            } else {
              SHEAF_ASSIGN_OR_RETURN(Array run_ends, OneRunEnd(run_end_type, length, pool));
              children->push_back(std::move(run_ends));
            }
            return add_child(1, length > 0 ? 1 : 0, fill);
          },
          [](Childless auto) { return OkStatus(); },
      });
}

StatusOr<Array> MakeFilled(const DataType& type, int64_t length, Fill fill, MemoryPool* pool,
                           int depth) {
  if (length < 0) return internal::InvalidArgument(type.ToString(), ": negative length: ", length);
  if (depth > internal::kMaxDepth) {
    return internal::InvalidArgument("nested deeper than ", internal::kMaxDepth, " levels");
  }
  std::vector<Buffer> buffers;
  std::vector<Array> children;
  std::vector<Array> dictionary;
  SHEAF_RETURN_IF_ERROR(AddZeroBuffers(type, length, fill, pool, &buffers));
  SHEAF_RETURN_IF_ERROR(
      AddChildren(type, length, fill, pool, depth, &buffers, &children, &dictionary));
  const bool has_nulls = fill == Fill::kNull && type.layout().has_validity;
  const bool all_null = has_nulls || type.layout().id == LayoutId::kNull;
  return internal::MakeNode({.type = type,
                             .length = length,
                             .null_count = all_null ? length : 0,
                             .buffers = buffers,
                             .children = children,
                             .dictionary = dictionary.empty() ? nullptr : &dictionary.front(),
                             .verified = true},
                            pool);
}

}  // namespace

StatusOr<Array> MakeNullArray(const DataType& type, int64_t length, MemoryPool* pool) {
  return MakeFilled(type, length, Fill::kNull, pool, 1);
}

StatusOr<Array> MakeEmptyArray(const DataType& type, MemoryPool* pool) {
  return MakeFilled(type, 0, Fill::kPlaceholder, pool, 1);
}

}  // namespace sheaf
