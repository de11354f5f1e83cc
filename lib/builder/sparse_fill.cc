#include "builder/sparse_fill.h"

#include <algorithm>
#include <cstring>

#include "sheaf/builder/make_builder.h"

// Appends of sparse columns, as far as all builders share them.
namespace sheaf::inline v1 {

using internal::InvalidArgument;
using internal::OutOfRange;
using internal::RowRange;
using internal::SparseFill;
using internal::SparsePositions;

namespace {

/// kInvalidArgument naming the first position that is outside the page or not above the one before.
Status CheckPositions(const DataType& type, const SparsePositions& at) {
  const std::span<const int64_t> positions = at.positions;
  bool ascend = true;
  for (size_t j = 1; j < positions.size(); ++j) ascend &= positions[j - 1] < positions[j];
  const int64_t end = at.base + at.count;
  if (ascend && (positions.empty() || (positions.front() >= at.base && positions.back() < end)))
    return OkStatus();
  for (size_t j = 0; j < positions.size(); ++j) {
    if (positions[j] < at.base || positions[j] >= end) {
      return InvalidArgument(type.ToString(), " builder: position ", j, " of the patches is ",
                             positions[j], ", outside of rows [", at.base, ", ", end, ")");
    }
    if (j > 0 && positions[j] <= positions[j - 1]) {
      return InvalidArgument(type.ToString(), " builder: position ", j, " of the patches is ",
                             positions[j], ", not above the one before, ", positions[j - 1]);
    }
  }
  return OkStatus();
}

/// Rows [first, first + n) of a fill whose blocks are rows.
SparseFill RowsOfFill(const SparseFill& sparse, int64_t first, int64_t n) {
  const auto& positions = sparse.at.positions;
  const int64_t base = sparse.at.base + first;
  const auto from = std::lower_bound(positions.begin(), positions.end(), base);
  const auto to = std::lower_bound(from, positions.end(), base + n);
  return {sparse.fill,
          sparse.patches.Slice(from - positions.begin(), to - from),
          {{from, to}, base, n}};
}

}  // namespace

Status ArrayBuilder::AppendSparse(const Array& fill, std::span<const int64_t> positions,
                                  const Array& patches, int64_t base, int64_t length) {
  SHEAF_RETURN_IF_ERROR(CheckRows(length));
  int64_t end = 0;
  if (base < 0 || AddOverflows(base, length, &end)) {
    return InvalidArgument(type_.ToString(), " builder: ", length, " rows from row ", base, " on");
  }
  if (fill.length() != 1) {
    return InvalidArgument(type_.ToString(), " builder: a fill of ", fill.length(),
                           " rows, where one value is wanted");
  }
  if (static_cast<int64_t>(positions.size()) != patches.length()) {
    return InvalidArgument(type_.ToString(), " builder: ", positions.size(), " positions for ",
                           patches.length(), " patches");
  }
  SHEAF_RETURN_IF_ERROR(CheckSource(fill, 0, 1));
  SHEAF_RETURN_IF_ERROR(CheckSource(patches, 0, patches.length()));
  const SparseFill sparse{fill, patches, {positions, base, length}};
  SHEAF_RETURN_IF_ERROR(CheckPositions(type_, sparse.at));
  if (length == 0) return OkStatus();
  SHEAF_RETURN_IF_ERROR(CheckLimitOfRows(length));
  return TransactRows(length, [&](int64_t first, int64_t n) {
    const SparseFill part = n == length ? sparse : RowsOfFill(sparse, first, n);
    const RowRange all{0, n};
    if (part.patches.length() == n) return StageSource(part.patches, {&all, 1});
    if (part.patches.length() > 0) return StageSourceSparse(part);
    return fill.IsNull(0) ? StageNulls(n) : StageSourceRepeated(fill, {0, 1}, n);
  });
}

Status ArrayBuilder::StageSparse(const SparseFill& sparse) {
  const int64_t block = sparse.block();
  return sparse.at.VisitRuns(
      [&](int64_t n) {
        return sparse.null_fill() ? StageNulls(n) : StageRepeated(sparse.fill, {0, block}, n);
      },
      [&](int64_t first, int64_t n) {
        const RowRange rows{first * block, n * block};
        return StageRanges(sparse.patches, {&rows, 1});
      });
}

Status ArrayBuilder::StageSparseValidity(const SparseFill& sparse) {
  BitSpan fill = sparse.fill.validity();
  BitSpan patches = sparse.patches.validity();
  fill.length = sparse.fill.length();
  patches.length = sparse.patches.length();
  return tail_.StageSparse(fill, patches, sparse.at);
}

StatusOr<int64_t> ArrayBuilder::RowsOf(const SparseFill& sparse) const {
  return internal::ProductOf(sparse.at.count, sparse.block(), type_);
}

StatusOr<Array> ArrayBuilder::AsOwnType(const Array& array) const {
  const bool same_size = array.type().list_size() == type_.list_size();
  if (internal::SameStorage(array.type(), type_) && same_size) return array;
  SHEAF_ASSIGN_OR_RETURN(const auto converter, MakeBuilder(type_, helper_options()));
  SHEAF_RETURN_IF_ERROR(converter->AppendArray(array));
  return converter->Finish();
}

namespace internal {
namespace {

template <typename T>
void WriteSparseAs(const SparsePositions& at, const uint8_t* fill, const uint8_t* patches,
                   uint8_t* out) noexcept {
  // Sliced and foreign buffers need not be aligned; the builder's own are.
  WriteSparse(at, LoadUnaligned<T>(fill), reinterpret_cast<T*>(out), [&](int64_t j) {
    return LoadUnaligned<T>(patches + j * static_cast<int64_t>(sizeof(T)));
  });
}

/// The same for sizes without an integer type.
void WriteSparseBlocks(const SparsePositions& at, const uint8_t* fill, const uint8_t* patches,
                       int64_t block_bytes, uint8_t* out) noexcept {
  const int64_t blocks = std::max<int64_t>(kSparseBytes / block_bytes, 1);
  int64_t j = 0;
  for (int64_t begin = 0; begin < at.count; begin += blocks) {
    const int64_t end = std::min(begin + blocks, at.count);
    FillRepeated(out + begin * block_bytes, fill, block_bytes, end - begin);
    for (; j < at.num_patches() && at[j] < end; ++j) {
      std::memcpy(out + at[j] * block_bytes, patches + j * block_bytes,
                  static_cast<size_t>(block_bytes));
    }
  }
}

}  // namespace

void WriteSparseBytes(const SparsePositions& at, const uint8_t* fill, const uint8_t* patches,
                      int64_t block_bytes, uint8_t* out) noexcept {
  switch (block_bytes) {
    case 0:
      return;
    case 1:
      return WriteSparseAs<uint8_t>(at, fill, patches, out);
    case 2:
      return WriteSparseAs<uint16_t>(at, fill, patches, out);
    case 4:
      return WriteSparseAs<uint32_t>(at, fill, patches, out);
    case 8:
      return WriteSparseAs<uint64_t>(at, fill, patches, out);
    default:
      return WriteSparseBlocks(at, fill, patches, block_bytes, out);
  }
}

}  // namespace internal
}  // namespace sheaf::inline v1
