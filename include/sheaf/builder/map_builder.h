#pragma once

#include <cstdint>
#include <memory>

#include "sheaf/builder/list_builder.h"
#include "sheaf/builder/struct_builder.h"

namespace sheaf::inline v1 {

/// Builds map arrays: lists of entries, each a key and a value. Neither an entry nor a key is ever
/// null, whatever the type's fields say; that keys are sorted is part of the type, and not checked.
/// Rows come as whole map arrays, as lists of entries (`AppendList` of a struct array), or value by
/// value:
///
///     builder.BeginMap(), builder.keys() <- "a", builder.items() <- 1, builder.EndMap()
///
/// Keys and values between `BeginMap` and `EndMap` may come in any order, one by one or many at
/// once; there must be as many of both.
class SHEAF_EXPORT MapBuilder : public BasicListBuilder<int32_t> {
 public:
  /// \param entries  a builder for the type's entries, a StructBuilder of two fields.
  MapBuilder(const DataType& type, std::unique_ptr<ArrayBuilder> entries,
             const BuilderOptions& options = {});
  static Status CheckBuilds(const DataType& type);

  StructBuilder& entries() noexcept { return static_cast<StructBuilder&>(*elements_); }
  const StructBuilder& entries() const noexcept {
    return static_cast<const StructBuilder&>(*elements_);
  }
  ArrayBuilder& keys() noexcept { return entries().field(0); }
  ArrayBuilder& items() noexcept { return entries().field(1); }

  void BeginMap() noexcept { BeginList(); }
  /// Closes the map: keys and items that are not ended as rows of `entries()` become its entries.
  /// \return kFailedPrecondition without an open map, or where there are not as many keys as items;
  /// kInvalidArgument for a null key, entry, or item that is not nullable; kOutOfRange. The map
  /// then stays open.
  Status EndMap();
  /// The same.
  Status EndList() { return EndMap(); }

 protected:
  std::unique_ptr<ArrayBuilder> NewEmpty() const override;
};

}  // namespace sheaf
