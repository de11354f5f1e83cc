#include "sheaf/builder/map_builder.h"

#include "builder/builder_core.h"

namespace sheaf::inline v1 {

MapBuilder::MapBuilder(const DataType& type, std::unique_ptr<ArrayBuilder> entries,
                       const BuilderOptions& options)
    : BasicListBuilder(type, std::move(entries), options) {}

Status MapBuilder::CheckBuilds(const DataType& type) {
  if (type.storage().id() == TypeId::kMap) return OkStatus();
  return internal::InvalidArgument("a map builder does not build ", type.ToString());
}

Status MapBuilder::EndMap() {
  SHEAF_RETURN_IF_ERROR(open_.CheckEnd(*elements_, type_.field(0)));
  SHEAF_RETURN_IF_ERROR(entries().EndRows(keys().length() - entries().length()));
  const int64_t size = open_.size(*elements_);
  if (HasNullInLastOf(entries(), size) || HasNullInLastOf(keys(), size)) {
    return internal::InvalidArgument(type_.ToString(), " builder, row ", length(),
                                     ": a null among the ", size,
                                     " entries or their keys, which are never null");
  }
  return BasicListBuilder::EndList();
}

std::unique_ptr<ArrayBuilder> MapBuilder::NewEmpty() const {
  std::unique_ptr<ArrayBuilder> entries = NewEmptyOf(*elements_);
  if (entries == nullptr) return nullptr;
  return std::make_unique<MapBuilder>(type_, std::move(entries), options_);
}

}  // namespace sheaf::inline v1
