#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sheaf/c_data/abi.h"

/// Structures of the C data interface as another library might hand them out: made by hand, without
/// a line of Sheaf's own export.
namespace sheaf::testing {

/// Bytes of one buffer, in a block of exactly that size, so that sanitizers see a read past the
/// end. Moved by `misalign` bytes from an address aligned to 16.
struct ForeignBuffer {
  std::vector<uint8_t> bytes;
  const void* elsewhere = nullptr;  ///< Instead of bytes: an address, never read by right.
  size_t misalign = 0;
};

inline ForeignBuffer NoBuffer() { return {}; }
inline ForeignBuffer DanglingBuffer() { return {.elsewhere = reinterpret_cast<const void*>(0x10)}; }

template <typename T>
ForeignBuffer BufferOf(std::initializer_list<T> values) {
  ForeignBuffer buffer;
  buffer.bytes.resize(values.size() * sizeof(T));
  std::memcpy(buffer.bytes.data(), std::data(values), buffer.bytes.size());
  return buffer;
}
inline ForeignBuffer BufferOf(const std::string& text) {
  return {.bytes = std::vector<uint8_t>(text.begin(), text.end())};
}

struct ForeignArray {
  int64_t length = 0;
  int64_t offset = 0;
  int64_t null_count = 0;
  std::vector<ForeignBuffer> buffers;
  std::vector<ForeignArray> children;
  std::vector<ForeignArray> dictionary;  ///< None or one.
};

struct ForeignSchema {
  const char* format = "";
  const char* name = "";
  std::optional<std::string> metadata;  ///< As encoded.
  int64_t flags = ARROW_FLAG_NULLABLE;
  std::vector<ForeignSchema> children;
  std::vector<ForeignSchema> dictionary;
};

namespace foreign {

// What one made structure owns.
template <typename Structure>
struct Held {
  std::vector<std::unique_ptr<uint8_t[]>> blocks;
  std::vector<const void*> pointers;
  std::string metadata;
  std::vector<std::unique_ptr<Structure>> below;
  std::vector<Structure*> children;
  int* releases = nullptr;
};

template <typename Structure>
void Release(Structure* structure) {
  auto* held = static_cast<Held<Structure>*>(structure->private_data);
  for (const auto& child : held->below) {
    if (child->release != nullptr) child->release(child.get());
  }
  if (held->releases != nullptr) ++*held->releases;
  delete held;
  structure->release = nullptr;
}

template <typename Structure, typename Literal, typename Make>
void AddBelow(const Literal& literal, Structure* made, Held<Structure>* held, Make make) {
  for (const Literal& child : literal.children) {
    held->below.push_back(std::make_unique<Structure>(make(child)));
    held->children.push_back(held->below.back().get());
  }
  for (const Literal& values : literal.dictionary) {
    held->below.push_back(std::make_unique<Structure>(make(values)));
    made->dictionary = held->below.back().get();
  }
  made->n_children = static_cast<int64_t>(held->children.size());
  made->children = held->children.empty() ? nullptr : held->children.data();
  made->release = Release<Structure>;
  made->private_data = held;
}

inline const void* AddBuffer(const ForeignBuffer& buffer, Held<ArrowArray>* held) {
  if (buffer.elsewhere != nullptr || buffer.bytes.empty()) return buffer.elsewhere;
  held->blocks.push_back(std::make_unique<uint8_t[]>(buffer.bytes.size() + buffer.misalign));
  uint8_t* start = held->blocks.back().get() + buffer.misalign;
  std::memcpy(start, buffer.bytes.data(), buffer.bytes.size());
  return start;
}

}  // namespace foreign

/// \param releases  counts calls of the top structure's release.
inline ArrowArray Make(const ForeignArray& literal, int* releases = nullptr) {
  auto* held = new foreign::Held<ArrowArray>;
  held->releases = releases;
  for (const ForeignBuffer& buffer : literal.buffers) {
    held->pointers.push_back(foreign::AddBuffer(buffer, held));
  }
  ArrowArray made = {};
  made.length = literal.length;
  made.offset = literal.offset;
  made.null_count = literal.null_count;
  made.n_buffers = static_cast<int64_t>(held->pointers.size());
  made.buffers = held->pointers.empty() ? nullptr : held->pointers.data();
  foreign::AddBelow(literal, &made, held, [](const ForeignArray& child) { return Make(child); });
  return made;
}

inline ArrowSchema Make(const ForeignSchema& literal, int* releases = nullptr) {
  auto* held = new foreign::Held<ArrowSchema>;
  held->releases = releases;
  ArrowSchema made = {};
  made.format = literal.format;
  made.name = literal.name;
  if (literal.metadata) {
    held->metadata = *literal.metadata;
    made.metadata = held->metadata.data();
  }
  made.flags = literal.flags;
  foreign::AddBelow(literal, &made, held, [](const ForeignSchema& child) { return Make(child); });
  return made;
}

/// A structure of the interface that is released when it goes, unless it was before.
template <typename Structure>
struct Scoped : Structure {
  Scoped() : Structure{} {}
  explicit Scoped(Structure made) : Structure(made) {}
  Scoped(const Scoped&) = delete;
  Scoped& operator=(const Scoped&) = delete;
  ~Scoped() {
    if (this->release != nullptr) this->release(this);
  }
};
using ScopedArray = Scoped<ArrowArray>;
using ScopedSchema = Scoped<ArrowSchema>;
using ScopedStream = Scoped<ArrowArrayStream>;

/// Moves a structure as the specification says: copy, then mark the source released.
template <typename Structure>
Structure MoveOut(Structure* source) {
  const Structure moved = *source;
  source->release = nullptr;
  return moved;
}

}  // namespace sheaf::testing
