#pragma once

#include <concepts>
#include <cstdint>
#include <utility>

#include "sheaf/type/layout.h"
#include "sheaf/type/type_id.h"

namespace sheaf::inline v1 {

// The layouts as C++ types: what `VisitLayout` hands to its visitor. Layouts with offsets of two
// widths name theirs as `Offset`.
struct NullLayout {
  static constexpr LayoutId kId = LayoutId::kNull;
};
struct BooleanLayout {
  static constexpr LayoutId kId = LayoutId::kBoolean;
};
struct FixedWidthLayout {
  static constexpr LayoutId kId = LayoutId::kFixedWidth;
};
template <typename OffsetType>
struct BinaryLayout {
  static constexpr LayoutId kId = LayoutId::kBinary;
  using Offset = OffsetType;
};
struct BinaryViewLayout {
  static constexpr LayoutId kId = LayoutId::kBinaryView;
};
/// Lists and maps.
template <typename OffsetType>
struct ListLayout {
  static constexpr LayoutId kId = LayoutId::kList;
  using Offset = OffsetType;
};
template <typename OffsetType>
struct ListViewLayout {
  static constexpr LayoutId kId = LayoutId::kListView;
  using Offset = OffsetType;
};
struct FixedSizeListLayout {
  static constexpr LayoutId kId = LayoutId::kFixedSizeList;
};
struct StructLayout {
  static constexpr LayoutId kId = LayoutId::kStruct;
};
struct SparseUnionLayout {
  static constexpr LayoutId kId = LayoutId::kSparseUnion;
};
struct DenseUnionLayout {
  static constexpr LayoutId kId = LayoutId::kDenseUnion;
};
struct DictionaryLayout {
  static constexpr LayoutId kId = LayoutId::kDictionary;
};
template <typename RunEndType>
struct RunEndEncodedLayout {
  static constexpr LayoutId kId = LayoutId::kRunEndEncoded;
  using RunEnd = RunEndType;
};

// What belongs together. A concept that refines another is preferred to it, so a visitor may treat
// list-views apart from the other list-likes by adding one overload.
template <typename T>
concept FixedWidth = T::kId == LayoutId::kFixedWidth;
/// Binary and utf8 with offsets, of both widths.
template <typename T>
concept BinaryLike = T::kId == LayoutId::kBinary;
/// Rows are ranges of elements given by offsets: lists, maps, list-views of both widths.
template <typename T>
concept ListLike = T::kId == LayoutId::kList || T::kId == LayoutId::kListView;
/// List-views of both widths.
template <typename T>
concept ViewLike = ListLike<T> && T::kId == LayoutId::kListView;
template <typename T>
concept UnionLike = T::kId == LayoutId::kSparseUnion || T::kId == LayoutId::kDenseUnion;
/// Run-ends of any width.
template <typename T>
concept RunEndLike = T::kId == LayoutId::kRunEndEncoded;
/// Everything whose rows are not lists of elements.
template <typename T>
concept NoList = !ListLike<T> && T::kId != LayoutId::kFixedSizeList;
/// Everything without children; a dictionary's values are not a child.
template <typename T>
concept Childless = T::kId == LayoutId::kNull || T::kId == LayoutId::kBoolean ||
                    T::kId == LayoutId::kFixedWidth || T::kId == LayoutId::kBinary ||
                    T::kId == LayoutId::kBinaryView || T::kId == LayoutId::kDictionary;

/// One visitor of several lambdas.
template <typename... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <typename... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

/// A visitor that has an overload for every layout.
template <typename Visitor>
concept LayoutVisitor =
    std::invocable<Visitor&, NullLayout> && std::invocable<Visitor&, BooleanLayout> &&
    std::invocable<Visitor&, FixedWidthLayout> && std::invocable<Visitor&, BinaryLayout<int32_t>> &&
    std::invocable<Visitor&, BinaryLayout<int64_t>> && std::invocable<Visitor&, BinaryViewLayout> &&
    std::invocable<Visitor&, ListLayout<int32_t>> &&
    std::invocable<Visitor&, ListLayout<int64_t>> &&
    std::invocable<Visitor&, ListViewLayout<int32_t>> &&
    std::invocable<Visitor&, ListViewLayout<int64_t>> &&
    std::invocable<Visitor&, FixedSizeListLayout> && std::invocable<Visitor&, StructLayout> &&
    std::invocable<Visitor&, SparseUnionLayout> && std::invocable<Visitor&, DenseUnionLayout> &&
    std::invocable<Visitor&, DictionaryLayout> &&
    std::invocable<Visitor&, RunEndEncodedLayout<int16_t>> &&
    std::invocable<Visitor&, RunEndEncodedLayout<int32_t>> &&
    std::invocable<Visitor&, RunEndEncodedLayout<int64_t>>;

/// Calls `visitor` with the tag of the layout: the one switch over layouts. A layout the visitor
/// has no overload for is a compile error. All overloads return the same type.
///
///     VisitLayout(type.layout(), Overloaded{
///         [&](ViewLike auto layout) { ... typename decltype(layout)::Offset ... },
///         [&](ListLike auto layout) { ... },
///         [&](FixedSizeListLayout) { ... },
///         [](NoList auto) { ... },
///     });
template <LayoutVisitor Visitor>
decltype(auto) VisitLayout(const Layout& layout, Visitor&& visitor) {
  const bool wide = layout.offset_bits == 64;
  switch (layout.id) {
    case LayoutId::kNull:
      return visitor(NullLayout{});
    case LayoutId::kBoolean:
      return visitor(BooleanLayout{});
    case LayoutId::kFixedWidth:
      return visitor(FixedWidthLayout{});
    case LayoutId::kBinary:
      return wide ? visitor(BinaryLayout<int64_t>{}) : visitor(BinaryLayout<int32_t>{});
    case LayoutId::kBinaryView:
      return visitor(BinaryViewLayout{});
    case LayoutId::kList:
      return wide ? visitor(ListLayout<int64_t>{}) : visitor(ListLayout<int32_t>{});
    case LayoutId::kListView:
      return wide ? visitor(ListViewLayout<int64_t>{}) : visitor(ListViewLayout<int32_t>{});
    case LayoutId::kFixedSizeList:
      return visitor(FixedSizeListLayout{});
    case LayoutId::kStruct:
      return visitor(StructLayout{});
    case LayoutId::kSparseUnion:
      return visitor(SparseUnionLayout{});
    case LayoutId::kDenseUnion:
      return visitor(DenseUnionLayout{});
    case LayoutId::kDictionary:
      return visitor(DictionaryLayout{});
    case LayoutId::kRunEndEncoded:
      break;
  }
  if (layout.offset_bits == 16) return visitor(RunEndEncodedLayout<int16_t>{});
  return wide ? visitor(RunEndEncodedLayout<int64_t>{}) : visitor(RunEndEncodedLayout<int32_t>{});
}

}  // namespace sheaf::inline v1
