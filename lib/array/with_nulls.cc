#include "array/with_nulls.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "array/array_data.h"
#include "array/verified.h"
#include "base/error.h"
#include "sheaf/array/run_end_array.h"
#include "sheaf/base/bits.h"
#include "sheaf/memory/bit_span.h"
#include "sheaf/type/field.h"
#include "sheaf/type/layout.h"
#include "sheaf/type/visit_layout.h"
#include "type/with_fields.h"

namespace sheaf::inline v1::internal {
namespace {

/// The type of a union or run-ends over these children, of which those from number `first` on may
/// hold nulls.
DataType NullableFrom(const DataType& type, const std::vector<Array>& children, size_t first) {
  std::vector<Field> fields(type.fields().begin(), type.fields().end());
  bool changed = false;
  for (size_t i = first; i < fields.size(); ++i) {
    if (fields[i].nullable() && fields[i].type() == children[i].type()) continue;
    fields[i] = fields[i].WithType(children[i].type()).WithNullable(true);
    changed = true;
  }
  if (!changed) return type;
  return WithFields(type, std::move(fields));
}

/// Adds nulls to arrays of any layout.
class NullAdder {
 public:
  NullAdder(const Array& array, const Buffer& valid, int64_t bit_offset, MemoryPool* pool)
      : array_(array), valid_(valid), bit_offset_(bit_offset), pool_(pool) {}

  StatusOr<Array> Add() const {
    return VisitLayout(array_.layout(), Overloaded{
                                            [&](NullLayout) -> StatusOr<Array> { return array_; },
                                            [&](SparseUnionLayout) { return AddToSparse(); },
                                            [&](DenseUnionLayout) { return AddToDense(); },
                                            [&](RunEndLike auto) { return AddToRuns(); },
                                            [&](auto) { return AddToBitmap(); },
                                        });
  }

 private:
  BitSpan valid() const noexcept { return {valid_.data(), bit_offset_, array_.length()}; }

  /// The node begins within a byte of its bitmap as the array does, so that every buffer is shared.
  StatusOr<Array> AddToBitmap() const {
    const int64_t rest = array_.offset() % 8;
    const int64_t start = array_.offset() - rest;
    std::vector<Buffer> buffers;
    SHEAF_ASSIGN_OR_RETURN(buffers.emplace_back(), Combined(start));
    for (int i = 1; i < array_.num_buffers(); ++i) buffers.push_back(BufferFrom(i, start));
    std::vector<Array> children;
    for (int i = 0; i < array_.num_children(); ++i) children.push_back(ChildFrom(i, start));
    Array dictionary = array_.has_dictionary() ? array_.dictionary() : Array();
    const int64_t valid_rows = CountSet({buffers[0].data(), rest, array_.length()});
    return MakeNode({.type = array_.type(),
                     .offset = rest,
                     .length = array_.length(),
                     .null_count = array_.length() - valid_rows,
                     .buffers = buffers,
                     .children = children,
                     .dictionary = array_.has_dictionary() ? &dictionary : nullptr,
                     .verified = IsVerified(array_)},
                    pool_);
  }

  /// The array's validity and the bitmap, from bit `start` of the array's own on.
  StatusOr<Buffer> Combined(int64_t start) const {
    const int64_t rest = array_.offset() - start;
    const int64_t size_bytes = BytesForBits(rest + array_.length());
    if (!array_.has_nulls() && bit_offset_ % 8 == rest) {
      return valid_.Slice((bit_offset_ - rest) / 8, size_bytes);
    }
    SHEAF_ASSIGN_OR_RETURN(MutableBuffer bits, MutableBuffer::Allocate(size_bytes, pool_));
    bits.data()[0] = 0;
    bits.data()[size_bytes - 1] = 0;  // Bits around the rows are zero.
    AndBits(valid(), array_.validity(), bits.data(), rest);
    return std::move(bits).Finish();
  }

  /// Buffer i from slot `start` on, which begins a byte in every buffer.
  Buffer BufferFrom(int i, int64_t start) const noexcept {
    const Buffer& buffer = array_.buffer(i);
    const Layout& layout = array_.layout();
    if (i >= layout.num_buffers || buffer.absent()) return buffer;
    if (layout.buffers[static_cast<size_t>(i)].role == BufferRole::kData) return buffer;
    const int64_t skipped = start * BufferBitWidth(array_.type(), i) / 8;
    return buffer.Slice(skipped, buffer.size_bytes() - skipped);
  }

  /// Child i as the child of a node that begins at slot `start`.
  Array ChildFrom(int i, int64_t start) const noexcept {
    const Array& child = array_.child(i);
    return VisitLayout(array_.layout(),
                       Overloaded{
                           [&](StructLayout) { return child.Slice(start); },
                           [&](FixedSizeListLayout) {
                             return child.Slice(start * array_.type().storage().list_size());
                           },
                           [&](auto) { return child; },
                       });
  }

