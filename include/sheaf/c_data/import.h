#pragma once

#include "sheaf/array/array.h"
#include "sheaf/array/record_batch.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/c_data/abi.h"
#include "sheaf/memory/memory_pool.h"
#include "sheaf/type/data_type.h"
#include "sheaf/type/field.h"
#include "sheaf/type/schema.h"

namespace sheaf::inline v1 {

struct ImportOptions {
  /// How much of an array is checked. Numbers of buffers and children, lengths that overflow, and
  /// buffers that are null though they hold bytes are errors at every level: no array could be made
  /// of them.
  ValidationLevel level = ValidationLevel::kDefault;
  /// Most fields on the path to a leaf, the leaf included; deeper ones are kInvalidArgument.
  int max_depth = 64;
  /// For the handles of the import and for the few buffers that are copied because they are not
  /// aligned for their type.
  MemoryPool* pool = MemoryPool::Default();
};

/// \file
/// Arrays and types taken in through the Arrow C data interface.
///
/// Every function takes ownership of the structures it is given, also when it fails: their
/// `release` is null afterwards. An array's own is called, once, when the last buffer of it is
/// given up, from whichever thread does so. Dictionaries are moved out of it, and released by
/// themselves. Buffers are not copied unless their address is not aligned for their type.
///
/// What producers in use do is accepted: null pointers for buffers of zero bytes, anything in the
/// buffers of an array of length 0 (none is read), a null array with one buffer, unknown flag bits,
/// children of any name. Fields whose metadata names a registered extension get an extension type
/// (type/extension.h).

/// \return kInvalidArgument with the path and, where it is the format that is wrong, the format.
SHEAF_EXPORT StatusOr<DataType> ImportType(ArrowSchema* schema, const ImportOptions& options = {});
SHEAF_EXPORT StatusOr<Field> ImportField(ArrowSchema* schema, const ImportOptions& options = {});
/// From a struct.
SHEAF_EXPORT StatusOr<Schema> ImportSchema(ArrowSchema* schema, const ImportOptions& options = {});

/// \return kInvalidArgument with the path and what is wrong, as far as `options.level` looks;
///     kResourceExhausted.
SHEAF_EXPORT StatusOr<Array> ImportArray(ArrowArray* array, const DataType& type,
                                         const ImportOptions& options = {});
SHEAF_EXPORT StatusOr<Array> ImportArray(ArrowArray* array, ArrowSchema* schema,
                                         const ImportOptions& options = {});

/// From a struct array without nulls at the top.
SHEAF_EXPORT StatusOr<RecordBatch> ImportRecordBatch(ArrowArray* array, const Schema& schema,
                                                     const ImportOptions& options = {});
SHEAF_EXPORT StatusOr<RecordBatch> ImportRecordBatch(ArrowArray* array, ArrowSchema* schema,
                                                     const ImportOptions& options = {});

}  // namespace sheaf
