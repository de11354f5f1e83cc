#include "sheaf/builder/make_builder.h"

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "builder/builder_core.h"
#include "sheaf/builder/binary_builder.h"
#include "sheaf/builder/binary_view_builder.h"
#include "sheaf/builder/boolean_builder.h"
#include "sheaf/builder/dictionary_builder.h"
#include "sheaf/builder/fixed_size_list_builder.h"
#include "sheaf/builder/fixed_width_builder.h"
#include "sheaf/builder/list_builder.h"
#include "sheaf/builder/list_view_builder.h"
#include "sheaf/builder/map_builder.h"
#include "sheaf/builder/null_builder.h"
#include "sheaf/builder/run_end_builder.h"
#include "sheaf/builder/struct_builder.h"
#include "sheaf/builder/union_builder.h"
#include "sheaf/type/visit_layout.h"

namespace sheaf::inline v1 {
namespace {

using BuilderResult = StatusOr<std::unique_ptr<ArrayBuilder>>;

BuilderResult MakeAt(const DataType& type, const BuilderOptions& options, const std::string& path);

template <typename Builder>
BuilderResult MakeListLike(const DataType& type, const BuilderOptions& options,
                           const std::string& path) {
  SHEAF_ASSIGN_OR_RETURN(std::unique_ptr<ArrayBuilder> elements,
                         MakeAt(type.field(0).type(), options, path + "." + type.field(0).name()));
  return std::unique_ptr<ArrayBuilder>(new Builder(type, std::move(elements), options));
}

template <typename Builder>
BuilderResult MakeOverFields(const DataType& type, const BuilderOptions& options,
                             const std::string& path) {
  std::vector<std::unique_ptr<ArrayBuilder>> fields;
  for (const Field& field : type.fields()) {
    SHEAF_ASSIGN_OR_RETURN(fields.emplace_back(),
                           MakeAt(field.type(), options, path + "." + field.name()));
  }
  return std::unique_ptr<ArrayBuilder>(new Builder(type, std::move(fields), options));
}

template <typename RunEnd>
BuilderResult MakeRunEnds(const DataType& type, const BuilderOptions& options,
                          const std::string& path) {
  SHEAF_ASSIGN_OR_RETURN(std::unique_ptr<ArrayBuilder> values,
                         MakeAt(type.value_type(), options, path + "." + type.field(1).name()));
  return std::unique_ptr<ArrayBuilder>(
      new BasicRunEndBuilder<RunEnd>(type, std::move(values), options));
}

BuilderResult MakeDictionary(const DataType& type, const BuilderOptions& options,
                             const std::string& path) {
  SHEAF_ASSIGN_OR_RETURN(std::unique_ptr<ArrayBuilder> values,
                         MakeAt(type.value_type(), options, path + ".dictionary"));
  return std::unique_ptr<ArrayBuilder>(new DictionaryBuilder(type, std::move(values), options));
}

/// The class says the values' C++ type, so that a builder can be used as its own class
/// (MakeBuilderAs).
template <typename... T>
BuilderResult MakeFixedWidth(const DataType& type, const BuilderOptions& options) {
  std::unique_ptr<ArrayBuilder> made;
  ((made == nullptr && FixedWidthBuilder<T>::CheckBuilds(type).ok()
        ? made.reset(new FixedWidthBuilder<T>(type, options))
        : void()),
   ...);
  if (made == nullptr) made.reset(new FixedSizeBinaryBuilder(type, options));
  return made;
}

BuilderResult MakeAt(const DataType& type, const BuilderOptions& options, const std::string& path) {
  const auto make = [&]<typename Builder>(std::type_identity<Builder>) -> BuilderResult {
    return std::unique_ptr<ArrayBuilder>(new Builder(type, options));
  };
  return VisitLayout(
      type.layout(),
      Overloaded{
          [&](NullLayout) { return make(std::type_identity<NullBuilder>()); },
          [&](BooleanLayout) { return make(std::type_identity<BooleanBuilder>()); },
          [&](FixedWidthLayout) -> BuilderResult {
            return MakeFixedWidth<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t,
                                  uint64_t, float, double>(type, options);
          },
          [&](BinaryLike auto layout) {
            return make(
                std::type_identity<BasicBinaryBuilder<typename decltype(layout)::Offset>>());
          },
          [&](BinaryViewLayout) { return make(std::type_identity<BinaryViewBuilder>()); },
          [&](ViewLike auto layout) {
            return MakeListLike<BasicListViewBuilder<typename decltype(layout)::Offset>>(
                type, options, path);
          },
          [&](ListLike auto layout) {
            if (type.storage().id() == TypeId::kMap) {
              return MakeListLike<MapBuilder>(type, options, path);
            }
            return MakeListLike<BasicListBuilder<typename decltype(layout)::Offset>>(type, options,
                                                                                     path);
          },
          [&](FixedSizeListLayout) {
            return MakeListLike<FixedSizeListBuilder>(type, options, path);
          },
          [&](StructLayout) { return MakeOverFields<StructBuilder>(type, options, path); },
          [&](UnionLike auto) { return MakeOverFields<UnionBuilder>(type, options, path); },
          [&](DictionaryLayout) { return MakeDictionary(type, options, path); },
          [&](RunEndLike auto layout) {
            return MakeRunEnds<typename decltype(layout)::RunEnd>(type, options, path);
          },
      });
}

}  // namespace

StatusOr<std::unique_ptr<ArrayBuilder>> MakeBuilder(const DataType& type,
                                                    const BuilderOptions& options) {
  return MakeAt(type, options, "$");
}

}  // namespace sheaf
