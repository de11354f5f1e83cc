#pragma once

#include "c_data/owned.h"
#include "sheaf/c_data/import.h"

namespace sheaf::inline v1::internal {

// What the public functions do once they own the structures.

StatusOr<Field> ReadField(const ArrowSchema& schema, int max_depth);
StatusOr<Schema> ReadSchema(const ArrowSchema& schema, int max_depth);
StatusOr<Array> ReadArray(OwnedArray source, const DataType& type, const ImportOptions& options);
StatusOr<RecordBatch> ReadRecordBatch(OwnedArray source, const Schema& schema,
                                      const ImportOptions& options);

}  // namespace sheaf::inline v1::internal
