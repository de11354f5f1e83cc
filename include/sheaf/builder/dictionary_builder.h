#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>

#include "sheaf/builder/array_builder.h"
#include "sheaf/builder/fixed_width_builder.h"
#include "sheaf/memory/bit_span.h"

namespace sheaf::inline v1 {

namespace internal {
struct DictionaryMap;
struct DictionaryMemo;

/// What `FixedWidthBuilder` has a class for.
template <typename T>
concept Number =
    std::is_same_v<T, int8_t> || std::is_same_v<T, int16_t> || std::is_same_v<T, int32_t> ||
    std::is_same_v<T, int64_t> || std::is_same_v<T, uint8_t> || std::is_same_v<T, uint16_t> ||
    std::is_same_v<T, uint32_t> || std::is_same_v<T, uint64_t> || std::is_same_v<T, float> ||
    std::is_same_v<T, double>;
}  // namespace internal

/// Builds dictionary arrays: indices of rows into values that are stored once.
///
/// What `AppendArray` and its kin take:
/// - **dictionary arrays**, whatever the type of their indices. The first dictionary is taken as it
///   is, by reference; appends that have the same one bring indices only, and a single one is
///   handed through. Another is *unified*: its values are looked up once an append (element
///   identity: floats by their bits, nulls are one value), those that are new are added in its
///   order, and the indices are mapped. Where the whole dictionary would outgrow the indices, only
///   the values in use are added.
/// - **arrays of the values' type**, encoded row by row. Their nulls are null rows.
///
///     first     second           dictionary   indices
///     a b       b c              a b c        0 1, 1 2
///
/// A null row has no value; a null among the values of a dictionary stays a value. More values than
/// the indices' type counts (uint8: 256, int8: 128) are kOutOfRange, or wider indices
/// (DictionaryOptions). `Finish` forgets the dictionary unless DictionaryOptions::keep_dictionary
/// is set.
class SHEAF_EXPORT DictionaryBuilder : public ArrayBuilder {
 public:
  /// \param values  a builder of the type's values.
  DictionaryBuilder(const DataType& type, std::unique_ptr<ArrayBuilder> values,
                    const BuilderOptions& options = {});
  ~DictionaryBuilder() override;
  static Status CheckBuilds(const DataType& type);

  /// One value; as any append, an index of 8 to 64 bits where it is known.
  /// \return kInvalidArgument unless `FixedWidthBuilder<T>` builds the dictionary's values.
  template <internal::Number T>
  Status Append(T value) {
    if (AppendKnown(&value, sizeof(T), &FixedWidthBuilder<T>::CheckBuilds)) [[likely]]
      return OkStatus();
    return AppendValues(std::span<const T>(&value, 1));
  }
  /// \param validity  as many bits as values; absent: all valid.
  template <internal::Number T>
  Status AppendValues(std::span<const T> values, BitSpan validity = {}) {
    SHEAF_RETURN_IF_ERROR(FixedWidthBuilder<T>::CheckBuilds(type_.value_type()));
    return AppendFixedWidth(values.data(), static_cast<int64_t>(values.size()), validity);
  }
  /// Of binary and utf8, with offsets or as views.
  Status Append(std::string_view value);
  Status AppendValues(std::span<const std::string_view> values, BitSpan validity = {});

  /// Values that the dictionary has by now.
  int64_t dictionary_length() const noexcept { return values_->length(); }
  /// The dictionary by now. \return kResourceExhausted.
  StatusOr<Array> Dictionary();
  /// The values that came since the last `Finish`, where it kept the dictionary: what a writer
  /// sends before the array that the next `Finish` will give. \return kResourceExhausted.
  StatusOr<Array> DictionaryDelta();
  /// Forgets rows and values, kept ones too.
  void ForgetDictionary() noexcept;

 protected:
  friend class ArrayBuilder;  // SwapAll.
  DictionaryBuilder(DictionaryBuilder&&) noexcept;
  DictionaryBuilder& operator=(DictionaryBuilder&&) noexcept;

