#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "sheaf/builder/fixed_size_list_builder.h"
#include "sheaf/builder/list_builder.h"
#include "sheaf/builder/list_view_builder.h"
#include "sheaf/type/field.h"
#include "testing/builders.h"
#include "testing/model.h"
#include "testing/random_arrays.h"

namespace sheaf::testing {

/// Whether a type has a part of one of these layouts.
inline bool HasLayout(const DataType& type, std::initializer_list<LayoutId> layouts) {
  for (const LayoutId layout : layouts) {
    if (type.layout().id == layout) return true;
  }
  for (const Field& field : type.fields()) {
    if (HasLayout(field.type(), layouts)) return true;
  }
  return type.layout().id == LayoutId::kDictionary && HasLayout(type.value_type(), layouts);
}

/// Whether appends to a type need memory beside that of the rows: to look values up, to find out
/// where runs end, to plan which slots of a union come.
inline bool AppendsAllocate(const DataType& type) {
  return HasLayout(type, {LayoutId::kDictionary, LayoutId::kRunEndEncoded, LayoutId::kDenseUnion});
}

/// The ids that have a builder.
inline std::vector<TypeId> BuiltIds() {
  std::vector<TypeId> ids = AllTypeIds();
  std::erase_if(ids, [](TypeId id) { return !MakeBuilder(SampleType(id)).ok(); });
  return ids;
}

/// Calls check(type, random) for random types, as many as `count` and SHEAF_TEST_SEEDS say, until
/// one fails.
template <typename Function>
void ForRandomTypes(int count, Function&& check) {
  const std::vector<TypeId> ids = BuiltIds();
  for (const uint64_t seed : Seeds(count)) {
    Random random(seed);
    const DataType type = RandomType(ids, 4, random);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + type.ToString());
    check(type, random);
    if (::testing::Test::HasFailure()) return;
  }
}

/// Appends that come again and again from a few sources, for builders of one type and their model.
class RandomRows {
 public:
  RandomRows(const DataType& type, Random& random) : type_(type), random_(random) {
    for (Array& source : sources_) source = Source(type, true);
  }

  /// One random append, of any kind.
  void AppendTo(ArrayBuilder& builder, Values* model) {
    const Array& source = sources_[static_cast<size_t>(Draw(random_, 0, 2))];
    switch (Draw(random_, 0, 6)) {
      case 0:
        return AppendNulls(builder, model);
      case 1:
        return AppendEmpty(builder, model);
      case 2:
        return AppendRepeated(builder, source, model);
      case 3:
        return AppendList(builder, model);
      default:
        return AppendSlice(builder, source, model);
    }
  }

 private:
  Array Source(const DataType& type, bool nulls) {
    return RandomArray(type,
                       {.length = Draw(random_, 0, 25),
                        .null_rate = nulls && Chance(random_, 0.7) ? 0.3 : 0,
                        // All views may be null, which is one of the shapes.
                        .shape = nulls ? std::optional<ViewShape>() : ViewShape::kPacked,
                        .sliced = Chance(random_, 0.5)},
                       random_);
  }
  void AppendNulls(ArrayBuilder& builder, Values* model) {
    const int64_t n = Draw(random_, 0, 9);
    ASSERT_OK(builder.AppendNulls(n));
    testing::AppendRepeated(model, NullOf(type_), n);
  }
  void AppendEmpty(ArrayBuilder& builder, Values* model) {
    const int64_t n = Draw(random_, 0, 9);
    ASSERT_OK(builder.AppendEmptyValues(n));
    testing::AppendRepeated(model, EmptyValue(type_), n);
  }
  void AppendRepeated(ArrayBuilder& builder, const Array& source, Values* model) {
    if (source.length() == 0) return;
    const int64_t row = Draw(random_, 0, source.length() - 1);
    const int64_t n = Draw(random_, 0, 5);
    ASSERT_OK(builder.AppendRepeated(source, row, n));
    testing::AppendRepeated(model, Read(source)[static_cast<size_t>(row)], n);
  }
  void AppendSlice(ArrayBuilder& builder, const Array& source, Values* model) {
    const int64_t offset = Draw(random_, 0, source.length());
    const int64_t length = Draw(random_, 0, source.length() - offset);
    ASSERT_OK(builder.AppendArray(source, offset, length));
    testing::AppendSlice(model, Read(source), offset, length);
  }
  /// A list of what several appends to the elements give.
  void AppendList(ArrayBuilder& builder, Values* model) {
    switch (type_.id()) {
      case TypeId::kList:
        return Build(static_cast<ListBuilder&>(builder), model);
      case TypeId::kLargeList:
        return Build(static_cast<LargeListBuilder&>(builder), model);
      case TypeId::kListView:
        return Build(static_cast<ListViewBuilder&>(builder), model);
      case TypeId::kLargeListView:
        return Build(static_cast<LargeListViewBuilder&>(builder), model);
      default:
        return AppendNulls(builder, model);
    }
  }
  template <typename Builder>
  void Build(Builder& builder, Values* model) {
    const Field& item = type_.field(0);
    builder.BeginList();
    Values list;
    for (int64_t i = Draw(random_, 0, 3); i > 0; --i) {
      const Array elements = Source(item.type(), item.nullable());
      ASSERT_OK(builder.elements().AppendArray(elements));
      Append(&list, Read(elements));
    }
    ASSERT_OK(builder.EndList());
    model->push_back({ListValue{std::move(list)}});
  }

  DataType type_;
  Random& random_;
  Array sources_[3];
};

}  // namespace sheaf::testing
