#include "sheaf/builder/struct_builder.h"

#include <algorithm>
#include <limits>

#include "builder/builder_core.h"

namespace sheaf::inline v1 {
namespace {

/// A null of a field that is not nullable is fine under a null row, and nowhere else.
Status CheckFieldNullable(const DataType& type, const Field& field, const Array& source, int child,
                          internal::RowRange range) {
  if (field.nullable()) return OkStatus();
  const Array values = source.child(child).Slice(source.offset() + range.offset, range.length);
  if (!internal::BringsNulls(field.type(), values)) return OkStatus();
  const Array rows = source.Slice(range.offset, range.length);
  for (int64_t row = 0; row < rows.length(); ++row) {
    if (internal::BringsNull(field.type(), values, row) && rows.IsValid(row)) {
      return internal::InvalidArgument(type.ToString(), " builder, row ", range.offset + row,
                                       " of an array: field ", field.ToString(),
                                       " is not nullable and has a null");
    }
  }
  return OkStatus();
}

}  // namespace

using internal::OwnRun;
using internal::PieceBits;
using internal::PieceCursor;
using internal::PieceList;

StructBuilder::StructBuilder(const DataType& type,
                             std::vector<std::unique_ptr<ArrayBuilder>> fields,
                             const BuilderOptions& options)
    : ArrayBuilder(type, options), fields_(std::move(fields)), chunks_of_(options.pool) {
  for (auto& field : fields_) Adopt(*field);
  for (const Field& field : type_.fields()) {
    has_checked_fields_ |= !field.nullable() || field.type().num_fields() > 0;
  }
}

Status StructBuilder::CheckBuilds(const DataType& type) {
  if (type.storage().id() == TypeId::kStruct) return OkStatus();
  return internal::InvalidArgument("a struct builder does not build ", type.ToString());
}

// ── Rows value by value ──

Status StructBuilder::CheckField(int i) const {
  if (i >= 0 && i < num_fields()) return OkStatus();
  return internal::InvalidArgument(type_.ToString(), " builder: field ", i, " of ", num_fields());
}

Status StructBuilder::CheckFieldOfRow(int i, int64_t ahead, MissingFields missing) const {
  const Field& field = type_.field(i);
  const ArrayBuilder& values = *fields_[static_cast<size_t>(i)];
  if (ahead == 0 && missing == MissingFields::kError) {
    return internal::FailedPrecondition(type_.ToString(), " builder, row ", length(), ": field ",
                                        field.ToString(), " got no value before EndRow");
  }
  if (ahead != 0 && ahead != 1) {
    return internal::FailedPrecondition(type_.ToString(), " builder, row ", length(), ": field ",
                                        field.ToString(), " is ", ahead,
                                        " rows ahead at EndRow, not 1");
  }
  if (!field.nullable() && (ahead == 0 || HasNullInLastOf(values, 1))) {
    return internal::InvalidArgument(type_.ToString(), " builder, row ", length(), ": field ",
                                     field.ToString(), " is not nullable and ",
                                     ahead == 0 ? "got no value" : "got a null");
  }
  return CheckReadyOf(values);
}

Status StructBuilder::EndRow(MissingFields missing) {
  const int64_t rows = rows_of_chunk();
  bool complete = rows < std::numeric_limits<int64_t>::max();
  for (const auto& field : fields_) complete = complete && field->length() == rows + 1;
  if (!complete || has_checked_fields_) {
    SHEAF_RETURN_IF_ERROR(CheckRows(1));
    for (int i = 0; i < num_fields(); ++i) {
      const int64_t ahead = fields_[static_cast<size_t>(i)]->length() - rows;
      SHEAF_RETURN_IF_ERROR(CheckFieldOfRow(i, ahead, missing));
    }
    if (!complete) return EndRowWithNulls();
  }
  return CommitRows(1);
}

/// Only this node changes: no walk over the tree for what the fields have already.
Status StructBuilder::CommitRows(int64_t n) {
  if (tail_.has_bitmap() || !unlimited()) {
    Status status = tail_.StageValid(n);
    if (status.ok()) status = CheckLimit(0);
    if (!status.ok()) {
      tail_.Discard();
      return AtBuilder(status);
    }
    tail_.Commit();
  } else {
    tail_.UnsafePushValid(n);
  }
  for (const auto& field : fields_) DropMarksOf(*field);
  return OkStatus();
}

Status StructBuilder::EndRows(int64_t n) {
  SHEAF_RETURN_IF_ERROR(CheckRows(n));
  const int64_t rows = rows_of_chunk();
  for (int i = 0; i < num_fields(); ++i) {
    const Field& field = type_.field(i);
    const ArrayBuilder& values = *fields_[static_cast<size_t>(i)];
    if (values.length() - rows != n) {
      return internal::FailedPrecondition(type_.ToString(), " builder, row ", length(), ": field ",
                                          field.ToString(), " is ", values.length() - rows,
                                          " rows ahead at EndRows of ", n);
    }
    if (!field.nullable() && HasNullInLastOf(values, n)) {
      return internal::InvalidArgument(type_.ToString(), " builder, rows from ", length(),
                                       " on: field ", field.ToString(),
                                       " is not nullable and got a null");
    }
    SHEAF_RETURN_IF_ERROR(CheckReadyOf(values));
  }
  return CommitRows(n);
}

Status StructBuilder::EndRowWithNulls() {
  return Transact([&] {
    for (const auto& field : fields_) {
      if (field->length() == rows_of_chunk()) SHEAF_RETURN_IF_ERROR(StageNullsOf(*field, 1));
    }
    return tail_.StageValid(1);
  });
}

Status StructBuilder::CheckReady() const {
  for (int i = 0; i < num_fields(); ++i) {
    const ArrayBuilder& field = *fields_[static_cast<size_t>(i)];
    if (field.length() != rows_of_chunk()) {
      return internal::FailedPrecondition(type_.ToString(),
                                          " builder: a row is open, EndRow comes first: ", "field ",
                                          type_.field(i).ToString(), " has ", field.length(),
                                          " rows where the struct has ", rows_of_chunk());
    }
    SHEAF_RETURN_IF_ERROR(CheckReadyOf(field));
  }
  return OkStatus();
}

// ── The hooks ──

Status StructBuilder::StageRanges(const Array& source, std::span<const RowRange> ranges) {
  for (int i = 0; i < num_fields(); ++i) {
    for (const RowRange& range : ranges) {
      SHEAF_RETURN_IF_ERROR(CheckFieldNullable(type_, type_.field(i), source, i, range));
    }
  }
  const int64_t own_bytes = internal::ValidityBytesOf(source, internal::TotalLength(ranges));
  if (ranges.size() == 1 && ranges[0].length > 0 && ShouldKeep(source, own_bytes)) {
    SHEAF_RETURN_IF_ERROR(ArrayBuilder::StageKept(source, ranges[0]));
    for (int i = 0; i < num_fields(); ++i) SHEAF_RETURN_IF_ERROR(chunks_of_.Stage(-1));
  } else {
    SHEAF_RETURN_IF_ERROR(StageValidity(source, ranges));
  }
  for (int i = 0; i < num_fields(); ++i) {
    const Array field = source.child(i).Slice(source.offset(), source.length());
    SHEAF_RETURN_IF_ERROR(StageRangesOf(*fields_[static_cast<size_t>(i)], field, ranges));
  }
  return OkStatus();
}

Status StructBuilder::StageRepeated(const Array& source, RowRange range, int64_t n) {
  SHEAF_RETURN_IF_ERROR(internal::ProductOf(range.length, n, type_).status());
  const BitSpan validity = source.validity().Slice(range.offset, range.length);
  SHEAF_RETURN_IF_ERROR(tail_.StageRepeated(validity, range.length - CountSet(validity), n));
  for (int i = 0; i < num_fields(); ++i) {
    SHEAF_RETURN_IF_ERROR(CheckFieldNullable(type_, type_.field(i), source, i, range));
    const Array field = source.child(i).Slice(source.offset(), source.length());
    SHEAF_RETURN_IF_ERROR(StageRepeatedOf(*fields_[static_cast<size_t>(i)], field, range, n));
  }
  return OkStatus();
}

Status StructBuilder::StageSparse(const internal::SparseFill& sparse) {
  SHEAF_RETURN_IF_ERROR(RowsOf(sparse).status());
  // What lies under a null need not be brought: placeholders take least.
  SHEAF_ASSIGN_OR_RETURN(const Array fill, sparse.null_fill() ? MakeNullArray(type_, 1, pool())
                                                              : StatusOr<Array>(sparse.fill));
  const Array& patches = sparse.patches;
  SHEAF_RETURN_IF_ERROR(StageSparseValidity(sparse));
  for (int i = 0; i < num_fields(); ++i) {
    for (const Array& source : {fill, patches}) {
      SHEAF_RETURN_IF_ERROR(
          CheckFieldNullable(type_, type_.field(i), source, i, {0, source.length()}));
    }
    SHEAF_RETURN_IF_ERROR(
        StageSparseOf(*fields_[static_cast<size_t>(i)],
                      {fill.child(i).Slice(fill.offset(), fill.length()),
                       patches.child(i).Slice(patches.offset(), patches.length()), sparse.at}));
  }
  return OkStatus();
}

Status StructBuilder::StageNulls(int64_t n) {
  SHEAF_RETURN_IF_ERROR(tail_.StageNull(n));
  for (auto& field : fields_) SHEAF_RETURN_IF_ERROR(StagePlaceholdersOf(*field, n));
  return OkStatus();
}

Status StructBuilder::StagePlaceholders(int64_t n) {
  SHEAF_RETURN_IF_ERROR(tail_.StageValid(n));
  for (auto& field : fields_) SHEAF_RETURN_IF_ERROR(StagePlaceholdersOf(*field, n));
  return OkStatus();
}

Status StructBuilder::StageEmpty(int64_t n) {
  SHEAF_RETURN_IF_ERROR(tail_.StageValid(n));
  for (auto& field : fields_) SHEAF_RETURN_IF_ERROR(StageEmptyOf(*field, n));
  return OkStatus();
}

Status StructBuilder::StageKept(const Array& source, RowRange range) {
  for (int i = 0; i < num_fields(); ++i) {
    SHEAF_RETURN_IF_ERROR(CheckFieldNullable(type_, type_.field(i), source, i, range));
    ArrayBuilder& field = *fields_[static_cast<size_t>(i)];
    SHEAF_RETURN_IF_ERROR(chunks_of_.Stage(ChunksOf(field).size()));
    SHEAF_RETURN_IF_ERROR(
        StageKeptOf(field, source.child(i), {source.offset() + range.offset, range.length}));
  }
  return ArrayBuilder::StageKept(source, range);
}

Status StructBuilder::StageWidened(int64_t chunk, RowRange range) {
  const Array source = internal::WithWindow(chunks_[chunk].window, range.offset, range.length);
  for (int i = 0; i < num_fields(); ++i) {
    SHEAF_RETURN_IF_ERROR(CheckFieldNullable(type_, type_.field(i), source, i, {0, range.length}));
    const int64_t child_chunk = chunks_of_[chunk * num_fields() + i];
    const int64_t slot = source.child(i).offset() + range.offset;
    SHEAF_RETURN_IF_ERROR(
        StageWidenedOf(*fields_[static_cast<size_t>(i)], child_chunk, {slot, range.length}));
  }
  return ArrayBuilder::StageWidened(chunk, range);
}

Status StructBuilder::ReserveRows(int64_t rows) {
  SHEAF_RETURN_IF_ERROR(tail_.Reserve(rows));
  for (auto& field : fields_) SHEAF_RETURN_IF_ERROR(ReserveRowsOf(*field, rows));
  return OkStatus();
}

void StructBuilder::Commit() noexcept {
  ArrayBuilder::Commit();
  chunks_of_.Commit();
  for (auto& field : fields_) CommitOf(*field);
}

void StructBuilder::Discard() noexcept {
  ArrayBuilder::Discard();
  chunks_of_.Discard();
  for (auto& field : fields_) DiscardOf(*field);
}

void StructBuilder::SaveMark(internal::MarkWriter& mark) const noexcept {
  ArrayBuilder::SaveMark(mark);
  for (const auto& field : fields_) SaveMarkOf(*field, mark);
}

void StructBuilder::RestoreMark(internal::MarkReader& mark) noexcept {
  ArrayBuilder::RestoreMark(mark);
  chunks_of_.TruncateTo(chunks_.size() * num_fields());
  for (auto& field : fields_) RestoreMarkOf(*field, mark);
}

DataType StructBuilder::BuiltType() const {
  std::vector<DataType> types;
  for (const auto& field : fields_) types.push_back(BuiltTypeOf(*field));
  return internal::WithFieldTypes(type_, types);
}

StatusOr<Array> StructBuilder::Build(Sharing sharing) {
  internal::StagedVector<Array> children(pool());
  for (auto& field : fields_) {
    SHEAF_ASSIGN_OR_RETURN(Array child, BuildOf(*field, sharing));
    SHEAF_RETURN_IF_ERROR(children.Stage(std::move(child)));
  }
  SHEAF_ASSIGN_OR_RETURN(Buffer validity, BuildValidity(sharing));
  return internal::MakeBuilt(type_, length(), null_count(), {std::move(validity)},
                             {children.begin(), static_cast<size_t>(children.size())}, pool());
}

/// Cut wherever a field is; the slices of the fields' pieces share them.
Status StructBuilder::BuildPieces(PieceList* pieces) {
  internal::StagedVector<PieceList> of_fields(pool());
  internal::StagedVector<PieceCursor> cursors(pool());
  for (int i = 0; i < num_fields(); ++i) {
    SHEAF_RETURN_IF_ERROR(of_fields.Stage(PieceList(pool())));
    SHEAF_RETURN_IF_ERROR(BuildPiecesOf(*fields_[static_cast<size_t>(i)], &of_fields.back()));
  }
  const DataType built = BuiltType();
  for (int i = 0; i < num_fields(); ++i) {
    SHEAF_RETURN_IF_ERROR(cursors.Stage(PieceCursor(of_fields[i], built.field(i).type(), pool())));
  }
  SHEAF_ASSIGN_OR_RETURN(const Buffer tail_bits, TailValidity(Sharing::kFinal));
  return VisitRuns([&](const OwnRun& run) -> Status {
    const bool kept = run.chunk >= 0;
    if (kept && chunks_[run.chunk].window.type().Identical(built)) {
      for (PieceCursor& cursor : cursors) cursor.Skip(run.length);
      return pieces->Add(chunks_[run.chunk].window);
    }
    PieceBits bits{kept ? chunks_[run.chunk].window.buffer(0) : tail_bits, run.first};
    for (int64_t left = run.length; left > 0;) {
      int64_t n = left;
      for (const PieceCursor& cursor : cursors) n = std::min(n, cursor.left());
      SHEAF_RETURN_IF_ERROR(AddPiece(bits, n, {cursors.begin(), cursors.end()}, pieces));
      bits.first += n;
      left -= n;
    }
    return OkStatus();
  });
}

Status StructBuilder::AddPiece(const PieceBits& bits, int64_t n, std::span<PieceCursor> cursors,
                               PieceList* pieces) {
  internal::StagedVector<Array> children(pool());
  int64_t room = std::numeric_limits<int64_t>::max();
  for (PieceCursor& cursor : cursors) {
    SHEAF_ASSIGN_OR_RETURN(Array child, cursor.Take(n));
    room = std::min(room, internal::SlotsBefore(child));
    SHEAF_RETURN_IF_ERROR(children.Stage(std::move(child)));
  }
  SHEAF_ASSIGN_OR_RETURN(internal::PieceValidity validity,
                         internal::PlaceValidity(bits, n, room, pool()));
  const int64_t lead = validity.lead;
  for (Array& child : children) {
    child = internal::WithWindow(child, child.offset() - lead, n + lead);
  }
  Buffer buffers[1];
  SHEAF_ASSIGN_OR_RETURN(Array piece,
                         internal::MakePiece(type_, n, std::move(validity), buffers,
                                             {children.begin(), children.end()}, pool()));
  return pieces->Add(std::move(piece));
}

void StructBuilder::AddRetained(internal::RetainedSet* retained) const {
  ArrayBuilder::AddRetained(retained);
  for (const auto& field : fields_) AddRetainedOf(*field, retained);
}

Status StructBuilder::AddNeeds(const Array& source, std::span<const RowRange> ranges) {
  if (!CountKept(source, ranges,
                 internal::ValidityBytesOf(source, internal::TotalLength(ranges)))) {
    SHEAF_RETURN_IF_ERROR(ArrayBuilder::AddNeeds(source, ranges));
  }
  for (int i = 0; i < num_fields(); ++i) {
    const Array field = source.child(i).Slice(source.offset(), source.length());
    SHEAF_RETURN_IF_ERROR(AddNeedsOf(*fields_[static_cast<size_t>(i)], field, ranges));
  }
  return OkStatus();
}

Status StructBuilder::AddEmptyNeeds(int64_t n) {
  for (auto& field : fields_) SHEAF_RETURN_IF_ERROR(AddEmptyNeedsOf(*field, n));
  return ArrayBuilder::AddEmptyNeeds(n);
}

Status StructBuilder::ReserveNeeds() {
  SHEAF_RETURN_IF_ERROR(chunks_.Reserve(needs_.chunks));
  SHEAF_RETURN_IF_ERROR(chunks_of_.Reserve(needs_.chunks * num_fields()));
  SHEAF_RETURN_IF_ERROR(CheckRows(needs_.rows));
  if (needs_.nulls) SHEAF_RETURN_IF_ERROR(tail_.ReserveBitmap(needs_.rows));
  SHEAF_RETURN_IF_ERROR(tail_.Reserve(needs_.rows));
  for (auto& field : fields_) SHEAF_RETURN_IF_ERROR(ReserveNeedsOf(*field));
  return OkStatus();
}

void StructBuilder::ForgetNeeds() noexcept {
  ArrayBuilder::ForgetNeeds();
  for (auto& field : fields_) ForgetNeedsOf(*field);
}

std::unique_ptr<ArrayBuilder> StructBuilder::NewEmpty() const {
  std::vector<std::unique_ptr<ArrayBuilder>> fields;
  for (const auto& field : fields_) {
    fields.push_back(NewEmptyOf(*field));
    if (fields.back() == nullptr) return nullptr;
  }
  return std::make_unique<StructBuilder>(type_, std::move(fields), options_);
}

void StructBuilder::SwapRows(ArrayBuilder& other_builder) noexcept {
  auto& other = static_cast<StructBuilder&>(other_builder);
  SwapAll(*this, other);
  std::swap(fields_, other.fields_);  // Back again: only their rows are swapped.
  for (size_t i = 0; i < fields_.size(); ++i) SwapRowsOf(*fields_[i], *other.fields_[i]);
}

void StructBuilder::Clear() noexcept {
  ArrayBuilder::Clear();
  chunks_of_.Clear();
  for (auto& field : fields_) ClearOf(*field);
}

int64_t StructBuilder::BytesUsed() const noexcept {
  int64_t bytes = ValidityBytes();
  for (const auto& field : fields_) bytes += BytesUsedOf(*field);
  return bytes;
}

}  // namespace sheaf
