#include "c_data/export_window.h"

#include <algorithm>
#include <utility>

#include "array/array_data.h"
#include "array/null_views.h"
#include "base/error.h"
#include "memory/copy_of_bits.h"
#include "sheaf/base/bits.h"
#include "sheaf/memory/bit_span.h"
#include "sheaf/type/layout.h"
#include "sheaf/type/visit_layout.h"

namespace sheaf::inline v1::internal {
namespace {

StatusOr<Buffer> BitsFromZero(const Buffer& bits, int64_t offset, int64_t length,
                              MemoryPool* pool) {
  if (offset % 8 == 0) return bits.Slice(offset / 8, bits.size_bytes() - offset / 8);
  return CopyOfBits({bits.data(), offset, length}, pool);
}

// A present buffer stands in for one that is absent because it has no byte to give.
StatusOr<Buffer> InsteadOfAbsent(const Array& array, int i) {
  if (BufferBytesNeeded(array.type(), i, array.offset() + array.length()) > 0) {
    return InvalidArgument(array.type().ToString(), ": buffer ", i, " is missing");
  }
  return Buffer::Empty();
}

}  // namespace

StatusOr<Buffer> WindowBuffer(const Array& array, int i, int64_t null_count, MemoryPool* pool) {
  const BufferRole role = array.layout().buffers[static_cast<size_t>(i)].role;
  const Buffer& buffer = array.buffer(i);
  if (role == BufferRole::kValidity && null_count == 0) return Buffer();
  if (array.length() == 0) return Buffer::Empty();
  if (buffer.absent()) return InsteadOfAbsent(array, i);
  if (role == BufferRole::kData) return buffer;
  if (role == BufferRole::kValidity || role == BufferRole::kBits) {
    return BitsFromZero(buffer, array.offset(), array.length(), pool);
  }
  const int64_t start = array.offset() * (BufferBitWidth(array.type(), i) / 8);
  Buffer window = buffer.Slice(start, buffer.size_bytes() - start);
  if (role != BufferRole::kViews || null_count == 0) return window;
  if (NullViewsAreZero(window.data(), array.validity())) return window;
  return CopyWithZeroNullViews(window.data(), array.validity(), pool);
}

bool IsWholeBuffer(const Array& array, int i, int64_t null_count) noexcept {
  const BufferRole role = array.layout().buffers[static_cast<size_t>(i)].role;
  const bool is_needed = role != BufferRole::kValidity || null_count > 0;
  return is_needed && array.offset() == 0 && array.length() > 0 && role != BufferRole::kViews &&
         !array.buffer(i).absent();
}

Status CheckDataBuffers(const Array& array) {
  const int num_fixed = array.layout().num_buffers;
  if (array.length() == 0) return OkStatus();
  for (int i = num_fixed; i < array.num_buffers(); ++i) {
    if (array.buffer(i).absent()) {
      return InvalidArgument(array.type().ToString(), ": data buffer ", i - num_fixed,
                             " is missing");
    }
  }
  return OkStatus();
}

Array WindowChild(const Array& array, int i) noexcept {
  const Array& child = array.child(i);
  const auto rows = [&](int64_t width) {
    return child.Slice(array.offset() * width, array.length() * width);
  };
  if (array.length() == 0) return child.Slice(0, 0);
  return VisitLayout(array.layout(),
                     Overloaded{
                         [&](StructLayout) { return rows(1); },
                         [&](SparseUnionLayout) { return rows(1); },
                         [&](FixedSizeListLayout) { return rows(array.type().list_size()); },
                         [&](auto) { return child; },
                     });
}

namespace {

// Run ends [first, last) less `offset`, the last one clamped to `length`.
template <typename RunEnd>
StatusOr<Array> MovedRunEnds(const Array& run_ends, int64_t first, int64_t last, int64_t offset,
                             int64_t length, MemoryPool* pool) {
  const int64_t num_runs = last - first;
  SHEAF_ASSIGN_OR_RETURN(
      MutableBuffer moved,
      MutableBuffer::Allocate(num_runs * static_cast<int64_t>(sizeof(RunEnd)), pool));
  const RunEnd* source = run_ends.slots<RunEnd>(1) + first;
  std::transform(source, source + num_runs, moved.as<RunEnd>(), [&](RunEnd end) {
    return static_cast<RunEnd>(std::min<int64_t>(end - offset, length));
  });
  Buffer buffers[] = {Buffer(), std::move(moved).Finish()};
  return MakeNode({.type = run_ends.type(),
                   .length = num_runs,
                   .null_count = 0,
                   .buffers = buffers,
                   .verified = true},
                  pool);
}

template <typename RunEnd>
StatusOr<std::array<Array, 2>> WindowRunsOf(const Array& array, MemoryPool* pool) {
  const Array& run_ends = array.child(0);
  const Array& values = array.child(1);
  if (array.length() == 0) return std::array{run_ends.Slice(0, 0), values.Slice(0, 0)};
  const int64_t end = array.offset() + array.length();
  const int64_t num_runs = run_ends.length();
  // The whole of an array needs no look at its runs but the last.
  if (array.offset() == 0 && num_runs > 0 && run_ends.slots<RunEnd>(1)[num_runs - 1] == end) {
    return std::array{run_ends, values.Slice(0, num_runs)};
  }
  SHEAF_RETURN_IF_ERROR(array.Verify());
  const RunEnd* ends = run_ends.slots<RunEnd>(1);
  const int64_t first = std::upper_bound(ends, ends + num_runs, array.offset()) - ends;
  const int64_t last = std::lower_bound(ends + first, ends + num_runs, end) - ends + 1;
  const Array window_values = values.Slice(first, last - first);
  if (array.offset() == 0 && ends[last - 1] == end) {
    return std::array{run_ends.Slice(0, last), window_values};
  }
  SHEAF_ASSIGN_OR_RETURN(Array moved, MovedRunEnds<RunEnd>(run_ends, first, last, array.offset(),
                                                           array.length(), pool));
  return std::array{std::move(moved), window_values};
}

}  // namespace

StatusOr<std::array<Array, 2>> WindowRuns(const Array& array, MemoryPool* pool) {
  return VisitLayout(array.layout(), Overloaded{
                                         [&]<typename RunEnd>(RunEndEncodedLayout<RunEnd>) {
                                           return WindowRunsOf<RunEnd>(array, pool);
                                         },
                                         [](auto) -> StatusOr<std::array<Array, 2>> {
                                           return InvalidArgument("not a run-end-encoded array");
                                         },
                                     });
}

}  // namespace sheaf::inline v1::internal
