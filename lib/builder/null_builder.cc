#include "sheaf/builder/null_builder.h"

#include "builder/builder_core.h"

namespace sheaf::inline v1 {

NullBuilder::NullBuilder(const DataType& type, const BuilderOptions& options)
    : ArrayBuilder(type, options) {}

Status NullBuilder::CheckBuilds(const DataType& type) {
  if (type.id() == TypeId::kNull) return OkStatus();
  return internal::InvalidArgument("a null builder does not build ", type.ToString());
}

// The tail counts rows and never gets a bitmap; that all of them are null is counted beside it.
Status NullBuilder::StageNulls(int64_t n) {
  if (n > std::numeric_limits<int64_t>::max() - staged_length()) {
    return internal::OutOfRange("null builder: ", staged_length(), " + ", n,
                                " rows exceed 64 bits");
  }
  kept_.staged_nulls += n;
  return tail_.StageValid(n);
}

Status NullBuilder::StageEmpty(int64_t n) { return StageNulls(n); }

Status NullBuilder::StageRanges(const Array&, std::span<const RowRange> ranges) {
  for (const RowRange& range : ranges) SHEAF_RETURN_IF_ERROR(StageNulls(range.length));
  return OkStatus();
}

Status NullBuilder::StageRepeated(const Array&, RowRange range, int64_t n) {
  SHEAF_ASSIGN_OR_RETURN(const int64_t rows, internal::ProductOf(range.length, n, type_));
  return StageNulls(rows);
}

Status NullBuilder::StageSparse(const internal::SparseFill& sparse) {
  SHEAF_ASSIGN_OR_RETURN(const int64_t rows, RowsOf(sparse));
  return StageNulls(rows);
}

Status NullBuilder::ReserveRows(int64_t) { return OkStatus(); }

StatusOr<Array> NullBuilder::Build() {
  if (const internal::KeptChunk* only = OnlyChunk(); only != nullptr) return only->window;
  internal::NodeParts parts;
  parts.type = type_;
  parts.length = length();
  parts.null_count = length();
  parts.verified = true;
  return internal::MakeNode(std::move(parts), pool());
}

}  // namespace sheaf
