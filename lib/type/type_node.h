#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sheaf/type/data_type.h"
#include "sheaf/type/field.h"
#include "sheaf/type/layout.h"

namespace sheaf::inline v1::internal {

/// Type ids of a union, both ways.
struct UnionCodes {
  std::vector<int8_t> code_of_child;
  std::array<int8_t, 128> child_of_code;
};

/// The shared description behind `DataType`. Types without parameters are made once and never
/// counted, so that copying them costs no atomic.
///
/// An extension's node carries the parameters of its storage, so that every accessor but `id`, the
/// extension's own and `storage` reads through it.
struct TypeNode {
  explicit TypeNode(TypeId type_id) noexcept : id(type_id), layout(&LayoutOf(type_id)) {}

  std::atomic<int64_t> references{1};
  bool immortal = false;
  TypeId id;
  TimeUnit unit = TimeUnit::kSecond;
  bool flag = false;  // keys_sorted of a map, ordered of a dictionary.
  int32_t byte_width = 0;
  int32_t precision = 0;
  int32_t scale = 0;
  int32_t list_size = 0;
  const Layout* layout;
  std::string timezone;
  std::string extension_name;
  std::string extension_metadata;
  std::vector<Field> fields;
  std::vector<DataType> parts;  // Dictionary: index, value. Extension: storage, then its parts.
  std::shared_ptr<const UnionCodes> codes;
  TypeNode* next_dead = nullptr;  // Used while a tree of types is taken down.

  void Retain() noexcept {
    if (!immortal) references.fetch_add(1, std::memory_order_relaxed);
  }
  void Release() noexcept {
    if (!immortal && references.fetch_sub(1, std::memory_order_acq_rel) == 1) Destroy(this);
  }

  bool is_extension() const noexcept { return id == TypeId::kExtension; }
  /// Dictionary parts, also of an extension stored as a dictionary.
  const DataType& part(size_t i) const noexcept { return parts[i + (is_extension() ? 1 : 0)]; }
  /// The id whose parameters these are: an extension's is its storage's.
  TypeId storage_id() const noexcept { return is_extension() ? parts[0].id() : id; }

  /// Takes down `node` and all below it that nobody else holds, without recursion: types may be
  /// deep.
  static void Destroy(TypeNode* node) noexcept;
};

/// The immortal node of a type without parameters.
TypeNode* SimpleNode(TypeId id) noexcept;
/// Whether a type has no parameters, so that its id says all.
bool IsSimple(TypeId id) noexcept;
/// Layout row of run-ends of that width (16, 32 or 64).
const Layout& RunEndLayout(int bits) noexcept;

}  // namespace sheaf::inline v1::internal
