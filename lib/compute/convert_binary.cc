#include "compute/convert_binary.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "array/array_data.h"
#include "array/make_typed.h"
#include "array/string_view_slot.h"
#include "base/error.h"
#include "kernels/shift_views.h"
#include "sheaf/base/checked.h"
#include "sheaf/memory/bit_span.h"

namespace sheaf::inline v1::internal {
namespace {

constexpr int64_t kMost32 = std::numeric_limits<int32_t>::max();

Status TooManyBytes(const Array& array, const DataType& type, int64_t bytes) {
  return OutOfRange(array.type().ToString(), " as ", type.ToString(), ": ", bytes,
                    " bytes of values outgrow 32-bit offsets (at most ", kMost32, ")");
}

StatusOr<Array> MakeBinary(const Array& rows, const DataType& type, std::span<Buffer> buffers,
                           MemoryPool* pool) {
  SHEAF_ASSIGN_OR_RETURN(buffers[0], WindowValidity(rows, pool));
  return MakeNode({.type = type,
                   .length = rows.length(),
                   .null_count = rows.null_count(),
                   .buffers = buffers,
                   .verified = true},
                  pool);
}

template <typename In, typename Out>
StatusOr<Array> OtherOffsets(const Array& array, const DataType& type, MemoryPool* pool) {
  const int64_t n = array.length();
  SHEAF_ASSIGN_OR_RETURN(
      MutableBuffer offsets,
      MutableBuffer::Allocate((n + 1) * static_cast<int64_t>(sizeof(Out)), pool));
  offsets.as<Out>()[0] = 0;
  std::array<Buffer, 3> buffers = {Buffer(), Buffer(), Buffer::Empty()};
  if (n > 0) {
    const In* from = array.slots<In>(1);
    const int64_t bytes = from[n] - from[0];
    if (bytes > std::numeric_limits<Out>::max()) return TooManyBytes(array, type, bytes);
    kernels::ShiftOffsets(from, n + 1, -int64_t{from[0]}, offsets.as<Out>());
    if (bytes > 0) buffers[2] = array.buffer(2).Slice(from[0], bytes);
  }
  buffers[1] = std::move(offsets).Finish();
  return MakeBinary(array, type, buffers, pool);
}

/// Cuts bytes that rise through one buffer into buffers that 32-bit offsets reach.
class DataCuts {
 public:
  explicit DataCuts(const Buffer& data) noexcept : data_(data) {}

  /// The place of [begin, begin + size), which lies at or after all that were placed before.
  void Place(int64_t begin, int32_t size, StringViewSlot* slot) {
    if (cuts_.empty() || begin + size - first_ > kMost32) {
      first_ = begin;
      cuts_.push_back(data_.Slice(begin, 0));
    }
    Buffer& cut = cuts_.back();
    cut = data_.Slice(first_, begin + size - first_);
    slot->buffer_index = static_cast<int32_t>(cuts_.size() - 1);
    slot->offset = static_cast<int32_t>(begin - first_);
  }
  std::vector<Buffer>& cuts() noexcept { return cuts_; }

 private:
  const Buffer& data_;
  int64_t first_ = 0;
  std::vector<Buffer> cuts_;
};

template <typename In>
StatusOr<Array> OffsetsToViews(const Array& array, const DataType& type, MemoryPool* pool) {
  const int64_t n = array.length();
  SHEAF_ASSIGN_OR_RETURN(
      MutableBuffer views,
      MutableBuffer::Allocate(n * static_cast<int64_t>(sizeof(StringViewSlot)), pool));
  std::fill_n(views.data(), views.size_bytes(), uint8_t{0});  // Nulls and padding are zero.
  auto* slots = views.as<StringViewSlot>();
  DataCuts cuts(array.buffer(2));
  Status status;
  if (n > 0) {
    const In* offsets = array.slots<In>(1);
    const uint8_t* data = array.buffer(2).data();
    VisitSetRuns(array.has_nulls() ? array.validity() : BitSpan{nullptr, 0, n}, [&](int64_t begin,
                                                                                    int64_t end) {
      for (int64_t row = begin; row < end && status.ok(); ++row) {
        const int64_t at = offsets[row];
        const int64_t size = offsets[row + 1] - offsets[row];
        if (size > kMost32) {
          status = TooManyBytes(array, type, size);
          return;
        }
        StringViewSlot& slot = slots[row];
        slot.size = static_cast<int32_t>(size);
        if (slot.is_inline()) {
          std::memcpy(reinterpret_cast<char*>(&slot) + 4, data + at, static_cast<size_t>(size));
        } else {
          std::memcpy(slot.prefix, data + at, sizeof(slot.prefix));
          cuts.Place(at, slot.size, &slot);
        }
      }
    });
  }
  SHEAF_RETURN_IF_ERROR(status);
  std::vector<Buffer> buffers(2);
  buffers[1] = std::move(views).Finish();
  for (Buffer& cut : cuts.cuts()) buffers.push_back(std::move(cut));
  return MakeBinary(array, type, buffers, pool);
}

/// One sized copy: first the offsets, which tell its size.
template <typename Out>
StatusOr<Array> ViewsToOffsets(const Array& array, const DataType& type, MemoryPool* pool) {
  const int64_t n = array.length();
  SHEAF_ASSIGN_OR_RETURN(
      MutableBuffer offsets,
      MutableBuffer::Allocate((n + 1) * static_cast<int64_t>(sizeof(Out)), pool));
  const auto* slots = n == 0 ? nullptr : array.slots<StringViewSlot>(1);
  const BitSpan validity = array.has_nulls() ? array.validity() : BitSpan{nullptr, 0, n};
  int64_t bytes = 0;
  for (int64_t row = 0; row < n; ++row) {
    offsets.as<Out>()[row] = static_cast<Out>(bytes);
    // Views may share bytes, so that nothing else bounds their sum.
    if (validity[row] && AddOverflows(bytes, slots[row].size, &bytes)) {
      return OutOfRange(array.type().ToString(), " as ", type.ToString(),
                        ": the bytes of its values exceed 64 bits");
    }
  }
  if (bytes > std::numeric_limits<Out>::max()) return TooManyBytes(array, type, bytes);
  offsets.as<Out>()[n] = static_cast<Out>(bytes);
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer data, MutableBuffer::Allocate(bytes, pool));
  VisitSetRuns(validity, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const std::string_view value = BytesOf(array, slots[row]);
      std::copy(value.begin(), value.end(), data.data() + offsets.as<Out>()[row]);
    }
  });
  std::array<Buffer, 3> buffers = {Buffer(), std::move(offsets).Finish(), std::move(data).Finish()};
  return MakeBinary(array, type, buffers, pool);
}

}  // namespace

StatusOr<Array> WithBinaryLayout(const Array& array, const DataType& type, MemoryPool* pool) {
  const bool from_wide = array.layout().offset_bits == 64;
  if (type.layout().id == LayoutId::kBinaryView) {
    return from_wide ? OffsetsToViews<int64_t>(array, type, pool)
                     : OffsetsToViews<int32_t>(array, type, pool);
  }
  const bool wide = type.layout().offset_bits == 64;
  if (array.layout().id == LayoutId::kBinaryView) {
    return wide ? ViewsToOffsets<int64_t>(array, type, pool)
                : ViewsToOffsets<int32_t>(array, type, pool);
  }
  return wide ? OtherOffsets<int32_t, int64_t>(array, type, pool)
              : OtherOffsets<int64_t, int32_t>(array, type, pool);
}

}  // namespace sheaf::inline v1::internal
