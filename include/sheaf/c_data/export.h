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

/// \file
/// Arrays and types handed out through the Arrow C data interface.
///
/// An exported structure lives on without the handle it was made from; its children and
/// dictionaries can be moved out of it and outlive it. Its release callback may be called from any
/// thread, once a structure. The pool must outlive it. What a function fails to export leaves `out`
/// released (`release` is null).
///
/// Arrays go out in the form that consumers read alike: offset 0 at every level, exact null counts,
/// no bitmap where nothing is null, no other buffer pointer null, a struct's children cut to its
/// rows, and one zero offset for a variable-size array of length 0.
/// Buffers are shared, not copied, but for:
///  - a bitmap or boolean buffer whose window starts inside a byte,
///  - the run ends of a slice that cuts a run or leaves the first out,
///  - binary and string views that are not zero under a null, in foreign data. List-views keep the
///    offset and size of a null row, which are in bounds.

/// \param out  takes the format, an empty name, the nullable flag; an extension's name is in the
/// metadata.
/// \return kResourceExhausted.
SHEAF_EXPORT Status ExportType(const DataType& type, ArrowSchema* out,
                               MemoryPool* pool = MemoryPool::Default());
SHEAF_EXPORT Status ExportField(const Field& field, ArrowSchema* out,
                                MemoryPool* pool = MemoryPool::Default());
/// A struct that is not nullable, with the schema's metadata.
SHEAF_EXPORT Status ExportSchema(const Schema& schema, ArrowSchema* out,
                                 MemoryPool* pool = MemoryPool::Default());

/// \param out_schema  may be null; takes the array's type. Both structures are independent.
/// \return kResourceExhausted; kInvalidArgument for unverified data whose buffers are too short or
/// missing.
SHEAF_EXPORT Status ExportArray(const Array& array, ArrowArray* out,
                                ArrowSchema* out_schema = nullptr,
                                MemoryPool* pool = MemoryPool::Default());
/// The columns as a struct array without a bitmap.
SHEAF_EXPORT Status ExportRecordBatch(const RecordBatch& batch, ArrowArray* out,
                                      ArrowSchema* out_schema = nullptr,
                                      MemoryPool* pool = MemoryPool::Default());

}  // namespace sheaf
