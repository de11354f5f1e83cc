#include "sheaf/builder/union_builder.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "builder/builder_core.h"
#include "builder/dense_child.h"

namespace sheaf::inline v1 {

using internal::PieceCursor;
using internal::PieceList;

namespace {

constexpr int64_t kOffsetWidth = sizeof(int32_t);

bool IsUnion(const DataType& type) noexcept {
  const LayoutId id = type.layout().id;
  return id == LayoutId::kSparseUnion || id == LayoutId::kDenseUnion;
}

/// Whether a row of the type can read as null, or as something else.
bool CanBeNull(const Field& field) noexcept {
  if (!field.nullable()) return false;
  if (!IsUnion(field.type())) return true;
  const auto fields = field.type().fields();
  return std::any_of(fields.begin(), fields.end(), CanBeNull);
}
bool CanBeValid(const DataType& type) noexcept {
  if (type.layout().id == LayoutId::kNull) return false;
  if (!IsUnion(type)) return true;
  const auto fields = type.fields();
  return std::any_of(fields.begin(), fields.end(),
                     [](const Field& field) { return CanBeValid(field.type()); });
}

}  // namespace

UnionBuilder::UnionBuilder(const DataType& type,
                           std::vector<std::unique_ptr<ArrayBuilder>> children,
                           const BuilderOptions& options)
    : ArrayBuilder(type, options),
      children_(std::move(children)),
      dense_(type.layout().id == LayoutId::kDenseUnion),
      type_ids_(options.pool),
      offsets_(options.pool),
      lengths_(children_.size(), 0),
      scratch_(options.pool) {
  for (auto& child : children_) Adopt(*child);
  const auto fields = type_.fields();
  const auto nullable = std::find_if(fields.begin(), fields.end(), CanBeNull);
  if (nullable != fields.end()) null_child_ = static_cast<int>(nullable - fields.begin());
  const auto valid = std::find_if(fields.begin(), fields.end(),
                                  [](const Field& field) { return CanBeValid(field.type()); });
  if (valid != fields.end()) empty_child_ = static_cast<int>(valid - fields.begin());
}

UnionBuilder::UnionBuilder(UnionBuilder&&) noexcept = default;
UnionBuilder& UnionBuilder::operator=(UnionBuilder&&) noexcept = default;
UnionBuilder::~UnionBuilder() = default;

Status UnionBuilder::CheckBuilds(const DataType& type) {
  if (IsUnion(type)) return OkStatus();
  return internal::InvalidArgument("a union builder does not build ", type.ToString());
}

// ── Rows value by value ──

Status UnionBuilder::CheckChild(int i) const {
  if (i >= 0 && i < num_children()) return OkStatus();
  return internal::InvalidArgument(type_.ToString(), " builder: child ", i, " of ", num_children());
}

Status UnionBuilder::CheckRowOfChild(int i, int64_t ahead) const {
  const ArrayBuilder& values = child(i);
  if (values.length() - lengths_[static_cast<size_t>(i)] == ahead) return CheckReadyOf(values);
  return internal::FailedPrecondition(type_.ToString(), " builder, row ", length(), ": child ",
                                      type_.field(i).ToString(), " got ",
                                      values.length() - lengths_[static_cast<size_t>(i)],
                                      " values since the last row, not ", ahead);
}

Status UnionBuilder::Append(int type_id) {
  SHEAF_RETURN_IF_ERROR(CheckRows(1));
  const std::span<const int8_t> child_of = type_.storage().child_of_type_code();
  const int of = type_id >= 0 && type_id < static_cast<int>(child_of.size())
                     ? child_of[static_cast<size_t>(type_id)]
                     : -1;
  if (of < 0) {
    return internal::InvalidArgument(type_.ToString(), " builder, row ", length(),
                                     ": unknown type id: ", type_id);
  }
  for (int i = 0; i < num_children(); ++i) {
    SHEAF_RETURN_IF_ERROR(CheckRowOfChild(i, i == of ? 1 : 0));
  }
  const Field& field = type_.field(of);
  if (!field.nullable() && HasNullInLastOf(child(of), 1)) {
    return internal::InvalidArgument(type_.ToString(), " builder, row ", length(), ": child ",
                                     field.ToString(), " is not nullable and got a null");
  }
  const int64_t slot = lengths_[static_cast<size_t>(of)];
  if (dense_) SHEAF_RETURN_IF_ERROR(CheckFits(of, slot, 1));
  return Transact([&] {
    SHEAF_RETURN_IF_ERROR(ReserveSlots(1));
    *type_ids_.UnsafeStage(1) = static_cast<uint8_t>(type_id);
    if (dense_) {
      const auto offset = static_cast<int32_t>(slot);
      std::memcpy(offsets_.UnsafeStage(kOffsetWidth), &offset, sizeof(offset));
    }
    for (int i = 0; !dense_ && i < num_children(); ++i) {
      if (i != of) SHEAF_RETURN_IF_ERROR(StagePlaceholdersOf(child(i), 1));
    }
    return tail_.StageValid(1);
  });
}

Status UnionBuilder::CheckReady() const {
  for (int i = 0; i < num_children(); ++i) {
    const ArrayBuilder& values = child(i);
    const int64_t had = lengths_[static_cast<size_t>(i)];
    if (values.length() != had) {
      return internal::FailedPrecondition(
          type_.ToString(), " builder: a row is open, Append of its ",
          "type id comes first: child ", type_.field(i).ToString(), " has ", values.length(),
          " values where the rows have ", had);
    }
    SHEAF_RETURN_IF_ERROR(CheckReadyOf(values));
  }
  return OkStatus();
}

// ── What all builders have ──

Status UnionBuilder::CheckFits(int i, int64_t staged, int64_t additional) const {
  constexpr int64_t kMost = int64_t{std::numeric_limits<int32_t>::max()} + 1;
  if (additional <= kMost - staged) return OkStatus();
  return internal::OutOfRange(type_.ToString(), " builder: ", staged, " + ", additional,
                              " slots of child ", type_.field(i).ToString(),
                              " outgrow 32-bit offsets (at most ", kMost, "); use a sparse_union");
}

Status UnionBuilder::ReserveSlots(int64_t rows) {
  SHEAF_RETURN_IF_ERROR(type_ids_.Reserve(rows));
  if (dense_) {
    SHEAF_ASSIGN_OR_RETURN(const int64_t bytes, internal::ProductOf(rows, kOffsetWidth, type_));
    SHEAF_RETURN_IF_ERROR(offsets_.Reserve(bytes));
  }
  return tail_.Reserve(rows);
}

Status UnionBuilder::ReserveRows(int64_t rows) {
  SHEAF_RETURN_IF_ERROR(ReserveSlots(rows));
  for (auto& child : children_) {
    if (!dense_) SHEAF_RETURN_IF_ERROR(ReserveRowsOf(*child, rows));
  }
  return OkStatus();
}

void UnionBuilder::Commit() noexcept {
  ArrayBuilder::Commit();
  type_ids_.Commit();
  offsets_.Commit();
  for (size_t i = 0; i < children_.size(); ++i) {
    CommitOf(*children_[i]);
    lengths_[i] = children_[i]->length();
  }
}

void UnionBuilder::Discard() noexcept {
  ArrayBuilder::Discard();
  type_ids_.Discard();
  offsets_.Discard();
  for (auto& child : children_) DiscardOf(*child);
}

void UnionBuilder::SaveMark(internal::MarkWriter& mark) const noexcept {
  ArrayBuilder::SaveMark(mark);
  for (size_t i = 0; i < children_.size(); ++i) {
    mark.Put(lengths_[i]);
    SaveMarkOf(*children_[i], mark);
  }
}

void UnionBuilder::RestoreMark(internal::MarkReader& mark) noexcept {
  ArrayBuilder::RestoreMark(mark);
  type_ids_.TruncateTo(tail_.length());
  if (dense_) offsets_.TruncateTo(tail_.length() * kOffsetWidth);
  for (size_t i = 0; i < children_.size(); ++i) {
    lengths_[i] = mark.Take();
    RestoreMarkOf(*children_[i], mark);
  }
}

DataType UnionBuilder::BuiltType() const {
  std::vector<DataType> types;
  for (const auto& child : children_) types.push_back(BuiltTypeOf(*child));
  return internal::WithFieldTypes(type_, types);
}

StatusOr<Array> UnionBuilder::Build(Sharing sharing) {
  internal::StagedVector<Array> children(pool());
  for (auto& child : children_) {
    SHEAF_ASSIGN_OR_RETURN(Array built, BuildOf(*child, sharing));
    SHEAF_RETURN_IF_ERROR(children.Stage(std::move(built)));
  }
  const std::span<Array> all{children.begin(), children.end()};
  if (!dense_) {
    return internal::MakeBuilt(type_, length(), 0, {type_ids_.Share(sharing)}, all, pool());
  }
  return internal::MakeBuilt(type_, length(), 0,
                             {type_ids_.Share(sharing), offsets_.Share(sharing)}, all, pool());
}

/// A sparse union is cut wherever a child is; a dense one, whose rows reach all over its children,
/// is one array.
Status UnionBuilder::BuildPieces(PieceList* pieces) {
  if (dense_ || children_.empty()) return ArrayBuilder::BuildPieces(pieces);
  internal::StagedVector<PieceList> of_children(pool());
  internal::StagedVector<PieceCursor> cursors(pool());
  for (auto& child : children_) {
    SHEAF_RETURN_IF_ERROR(of_children.Stage(PieceList(pool())));
    SHEAF_RETURN_IF_ERROR(BuildPiecesOf(*child, &of_children.back()));
  }
  const DataType built = BuiltType();
  for (int i = 0; i < num_children(); ++i) {
    SHEAF_RETURN_IF_ERROR(
        cursors.Stage(PieceCursor(of_children[i], built.field(i).type(), pool())));
  }
  const Buffer type_ids = type_ids_.Share();
  for (int64_t row = 0; row < length();) {
    int64_t n = length() - row;
    for (const PieceCursor& cursor : cursors) n = std::min(n, cursor.left());
    internal::StagedVector<Array> children(pool());
    for (PieceCursor& cursor : cursors) {
      SHEAF_ASSIGN_OR_RETURN(Array part, cursor.Take(n));
      SHEAF_RETURN_IF_ERROR(children.Stage(std::move(part)));
    }
    SHEAF_ASSIGN_OR_RETURN(Array piece,
                           internal::MakeBuilt(built, n, 0, {type_ids.Slice(row, n)},
                                               {children.begin(), children.end()}, pool()));
    SHEAF_RETURN_IF_ERROR(pieces->Add(std::move(piece)));
    row += n;
  }
  return OkStatus();
}

void UnionBuilder::Clear() noexcept {
  ArrayBuilder::Clear();
  type_ids_.Reset();
  offsets_.Reset();
  for (auto& child : children_) ClearOf(*child);
  std::fill(lengths_.begin(), lengths_.end(), 0);
}

int64_t UnionBuilder::BytesUsed() const noexcept {
  int64_t bytes = staged_length() * (dense_ ? 1 + kOffsetWidth : 1);
  for (const auto& child : children_) bytes += BytesUsedOf(*child);
  return bytes;
}

void UnionBuilder::AddRetained(internal::RetainedSet* retained) const {
  ArrayBuilder::AddRetained(retained);
  retained->Add(type_ids_);
  retained->Add(offsets_);
  for (const auto& child : children_) AddRetainedOf(*child, retained);
}

Status UnionBuilder::AddNeeds(const Array& source, std::span<const RowRange> ranges) {
  SHEAF_RETURN_IF_ERROR(ArrayBuilder::AddNeeds(source, ranges));
  if (dense_) SHEAF_RETURN_IF_ERROR(PlanDense(source, ranges));
  for (int i = 0; i < num_children(); ++i) {
    const int of_source = ChildOfSource(source, i);
    if (of_source < 0) {
      if (!dense_) {
        SHEAF_RETURN_IF_ERROR(AddEmptyNeedsOf(child(i), internal::TotalLength(ranges)));
      }
      continue;
    }
    const Array& values = source.child(of_source);
    if (!dense_) {
      SHEAF_RETURN_IF_ERROR(
          AddNeedsOf(child(i), values.Slice(source.offset(), source.length()), ranges));
    } else if (scratch_[i].ranges.total() > 0) {
      SHEAF_RETURN_IF_ERROR(AddNeedsOf(child(i), values, scratch_[i].ranges.ranges()));
    }
  }
  return OkStatus();
}

Status UnionBuilder::AddEmptyNeeds(int64_t n) {
  for (int i = 0; i < num_children(); ++i) {
    if (!dense_ || i == empty_child_) SHEAF_RETURN_IF_ERROR(AddEmptyNeedsOf(child(i), n));
  }
  return ArrayBuilder::AddEmptyNeeds(n);
}

Status UnionBuilder::ReserveNeeds() {
  SHEAF_RETURN_IF_ERROR(CheckRows(needs_.rows));
  SHEAF_RETURN_IF_ERROR(ReserveSlots(needs_.rows));
  for (auto& child : children_) SHEAF_RETURN_IF_ERROR(ReserveNeedsOf(*child));
  return OkStatus();
}

void UnionBuilder::ForgetNeeds() noexcept {
  ArrayBuilder::ForgetNeeds();
  for (auto& child : children_) ForgetNeedsOf(*child);
}

std::unique_ptr<ArrayBuilder> UnionBuilder::NewEmpty() const {
  std::vector<std::unique_ptr<ArrayBuilder>> children;
  for (const auto& child : children_) {
    children.push_back(NewEmptyOf(*child));
    if (children.back() == nullptr) return nullptr;
  }
  return std::make_unique<UnionBuilder>(type_, std::move(children), options_);
}

void UnionBuilder::SwapRows(ArrayBuilder& other_builder) noexcept {
  auto& other = static_cast<UnionBuilder&>(other_builder);
  SwapAll(*this, other);
  std::swap(children_, other.children_);  // Back again: only their rows are swapped.
  for (size_t i = 0; i < children_.size(); ++i) SwapRowsOf(*children_[i], *other.children_[i]);
}

}  // namespace sheaf::inline v1