  StatusOr<Array> AddToSparse() const {
    std::vector<Array> children;
    for (int i = 0; i < array_.num_children(); ++i) {
      const Array child = array_.child(i).Slice(array_.offset(), array_.length());
      SHEAF_ASSIGN_OR_RETURN(children.emplace_back(), WithNulls(child, valid_, bit_offset_, pool_));
    }
    Buffer ids = array_.buffer(0).Slice(array_.offset(), array_.length());
    return Remade({std::move(ids)}, std::move(children), 0, array_.length(), 0);
  }

  StatusOr<Array> AddToDense() const {
    const auto* ids = array_.slots<int8_t>(0);
    const auto* offsets = array_.slots<int32_t>(1);
    std::vector<Array> children;
    for (int i = 0; i < array_.num_children(); ++i) {
      const Array& child = array_.child(i);
      const int8_t code = array_.type().storage().type_codes()[static_cast<size_t>(i)];
      SHEAF_ASSIGN_OR_RETURN(MutableBuffer slots, AllValid(child.length()));
      bool any_null = false;
      for (int64_t row = 0; row < array_.length(); ++row) {
        if (ids[row] != code || valid()[row]) continue;
        FillBits(slots.data(), offsets[row], 1, false);
        any_null = true;
      }
      for (int64_t row = 0; any_null && row < array_.length(); ++row) {
        if (ids[row] != code || !valid()[row]) continue;
        if (BitSpan{slots.data(), 0, child.length()}[offsets[row]]) continue;
        return InvalidArgument(array_.type().ToString(), ": row ", row,
                               " and a null row share slot ", offsets[row], " of child ", i,
                               ", so that row cannot be null alone");
      }
      SHEAF_RETURN_IF_ERROR(AddChild(child, any_null, std::move(slots), &children));
    }
    return Remade({array_.buffer(0), array_.buffer(1)}, std::move(children), array_.offset(),
                  array_.length(), 0);
  }

  StatusOr<Array> AddToRuns() const {
    SHEAF_ASSIGN_OR_RETURN(const RunEndArray runs, RunEndArray::From(array_));
    const auto [first, last] = runs.physical_range();
    SHEAF_ASSIGN_OR_RETURN(MutableBuffer slots, AllValid(runs.values().length()));
    bool any_null = false;
    int64_t begin = 0;
    for (int64_t run = first; run < last; ++run) {
      const int64_t end = std::min(runs.run_end(run) - array_.offset(), array_.length());
      const int64_t valid_rows = CountSet(valid().Slice(begin, end - begin));
      if (valid_rows != 0 && valid_rows != end - begin) {
        return InvalidArgument(array_.type().ToString(), ": rows [", begin, ", ", end,
                               ") are one run, and only some of them are null: run-ends have no "
                               "validity of their own");
      }
      if (valid_rows == 0) FillBits(slots.data(), run, 1, false);
      any_null = any_null || valid_rows == 0;
      begin = end;
    }
    std::vector<Array> children = {runs.run_ends()};
    SHEAF_RETURN_IF_ERROR(AddChild(runs.values(), any_null, std::move(slots), &children));
    return Remade({}, std::move(children), array_.offset(), array_.length(), 1);
  }

  StatusOr<MutableBuffer> AllValid(int64_t slots) const {
    SHEAF_ASSIGN_OR_RETURN(MutableBuffer bits, MutableBuffer::Allocate(BytesForBits(slots), pool_));
    FillBits(bits.data(), 0, slots, true);
    return bits;
  }

  Status AddChild(const Array& child, bool any_null, MutableBuffer slots,
                  std::vector<Array>* children) const {
    if (!any_null) {
      children->push_back(child);
      return OkStatus();
    }
    const Buffer bits = std::move(slots).Finish();
    SHEAF_ASSIGN_OR_RETURN(children->emplace_back(), WithNulls(child, bits, 0, pool_));
    return OkStatus();
  }

  /// A union or run-ends with other children.
  StatusOr<Array> Remade(std::vector<Buffer> buffers, std::vector<Array> children, int64_t offset,
                         int64_t length, size_t first_nullable) const {
    const DataType type = NullableFrom(array_.type(), children, first_nullable);
    return MakeNode({.type = type,
                     .offset = offset,
                     .length = length,
                     .buffers = buffers,
                     .children = children,
                     .verified = IsVerified(array_)},
                    pool_);
  }

  const Array& array_;
  const Buffer& valid_;
  int64_t bit_offset_;
  MemoryPool* pool_;
};

}  // namespace

StatusOr<Array> WithNulls(const Array& array, const Buffer& valid, int64_t bit_offset,
                          MemoryPool* pool) {
  return NullAdder(array, valid, bit_offset, pool).Add();
}

}  // namespace sheaf::inline v1::internal
