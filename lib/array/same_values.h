#pragma once

#include <cstdint>

#include "sheaf/array/array.h"
#include "sheaf/array/equality.h"

namespace sheaf::inline v1::internal {

/// Compares ranges of verified arrays of equal types.
class ValueComparer {
 public:
  explicit ValueComparer(const EqualityOptions& options) : options_(options) {}
  /// By element identity (array/element_identity.h).
  static ValueComparer OfIdentity() {
    ValueComparer comparer{EqualityOptions()};
    comparer.by_bits_ = true;
    return comparer;
  }

  /// Whether rows [a_begin, a_begin + length) of `a` read like those of `b` from b_begin on.
  bool Same(const Array& a, int64_t a_begin, const Array& b, int64_t b_begin, int64_t length) const;

 private:
  /// Rows that are valid in both by their bitmaps.
  struct Range {
    const Array& a;
    int64_t a_begin;
    const Array& b;
    int64_t b_begin;
    int64_t length;
  };

  bool SameValid(const Range& range) const;
  bool SameFixedWidth(const Range& range) const;
  template <typename Float>
  bool SameFloats(const Range& range) const;
  template <typename Offset>
  bool SameBinary(const Range& range) const;
  bool SameStringViews(const Range& range) const;
  template <typename Offset>
  bool SameLists(const Range& range) const;
  template <typename Offset>
  bool SameListViews(const Range& range) const;
  bool SameChildren(const Range& range) const;
  bool SameSparseUnions(const Range& range) const;
  bool SameDenseUnions(const Range& range) const;
  bool SameDictionaries(const Range& range) const;
  template <typename RunEnd>
  bool SameRuns(const Range& range) const;

  /// Whether row i of a dictionary array reads as null.
  bool ReadsNull(const Array& array, int64_t i) const;

  EqualityOptions options_;
  bool by_bits_ = false;  ///< Floats are bits, and a union's nulls differ where its type ids do.
};

}  // namespace sheaf::inline v1::internal
