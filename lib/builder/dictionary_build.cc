#include <algorithm>
#include <cstring>
#include <utility>

#include "builder/builder_core.h"
#include "builder/dictionary_memo.h"
#include "builder/gather_indices.h"
#include "builder/pieces.h"
#include "memory/copy_of_bits.h"
#include "sheaf/builder/dictionary_builder.h"

// Indices and values as one array. The type of the indices is known only now: as wide as the values
// need, where they may widen.
namespace sheaf::inline v1 {

using internal::DictionaryMap;
using internal::OwnRun;
using internal::RowRange;

DataType DictionaryBuilder::BuiltType() const {
  const DataType index_type = IndexTypeFor(values_->length());
  const DataType value_type = BuiltTypeOf(*values_);
  if (index_type == type_.index_type() && value_type == type_.value_type()) return type_;
  return *sheaf::Dictionary(index_type, value_type, type_.ordered());
}

StatusOr<Array> DictionaryBuilder::BuildDictionary(Sharing sharing) {
  internal::DictionaryMemo& memo = *memo_;
  if (!memo.has_built || memo.built.length() != values_->length()) {
    const bool goes_on = options_.dictionaries.keep_dictionary;
    SHEAF_ASSIGN_OR_RETURN(memo.built, BuildOf(*values_, goes_on ? Sharing::kSnapshot : sharing));
    memo.has_built = true;
  }
  if (sharing == Sharing::kFinal) memo.num_offered = values_->length();
  return memo.built;
}

StatusOr<Array> DictionaryBuilder::Dictionary() {
  StatusOr<Array> dictionary = BuildDictionary(Sharing::kSnapshot);
  if (!dictionary.ok()) return AtBuilder(dictionary.status());
  return dictionary;
}

StatusOr<Array> DictionaryBuilder::DictionaryDelta() {
  SHEAF_ASSIGN_OR_RETURN(const Array dictionary, Dictionary());
  return dictionary.Slice(memo_->num_given);
}

/// Whether a kept chunk is an array with this dictionary as it came.
bool DictionaryBuilder::PassesThrough(int64_t chunk, const DataType& type,
                                      const Array& dictionary) const noexcept {
  const Array& window = chunks_[chunk].window;
  return memo_->maps_of_chunks[chunk].identity && window.type().Identical(type) &&
         internal::SameSlots(window.dictionary(), dictionary);
}

StatusOr<Array> DictionaryBuilder::Build(Sharing sharing) {
  SHEAF_ASSIGN_OR_RETURN(const Array dictionary, BuildDictionary(sharing));
  const DataType type = BuiltType();
  if (const internal::KeptChunk* only = OnlyChunk();
      only != nullptr && PassesThrough(0, type, dictionary)) {
    return only->window;
  }
  SHEAF_ASSIGN_OR_RETURN(Buffer indices, BuildIndices(type.index_type(), sharing));
  SHEAF_ASSIGN_OR_RETURN(Buffer validity, BuildValidity(sharing));
  return MakeRows(type, 0, length(), null_count(), std::move(validity), std::move(indices),
                  dictionary);
}

StatusOr<Array> DictionaryBuilder::MakeRows(const DataType& type, int64_t offset, int64_t length,
                                            int64_t null_count, Buffer validity, Buffer indices,
                                            const Array& dictionary) {
  Buffer buffers[2] = {std::move(validity), std::move(indices)};
  Array values = dictionary;
  return internal::MakeNode({.type = type,
                             .offset = offset,
                             .length = length,
                             .null_count = null_count,
                             .buffers = buffers,
                             .dictionary = &values,
                             .verified = true},
                            pool());
}

/// The tail's indices, as wide as the result's.
StatusOr<Buffer> DictionaryBuilder::NarrowTail(const DataType& index_type, Sharing sharing) {
  const int64_t width = index_type.byte_width();
  if (width == index_bytes_) return indices_.Share(sharing);
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer narrow,
                         MutableBuffer::Allocate(tail_.length() * width, pool()));
  internal::NarrowIndices(indices_.as<int64_t>(), tail_.length(), width, narrow.data());
  return std::move(narrow).Finish();
}

