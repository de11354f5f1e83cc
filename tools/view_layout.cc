#include "tools/view_layout.h"

#include "sheaf/type/visit_layout.h"

namespace sheaf::tools {
namespace {

template <typename Offset>
void AddViews(const Array& array, int64_t base, std::vector<PlacedView>& views) {
  const Offset* offsets = array.slots<Offset>(1);
  const Offset* sizes = array.slots<Offset>(2);
  const BitSpan validity = array.validity();
  for (int64_t i = 0; i < array.length(); ++i) {
    views.push_back({.offset = base + offsets[i],
                     .size = static_cast<uint64_t>(sizes[i]),
                     .is_null = validity[i] ? 0U : 1U});
  }
}

void SortUnlessSorted(std::vector<int64_t>& values) {
  if (!std::ranges::is_sorted(values)) std::ranges::sort(values);
}

}  // namespace

void ViewLayout::Add(const Array& list_view) {
  if (!first_) {
    row_borders.push_back(rows());
    element_borders.push_back(elements);
  }
  first_ = false;
  VisitLayout(list_view.layout(),
              Overloaded{
                  [&]<ViewLike L>(L) { AddViews<typename L::Offset>(list_view, elements, views); },
                  [](auto) {},
              });
  elements += list_view.child(0).length();
}

Depths::Depths(const ViewLayout& layout) : elements_(layout.elements) {
  for (const PlacedView& view : layout.views) {
    if (!view.reads()) continue;
    starts_.push_back(view.offset);
    ends_.push_back(view.end());
  }
  SortUnlessSorted(starts_);
  SortUnlessSorted(ends_);
}

}  // namespace sheaf::tools
