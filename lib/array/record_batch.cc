#include "sheaf/array/record_batch.h"

#include <algorithm>
#include <utility>

#include "array/array_data.h"
#include "array/path.h"
#include "array/verified.h"
#include "base/error.h"
#include "sheaf/array/print.h"

namespace sheaf::inline v1 {

StatusOr<RecordBatch> RecordBatch::Make(Schema schema, int64_t num_rows,
                                        std::vector<Array> columns) {
  if (num_rows < 0)
    return internal::InvalidArgument("record batch: negative number of rows: ", num_rows);
  if (static_cast<int>(columns.size()) != schema.num_fields()) {
    return internal::InvalidArgument("record batch: ", columns.size(), " columns for ",
                                     schema.num_fields(), " fields");
  }
  for (int i = 0; i < schema.num_fields(); ++i) {
    const Array& column = columns[static_cast<size_t>(i)];
    const auto path = [&] {  // Names are compared for it: only where there is something to say.
      return internal::Concat("$", internal::PathStep(schema.fields(), i));
    };
    if (!(column.type() == schema.field(i).type())) {
      return internal::InvalidArgument(path(), ": the schema says ",
                                       schema.field(i).type().ToString(), ", the column is ",
                                       column.type().ToString());
    }
    if (column.length() != num_rows) {
      return internal::InvalidArgument(path(), ": ", column.length(), " rows, the batch has ",
                                       num_rows);
    }
  }
  RecordBatch batch;
  batch.schema_ = std::move(schema);
  batch.num_rows_ = num_rows;
  batch.columns_ = std::move(columns);
  return batch;
}

RecordBatch RecordBatch::Slice(int64_t offset, int64_t length) const {
  const int64_t first = std::clamp<int64_t>(offset, 0, num_rows_);
  RecordBatch slice;
  slice.schema_ = schema_;
  slice.num_rows_ = std::clamp<int64_t>(length, 0, num_rows_ - first);
  for (const Array& column : columns_)
    slice.columns_.push_back(column.Slice(first, slice.num_rows_));
  return slice;
}

StatusOr<Array> RecordBatch::ToStruct(MemoryPool* pool) const {
  std::vector<Array> children = columns_;
  Buffer no_validity;
  const bool verified = std::all_of(columns_.begin(), columns_.end(), internal::IsVerified);
  return internal::MakeNode({.type = schema_.struct_type(),
                             .length = num_rows_,
                             .null_count = 0,
                             .buffers = {&no_validity, 1},
                             .children = children,
                             .verified = verified},
                            pool);
}

StatusOr<RecordBatch> RecordBatch::FromStruct(const Array& array, Metadata metadata) {
  if (array.layout().id != LayoutId::kStruct) {
    return internal::InvalidArgument("not a struct: ", array.type().ToString());
  }
  if (array.has_nulls()) {
    return internal::InvalidArgument("a record batch has no null rows, the struct has ",
                                     array.null_count());
  }
  std::vector<Array> columns;
  columns.reserve(static_cast<size_t>(array.num_children()));
  for (int i = 0; i < array.num_children(); ++i) {
    columns.push_back(array.child(i).Slice(array.offset(), array.length()));
  }
  SHEAF_ASSIGN_OR_RETURN(Schema schema, Schema::FromStruct(array.type(), std::move(metadata)));
  return Make(std::move(schema), array.length(), std::move(columns));
}

Status RecordBatch::Validate(ValidationLevel level) const {
  const internal::Path root;
  for (int i = 0; i < num_columns(); ++i) {
    const internal::Path path = root.Child(schema_.fields(), i);
    const Array& array = column(i);
    SHEAF_RETURN_IF_ERROR(internal::ValidateAt(array, level, path));
    if (level == ValidationLevel::kFull && !schema_.field(i).nullable() && array.has_nulls()) {
      return internal::ArrayError(array.type(), path, array.null_count(),
                                  " nulls in a field that is not nullable");
    }
  }
  return OkStatus();
}

std::string RecordBatch::ToString() const {
  std::string text = internal::Concat(num_rows_, " rows\n");
  for (int i = 0; i < num_columns(); ++i) {
    text += internal::Concat(schema_.field(i).ToString(), " = ", column(i).ToString(), "\n");
  }
  return text;
}

bool operator==(const RecordBatch& a, const RecordBatch& b) {
  return a.num_rows_ == b.num_rows_ && a.schema_ == b.schema_ &&
         std::equal(a.columns_.begin(), a.columns_.end(), b.columns_.begin(), b.columns_.end());
}

}  // namespace sheaf
