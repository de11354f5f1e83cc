#include "sheaf/builder/run_end_builder.h"

#include <cstring>
#include <limits>

#include "builder/builder_core.h"
#include "sheaf/array/run_end_array.h"

namespace sheaf::inline v1 {

using internal::PieceList;

template <typename RunEnd>
BasicRunEndBuilder<RunEnd>::BasicRunEndBuilder(const DataType& type,
                                               std::unique_ptr<ArrayBuilder> values,
                                               const BuilderOptions& options)
    : ArrayBuilder(type, options),
      values_(std::move(values)),
      ends_(options.pool),
      lasts_(options.pool) {
  Adopt(*values_);
}

template <typename RunEnd>
Status BasicRunEndBuilder<RunEnd>::CheckBuilds(const DataType& type) {
  const Layout& layout = type.layout();
  if (layout.id == LayoutId::kRunEndEncoded && layout.offset_bits == 8 * kWidth) return OkStatus();
  return internal::InvalidArgument("a builder of ", 8 * kWidth, "-bit run ends does not build ",
                                   type.ToString());
}

template <typename RunEnd>
int64_t BasicRunEndBuilder<RunEnd>::run_count() const noexcept {
  return values_->length();
}

template <typename RunEnd>
Status BasicRunEndBuilder<RunEnd>::CheckFits(int64_t additional_rows) const {
  constexpr int64_t kMost = std::numeric_limits<RunEnd>::max();
  if (additional_rows <= kMost - staged_length()) [[likely]]
    return OkStatus();
  const char* wider = kWidth == 2 ? "; use run ends of int32" : "; use run ends of int64";
  return internal::OutOfRange(type_.ToString(), " builder: ", staged_length(), " + ",
                              additional_rows, " rows outgrow ", 8 * kWidth,
                              "-bit run ends (at most ", kMost, ")", kWidth == 8 ? "" : wider);
}

template <typename RunEnd>
Status BasicRunEndBuilder<RunEnd>::ReserveEnds(int64_t n) {
  SHEAF_ASSIGN_OR_RETURN(const int64_t bytes, internal::ProductOf(n + 1, kWidth, type_));
  return ends_.Reserve(bytes);
}

template <typename RunEnd>
void BasicRunEndBuilder<RunEnd>::EndRun() noexcept {
  const auto end = static_cast<RunEnd>(staged_length());
  if (end > 0) std::memcpy(ends_.UnsafeStage(kWidth), &end, sizeof(end));
}

template <typename RunEnd>
Status BasicRunEndBuilder<RunEnd>::ReserveRows(int64_t rows) {
  return tail_.Reserve(rows);  // How many runs they are is not known.
}

template <typename RunEnd>
void BasicRunEndBuilder<RunEnd>::Commit() noexcept {
  ArrayBuilder::Commit();
  CommitOf(*values_);
  ends_.Commit();
  if (lasts_.size() > 1 && !IsMarked()) {
    lasts_[0] = std::move(lasts_.back());
    lasts_.TruncateTo(1);
  }
  lasts_.Commit();
}

template <typename RunEnd>
void BasicRunEndBuilder<RunEnd>::Discard() noexcept {
  ArrayBuilder::Discard();
  DiscardOf(*values_);
  ends_.Discard();
  lasts_.Discard();
  last_ = Array();
}

template <typename RunEnd>
void BasicRunEndBuilder<RunEnd>::SaveMark(internal::MarkWriter& mark) const noexcept {
  ArrayBuilder::SaveMark(mark);
  mark.Put(ends_.size_bytes());
  mark.Put(lasts_.committed_size());
  SaveMarkOf(*values_, mark);
}

template <typename RunEnd>
void BasicRunEndBuilder<RunEnd>::RestoreMark(internal::MarkReader& mark) noexcept {
  ArrayBuilder::RestoreMark(mark);
  ends_.TruncateTo(mark.Take());
  lasts_.TruncateTo(mark.Take());
  RestoreMarkOf(*values_, mark);
}

template <typename RunEnd>
DataType BasicRunEndBuilder<RunEnd>::BuiltType() const {
  const DataType types[] = {type_.field(0).type(), BuiltTypeOf(*values_)};
  return internal::WithFieldTypes(type_, types);
}

/// Rows of runs that end at `ends`, one for each of the values.
template <typename RunEnd>
StatusOr<Array> BasicRunEndBuilder<RunEnd>::MakeRuns(const DataType& type, Array values,
                                                     Buffer ends, int64_t rows) {
  Buffer buffers[2] = {Buffer(), std::move(ends)};
  internal::NodeParts run_ends;
  run_ends.type = type.field(0).type();
  run_ends.length = values.length();
  run_ends.null_count = 0;
  run_ends.buffers = buffers;
  run_ends.verified = true;
  SHEAF_ASSIGN_OR_RETURN(Array made_ends, internal::MakeNode(std::move(run_ends), pool()));
  Array children[2] = {std::move(made_ends), std::move(values)};
  internal::NodeParts parts;
  parts.type = type;
  parts.length = rows;
  parts.null_count = 0;
  parts.children = children;
  parts.verified = true;
  return internal::MakeNode(std::move(parts), pool());
}

/// The ends of all runs, the last one's too.
template <typename RunEnd>
StatusOr<Buffer> BasicRunEndBuilder<RunEnd>::TailEnds(Sharing sharing) {
  if (length() == 0) return Buffer::Empty();
  const auto last = static_cast<RunEnd>(length());
  const int64_t bytes = ends_.size_bytes();
  if (sharing == Sharing::kSnapshot) {  // The builder goes on where the last end would be.
    SHEAF_ASSIGN_OR_RETURN(MutableBuffer ends, MutableBuffer::Allocate(bytes + kWidth, pool()));
    if (bytes > 0) std::memcpy(ends.data(), ends_.data(), static_cast<size_t>(bytes));
    std::memcpy(ends.data() + bytes, &last, sizeof(last));
    return std::move(ends).Finish();
  }
  SHEAF_RETURN_IF_ERROR(ReserveEnds(0));
  ends_.UnsafePush(last);
  Buffer ends = ends_.Share(sharing);
  ends_.TruncateTo(bytes);  // For a `Finish` that fails elsewhere.
  return ends;
}

template <typename RunEnd>
StatusOr<Array> BasicRunEndBuilder<RunEnd>::Build(Sharing sharing) {
  SHEAF_ASSIGN_OR_RETURN(Array values, BuildOf(*values_, sharing));
  SHEAF_ASSIGN_OR_RETURN(Buffer ends, TailEnds(sharing));
  return MakeRuns(BuiltType(), std::move(values), std::move(ends), length());
}

/// Cut where the values are: a piece of them is a piece of the runs, whose ends begin anew.
template <typename RunEnd>
Status BasicRunEndBuilder<RunEnd>::BuildPieces(PieceList* pieces) {
  PieceList of_values(pool());
  SHEAF_RETURN_IF_ERROR(BuildPiecesOf(*values_, &of_values));
  if (of_values.empty()) return OkStatus();
  SHEAF_ASSIGN_OR_RETURN(const Buffer all_ends, TailEnds(Sharing::kFinal));
  const DataType type = BuiltType();
  const auto* ends = all_ends.as<RunEnd>();
  int64_t begin = 0;
  for (int64_t i = 0; i < of_values.size(); ++i) {
    const int64_t runs = of_values[i].length();
    const int64_t end = ends[runs - 1];
    Buffer own = all_ends;
    if (of_values.size() > 1) {
      SHEAF_ASSIGN_OR_RETURN(MutableBuffer moved, MutableBuffer::Allocate(runs * kWidth, pool()));
      for (int64_t run = 0; run < runs; ++run) {
        moved.template as<RunEnd>()[run] = static_cast<RunEnd>(ends[run] - begin);
      }
      own = std::move(moved).Finish();
    }
    SHEAF_ASSIGN_OR_RETURN(Array piece, MakeRuns(type, of_values[i], std::move(own), end - begin));
    SHEAF_RETURN_IF_ERROR(pieces->Add(std::move(piece)));
    ends += runs;
    begin = end;
  }
  return OkStatus();
}

template <typename RunEnd>
void BasicRunEndBuilder<RunEnd>::Clear() noexcept {
  ArrayBuilder::Clear();
  ClearOf(*values_);
  ends_.Reset();
  lasts_.Clear();
  last_ = Array();
}

template <typename RunEnd>
int64_t BasicRunEndBuilder<RunEnd>::BytesUsed() const noexcept {
  return staged_runs() * kWidth + BytesUsedOf(*values_);
}

template <typename RunEnd>
void BasicRunEndBuilder<RunEnd>::AddRetained(internal::RetainedSet* retained) const {
  ArrayBuilder::AddRetained(retained);
  retained->Add(ends_);
  AddRetainedOf(*values_, retained);
}

template <typename RunEnd>
Status BasicRunEndBuilder<RunEnd>::AddNeeds(const Array& source, std::span<const RowRange> ranges) {
  SHEAF_RETURN_IF_ERROR(ArrayBuilder::AddNeeds(source, ranges));
  // The runs of plain values are not known without a look at them.
  if (source.layout().id != LayoutId::kRunEndEncoded) return OkStatus();
  for (const RowRange& range : ranges) {
    SHEAF_ASSIGN_OR_RETURN(const RunEndArray runs,
                           RunEndArray::From(source.Slice(range.offset, range.length)));
    const auto [first, last] = runs.physical_range();
    const RowRange reached{first, last - first};
    needs_.reach += reached.length;
    if (reached.length > 0) {
      SHEAF_RETURN_IF_ERROR(AddNeedsOf(*values_, runs.values(), {&reached, 1}));
    }
  }
  return OkStatus();
}

template <typename RunEnd>
Status BasicRunEndBuilder<RunEnd>::ReserveNeeds() {
  SHEAF_RETURN_IF_ERROR(CheckFits(needs_.rows));
  if (needs_.reach > 0) SHEAF_RETURN_IF_ERROR(ReserveEnds(needs_.reach));
  SHEAF_RETURN_IF_ERROR(lasts_.Reserve(1));
  return ReserveNeedsOf(*values_);
}

template <typename RunEnd>
void BasicRunEndBuilder<RunEnd>::ForgetNeeds() noexcept {
  ArrayBuilder::ForgetNeeds();
  ForgetNeedsOf(*values_);
}

template <typename RunEnd>
std::unique_ptr<ArrayBuilder> BasicRunEndBuilder<RunEnd>::NewEmpty() const {
  std::unique_ptr<ArrayBuilder> values = NewEmptyOf(*values_);
  if (values == nullptr) return nullptr;
  return std::make_unique<BasicRunEndBuilder>(type_, std::move(values), options_);
}

template <typename RunEnd>
void BasicRunEndBuilder<RunEnd>::SwapRows(ArrayBuilder& other_builder) noexcept {
  auto& other = static_cast<BasicRunEndBuilder&>(other_builder);
  ArrayBuilder::SwapAll(*this, other);
  std::swap(values_, other.values_);  // Back again: only their rows are swapped.
  SwapRowsOf(*values_, *other.values_);
}

// The members for sources are instantiated in run_end_stage.cc.
template class BasicRunEndBuilder<int16_t>;
template class BasicRunEndBuilder<int32_t>;
template class BasicRunEndBuilder<int64_t>;

}  // namespace sheaf::inline v1
