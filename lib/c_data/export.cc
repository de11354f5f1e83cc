#include "sheaf/c_data/export.h"

#include <array>
#include <new>
#include <utility>

#include "array/verified.h"
#include "base/error.h"
#include "c_data/export_window.h"
#include "c_data/exported_block.h"
#include "sheaf/type/layout.h"

namespace sheaf::inline v1 {
namespace internal {
namespace {

// Private data of an exported array: the buffers that it keeps alive, in its own block.
struct ExportedArray : ExportedBlock {
  Buffer* buffers;
  int64_t num_buffers;

  ~ExportedArray() { std::destroy_n(buffers, num_buffers); }
};

// The fixed buffers of one node, made before its block is: a failure up to there leaves nothing
// behind.
using NodeBuffers = std::array<Buffer, 3>;

Status MakeBuffers(const Array& array, int64_t null_count, NodeBuffers* buffers, MemoryPool* pool) {
  for (int i = 0; i < array.layout().num_buffers; ++i) {
    Buffer& window = (*buffers)[static_cast<size_t>(i)];
    if (IsWholeBuffer(array, i, null_count)) {
      window = array.buffer(i);
    } else {
      SHEAF_ASSIGN_OR_RETURN(window, WindowBuffer(array, i, null_count, pool));
    }
  }
  return OkStatus();
}

// Numbers of what a node's block holds.
struct NodeCounts {
  int64_t fixed;     // Buffers of the layout table.
  int64_t variadic;  // Data buffers of views; none for a length of 0, whose views reach nothing.
  int64_t children;
  bool sizes;  // Views: a last buffer with the sizes of the variadic ones.
  bool dictionary;

  explicit NodeCounts(const Array& array) noexcept
      : fixed(array.layout().num_buffers),
        variadic(array.length() == 0 ? 0 : array.num_buffers() - fixed),
        children(array.num_children()),
        sizes(array.layout().has_variadic_buffers),
        dictionary(array.has_dictionary()) {}

  int64_t buffers() const noexcept { return fixed + variadic + (sizes ? 1 : 0); }
};

// A node's block, laid out.
struct NodeBlock {
  Buffer* held;
  const void** buffers;
  int64_t* variadic_sizes;
  ExportedChildren<ArrowArray> children;

  NodeBlock(BlockParts* parts, const NodeCounts& counts) noexcept
      : held(parts->Take<Buffer>(counts.fixed + counts.variadic)),
        buffers(parts->Take<const void*>(counts.buffers())),
        variadic_sizes(parts->Take<int64_t>(counts.variadic)),
        children(parts, counts.children, counts.dictionary) {}
};

// The node itself, its children still released. Cannot fail once the block is there.
void FillNode(const Array& array, const NodeCounts& counts, int64_t null_count,
              NodeBuffers& buffers, const NodeBlock& block, ExportedArray* header,
              ArrowArray* out) noexcept {
  for (int64_t i = 0; i < counts.fixed + counts.variadic; ++i) {
    void* room = block.held + i;
    Buffer* held = i < counts.fixed ? new (room) Buffer(std::move(buffers[static_cast<size_t>(i)]))
                                    : new (room) Buffer(array.buffer(static_cast<int>(i)));
    block.buffers[i] = held->data();
    if (i >= counts.fixed) block.variadic_sizes[i - counts.fixed] = held->size_bytes();
  }
  if (counts.sizes) {
    block.buffers[counts.buffers() - 1] = counts.variadic == 0
                                              ? static_cast<const void*>(Buffer::Empty().data())
                                              : block.variadic_sizes;
  }
  header->buffers = block.held;
  header->num_buffers = counts.fixed + counts.variadic;
  *out = ArrowArray{.length = array.length(),
                    .null_count = null_count,
                    .offset = 0,
                    .n_buffers = counts.buffers(),
                    .n_children = counts.children,
                    .buffers = counts.buffers() == 0 ? nullptr : block.buffers,
                    .children = counts.children == 0 ? nullptr : block.children.pointers,
                    .dictionary = block.children.dictionary,
                    .release = ReleaseExported<ExportedArray, ArrowArray>,
                    .private_data = header};
}

Status ExportNode(const Array& array, ArrowArray* out, MemoryPool* pool) {
  const NodeCounts counts(array);
  SHEAF_RETURN_IF_ERROR(CheckDataBuffers(array));
  const int64_t null_count = array.null_count();
  NodeBuffers buffers;
  SHEAF_RETURN_IF_ERROR(MakeBuffers(array, null_count, &buffers, pool));

  BlockParts sizes(nullptr, sizeof(ExportedArray));
  static_cast<void>(NodeBlock(&sizes, counts));
  uint8_t* memory = pool->Allocate(sizes.bytes());
  if (memory == nullptr) return OutOfMemory(sizes.bytes());
  auto* header = new (memory) ExportedArray{{pool, sizes.bytes()}, nullptr, 0};
  BlockParts places(memory, sizeof(ExportedArray));
  FillNode(array, counts, null_count, buffers, NodeBlock(&places, counts), header, out);

  if (array.layout().id == LayoutId::kRunEndEncoded) {
    SHEAF_ASSIGN_OR_RETURN(const auto runs, WindowRuns(array, pool));
    SHEAF_RETURN_IF_ERROR(ExportNode(runs[0], out->children[0], pool));
    return ExportNode(runs[1], out->children[1], pool);
  }
  for (int i = 0; i < array.num_children(); ++i) {
    SHEAF_RETURN_IF_ERROR(ExportNode(WindowChild(array, i), out->children[i], pool));
  }
  if (counts.dictionary)
    SHEAF_RETURN_IF_ERROR(ExportNode(array.dictionary(), out->dictionary, pool));
  return OkStatus();
}

// On failure what was exported so far goes again: the children not yet reached are marked released.
Status ExportWhole(const Array& array, ArrowArray* out, MemoryPool* pool) {
  *out = {};
  // Unverified data may have buffers too short for the bits read here, or for what their last
  // offset tells a consumer, who has no sizes to check it with.
  if (!IsVerified(array)) SHEAF_RETURN_IF_ERROR(Validate(array, ValidationLevel::kDefault));
  Status status = ExportNode(array, out, pool);
  if (!status.ok()) ReleaseIfLive(out);
  return status;
}

// The array, and then what the schema is made from; both or none.
template <typename ExportSchemaFunction>
Status ExportBoth(const Array& array, ArrowArray* out, ArrowSchema* out_schema, MemoryPool* pool,
                  ExportSchemaFunction export_schema) {
  if (out_schema != nullptr) *out_schema = {};
  SHEAF_RETURN_IF_ERROR(ExportWhole(array, out, pool));
  if (out_schema == nullptr) return OkStatus();
  Status status = export_schema();
  if (!status.ok()) ReleaseIfLive(out);
  return status;
}

}  // namespace
}  // namespace internal

Status ExportArray(const Array& array, ArrowArray* out, ArrowSchema* out_schema, MemoryPool* pool) {
  return internal::ExportBoth(array, out, out_schema, pool,
                              [&] { return ExportType(array.type(), out_schema, pool); });
}

Status ExportRecordBatch(const RecordBatch& batch, ArrowArray* out, ArrowSchema* out_schema,
                         MemoryPool* pool) {
  *out = {};
  if (out_schema != nullptr) *out_schema = {};
  SHEAF_ASSIGN_OR_RETURN(const Array columns, batch.ToStruct(pool));
  return internal::ExportBoth(columns, out, out_schema, pool,
                              [&] { return ExportSchema(batch.schema(), out_schema, pool); });
}

}  // namespace sheaf
