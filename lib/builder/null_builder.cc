#include "sheaf/builder/null_builder.h"

#include "builder/builder_core.h"

namespace sheaf::inline v1 {

NullBuilder::NullBuilder(const DataType& type, const BuilderOptions& options)
    : ArrayBuilder(type, options) {}

Status NullBuilder::CheckBuilds(const DataType& type) {
  if (type.storage().id() == TypeId::kNull) return OkStatus();
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

StatusOr<Array> NullBuilder::Build(Sharing) {
  if (const internal::KeptChunk* only = OnlyChunk(); only != nullptr) return only->window;
  return BuildRows(length());
}

StatusOr<Array> NullBuilder::BuildTail(Sharing) { return BuildRows(tail_.length()); }

Status NullBuilder::BuildPieces(internal::PieceList* pieces) { return BuildFlatPieces(pieces); }

StatusOr<Array> NullBuilder::BuildRows(int64_t n) {
  internal::NodeParts parts;
  parts.type = type_;
  parts.length = n;
  parts.null_count = n;
  parts.verified = true;
  return internal::MakeNode(std::move(parts), pool());
}

std::unique_ptr<ArrayBuilder> NullBuilder::NewEmpty() const {
  return std::make_unique<NullBuilder>(type_, options_);
}

void NullBuilder::SwapRows(ArrayBuilder& other) noexcept {
  SwapAll(*this, static_cast<NullBuilder&>(other));
}

}  // namespace sheaf
