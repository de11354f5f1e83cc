#include "builder/builder_core.h"
#include "sheaf/builder/array_builder.h"

// What a builder keeps alive: buffers are counted by their allocations, so that what several kept
// arrays, children or full chunks share counts once.
namespace sheaf::inline v1 {

int64_t ArrayBuilder::bytes_retained() const {
  internal::RetainedSet retained;
  for (const auto& full : full_.builders) full->AddRetained(&retained);
  AddRetained(&retained);
  return retained.bytes();
}

void ArrayBuilder::AddRetained(internal::RetainedSet* retained) const {
  retained->Add(tail_.memory());
  for (const internal::KeptChunk& chunk : chunks_) retained->Add(chunk.window);
}

}  // namespace sheaf::inline v1
