#include "c_data/import.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "array/array_data.h"
#include "array/check_shape.h"
#include "array/path.h"
#include "base/error.h"
#include "c_data/import_buffers.h"
#include "c_data/imported_storage.h"
#include "sheaf/base/checked.h"
#include "sheaf/type/layout.h"

namespace sheaf::inline v1 {
namespace internal {
namespace {

/// Reads the nodes of one array. The shape is led by the type, so structures that point back to a
/// parent end where the type does.
class ArrayReader {
 public:
  ArrayReader(ImportedStorage* storage, const ImportOptions& options) noexcept
      : storage_(storage), options_(options) {}

  StatusOr<Array> Read(const ArrowArray* node, const DataType& type, const Path& path) const {
    if (Status status = CheckNode(node, type, path.depth); !status.ok())
      return At(path, type, status);
    int64_t slots = 0;
    if (Status status = CheckCounts(*node, &slots); !status.ok()) return At(path, type, status);
    ImportedBuffers buffers;
    if (Status status = buffers.Import(*node, type, slots, storage_, options_.pool); !status.ok())
      return At(path, type, status);
    if (IsDictionary(type)) {
      SHEAF_ASSIGN_OR_RETURN(Array dictionary,
                             ReadDictionary(*node, type.value_type(), path.Dictionary()));
      return Make(*node, type, buffers, {}, &dictionary);
    }
    if (type.num_fields() == 1) {  // Lists: no vector for one child.
      SHEAF_ASSIGN_OR_RETURN(Array child, ReadChild(*node, type, 0, path));
      return Make(*node, type, buffers, {&child, 1}, nullptr);
    }
    std::vector<Array> children;
    children.reserve(static_cast<size_t>(type.num_fields()));
    for (int i = 0; i < type.num_fields(); ++i) {
      SHEAF_ASSIGN_OR_RETURN(Array child, ReadChild(*node, type, i, path));
      children.push_back(std::move(child));
    }
    return Make(*node, type, buffers, children, nullptr);
  }

 private:
  /// Moved out of its parent, so that whoever holds the dictionary alone holds nothing else.
  StatusOr<Array> ReadDictionary(const ArrowArray& node, const DataType& type,
                                 const Path& path) const {
    if (Status status = CheckNode(node.dictionary, type, path.depth); !status.ok())
      return At(path, type, status);
    SHEAF_ASSIGN_OR_RETURN(OwnedArray moved, OwnedArray::Take(node.dictionary));
    SHEAF_ASSIGN_OR_RETURN(ImportedStorage* const storage,
                           ImportedStorage::Make(std::move(moved), options_.pool));
    const Buffer held = Buffer::FromStorage(storage, nullptr, 0);
    return ArrayReader(storage, options_).Read(&storage->array(), type, path);
  }
  StatusOr<Array> ReadChild(const ArrowArray& node, const DataType& type, int i,
                            const Path& path) const {
    return Read(node.children[i], type.field(i).type(), path.Child(type.fields(), i));
  }

  StatusOr<Array> Make(const ArrowArray& node, const DataType& type, ImportedBuffers& buffers,
                       std::span<Array> children, Array* dictionary) const {
    // Where there is no row, there is no buffer to offset into either.
    return MakeNode({.type = type,
                     .offset = node.length == 0 ? 0 : node.offset,
                     .length = node.length,
                     .null_count = type.layout().has_validity ? node.null_count : -1,
                     .buffers = buffers.all(),
                     .children = children,
                     .dictionary = dictionary},
                    options_.pool);
  }

  static bool IsDictionary(const DataType& type) {
    return type.layout().id == LayoutId::kDictionary;
  }
  static int NumChildren(const DataType& type) {
    return IsDictionary(type) ? 0 : type.num_fields();
  }

  static Status At(const Path& path, const DataType& type, const Status& status) {
    return AtPath(Concat(TypeWord(type), " ", path.ToString()), status);
  }