StatusOr<Buffer> DictionaryBuilder::BuildIndices(const DataType& index_type, Sharing sharing) {
  const int64_t width = index_type.byte_width();
  if (chunks_.empty()) return NarrowTail(index_type, sharing);
  if (const internal::KeptChunk* only = OnlyChunk();
      only != nullptr && memo_->maps_of_chunks[0].identity &&
      only->window.type().index_type() == index_type) {
    return only->window.buffer(1).Slice(only->window.offset() * width, length() * width);
  }
  SHEAF_ASSIGN_OR_RETURN(const Buffer tail, NarrowTail(index_type, sharing));
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer joined, MutableBuffer::Allocate(length() * width, pool()));
  uint8_t* out = joined.data();
  SHEAF_RETURN_IF_ERROR(VisitRuns([&](const OwnRun& run) -> Status {
    const int64_t bytes = run.length * width;
    if (run.chunk >= 0) {
      SHEAF_RETURN_IF_ERROR(WriteChunk(run.chunk, index_type, out));
    } else if (bytes > 0) {
      std::memcpy(out, tail.data() + run.first * width, static_cast<size_t>(bytes));
    }
    out += bytes;
    return OkStatus();
  }));
  return std::move(joined).Finish();
}

Status DictionaryBuilder::WriteChunk(int64_t chunk, const DataType& index_type, uint8_t* out) {
  const Array& window = chunks_[chunk].window;
  const DictionaryMap& map = memo_->maps_of_chunks[chunk];
  const int64_t n = window.length();
  if (n == 0) return OkStatus();
  const int64_t width = index_type.byte_width();
  if (width == index_bytes_) {
    WriteRows(window, {0, n}, map, out);
    return OkStatus();
  }
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer wide, MutableBuffer::Allocate(n * index_bytes_, pool()));
  WriteRows(window, {0, n}, map, wide.data());
  internal::NarrowIndices(wide.as<int64_t>(), n, width, out);
  return OkStatus();
}

Status DictionaryBuilder::BuildPieces(internal::PieceList* pieces) {
  SHEAF_ASSIGN_OR_RETURN(const Array dictionary, BuildDictionary(Sharing::kFinal));
  const DataType type = BuiltType();
  Array tail;
  if (tail_.length() > 0) {
    SHEAF_ASSIGN_OR_RETURN(Buffer validity, TailValidity(Sharing::kFinal));
    SHEAF_ASSIGN_OR_RETURN(Buffer indices, NarrowTail(type.index_type(), Sharing::kFinal));
    SHEAF_ASSIGN_OR_RETURN(tail, MakeRows(type, 0, tail_.length(), tail_.null_count(),
                                          std::move(validity), std::move(indices), dictionary));
  }
  return VisitRuns([&](const OwnRun& run) {
    return run.chunk < 0 ? pieces->Add(tail.Slice(run.first, run.length))
                         : AddChunkPiece(run.chunk, type, dictionary, pieces);
  });
}

/// A kept chunk over the whole dictionary: its indices are shared where they are the same.
Status DictionaryBuilder::AddChunkPiece(int64_t chunk, const DataType& type,
                                        const Array& dictionary, internal::PieceList* pieces) {
  const Array& window = chunks_[chunk].window;
  const int64_t n = window.length();
  if (n == 0) return OkStatus();
  if (PassesThrough(chunk, type, dictionary)) return pieces->Add(window);
  const int64_t null_count = chunks_[chunk].null_count;
  if (memo_->maps_of_chunks[chunk].identity && window.type().index_type() == type.index_type()) {
    SHEAF_ASSIGN_OR_RETURN(Array piece, MakeRows(type, window.offset(), n, null_count,
                                                 window.buffer(0), window.buffer(1), dictionary));
    return pieces->Add(std::move(piece));
  }
  Buffer validity;
  if (null_count > 0) {
    SHEAF_ASSIGN_OR_RETURN(validity, internal::CopyOfBits(window.validity(), pool()));
  }
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer indices,
                         MutableBuffer::Allocate(n * type.index_type().byte_width(), pool()));
  SHEAF_RETURN_IF_ERROR(WriteChunk(chunk, type.index_type(), indices.data()));
  SHEAF_ASSIGN_OR_RETURN(Array piece, MakeRows(type, 0, n, null_count, std::move(validity),
                                               std::move(indices).Finish(), dictionary));
  return pieces->Add(std::move(piece));
}

}  // namespace sheaf::inline v1
