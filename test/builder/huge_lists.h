#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <sys/mman.h>
#include <vector>

#include "sheaf/array/chunked_array.h"
#include "sheaf/array/print.h"
#include "sheaf/builder/builder_options.h"
#include "testing/array_literals.h"
#include "testing/builders.h"
#include "testing/matchers.h"

// Lists of as many elements as 32-bit offsets count, in no memory.
namespace sheaf::testing {

inline constexpr int64_t kMost = std::numeric_limits<int32_t>::max();

inline BuilderOptions Cutting(
    int64_t min_chunk_bytes = BuilderOptions{}.min_chunk_bytes) {  // Kept from so many bytes on.
  BuilderOptions options;
  options.on_overflow = OnOverflow::kNewChunk;
  options.min_chunk_bytes = min_chunk_bytes;
  return options;
}

/// Elements of the null type count and take no memory.
inline Array Nulls(int64_t n) { return *MakeNullArray(Null(), n); }
/// One row of n nulls.
inline Array RowOf(int64_t n) { return LargeListsOver(Nulls(n), {0, n}); }

/// Zeros in pages that are never written: as long as nobody copies them, they take no memory.
inline Buffer ZeroBytes(int64_t size_bytes) {
  const auto size = static_cast<size_t>(size_bytes);
  void* pages = mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) BadLiteral("no address space");
  return *Buffer::Wrap(pages, size_bytes, [pages, size] { munmap(pages, size); });
}
inline Array ZerosOf(const DataType& type, int64_t n, int64_t size_bytes) {
  ArrayParts parts;
  parts.type = type;
  parts.length = n;
  parts.buffers = {Buffer(), ZeroBytes(size_bytes)};
  return *MakeArray(std::move(parts));
}
inline Array Zeros(int64_t n) { return ZerosOf(Int8(), n, n); }
inline Array ZeroBits(int64_t n) { return ZerosOf(Boolean(), n, (n + 7) / 8); }

/// Sizes of the rows of all chunks, which are lists or list-views.
using Sizes = std::vector<std::vector<int64_t>>;
inline Sizes SizesOf(const ChunkedArray& chunks) {
  Sizes sizes;
  for (const Array& chunk : chunks.chunks()) {
    EXPECT_THAT(chunk, IsValidArray());
    sizes.emplace_back();
    for (int64_t row = 0; row < chunk.length(); ++row) {
      const bool is_view = chunk.layout().id == LayoutId::kListView;
      const int32_t* slots = chunk.slots<int32_t>(1) + row;
      sizes.back().push_back(is_view ? chunk.slots<int32_t>(2)[row] : slots[1] - slots[0]);
    }
  }
  return sizes;
}
/// The same of the rows one after the other, whatever chunks they are in.
inline std::vector<int64_t> AllSizesOf(const ChunkedArray& chunks) {
  std::vector<int64_t> all;
  for (const std::vector<int64_t>& sizes : SizesOf(chunks))
    all.insert(all.end(), sizes.begin(), sizes.end());
  return all;
}

/// Rows of all chunks as text, long ones as their size.
using Rows = std::vector<std::vector<std::string>>;
inline Rows RowsOf(const ChunkedArray& chunks) {
  Rows rows;
  const Sizes sizes = SizesOf(chunks);
  for (int c = 0; c < chunks.num_chunks(); ++c) {
    rows.emplace_back();
    for (size_t row = 0; row < sizes[static_cast<size_t>(c)].size(); ++row) {
      const int64_t size = sizes[static_cast<size_t>(c)][row];
      rows.back().push_back(size > 100 ? std::to_string(size)
                                       : ValueToString(chunks.chunk(c), static_cast<int64_t>(row)));
    }
  }
  return rows;
}

}  // namespace sheaf::testing
