#pragma once

#include <memory>

#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/builder/array_builder.h"
#include "sheaf/builder/builder_options.h"
#include "sheaf/type/data_type.h"

namespace sheaf::inline v1 {

/// A builder for arrays of `type`, with builders for its children. That of an extension type is a
/// builder of its storage, which says the extension's type and takes arrays of it.
SHEAF_EXPORT StatusOr<std::unique_ptr<ArrayBuilder>> MakeBuilder(
    const DataType& type, const BuilderOptions& options = {});

/// The same as its own class, such as `MakeBuilderAs<ListViewBuilder>(ListView(Int32()))`.
/// \return kInvalidArgument where the class does not build the type.
template <typename Builder>
StatusOr<std::unique_ptr<Builder>> MakeBuilderAs(const DataType& type,
                                                 const BuilderOptions& options = {}) {
  SHEAF_RETURN_IF_ERROR(Builder::CheckBuilds(type));
  SHEAF_ASSIGN_OR_RETURN(std::unique_ptr<ArrayBuilder> builder, MakeBuilder(type, options));
  return std::unique_ptr<Builder>(static_cast<Builder*>(builder.release()));
}

}  // namespace sheaf
