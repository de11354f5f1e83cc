#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sheaf/builder/array_builder.h"
#include "sheaf/builder/binary_window.h"
#include "sheaf/builder/view_data.h"
#include "sheaf/memory/bit_span.h"

namespace sheaf::inline v1 {

namespace internal {
struct DataUse;        // lib/array/string_data_uses.h
class StringDataUses;  // lib/array/string_data_uses.h
}  // namespace internal

/// Builds binary_view and utf8_view arrays. Values of up to 12 bytes lie in their view; longer ones
/// in data buffers of the builder (blocks that never exceed what 32 bits reach), or where the
/// appended array has them: data buffers are shared, each once however often it comes.
///
/// A data buffer is shared by an append that uses at least BuilderOptions::min_chunk_bytes of it,
/// if that is not too little of its allocation (`max_retained_ratio`); the values of others are
/// copied. `AppendRepeated` stores a long value once. Null rows' views are zero. UTF-8 is not
/// checked here; full validation does.
class SHEAF_EXPORT BinaryViewBuilder : public ArrayBuilder {
 public:
  explicit BinaryViewBuilder(const DataType& type, const BuilderOptions& options = {});
  static Status CheckBuilds(const DataType& type);

  /// \return kOutOfRange for a value of more than 2^31 - 1 bytes.
  Status Append(std::string_view value);
  /// Room for the row was reserved, and for the bytes of long values by `ReserveData`.
  void UnsafeAppend(std::string_view value) noexcept;
  /// Room for the rows and all bytes was reserved.
  void UnsafeAppendValues(std::span<const std::string_view> values) noexcept {
    for (const std::string_view value : values) UnsafeAppend(value);
  }
  /// \param validity  as many bits as values; absent: all valid. Bytes of null values are not
  /// stored.
  Status AppendValues(std::span<const std::string_view> values, BitSpan validity = {});

  /// Memory for n values of so many bytes altogether, to be written in place and taken by `Commit`.
  /// Nothing is appended before; any other change, `Reserve` or `Snapshot` closes the window.
  /// \return kOutOfRange for more than 2^31 - 1 bytes.
  StatusOr<BinaryWindow<int32_t>> AppendUninitialized(int64_t n, int64_t data_bytes);
  /// The first `rows` rows of the window, whose sizes and bytes are written by now; the rest is
  /// forgotten. The size of a null row counts too. Long values stay in the memory that they were
  /// written to, and close ranks where short ones, which go to their views, or null ones lay
  /// between them.
  /// \param validity  as many bits as rows; absent: all valid.
  /// \return kFailedPrecondition where no window is open; kInvalidArgument for a negative size, or
  /// sizes that add up to more than the window's bytes; else, as every append, nothing has changed,
  /// and the window is still open.
  Status Commit(int64_t rows, BitSpan validity = {});

  /// Room, in one block, for so many more bytes of values longer than 12 bytes.
  /// \return kOutOfRange for more than 2^31 - 1 bytes.
  Status ReserveData(int64_t additional_bytes);
  /// Bytes of data buffers in use: all that were copied, and of shared buffers those from the first
  /// to the last in use.
  int64_t data_bytes() const noexcept;

 protected:
  using RowRange = internal::RowRange;
  Status StageRanges(const Array& source, std::span<const RowRange> ranges) override;
  Status StageRepeated(const Array& source, RowRange range, int64_t n) override;
  Status StageSparse(const internal::SparseFill& sparse) override;
  Status StageNulls(int64_t n) override;
  Status StageEmpty(int64_t n) override;
  Status StageKept(const Array& source, RowRange range) override;
  Status StageWidened(int64_t chunk, RowRange range) override;
  Status ReserveRows(int64_t rows) override;
  void Commit() noexcept override;
  void Discard() noexcept override;
  void SaveMark(internal::MarkWriter& mark) const noexcept override;
  void RestoreMark(internal::MarkReader& mark) noexcept override;
  StatusOr<Array> Build(Sharing sharing) override;
  StatusOr<Array> BuildTail(Sharing sharing) override;
  Status BuildPieces(internal::PieceList* pieces) override;
  void Clear() noexcept override;
  int64_t BytesUsed() const noexcept override;
  void AddRetained(internal::RetainedSet* retained) const override;
  Status AddNeeds(const Array& source, std::span<const RowRange> ranges) override;
  Status ReserveNeeds() override;
  std::unique_ptr<ArrayBuilder> NewEmpty() const override;
  void SwapRows(ArrayBuilder& other) noexcept override;

 private:
  static constexpr int64_t kSlotBytes = 16;

  /// The sizes in the open window. They lie at the end of the slots' memory: each slot is written
  /// where no size of a later row is.
  int32_t* WindowSizes() noexcept;
  /// Bytes of the valid long values among the window's first rows, whose sizes are not negative and
  /// fit its bytes.
  StatusOr<int64_t> LongBytesOfWindow(const int32_t* sizes, BitSpan validity) const;
  Status ReserveSlots(int64_t rows);
  /// n zero slots: null rows, and empty values.
  Status StageZeros(int64_t n);
  Status StageValues(std::span<const std::string_view> values, BitSpan validity);
  Status ShareAll(const Array& source, const internal::StringDataUses& uses);
  /// Shares or copies the data buffers in use, but for those whose values are copied one by one.
  Status PlaceData(const Array& source, internal::StringDataUses* uses);
  Status StageSlots(const Array& source, RowRange range, internal::StringDataUses* uses,
                    int64_t* coming_bytes);
  /// What becomes of the bytes that an append uses of a data buffer.
  enum class Placing : uint8_t { kShared, kCopiedWhole, kCopiedSingly };
  Placing PlacingOf(const Buffer& buffer, const internal::DataUse& use) const noexcept;
  StatusOr<Buffer> BuildViews(Sharing sharing);
  StatusOr<Array> MakeArrayOf(int64_t rows, int64_t null_count, Buffer validity, Buffer views,
                              Sharing sharing);
  /// A kept chunk with zeros under its nulls.
  StatusOr<Array> ZeroedChunk(const Array& window);

  BufferBuilder views_;  ///< Slots of the tail rows.
  internal::ViewData data_;
  int64_t window_bytes_ = 0;  ///< Of the values in the open window.
};

using Utf8ViewBuilder = BinaryViewBuilder;

}  // namespace sheaf
