#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "sheaf/array/record_batch.h"
#include "sheaf/base/status.h"
#include "sheaf/ipc/options.h"
#include "sheaf/memory/buffer.h"
#include "testing/model.h"

namespace sheaf::testing {

/// test/data/<name>; a file that cannot be read ends the program.
Buffer DataFile(const std::string& name);

/// Names of the streams and files of other engines in test/data/ipc, and what the sidecar of one
/// says.
std::vector<std::string> EngineFiles();
nlohmann::json Sidecar(const std::string& name);

/// A stream or file read to its end.
StatusOr<std::vector<RecordBatch>> ReadBatches(const Buffer& bytes,
                                               const ipc::ReadOptions& options = {});

enum class Container { kStream, kFile };

/// All batches under one schema, written and closed.
StatusOr<Buffer> WriteBatches(const Schema& schema, const std::vector<RecordBatch>& batches,
                              Container container, const ipc::WriteOptions& options = {});

/// One batch of one column "c".
RecordBatch BatchOf(const Array& column);
/// The column after a trip through a stream; an error ends the program.
Array Trip(const Array& column, const ipc::WriteOptions& options = {});

/// Values of a column over all batches. Unions read as the value that they hold: a sidecar does not
/// tell which child it is in.
Values ColumnValues(const std::vector<RecordBatch>& batches, int column);
Values WithoutUnions(Values values);

}  // namespace sheaf::testing
