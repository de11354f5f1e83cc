#include "ipc/read_batch.h"

#include <utility>
#include <vector>

#include "base/error.h"
#include "ipc/body_reader.h"

namespace sheaf::inline v1::internal {

StatusOr<RecordBatch> ReadBatch(const Message& message, const Projection& projection,
                                const Dictionaries& dictionaries, const ipc::ReadOptions& options) {
  const format::RecordBatch* header = message.table().header_as_RecordBatch();
  if (header == nullptr) return InvalidArgument("the message is not a record batch");
  if (header->length() < 0) return InvalidArgument("a batch of ", header->length(), " rows");

  SHEAF_ASSIGN_OR_RETURN(BodyReader body,
                         BodyReader::Make(*header, message.table().version(),
                                          projection.stream.big_endian, message.body, options));
  const Fields fields = projection.stream.schema.fields();
  std::vector<Array> columns(static_cast<size_t>(projection.schema.num_fields()));
  for (int i = 0; i < projection.stream.schema.num_fields(); ++i) {
    const int place = projection.place[static_cast<size_t>(i)];
    if (place < 0) {
      SHEAF_RETURN_IF_ERROR(body.Skip(fields, i));
    } else {
      SHEAF_ASSIGN_OR_RETURN(
          columns[static_cast<size_t>(place)],
          body.Read(fields, i, {dictionaries, projection.stream.columns[static_cast<size_t>(i)]}));
    }
  }
  SHEAF_RETURN_IF_ERROR(body.CheckAllTaken());
  return RecordBatch::Make(projection.schema, header->length(), std::move(columns));
}

}  // namespace sheaf::inline v1::internal
