#include <algorithm>
#include <cstring>

#include "builder/builder_core.h"
#include "builder/dense_child.h"
#include "builder/sparse_fill.h"
#include "kernels/fill.h"
#include "sheaf/builder/make_builder.h"
#include "sheaf/builder/union_builder.h"

// What comes into a builder of unions. A source's type ids are as verified: each is known to its
// type, and so to the builder's, which has all of its children.
namespace sheaf::inline v1 {

using internal::DenseChild;
using internal::RowRange;

namespace {

constexpr int64_t kOffsetWidth = sizeof(int32_t);

int32_t* StageOffsets(BufferBuilder& offsets, int64_t n) noexcept {
  return reinterpret_cast<int32_t*>(offsets.UnsafeStage(n * kOffsetWidth));
}

}  // namespace

int UnionBuilder::ChildOfSource(const Array& source, int i) const noexcept {
  const int8_t code = type_.storage().type_codes()[static_cast<size_t>(i)];
  return source.type().storage().child_of_type_code()[static_cast<size_t>(code)];
}

Status UnionBuilder::CheckChildNullable(int i, const Array& source,
                                        std::span<const RowRange> ranges) const {
  const Field& field = type_.field(i);
  if (field.nullable()) return OkStatus();
  const Array& values = source.child(ChildOfSource(source, i));
  if (!internal::BringsNulls(field.type(), values)) return OkStatus();
  const int8_t code = type_.storage().type_codes()[static_cast<size_t>(i)];
  const auto* ids = source.slots<int8_t>(0);
  for (const RowRange& range : ranges) {
    for (int64_t row = range.offset; row < range.end(); ++row) {
      if (ids[row] != code) continue;
      const int64_t slot = dense_ ? source.slots<int32_t>(1)[row] : source.offset() + row;
      if (!internal::BringsNull(field.type(), values, slot)) continue;
      return internal::InvalidArgument(type_.ToString(), " builder, row ", row,
                                       " of an array: child ", field.ToString(),
                                       " is not nullable and has a null");
    }
  }
  return OkStatus();
}

Status UnionBuilder::StageTypeIds(const Array& source, std::span<const RowRange> ranges) {
  SHEAF_RETURN_IF_ERROR(ReserveSlots(internal::TotalLength(ranges)));
  for (const RowRange& range : ranges) {
    if (range.length == 0) continue;
    std::memcpy(type_ids_.UnsafeStage(range.length), source.slots<int8_t>(0) + range.offset,
                static_cast<size_t>(range.length));
  }
  return OkStatus();
}

Status UnionBuilder::StageRanges(const Array& source, std::span<const RowRange> ranges) {
  SHEAF_RETURN_IF_ERROR(dense_ ? StageDenseRanges(source, ranges)
                               : StageSparseRanges(source, ranges));
  return tail_.StageValid(internal::TotalLength(ranges));
}

Status UnionBuilder::StageSparseRanges(const Array& source, std::span<const RowRange> ranges) {
  SHEAF_RETURN_IF_ERROR(StageTypeIds(source, ranges));
  for (int i = 0; i < num_children(); ++i) {
    const int of_source = ChildOfSource(source, i);
    if (of_source < 0) {
      SHEAF_RETURN_IF_ERROR(StagePlaceholdersOf(child(i), internal::TotalLength(ranges)));
      continue;
    }
    SHEAF_RETURN_IF_ERROR(CheckChildNullable(i, source, ranges));
    const Array values = source.child(of_source).Slice(source.offset(), source.length());
    SHEAF_RETURN_IF_ERROR(StageRangesOf(child(i), values, ranges));
  }
  return OkStatus();
}

// ── Dense ──

Status UnionBuilder::PlanDense(const Array& source, std::span<const RowRange> ranges) {
  scratch_.Clear();
  for (int i = 0; i < num_children(); ++i) {
    SHEAF_RETURN_IF_ERROR(scratch_.Stage(DenseChild(pool())));
    scratch_[i].next = StagedLengthOf(child(i));
  }
  for (const RowRange& range : ranges) {
    SHEAF_RETURN_IF_ERROR(PlanDenseRange(source, range, nullptr));
  }
  return OkStatus();
}

Status UnionBuilder::PlanDenseRange(const Array& source, RowRange range, int32_t* offsets) {
  const std::span<const int8_t> child_of = type_.storage().child_of_type_code();
  const auto* ids = source.slots<int8_t>(0) + range.offset;
  const auto* slots = source.slots<int32_t>(1) + range.offset;
  const auto child_at = [&](int64_t row) -> DenseChild& {
    return scratch_[child_of[static_cast<size_t>(ids[row])]];
  };
  for (DenseChild& child : scratch_) child.Begin();
  for (int64_t row = 0; row < range.length; ++row) child_at(row).See(slots[row]);
  bool all_rise = true;
  for (int i = 0; i < num_children(); ++i) {
    DenseChild& child = scratch_[i];
    if (child.rows == 0) continue;
    SHEAF_RETURN_IF_ERROR(CheckFits(i, child.next, child.slots()));
    all_rise = all_rise && child.rises;
    if (child.rises) SHEAF_RETURN_IF_ERROR(child.ranges.Add({child.first, child.slots()}));
  }
  for (int64_t row = 0; row < range.length && (offsets != nullptr || !all_rise); ++row) {
    DenseChild& child = child_at(row);
    if (!child.rises) SHEAF_RETURN_IF_ERROR(child.ranges.Add({slots[row], 1}));
    const int64_t offset = child.rises ? child.next - child.first + slots[row] : child.next++;
    if (offsets != nullptr) offsets[row] = static_cast<int32_t>(offset);
  }
  for (DenseChild& child : scratch_) {
    if (child.rises && child.rows > 0) child.next += child.slots();
  }
  return OkStatus();
}

Status UnionBuilder::StageDenseRanges(const Array& source, std::span<const RowRange> ranges) {
  SHEAF_RETURN_IF_ERROR(PlanDense(source, {}));
  SHEAF_RETURN_IF_ERROR(StageTypeIds(source, ranges));
  for (const RowRange& range : ranges) {
    int32_t* offsets = StageOffsets(offsets_, range.length);
    SHEAF_RETURN_IF_ERROR(PlanDenseRange(source, range, offsets));
  }
  for (int i = 0; i < num_children(); ++i) {
    const internal::RangeList& brought = scratch_[i].ranges;
    if (brought.total() == 0) continue;
    SHEAF_RETURN_IF_ERROR(CheckChildNullable(i, source, ranges));
    SHEAF_RETURN_IF_ERROR(
        StageRangesOf(child(i), source.child(ChildOfSource(source, i)), brought.ranges()));
  }
  return OkStatus();
}

/// Each repeat has slots of its own, so that offsets rise.
Status UnionBuilder::StageDenseRepeated(const Array& source, RowRange range, int64_t n) {
  if (range.length > 1) {
    // Gathered once, so that a round repeats what its rows read, and nothing else.
    SHEAF_ASSIGN_OR_RETURN(const auto gatherer, MakeBuilder(type_, helper_options()));
    SHEAF_RETURN_IF_ERROR(gatherer->AppendArray(source, range.offset, range.length));
    SHEAF_ASSIGN_OR_RETURN(const Array gathered, gatherer->Finish());
    const auto* ids = gathered.slots<int8_t>(0);
    const auto* slots = gathered.slots<int32_t>(1);
    const std::span<const int8_t> child_of = type_.storage().child_of_type_code();
    SHEAF_RETURN_IF_ERROR(PlanDense(source, {}));
    for (int i = 0; i < num_children(); ++i) {
      const int64_t step = gathered.child(i).length();
      if (step == 0) continue;
      SHEAF_ASSIGN_OR_RETURN(const int64_t total, internal::ProductOf(step, n, type_));
      SHEAF_RETURN_IF_ERROR(CheckFits(i, scratch_[i].next, total));
      SHEAF_RETURN_IF_ERROR(StageRepeatedOf(child(i), gathered.child(i), {0, step}, n));
    }
    int32_t* offsets = StageOffsets(offsets_, range.length * n);
    for (int64_t round = 0; round < n; ++round) {
      for (int64_t row = 0; row < range.length; ++row) {
        const int8_t of = child_of[static_cast<size_t>(ids[row])];
        const int64_t first = scratch_[of].next + round * gathered.child(of).length();
        *offsets++ = static_cast<int32_t>(first + slots[row]);
      }
    }
    return OkStatus();
  }
  const auto id = static_cast<size_t>(source.slots<int8_t>(0)[range.offset]);
  const int of = type_.storage().child_of_type_code()[id];
  const int64_t slot = source.slots<int32_t>(1)[range.offset];
  const int64_t start = StagedLengthOf(child(of));
  SHEAF_RETURN_IF_ERROR(CheckFits(of, start, n));
  kernels::FillSteps(start, 1, n, StageOffsets(offsets_, n));
  return StageRepeatedOf(child(of), source.child(ChildOfSource(source, of)), {slot, 1}, n);
}

// ── Repeats, sparse columns, nulls ──

Status UnionBuilder::StageRepeated(const Array& source, RowRange range, int64_t n) {
  SHEAF_ASSIGN_OR_RETURN(const int64_t rows, internal::ProductOf(range.length, n, type_));
  if (rows == 0) return OkStatus();
  SHEAF_RETURN_IF_ERROR(ReserveSlots(rows));
  const auto* ids = reinterpret_cast<const uint8_t*>(source.slots<int8_t>(0) + range.offset);
  internal::FillRepeated(type_ids_.UnsafeStage(rows), ids, range.length, n);
  for (int i = 0; i < num_children(); ++i) {
    const int of_source = ChildOfSource(source, i);
    if (of_source >= 0) SHEAF_RETURN_IF_ERROR(CheckChildNullable(i, source, {&range, 1}));
    if (dense_) continue;
    if (of_source < 0) {
      SHEAF_RETURN_IF_ERROR(StagePlaceholdersOf(child(i), rows));
      continue;
    }
    const Array values = source.child(of_source).Slice(source.offset(), source.length());
    SHEAF_RETURN_IF_ERROR(StageRepeatedOf(child(i), values, range, n));
  }
  if (dense_) SHEAF_RETURN_IF_ERROR(StageDenseRepeated(source, range, n));
  return tail_.StageValid(rows);
}

Status UnionBuilder::StageSparse(const internal::SparseFill& sparse) {
  const Array& fill = sparse.fill;
  const Array& patches = sparse.patches;
  bool has_all = !dense_;
  for (int i = 0; i < num_children(); ++i) {
    has_all = has_all && ChildOfSource(fill, i) >= 0 && ChildOfSource(patches, i) >= 0;
  }
  if (!has_all) return ArrayBuilder::StageSparse(sparse);
  SHEAF_ASSIGN_OR_RETURN(const int64_t rows, RowsOf(sparse));
  SHEAF_RETURN_IF_ERROR(ReserveSlots(rows));
  const auto ids_of = [](const Array& array) {
    return reinterpret_cast<const uint8_t*>(array.slots<int8_t>(0));
  };
  internal::WriteSparseBytes(sparse.at, ids_of(fill), ids_of(patches), sparse.block(),
                             type_ids_.UnsafeStage(rows));
  for (int i = 0; i < num_children(); ++i) {
    const auto values_of = [&](const Array& array) {
      return array.child(ChildOfSource(array, i)).Slice(array.offset(), array.length());
    };
    for (const Array& source : {fill, patches}) {
      const RowRange all{0, source.length()};
      SHEAF_RETURN_IF_ERROR(CheckChildNullable(i, source, {&all, 1}));
    }
    SHEAF_RETURN_IF_ERROR(
        StageSparseOf(child(i), {values_of(fill), values_of(patches), sparse.at}));
  }
  return tail_.StageValid(rows);
}

Status UnionBuilder::StageFilled(int i, int64_t n, Filler fill) {
  if (n == 0) return OkStatus();
  if (i >= num_children()) {
    return internal::InvalidArgument(type_.ToString(),
                                     " builder: a union without children has no value");
  }
  const int64_t start = StagedLengthOf(child(i));
  if (dense_) SHEAF_RETURN_IF_ERROR(CheckFits(i, start, n));
  SHEAF_RETURN_IF_ERROR(ReserveSlots(n));
  std::memset(type_ids_.UnsafeStage(n), type_.storage().type_codes()[static_cast<size_t>(i)],
              static_cast<size_t>(n));
  if (dense_) kernels::FillSteps(start, 1, n, StageOffsets(offsets_, n));
  for (int other = 0; !dense_ && other < num_children(); ++other) {
    if (other != i) SHEAF_RETURN_IF_ERROR(StagePlaceholdersOf(child(other), n));
  }
  SHEAF_RETURN_IF_ERROR(fill(child(i), n));
  return tail_.StageValid(n);
}

Status UnionBuilder::StageNulls(int64_t n) {
  if (n > 0 && null_child_ < 0) {
    return internal::InvalidArgument(type_.ToString(), " builder: no child can hold a null");
  }
  return StageFilled(null_child_, n, StageNullsOf);
}

Status UnionBuilder::StageEmpty(int64_t n) { return StageFilled(empty_child_, n, StageEmptyOf); }

Status UnionBuilder::StagePlaceholders(int64_t n) {
  return StageFilled(empty_child_, n, StagePlaceholdersOf);
}

}  // namespace sheaf::inline v1
