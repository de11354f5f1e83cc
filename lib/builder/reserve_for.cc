#include "builder/builder_core.h"
#include "sheaf/array/chunked_array.h"
#include "sheaf/builder/array_builder.h"
#include "sheaf/type/can_append.h"

// ReserveFor: a walk over the tree as an append would make it, that counts what it would copy; then
// one allocation a buffer. Counts are kept in the builders between the two.
namespace sheaf::inline v1 {

Status ArrayBuilder::ReserveFor(std::span<const Array> arrays) {
  int64_t rows = 0;
  for (const Array& array : arrays) {
    SHEAF_RETURN_IF_ERROR(CheckSource(array, 0, array.length()));
    if (AddOverflows(rows, array.length(), &rows)) {
      return internal::OutOfRange(type_.ToString(), " builder: the arrays' rows exceed 64 bits");
    }
  }
  Status status = CheckRows(rows);
  for (const Array& array : arrays) {
    const RowRange range{0, array.length()};
    if (status.ok() && range.length > 0) status = AddSourceNeeds(array, {&range, 1});
  }
  if (status.ok()) status = ReserveNeeds();
  ForgetNeeds();
  // The appends will begin new chunks, each with room of its own.
  const bool cuts = options_.on_overflow == OnOverflow::kNewChunk;
  if (cuts && status.code() == StatusCode::kOutOfRange) return OkStatus();
  return AtBuilder(status);
}

Status ArrayBuilder::ReserveFor(const ChunkedArray& chunks) {
  SHEAF_RETURN_IF_ERROR(CanAppend(type_, chunks.type()));
  return ReserveFor(chunks.chunks());
}

Status ArrayBuilder::AddNeeds(const Array& source, std::span<const RowRange> ranges) {
  needs_.nulls = needs_.nulls || source.has_nulls();
  if (AddOverflows(needs_.rows, internal::TotalLength(ranges), &needs_.rows)) {
    return internal::OutOfRange(type_.ToString(), " builder: the arrays' rows exceed 64 bits");
  }
  return OkStatus();
}

bool ArrayBuilder::CountKept(const Array& source, std::span<const RowRange> ranges,
                             int64_t own_bytes) noexcept {
  const bool keeps = ranges.size() == 1 && ranges[0].length > 0 && ShouldKeep(source, own_bytes);
  if (keeps) ++needs_.chunks;
  return keeps;
}

Status ArrayBuilder::AddEmptyNeeds(int64_t n) {
  if (!AddOverflows(needs_.rows, n, &needs_.rows)) return OkStatus();
  return internal::OutOfRange(type_.ToString(), " builder: the arrays' rows exceed 64 bits");
}

Status ArrayBuilder::ReserveNeeds() {
  SHEAF_RETURN_IF_ERROR(chunks_.Reserve(needs_.chunks));
  if (needs_.rows == 0) return OkStatus();
  SHEAF_RETURN_IF_ERROR(CheckRows(needs_.rows));
  if (needs_.nulls && type_.layout().has_validity) {
    SHEAF_RETURN_IF_ERROR(tail_.ReserveBitmap(needs_.rows));
  }
  return ReserveRows(needs_.rows);
}

}  // namespace sheaf::inline v1
