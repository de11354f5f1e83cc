#include <algorithm>
#include <numeric>

#include "testing/random_arrays.h"

namespace sheaf::testing {

const char* Name(ViewShape shape) {
  switch (shape) {
    case ViewShape::kPacked:
      return "Packed";
    case ViewShape::kGaps:
      return "Gaps";
    case ViewShape::kOverlapping:
      return "Overlapping";
    case ViewShape::kShuffled:
      return "Shuffled";
    case ViewShape::kEmpties:
      return "Empties";
    case ViewShape::kAllNull:
      return "AllNull";
    case ViewShape::kContained:
      return "Contained";
    case ViewShape::kRepeated:
      return "Repeated";
  }
  return "";
}

namespace {

/// Views side by side, with up to `max_gap` elements before each and at the end.
RandomViews InOrder(int64_t length, int64_t max_size, int64_t max_gap, Random& random) {
  RandomViews views;
  for (int64_t i = 0; i < length; ++i) {
    views.elements += Draw(random, 0, max_gap);
    views.offsets.push_back(views.elements);
    views.sizes.push_back(Draw(random, 0, max_size));
    views.elements += views.sizes.back();
  }
  views.elements += Draw(random, 0, max_gap);
  return views;
}

/// Views anywhere over `elements`, sizes by chance empty.
RandomViews Anywhere(int64_t length, int64_t elements, int64_t max_size, double empty_rate,
                     Random& random) {
  RandomViews views;
  views.elements = elements;
  for (int64_t i = 0; i < length; ++i) {
    views.offsets.push_back(Draw(random, 0, elements));
    const int64_t most =
        Chance(random, empty_rate) ? 0 : std::min(max_size, elements - views.offsets.back());
    views.sizes.push_back(Draw(random, 0, most));
  }
  return views;
}

RandomViews Overlapping(int64_t length, int64_t max_size, Random& random) {
  RandomViews views = Anywhere(length, length + max_size, max_size, 0.1, random);
  std::sort(views.offsets.begin(), views.offsets.end());
  for (size_t i = 0; i < views.sizes.size(); ++i) {
    views.sizes[i] = std::min(max_size, views.elements - views.offsets[i]);
  }
  return views;
}

RandomViews Shuffled(int64_t length, int64_t max_size, Random& random) {
  const RandomViews packed = InOrder(length, max_size, 0, random);
  std::vector<size_t> order(static_cast<size_t>(length));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  RandomViews views{.offsets = {}, .sizes = {}, .elements = packed.elements};
  for (const size_t row : order) {
    views.offsets.push_back(packed.offsets[row]);
    views.sizes.push_back(packed.sizes[row]);
  }
  return views;
}

RandomViews Contained(int64_t length, int64_t max_size, Random& random) {
  RandomViews views = Anywhere(length, 4 * max_size + 1, max_size, 0.1, random);
  if (length > 0) {
    const auto row = static_cast<size_t>(Draw(random, 0, length - 1));
    views.offsets[row] = 0;
    views.sizes[row] = views.elements;
  }
  return views;
}

RandomViews Repeated(int64_t length, int64_t max_size, Random& random) {
  const RandomViews few = InOrder(3, max_size, 1, random);
  RandomViews views{.offsets = {}, .sizes = {}, .elements = few.elements};
  for (int64_t i = 0; i < length; ++i) {
    const auto row = static_cast<size_t>(Draw(random, 0, 2));
    views.offsets.push_back(few.offsets[row]);
    views.sizes.push_back(few.sizes[row]);
  }
  return views;
}

}  // namespace

RandomViews MakeViews(ViewShape shape, int64_t length, int64_t max_size, Random& random) {
  switch (shape) {
    case ViewShape::kPacked:
      return InOrder(length, max_size, 0, random);
    case ViewShape::kGaps:
      return InOrder(length, max_size, 3, random);
    case ViewShape::kOverlapping:
      return Overlapping(length, max_size, random);
    case ViewShape::kShuffled:
      return Shuffled(length, max_size, random);
    case ViewShape::kEmpties:
      return Anywhere(length, 2 * max_size, max_size, 0.8, random);
    case ViewShape::kAllNull:
      return Anywhere(length, length + max_size, max_size, 0.2, random);
    case ViewShape::kContained:
      return Contained(length, max_size, random);
    case ViewShape::kRepeated:
      return Repeated(length, max_size, random);
  }
  return {};
}

}  // namespace sheaf::testing
