#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sheaf/array/array.h"
#include "sheaf/array/list_view_array.h"
#include "testing/from_json.h"
#include "testing/raw_buffers.h"

namespace sheaf::testing {

inline constexpr auto kNull = std::nullopt;

using MaybeInts = std::vector<std::optional<int64_t>>;
using MaybeTexts = std::vector<std::optional<std::string>>;

/// int32 values, such as `Ints({1, 2, kNull})`; of another integer type where one is given.
Array Ints(const MaybeInts& values, const DataType& type = Int32());
/// first, first + 1, ... up to but not including `last`.
Array Range(int64_t first, int64_t last, const DataType& type = Int32());
Array Doubles(const std::vector<std::optional<double>>& values);
Array Bools(const std::vector<std::optional<bool>>& values);
/// Texts or bytes, with offsets or as views.
Array Utf8s(const MaybeTexts& values, const DataType& type = Utf8());

/// A list-view of int32 as its buffers say, unchecked:
/// `ListViews({.offsets = {2, 3}, .sizes = {2, 2}, .elements = {9, 9, 1, 2, 3, 9}, .valid =
/// "10"})`.
struct ListViewLiteral {
  std::vector<int64_t> offsets;
  std::vector<int64_t> sizes;
  MaybeInts elements;
  std::string valid;  ///< One digit a row; left out: no bitmap.
};
ListViewArray ListViews(const ListViewLiteral& literal);
LargeListViewArray LargeListViews(const ListViewLiteral& literal);

/// The same over any elements.
ListViewArray ListViewsOver(const Array& elements, const std::vector<int64_t>& offsets,
                            const std::vector<int64_t>& sizes, const std::string& valid = "");
LargeListViewArray LargeListViewsOver(const Array& elements, const std::vector<int64_t>& offsets,
                                      const std::vector<int64_t>& sizes,
                                      const std::string& valid = "");

/// A list over any elements; one offset more than rows.
Array ListsOver(const Array& elements, const std::vector<int64_t>& offsets,
                const std::string& valid = "");
Array LargeListsOver(const Array& elements, const std::vector<int64_t>& offsets,
                     const std::string& valid = "");

/// A fixed-size list over any elements; `valid` gives the rows, or `length` does.
Array FixedSizeListsOver(const Array& elements, int32_t list_size, int64_t length,
                         const std::string& valid = "");

/// A struct over whole children; `valid` as above.
Array StructOver(const std::vector<Field>& fields, const std::vector<Array>& children,
                 int64_t length, const std::string& valid = "");

}  // namespace sheaf::testing
