#include <cstdlib>

#include "sheaf/type/field.h"
#include "testing/json_values.h"
#include "testing/random_arrays.h"

namespace sheaf::testing {

int64_t Draw(Random& random, int64_t least, int64_t most) {
  return std::uniform_int_distribution<int64_t>(least, most)(random);
}

bool Chance(Random& random, double probability) {
  return std::bernoulli_distribution(probability)(random);
}

std::vector<uint64_t> Seeds(int count) {
  const char* more = std::getenv("SHEAF_TEST_SEEDS");
  const auto total = static_cast<uint64_t>(count + (more == nullptr ? 0 : std::atoi(more)));
  std::vector<uint64_t> seeds;
  for (uint64_t seed = 1; seed <= total; ++seed) seeds.push_back(seed);
  return seeds;
}

std::vector<TypeId> AllTypeIds() {
  std::vector<TypeId> ids;
  for (int id = 0; id < kTypeIdCount; ++id) ids.push_back(static_cast<TypeId>(id));
  return ids;
}

namespace {

DataType Made(StatusOr<DataType> type) {
  if (!type.ok()) BadLiteral(type.status().ToString());
  return *std::move(type);
}

bool IsNested(TypeId id) { return id >= TypeId::kList && id != TypeId::kDictionary; }

/// Whether arrays of a type never hold a null if their validity has none.
bool MayForbidNulls(const DataType& type) {
  switch (type.layout().id) {
    case LayoutId::kNull:
    case LayoutId::kSparseUnion:
    case LayoutId::kDenseUnion:
    case LayoutId::kDictionary:
    case LayoutId::kRunEndEncoded:
      return false;
    default:
      return true;
  }
}

/// A type of this id whose children are drawn by `child`; without `random` all fields are nullable.
template <typename Child>
DataType NestedType(TypeId id, Child child, Random* random) {
  const auto field = [&](const char* name) {
    const DataType type = child();
    const bool nullable = random == nullptr || !MayForbidNulls(type) || Chance(*random, 0.85);
    return Field(name, type, nullable);
  };
  const auto item = [&] { return field("item"); };
  switch (id) {
    case TypeId::kList:
      return List(item());
    case TypeId::kLargeList:
      return LargeList(item());
    case TypeId::kListView:
      return ListView(item());
    case TypeId::kLargeListView:
      return LargeListView(item());
    case TypeId::kFixedSizeList:
      return Made(
          FixedSizeList(item(), random == nullptr ? 2 : static_cast<int32_t>(Draw(*random, 0, 3))));
    case TypeId::kStruct:
      return Struct({field("a"), field("b")});
    case TypeId::kMap:
      return Map(Utf8(), field("value"));
    case TypeId::kSparseUnion:
    case TypeId::kDenseUnion:
      return Made(Union(id, {Field("a", child()), Field("b", child())}, {2, 5}));
    case TypeId::kRunEndEncoded:
      return Made(RunEndEncoded(Int32(), Field("values", child())));
    default:
      return Extension("sheaf.test", "parameters", child());
  }
}

DataType FlatType(TypeId id) {
  switch (id) {
    case TypeId::kDecimal32:
      return Made(Decimal(id, 9, 2));
    case TypeId::kDecimal64:
      return Made(Decimal(id, 18, 2));
    case TypeId::kDecimal128:
      return Made(Decimal(id, 38, 2));
    case TypeId::kDecimal256:
      return Made(Decimal(id, 76, 2));
    case TypeId::kTime32:
      return Time(TimeUnit::kSecond);
    case TypeId::kTime64:
      return Time(TimeUnit::kMicro);
    case TypeId::kTimestamp:
      return Timestamp(TimeUnit::kMilli, "UTC");
    case TypeId::kDuration:
      return Duration(TimeUnit::kNano);
    case TypeId::kFixedSizeBinary:
      return Made(FixedSizeBinary(3));
    case TypeId::kDictionary:
      return Made(Dictionary(Int16(), Utf8()));
    default:
      return Made(SimpleType(id));
  }
}

}  // namespace

DataType SampleType(TypeId id) {
  if (!IsNested(id)) return FlatType(id);
  bool first = true;
  const auto child = [&first] {
    const DataType type = first ? Int32() : Utf8();
    first = false;
    return type;
  };
  return NestedType(id, child, nullptr);
}

namespace {

/// Indices of any type over values of any type. Those of 8 bits would be used up by what tests
/// append.
DataType DictionaryType(std::span<const TypeId> ids, int max_depth, Random& random) {
  constexpr TypeId kIndexTypes[] = {TypeId::kInt16,  TypeId::kUInt16, TypeId::kInt32,
                                    TypeId::kUInt32, TypeId::kInt64,  TypeId::kUInt64};
  const TypeId index = kIndexTypes[Draw(random, 0, 5)];
  return Made(Dictionary(Made(SimpleType(index)), RandomType(ids, max_depth - 1, random)));
}

}  // namespace

DataType RandomType(std::span<const TypeId> ids, int max_depth, Random& random) {
  const TypeId id = ids[static_cast<size_t>(Draw(random, 0, static_cast<int64_t>(ids.size()) - 1))];
  if (id == TypeId::kDictionary && max_depth > 1) return DictionaryType(ids, max_depth, random);
  if (!IsNested(id)) return FlatType(id);
  // A map's entries are a level of their own.
  const int deeper = max_depth - (id == TypeId::kMap ? 2 : 1);
  if (deeper < 1) return Int32();
  return NestedType(id, [&] { return RandomType(ids, deeper, random); }, &random);
}

}  // namespace sheaf::testing
