#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sheaf/builder/array_builder.h"
#include "sheaf/builder/fixed_width_builder.h"
#include "sheaf/builder/open_list.h"

namespace sheaf::inline v1 {

/// What the builders of lists, list-views and fixed-size lists have in common: a builder for the
/// elements, a list that is open while they are written one by one, and appends of whole lists.
class SHEAF_EXPORT ListLikeBuilder : public ArrayBuilder {
 public:
  /// For building value by value between `BeginList` and `EndList`.
  ArrayBuilder& elements() noexcept { return *elements_; }
  const ArrayBuilder& elements() const noexcept { return *elements_; }

  /// One array as one list.
  Status AppendList(const Array& elements);
  /// One array as n lists; a list-view stores one copy. n = 0 stores nothing.
  Status AppendRepeatedList(const Array& elements, int64_t n);

  /// Many lists of one size: `values` cut into lists of `size` elements each.
  ///
  ///   AppendUniform([1 2 3 4 5 6], 2)   reads   [[1 2] [3 4] [5 6]]
  ///
  /// \return kInvalidArgument where `size` is not positive (the number of lists would not be known)
  /// or does not divide the number of values; else as every append.
  Status AppendUniform(const Array& values, int64_t size);
  /// The same from values in plain memory, which are copied at once.
  /// \return kInvalidArgument also where the elements are not built by `FixedWidthBuilder<T>`.
  template <typename T>
  Status AppendUniform(std::span<const T> values, int64_t size) {
    SHEAF_RETURN_IF_ERROR(FixedWidthBuilder<T>::CheckBuilds(elements_->type()));
    return AppendUniformValues(values.data(), static_cast<int64_t>(values.size()), size);
  }

  /// Opens a list: what is appended to `elements()` until `EndList` is its content.
  void BeginList() noexcept {
    const bool may_cut = options_.on_overflow == OnOverflow::kNewChunk;
    open_.Begin(elements_->length(), may_cut ? elements_->bytes_used() : 0);
  }

 protected:
  ListLikeBuilder(const DataType& type, std::unique_ptr<ArrayBuilder> elements,
                  const BuilderOptions& options)
      : ArrayBuilder(type, options), elements_(std::move(elements)) {
    Adopt(*elements_);
  }

  /// kInvalidArgument where no row may have so many elements.
  virtual Status CheckListSize(int64_t) const { return OkStatus(); }
  /// One array as n > 0 lists.
  virtual Status StageRepeatedList(const Array& elements, int64_t n) = 0;
  /// n > 0 lists of `size` > 0 elements. Borrowed values are copied, however many there are.
  virtual Status StageUniform(const Array& values, int64_t size, int64_t n, bool borrowed) = 0;

  /// One list of the last `size` elements, which are there: all that come after those of the rows.
  virtual Status StageEnded(int64_t size) = 0;

  /// `EndList` of a list that outgrows the chunk: the error, or a cut in front of the list, whose
  /// elements begin the next chunk.
  Status EndOutgrownList(const Status& outgrown);
  /// Of the elements that belong to rows of this chunk.
  int64_t BytesOfElements() const noexcept {
    return list_has_left_ ? open_.start_bytes() : BytesUsedOf(*elements_);
  }
  Status BuildElementPieces(internal::PieceList* pieces);

  /// All of `values` into the elements, whose types match.
  Status StageElements(const Array& values, bool borrowed);

  Status CheckReady() const override;
  DataType BuiltType() const override;
  void Commit() noexcept override;
  void Discard() noexcept override;
  void SaveMark(internal::MarkWriter& mark) const noexcept override;
  void RestoreMark(internal::MarkReader& mark) noexcept override;
  void Clear() noexcept override;
  void ForgetNeeds() noexcept override;
  /// SwapRows of a class with elements: their builders stay, and swap theirs.
  template <typename Builder>
  static void SwapLists(Builder& a, Builder& b) noexcept {
    SwapAll(a, b);
    std::swap(a.elements_, b.elements_);
    SwapRowsOf(*a.elements_, *b.elements_);
  }

  std::unique_ptr<ArrayBuilder> elements_;
  internal::OpenList open_;

 private:
  Status TakeListOf(ListLikeBuilder* full);
  Status AppendUniformValues(const void* values, int64_t count, int64_t size);
  Status AppendLists(const Array& values, int64_t size, bool borrowed);

  /// Of a full chunk: the list open there is the next chunk's, and its elements, still behind those
  /// of the rows for a roll back to find, are nobody's.
  bool list_has_left_ = false;
};

}  // namespace sheaf
