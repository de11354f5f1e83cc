#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "sheaf/builder/array_builder.h"
#include "sheaf/memory/bit_span.h"

namespace sheaf::inline v1 {

/// Builds arrays of any fixed width in bytes: numbers, dates and times, decimals, intervals,
/// fixed-size binary. Values are bytes here; `FixedWidthBuilder<T>` adds their C++ type.
class SHEAF_EXPORT FixedWidthBuilderBase : public ArrayBuilder {
 public:
  FixedWidthBuilderBase(const DataType& type, const BuilderOptions& options = {});

  int64_t byte_width() const noexcept { return width_; }

  /// One value of `byte_width()` bytes.
  Status AppendBytes(const void* value);
  /// n values back to back. \param validity  n bits; absent: all valid.
  Status AppendBytes(const void* values, int64_t n, BitSpan validity = {});

  /// The first `rows` rows of the window that `AppendUninitialized` opened, written by now; the
  /// rest is forgotten. \param validity  as many bits as rows; absent: all valid.
  /// \return kFailedPrecondition where no window is open; else, as every append, nothing has
  /// changed, and the window is still open.
  Status Commit(int64_t rows, BitSpan validity = {});

 protected:
  Status StageRanges(const Array& source, std::span<const RowRange> ranges) override;
  Status StageRepeated(const Array& source, RowRange range, int64_t n) override;
  Status StageSparse(const internal::SparseFill& sparse) override;
  Status StageNulls(int64_t n) override;
  Status StageEmpty(int64_t n) override;
  Status ReserveRows(int64_t rows) override;
  void Commit() noexcept override;
  void Discard() noexcept override;
  void RestoreMark(internal::MarkReader& mark) noexcept override;
  StatusOr<Array> Build(Sharing sharing) override;
  Status BuildPieces(internal::PieceList* pieces) override;
  StatusOr<Array> BuildTail(Sharing sharing) override;
  void Clear() noexcept override;
  int64_t BytesUsed() const noexcept override;
  void AddRetained(internal::RetainedSet* retained) const override;
  Status AddNeeds(const Array& source, std::span<const RowRange> ranges) override;
  std::unique_ptr<ArrayBuilder> NewEmpty() const override;
  void SwapRows(ArrayBuilder& other) noexcept override;
  bool AppendShort(const Array& source, RowRange range) noexcept override;

  /// Bytes that n rows of `source` give.
  int64_t OwnBytes(const Array& source, int64_t n) const noexcept;
  /// Room for n more values, at whatever count.
  Status ReserveValues(int64_t n);
  /// Where the values of the next n rows are to be written.
  StatusOr<uint8_t*> OpenValues(int64_t n);

  int64_t width_;
  BufferBuilder values_;
};

/// Any fixed width whose values are one number T: integers, floats, dates, times, timestamps,
/// durations, intervals of months, decimal32 and decimal64; float16 as its bits (uint16_t).
template <typename T>
class SHEAF_EXPORT FixedWidthBuilder : public FixedWidthBuilderBase {
 public:
  using FixedWidthBuilderBase::FixedWidthBuilderBase;
  using ValueType = T;
  /// \return kInvalidArgument unless values of `type` are T.
  static Status CheckBuilds(const DataType& type);

  Status Append(T value) {
    if (values_.HasRoom(sizeof(T)) && !tail_.has_bitmap() && unlimited()) [[likely]] {
      UnsafeAppend(value);
      return OkStatus();
    }
    return AppendBytes(&value);
  }
  /// Room was reserved.
  void UnsafeAppend(T value) noexcept {
    values_.UnsafePush(value);
    tail_.UnsafePushValid();
  }
  void UnsafeAppendValues(std::span<const T> values) noexcept {
    if (values.empty()) return;
    std::memcpy(values_.UnsafeStage(static_cast<int64_t>(values.size_bytes())), values.data(),
                values.size_bytes());
    values_.Commit();
    tail_.UnsafePushValid(static_cast<int64_t>(values.size()));
  }
  /// \param validity  as many bits as values; absent: all valid.
  Status AppendValues(std::span<const T> values, BitSpan validity = {}) {
    // A row's few values: no walk through the stages where nothing can fail.
    if (validity.absent() && values_.HasRoom(static_cast<int64_t>(values.size_bytes())) &&
        !tail_.has_bitmap() && unlimited()) [[likely]] {
      UnsafeAppendValues(values);
      return OkStatus();
    }
    return AppendBytes(values.data(), static_cast<int64_t>(values.size()), validity);
  }

  /// Memory for n values, to be written in place and taken by `Commit`:
  ///
  ///     SHEAF_ASSIGN_OR_RETURN(const auto window, builder.AppendUninitialized(1024));
  ///     const int64_t decoded = Decode(input, window);
  ///     SHEAF_RETURN_IF_ERROR(builder.Commit(decoded));
  ///
  /// Nothing is appended before; any other change, `Reserve` or `Snapshot` closes the window.
  StatusOr<std::span<T>> AppendUninitialized(int64_t n) {
    SHEAF_ASSIGN_OR_RETURN(uint8_t* const values, OpenValues(n));
    return std::span<T>(reinterpret_cast<T*>(values), static_cast<size_t>(n));
  }
};

using Int8Builder = FixedWidthBuilder<int8_t>;
using UInt8Builder = FixedWidthBuilder<uint8_t>;
using Int16Builder = FixedWidthBuilder<int16_t>;
using UInt16Builder = FixedWidthBuilder<uint16_t>;
using Int32Builder = FixedWidthBuilder<int32_t>;
using UInt32Builder = FixedWidthBuilder<uint32_t>;
using Int64Builder = FixedWidthBuilder<int64_t>;
using UInt64Builder = FixedWidthBuilder<uint64_t>;
using Float32Builder = FixedWidthBuilder<float>;
using Float64Builder = FixedWidthBuilder<double>;

/// Fixed-size binary, wide decimals, intervals of several parts: values as bytes.
class SHEAF_EXPORT FixedSizeBinaryBuilder : public FixedWidthBuilderBase {
 public:
  using FixedWidthBuilderBase::FixedWidthBuilderBase;
  static Status CheckBuilds(const DataType& type);
  /// \return kInvalidArgument unless `value` has `byte_width()` bytes.
  Status Append(std::span<const uint8_t> value);
  /// Room was reserved; `byte_width()` bytes.
  void UnsafeAppend(const void* value) noexcept;
  /// Memory for n values of `byte_width()` bytes each, to be written in place and taken by
  /// `Commit`. Nothing is appended before; any other change, `Reserve` or `Snapshot` closes it.
  StatusOr<std::span<uint8_t>> AppendUninitialized(int64_t n) {
    SHEAF_ASSIGN_OR_RETURN(uint8_t* const values, OpenValues(n));
    return std::span<uint8_t>(values, static_cast<size_t>(n * width_));
  }
};

}  // namespace sheaf
