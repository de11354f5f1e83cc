#include <cstring>

#include "builder/build_offsets.h"
#include "builder/builder_core.h"
#include "kernels/shift_views.h"
#include "sheaf/builder/binary_builder.h"

// Sparse columns of strings: the bytes of the fill again and again, those of patches between them.
namespace sheaf::inline v1 {
namespace {

/// The strings of an array: their ends and their bytes.
template <typename Offset>
struct Strings {
  const Offset* offsets = nullptr;  // One more than strings.
  const uint8_t* data = nullptr;

  int64_t bytes(int64_t first, int64_t n) const noexcept {
    return offsets[first + n] - offsets[first];
  }
  const uint8_t* start(int64_t first) const noexcept { return data + offsets[first]; }
};

template <typename Offset>
Strings<Offset> StringsOf(const Array& array) noexcept {
  return {array.slots<Offset>(1), array.buffer(2).data()};
}

template <typename Offset>
constexpr Offset kNoBytes[2] = {0, 0};

}  // namespace

template <typename Offset>
Status BasicBinaryBuilder<Offset>::StageSparse(const internal::SparseFill& sparse) {
  const int64_t block = sparse.block();
  const Strings<Offset> fill =
      sparse.null_fill() ? Strings<Offset>{kNoBytes<Offset>} : StringsOf<Offset>(sparse.fill);
  const Strings<Offset> patches = StringsOf<Offset>(sparse.patches);
  const int64_t fill_bytes = fill.bytes(0, block);
  SHEAF_ASSIGN_OR_RETURN(const int64_t rows, RowsOf(sparse));
  SHEAF_ASSIGN_OR_RETURN(int64_t total_bytes,
                         internal::ProductOf(fill_bytes, sparse.at.num_fills(), type_));
  if (AddOverflows(total_bytes, patches.bytes(0, sparse.patches.length()), &total_bytes)) {
    return internal::OutOfRange(type_.ToString(), " builder: the values exceed 64 bits of bytes");
  }
  SHEAF_RETURN_IF_ERROR(CheckFits(total_bytes));
  SHEAF_RETURN_IF_ERROR(data_.Reserve(total_bytes));
  SHEAF_RETURN_IF_ERROR(internal::ReserveOffsets<Offset>(offsets_, rows, type_));
  SHEAF_RETURN_IF_ERROR(StageSparseValidity(sparse));

  int64_t end = data_.staged_size_bytes();
  uint8_t* data = total_bytes > 0 ? data_.UnsafeStage(total_bytes) : nullptr;
  auto* out =
      reinterpret_cast<Offset*>(offsets_.UnsafeStage(rows * static_cast<int64_t>(sizeof(Offset))));
  return sparse.at.VisitRuns(
      [&](int64_t n) {
        internal::FillRepeated(data, fill.start(0), fill_bytes, n);
        internal::WriteRepeatedEnds(fill.offsets + 1, block, fill_bytes, n, end, out);
        data += n * fill_bytes;
        end += n * fill_bytes;
        out += n * block;
        return OkStatus();
      },
      [&](int64_t first, int64_t n) {
        const int64_t bytes = patches.bytes(first * block, n * block);
        if (bytes > 0) std::memcpy(data, patches.start(first * block), static_cast<size_t>(bytes));
        kernels::ShiftOffsets(patches.offsets + first * block + 1, n * block,
                              end - patches.offsets[first * block], out);
        data += bytes;
        end += bytes;
        out += n * block;
        return OkStatus();
      });
}

template Status BasicBinaryBuilder<int32_t>::StageSparse(const internal::SparseFill&);
template Status BasicBinaryBuilder<int64_t>::StageSparse(const internal::SparseFill&);

}  // namespace sheaf::inline v1
