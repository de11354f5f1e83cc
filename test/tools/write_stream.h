#pragma once

#include <string>
#include <vector>

#include "sheaf/array/array.h"
#include "sheaf/array/record_batch.h"
#include "sheaf/type/field.h"

namespace sheaf::testing {

/// Writes a stream of one batch, or of several under the first one's schema; an error ends the
/// program.
void WriteStream(const std::string& path, std::vector<Field> fields,
                 const std::vector<Array>& columns);
void WriteStream(const std::string& path, const std::vector<RecordBatch>& batches);

/// All batches of a file or stream, verified.
std::vector<RecordBatch> ReadBatches(const std::string& path);

}  // namespace sheaf::testing
