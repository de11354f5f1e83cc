#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "sheaf/array/array.h"
#include "sheaf/type/type_id.h"

namespace sheaf::testing {

using Random = std::mt19937_64;

/// How the views of a random list-view lie over its elements.
enum class ViewShape : uint8_t {
  kPacked,       ///< Each view starts where the one before ends; all elements are reached.
  kGaps,         ///< In order, with unreferenced elements before, between and behind.
  kOverlapping,  ///< In order, neighbours share elements.
  kShuffled,     ///< Packed views in any order.
  kEmpties,      ///< Most views are empty and sit anywhere.
  kAllNull,      ///< Every row is null, with a view left over under it.
  kContained,    ///< One long view, the others within it.
  kRepeated,     ///< Few views, each many times.
};
inline constexpr ViewShape kViewShapes[] = {
    ViewShape::kPacked,  ViewShape::kGaps,    ViewShape::kOverlapping, ViewShape::kShuffled,
    ViewShape::kEmpties, ViewShape::kAllNull, ViewShape::kContained,   ViewShape::kRepeated,
};
const char* Name(ViewShape shape);

struct RandomOptions {
  int64_t length = 50;
  double null_rate = 0.2;          ///< Of nullable fields, at every level.
  std::optional<ViewShape> shape;  ///< Left out: any, drawn anew for every list-view.
  bool sliced = false;             ///< Windows into longer arrays, at every level.
  int64_t max_list_size = 5;
};

/// A valid array of any type, drawn from `random`. Bytes under nulls are random too.
Array RandomArray(const DataType& type, const RandomOptions& options, Random& random);

/// Offsets and sizes of `length` views, in bounds of `elements`.
struct RandomViews {
  std::vector<int64_t> offsets;
  std::vector<int64_t> sizes;
  int64_t elements = 0;
};
RandomViews MakeViews(ViewShape shape, int64_t length, int64_t max_size, Random& random);

/// One type with the id, such as `list<int32>` or `decimal128(38, 2)`.
DataType SampleType(TypeId id);

/// All ids of the format.
std::vector<TypeId> AllTypeIds();

/// A type made from these ids, at most `max_depth` fields deep (leaf included).
DataType RandomType(std::span<const TypeId> ids, int max_depth, Random& random);

/// `count` fixed seeds, and as many more as the environment variable SHEAF_TEST_SEEDS says.
std::vector<uint64_t> Seeds(int count);

/// From `least` to `most`, both included.
int64_t Draw(Random& random, int64_t least, int64_t most);
bool Chance(Random& random, double probability);

}  // namespace sheaf::testing