  // Whether the node has the parts that its type has.
  Status CheckNode(const ArrowArray* node, const DataType& type, int depth) const {
    if (node == nullptr || node->release == nullptr) {
      return InvalidArgument("the array is missing or released");
    }
    if (depth > options_.max_depth) {
      return InvalidArgument("deeper than ", options_.max_depth, " levels");
    }
    if (node->n_children != NumChildren(type)) {
      return InvalidArgument(node->n_children, " children where the type has ", NumChildren(type));
    }
    if (node->n_children > 0 && node->children == nullptr)
      return InvalidArgument("children is null");
    const bool has_dictionary = node->dictionary != nullptr;
    if (has_dictionary && !IsDictionary(type))
      return InvalidArgument("a dictionary was not expected");
    if (!has_dictionary && IsDictionary(type)) return InvalidArgument("the dictionary is missing");
    return OkStatus();
  }

  // Whether the numbers can be those of an array at all; gives offset + length.
  static Status CheckCounts(const ArrowArray& node, int64_t* slots) {
    if (node.length < 0) return InvalidArgument("length is ", node.length);
    if (node.offset < 0) return InvalidArgument("offset is ", node.offset);
    if (AddOverflows(node.offset, node.length, slots) || *slots >= kMostSlots) {
      return InvalidArgument("offset + length is out of bounds: ", node.offset, " + ", node.length,
                             " >= ", kMostSlots);
    }
    if (node.null_count < -1 || node.null_count > node.length) {
      return InvalidArgument("null_count is ", node.null_count, ", length ", node.length);
    }
    return OkStatus();
  }

  ImportedStorage* storage_;
  const ImportOptions& options_;
};

}  // namespace

StatusOr<Array> ReadArray(OwnedArray source, const DataType& type, const ImportOptions& options) {
  SHEAF_ASSIGN_OR_RETURN(ImportedStorage* const storage,
                         ImportedStorage::Make(std::move(source), options.pool));
  // The buffers keep it from here on; where there is none, or none after a failure, it goes at
  // once.
  const Buffer held = Buffer::FromStorage(storage, nullptr, 0);
  SHEAF_ASSIGN_OR_RETURN(Array array,
                         ArrayReader(storage, options).Read(&storage->array(), type, Path{}));
  SHEAF_RETURN_IF_ERROR(Validate(array, options.level));
  return array;
}

StatusOr<RecordBatch> ReadRecordBatch(OwnedArray source, const Schema& schema,
                                      const ImportOptions& options) {
  ImportOptions of_columns = options;
  ++of_columns.max_depth;  // The struct of the columns is not a field of theirs.
  SHEAF_ASSIGN_OR_RETURN(const Array columns,
                         ReadArray(std::move(source), schema.struct_type(), of_columns));
  return RecordBatch::FromStruct(columns, schema.metadata());
}

}  // namespace internal

StatusOr<Array> ImportArray(ArrowArray* array, const DataType& type, const ImportOptions& options) {
  SHEAF_ASSIGN_OR_RETURN(internal::OwnedArray owned, internal::OwnedArray::Take(array));
  return internal::ReadArray(std::move(owned), type, options);
}

StatusOr<Array> ImportArray(ArrowArray* array, ArrowSchema* schema, const ImportOptions& options) {
  // Both are taken first, so that both are released whichever is at fault.
  auto owned = internal::OwnedArray::Take(array);
  SHEAF_ASSIGN_OR_RETURN(const DataType type, ImportType(schema, options));
  if (!owned.ok()) return owned.status();
  return internal::ReadArray(*std::move(owned), type, options);
}

StatusOr<RecordBatch> ImportRecordBatch(ArrowArray* array, const Schema& schema,
                                        const ImportOptions& options) {
  SHEAF_ASSIGN_OR_RETURN(internal::OwnedArray owned, internal::OwnedArray::Take(array));
  return internal::ReadRecordBatch(std::move(owned), schema, options);
}

StatusOr<RecordBatch> ImportRecordBatch(ArrowArray* array, ArrowSchema* schema,
                                        const ImportOptions& options) {
  auto owned = internal::OwnedArray::Take(array);
  SHEAF_ASSIGN_OR_RETURN(const Schema of_batch, ImportSchema(schema, options));
  if (!owned.ok()) return owned.status();
  return internal::ReadRecordBatch(*std::move(owned), of_batch, options);
}

}  // namespace sheaf
