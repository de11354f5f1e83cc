#include "workloads/list_views.h"

#include <cstdlib>
#include <iostream>
#include <set>
#include <string>

namespace sheaf::workloads {
namespace {

template <typename T>
T Must(StatusOr<T> result) {
  if (result.ok()) return *std::move(result);
  std::cerr << result.status() << "\n";
  std::abort();
}

template <typename Offset>
Array Views(const DataType& type, int64_t lists, int64_t list_size, int64_t step, bool nulls,
            int32_t first) {
  std::vector<Offset> offsets(static_cast<size_t>(lists));
  std::vector<Offset> sizes(static_cast<size_t>(lists), static_cast<Offset>(list_size));
  std::vector<uint8_t> validity(static_cast<size_t>((lists + 7) / 8));
  for (int64_t i = 0; i < lists; ++i) {
    offsets[static_cast<size_t>(i)] = static_cast<Offset>(i * step);
    if (i % 5 != 0) validity[static_cast<size_t>(i / 8)] |= static_cast<uint8_t>(1 << (i % 8));
  }
  ArrayParts parts;
  parts.type = type;
  parts.length = lists;
  parts.buffers.resize(3);
  if (nulls) parts.buffers[0] = Must(Buffer::Adopt(std::move(validity)));
  parts.buffers[1] = Must(Buffer::Adopt(std::move(offsets)));
  parts.buffers[2] = Must(Buffer::Adopt(std::move(sizes)));
  // Packed views reach all elements; overlapping ones end with the last view.
  parts.children = {Iota(step == list_size ? lists * list_size : step * lists + list_size, first)};
  return Must(MakeArray(std::move(parts), ValidationLevel::kFull));
}

void AddBuffers(const Array& array, std::set<const void*>* seen, int64_t* bytes) {
  for (int i = 0; i < array.num_buffers(); ++i) {
    if (seen->insert(array.buffer(i).data()).second) *bytes += array.buffer(i).size_bytes();
  }
  for (int i = 0; i < array.num_children(); ++i) AddBuffers(array.child(i), seen, bytes);
}

}  // namespace

Array Iota(int64_t length, int32_t first) {
  std::vector<int32_t> values(static_cast<size_t>(length));
  for (size_t i = 0; i < values.size(); ++i) values[i] = first + static_cast<int32_t>(i);
  ArrayParts parts;
  parts.type = Int32();
  parts.length = length;
  parts.buffers = {Buffer(), Must(Buffer::Adopt(std::move(values)))};
  return Must(MakeArray(std::move(parts)));
}

Array ListViews(int64_t lists, int64_t list_size, int64_t step, bool nulls, int32_t first) {
  return Views<int32_t>(ListView(Int32()), lists, list_size, step, nulls, first);
}

Array LargeListViews(int64_t lists, int64_t list_size, int64_t step, bool nulls, int32_t first) {
  return Views<int64_t>(LargeListView(Int32()), lists, list_size, step, nulls, first);
}

RecordBatch WideLists(int64_t columns, int64_t rows, int64_t list_size) {
  std::vector<Field> fields;
  std::vector<Array> arrays;
  for (int64_t column = 0; column < columns; ++column) {
    std::vector<int32_t> offsets(static_cast<size_t>(rows + 1));
    for (size_t i = 0; i < offsets.size(); ++i) {
      offsets[i] = static_cast<int32_t>(i) * static_cast<int32_t>(list_size);
    }
    ArrayParts parts;
    parts.type = List(Int32());
    parts.length = rows;
    parts.buffers = {Buffer(), Must(Buffer::Adopt(std::move(offsets)))};
    parts.children = {Iota(rows * list_size, static_cast<int32_t>(column))};
    arrays.push_back(Must(MakeArray(std::move(parts), ValidationLevel::kFull)));
    fields.emplace_back("c" + std::to_string(column), arrays.back().type());
  }
  return Must(RecordBatch::Make(Schema(std::move(fields)), rows, std::move(arrays)));
}

Array WithUnknownStatistics(const Array& list_view) {
  ArrayParts parts;
  parts.type = list_view.type();
  parts.length = list_view.length();
  parts.offset = list_view.offset();
  parts.null_count = list_view.null_count();
  parts.buffers = {list_view.buffer(0), list_view.buffer(1), list_view.buffer(2)};
  parts.children = {list_view.child(0)};
  return Must(MakeArray(std::move(parts), ValidationLevel::kNone));
}

int64_t BufferBytes(const Array& array) {
  std::set<const void*> seen;
  int64_t bytes = 0;
  AddBuffers(array, &seen, &bytes);
  return bytes;
}

}  // namespace sheaf::workloads
