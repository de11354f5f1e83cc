#include <string>
#include <utility>
#include <vector>

#include "array/path.h"
#include "array/with_children.h"
#include "base/error.h"
#include "compute/reached.h"
#include "sheaf/compute/list_view/convert.h"
#include "sheaf/type/field.h"
#include "sheaf/type/schema.h"
#include "sheaf/type/visit_type.h"

namespace sheaf::inline v1 {
namespace {

class NestedConverter {
 public:
  NestedConverter(TypeId target, MemoryPool* pool) : target_(target), pool_(pool) {}

  /// \param array  verified.
  StatusOr<Array> Convert(const Array& array) const {
    if (!Changes(array.type())) return array;
    // Elements of outer lists are brought in order while those of inner ones are still shared.
    SHEAF_ASSIGN_OR_RETURN(Array rows, ConvertLists(array, TargetOf(array.type().storage().id())));
    SHEAF_ASSIGN_OR_RETURN(rows, internal::ReachedOnly(rows, pool_));
    std::vector<Array> children;
    for (int i = 0; i < rows.num_children(); ++i) {
      SHEAF_ASSIGN_OR_RETURN(
          children.emplace_back(),
          ConvertBelow(rows.child(i), "$" + internal::PathStep(rows.type().fields(), i)));
    }
    if (!rows.has_dictionary()) return internal::WithChildren(rows, children, nullptr, pool_);
    SHEAF_ASSIGN_OR_RETURN(Array dictionary, ConvertBelow(rows.dictionary(), "$.dictionary"));
    return internal::WithChildren(rows, children, &dictionary, pool_);
  }

  StatusOr<Array> ConvertBelow(const Array& child, const std::string& path) const {
    StatusOr<Array> converted = Convert(child);
    if (!converted.ok()) return internal::AtPath(path, converted.status());
    return converted;
  }

  /// Whether a type has a list to convert, itself or below.
  bool Changes(const DataType& type) const {
    const DataType& storage = type.storage();
    if (TargetOf(storage.id()) != storage.id()) return true;
    for (const Field& field : storage.fields()) {
      if (Changes(field.type())) return true;
    }
    return storage.id() == TypeId::kDictionary && Changes(storage.value_type());
  }

 private:
  StatusOr<Array> ConvertLists(const Array& array, TypeId to) const {
    if (array.type().storage().id() == to) return array;
    return sheaf::ConvertLists(array, to, pool_);
  }

  TypeId TargetOf(TypeId id) const noexcept {
    const bool to_views = IsListView(target_);
    const bool from = to_views ? id == TypeId::kList || id == TypeId::kLargeList : IsListView(id);
    if (!from) return id;
    const bool large = id == TypeId::kLargeList || id == TypeId::kLargeListView;
    if (!large) return target_;
    return to_views ? TypeId::kLargeListView : TypeId::kLargeList;
  }

  TypeId target_;
  MemoryPool* pool_;
};

StatusOr<NestedConverter> MakeConverter(TypeId target, MemoryPool* pool) {
  if (target < TypeId::kList || target > TypeId::kLargeListView) {
    return internal::InvalidArgument("convert nested lists: ", TypeName(target),
                                     " is no list or list-view");
  }
  return NestedConverter(target, pool);
}

}  // namespace

StatusOr<Array> ConvertNested(const Array& array, TypeId target, MemoryPool* pool) {
  SHEAF_ASSIGN_OR_RETURN(const NestedConverter converter, MakeConverter(target, pool));
  if (!converter.Changes(array.type())) return array;
  SHEAF_RETURN_IF_ERROR(array.Verify());
  return converter.Convert(array);
}

StatusOr<RecordBatch> ConvertNested(const RecordBatch& batch, TypeId target, MemoryPool* pool) {
  SHEAF_ASSIGN_OR_RETURN(const NestedConverter converter, MakeConverter(target, pool));
  if (!converter.Changes(batch.schema().struct_type())) return batch;
  std::vector<Field> fields;
  std::vector<Array> columns;
  for (int i = 0; i < batch.num_columns(); ++i) {
    const std::string path = "$" + internal::PathStep(batch.schema().fields(), i);
    if (Status verified = batch.column(i).Verify(); !verified.ok()) {
      return internal::AtPath(path, verified);
    }
    SHEAF_ASSIGN_OR_RETURN(columns.emplace_back(), converter.ConvertBelow(batch.column(i), path));
    fields.push_back(batch.schema().field(i).WithType(columns.back().type()));
  }
  return RecordBatch::Make(Schema(std::move(fields), batch.schema().metadata()), batch.num_rows(),
                           std::move(columns));
}

}  // namespace sheaf::inline v1