  Status StageRanges(const Array& source, std::span<const RowRange> ranges) override;
  Status StageRepeated(const Array& source, RowRange range, int64_t n) override;
  Status StageSparse(const internal::SparseFill& sparse) override;
  Status StageNulls(int64_t n) override;
  Status StageEmpty(int64_t n) override;
  Status StagePlaceholders(int64_t n) override;
  Status StageKept(const Array& source, RowRange range) override;
  Status StageWidened(int64_t chunk, RowRange range) override;
  Status ReserveRows(int64_t rows) override;
  void Commit() noexcept override;
  void Discard() noexcept override;
  void SaveMark(internal::MarkWriter& mark) const noexcept override;
  void RestoreMark(internal::MarkReader& mark) noexcept override;
  DataType BuiltType() const override;
  StatusOr<Array> Build(Sharing sharing) override;
  Status BuildPieces(internal::PieceList* pieces) override;
  void Clear() noexcept override;
  int64_t BytesUsed() const noexcept override;
  void AddRetained(internal::RetainedSet* retained) const override;
  Status AddNeeds(const Array& source, std::span<const RowRange> ranges) override;
  Status ReserveNeeds() override;
  void ForgetNeeds() noexcept override;
  std::unique_ptr<ArrayBuilder> NewEmpty() const override;
  void SwapRows(ArrayBuilder& other) noexcept override;
  bool AppendShort(const Array& source, RowRange range) noexcept override;

 private:
  using Map = internal::DictionaryMap;

  // Rows (lib/builder/dictionary_builder.cc).
  bool widens() const noexcept;
  /// Whether the rows are indices, and not values, which may be dictionary arrays themselves.
  bool TakesIndices(const Array& source) const;
  Status ReserveIndices(int64_t n);
  uint8_t* StageSlots(int64_t n) noexcept;
  Status StageIndices(const Array& source, std::span<const RowRange> ranges);
  Status StageValues(const Array& source, RowRange range, bool borrowed);
  Status StageSame(int64_t index, int64_t n);
  StatusOr<Array> Encoded(const Array& values) const;
  void WriteRows(const Array& source, RowRange range, const Map& map, uint8_t* out) const noexcept;
  bool IsIdentity(const Map& map, const DataType& source_type) const noexcept;
  Status AppendFixedWidth(const void* values, int64_t n, BitSpan validity);
  bool AppendKnown(const void* value, int64_t size, Status (*check)(const DataType&)) noexcept;
  bool PushKnown(uint64_t hash, std::span<const uint8_t> value) noexcept;

  // The result (lib/builder/dictionary_build.cc).
  DataType IndexTypeFor(int64_t num_values) const;
  DataType TypeOf(const Array& dictionary) const;
  StatusOr<Array> BuildDictionary(Sharing sharing);
  bool PassesThrough(int64_t chunk, const DataType& type, const Array& dictionary) const noexcept;
  StatusOr<Buffer> BuildIndices(const DataType& index_type, Sharing sharing);
  StatusOr<Buffer> NarrowTail(const DataType& index_type, Sharing sharing);
  Status WriteChunk(int64_t chunk, const DataType& index_type, uint8_t* out);
  StatusOr<Array> MakeRows(const DataType& type, int64_t offset, int64_t length, int64_t null_count,
                           Buffer validity, Buffer indices, const Array& dictionary);
  Status AddChunkPiece(int64_t chunk, const DataType& type, const Array& dictionary,
                       internal::PieceList* pieces);

  // Values (lib/builder/dictionary_unify.cc).
  int64_t staged_values() const noexcept { return StagedLengthOf(*values_); }
  /// Values that the indices count without becoming wider than they are by now.
  int64_t MostValues() const noexcept;
  Status OutOfIndices(int64_t most) const;
  StatusOr<Map> MapOf(const Array& source, std::span<const RowRange> ranges);
  const Map* FindRecent(const Array& dictionary) const noexcept;
  bool IsPrefix(const Array& dictionary) const;
  Status TakeFirst(const Array& dictionary);
  Status Unify(const Array& source, std::span<const RowRange> ranges, Map* map);
  StatusOr<Array> AsValues(const Array& array) const;
  /// Where each wanted row of `values` is in the dictionary; new ones are added. False, and nothing
  /// is changed, where that would be more than `most` values.
  StatusOr<bool> Encode(const Array& values, BitSpan wanted, int64_t most, bool borrowed,
                        int64_t* indices);
  Status AddValues(const Array& values, std::span<const int64_t> rows, bool borrowed);
  StatusOr<int64_t> EmptyValue();
  Status HashKnown();
  Status JoinRecords();
  bool IsValue(int64_t index, const Array& values, int64_t row) const;
  void ForgetValuesFrom(int64_t size) noexcept;

  std::unique_ptr<ArrayBuilder> values_;
  BufferBuilder indices_;  ///< Of the tail rows, as wide as they may become.
  int64_t index_bytes_;    ///< Width of those.
  std::unique_ptr<internal::DictionaryMemo> memo_;
};

}  // namespace sheaf::inline v1
