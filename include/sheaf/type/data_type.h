#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/type/metadata.h"
#include "sheaf/type/type_id.h"

namespace sheaf::inline v1 {

class Field;
struct Layout;
namespace internal {
struct TypeNode;  // lib/type/type_node.h
}

/// A data type: a cheap handle to a shared immutable description. Types without parameters are
/// constants.
///
/// Equality compares everything but child names and child metadata of lists and maps; `Identical`
/// compares those too.
class SHEAF_EXPORT DataType {
 public:
  /// The null type.
  DataType() noexcept;
  DataType(const DataType& other) noexcept;
  DataType(DataType&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {
    if (other.node_ == nullptr) other.ResetToNull();
  }
  DataType& operator=(DataType other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~DataType();

  TypeId id() const noexcept;
  /// Row of the layout table: buffers, their roles and widths. An extension's is that of its
  /// storage.
  const Layout& layout() const noexcept;

  int num_fields() const noexcept;
  /// Child field i, as the layout has it: list-likes one (elements), maps one (entries: struct of
  /// key and value), structs and unions theirs, run-end-encoded two (run_ends, values). An
  /// extension has its storage's.
  const Field& field(int i) const noexcept;
  std::span<const Field> fields() const noexcept;

  // Parameters; each is meaningful for the types named, and for extensions stored as them.
  // Elsewhere they are 0, false, empty or the null type.
  int32_t byte_width() const noexcept;           ///< Fixed widths: bytes a value; 0 for all others.
  int32_t precision() const noexcept;            ///< Decimals.
  int32_t scale() const noexcept;                ///< Decimals; may be negative.
  TimeUnit unit() const noexcept;                ///< Time32/64, timestamp, duration.
  const std::string& timezone() const noexcept;  ///< Timestamp; empty: none.
  int32_t list_size() const noexcept;            ///< Fixed-size list: elements a row.
  bool keys_sorted() const noexcept;             ///< Map.
  bool ordered() const noexcept;                 ///< Dictionary.
  const DataType& index_type()
      const noexcept;  ///< Dictionary: any integer. Run-end: the run ends' type.
  const DataType& value_type() const noexcept;  ///< Dictionary: type of the dictionary. List-likes:
                                                ///< elements. Map: entries. Run-end: values.
  std::span<const int8_t> type_codes() const noexcept;  ///< Unions: type id of each child.
  /// Unions: child index of each of the 128 type ids, -1 where there is none.
  std::span<const int8_t> child_of_type_code() const noexcept;
  const std::string& extension_name() const noexcept;      ///< Extension.
  const std::string& extension_metadata() const noexcept;  ///< Extension: serialized parameters.
  /// Extension: what it is stored as; any other type: itself.
  const DataType& storage() const noexcept;

  /// Such as `list_view<int32>`, `timestamp[us, UTC]`, `struct<a: int32, b: utf8 not null>`.
  std::string ToString() const;

  bool Identical(const DataType& other) const noexcept;
  friend SHEAF_EXPORT bool operator==(const DataType& a, const DataType& b) noexcept;
  const internal::TypeNode* node() const noexcept { return node_; }
  /// Takes over one reference.
  explicit DataType(internal::TypeNode* adopted) noexcept : node_(adopted) {}

 private:
  friend struct internal::TypeNode;
  void ResetToNull() noexcept;
  internal::TypeNode* node_;
};

// One function a type. Those with parameters that can be wrong return a status: a precision outside
// the width's digits, a negative width, fewer type codes than fields and the like are
// kInvalidArgument.
SHEAF_EXPORT DataType Null();
SHEAF_EXPORT DataType Boolean();
SHEAF_EXPORT DataType Int8();
SHEAF_EXPORT DataType UInt8();
SHEAF_EXPORT DataType Int16();
SHEAF_EXPORT DataType UInt16();
SHEAF_EXPORT DataType Int32();
SHEAF_EXPORT DataType UInt32();
SHEAF_EXPORT DataType Int64();
SHEAF_EXPORT DataType UInt64();
SHEAF_EXPORT DataType Float16();
SHEAF_EXPORT DataType Float32();
SHEAF_EXPORT DataType Float64();
SHEAF_EXPORT DataType Date32();
SHEAF_EXPORT DataType Date64();
SHEAF_EXPORT DataType Timestamp(TimeUnit unit, std::string timezone = "");
SHEAF_EXPORT DataType Duration(TimeUnit unit);
SHEAF_EXPORT DataType IntervalMonths();
SHEAF_EXPORT DataType IntervalDayTime();
SHEAF_EXPORT DataType IntervalMonthDayNano();
SHEAF_EXPORT DataType Binary();
SHEAF_EXPORT DataType Utf8();
SHEAF_EXPORT DataType LargeBinary();
SHEAF_EXPORT DataType LargeUtf8();
SHEAF_EXPORT DataType BinaryView();
SHEAF_EXPORT DataType Utf8View();
/// Seconds and milliseconds are Time32, micro- and nanoseconds Time64.
SHEAF_EXPORT DataType Time(TimeUnit unit);
/// \param id kDecimal32, kDecimal64, kDecimal128 or kDecimal256: at most 9, 18, 38, 76 digits.
SHEAF_EXPORT StatusOr<DataType> Decimal(TypeId id, int32_t precision, int32_t scale);
SHEAF_EXPORT StatusOr<DataType> FixedSizeBinary(int32_t byte_width);
SHEAF_EXPORT DataType List(Field elements);
SHEAF_EXPORT DataType LargeList(Field elements);
SHEAF_EXPORT DataType ListView(Field elements);
SHEAF_EXPORT DataType LargeListView(Field elements);
SHEAF_EXPORT DataType List(const DataType& elements);  ///< A nullable field called "item".
SHEAF_EXPORT DataType LargeList(const DataType& elements);
SHEAF_EXPORT DataType ListView(const DataType& elements);
SHEAF_EXPORT DataType LargeListView(const DataType& elements);
SHEAF_EXPORT StatusOr<DataType> FixedSizeList(Field elements, int32_t list_size);
SHEAF_EXPORT DataType Struct(std::vector<Field> fields);
/// `entries` is "entries" not null: struct<key not null, value>.
SHEAF_EXPORT DataType Map(const DataType& key, Field value, bool keys_sorted = false);
/// \return kInvalidArgument unless `entries` is a struct of two fields.
SHEAF_EXPORT StatusOr<DataType> MapOf(Field entries, bool keys_sorted);
/// \param id kSparseUnion or kDenseUnion. \param type_codes one of 0..127 a field, each once.
SHEAF_EXPORT StatusOr<DataType> Union(TypeId id, std::vector<Field> fields,
                                      std::vector<int8_t> type_codes);
SHEAF_EXPORT StatusOr<DataType> Dictionary(const DataType& index, const DataType& value,
                                           bool ordered = false);
/// \param run_ends int16, int32 or int64.
SHEAF_EXPORT StatusOr<DataType> RunEndEncoded(const DataType& run_ends, Field values);
SHEAF_EXPORT StatusOr<DataType> RunEndEncodedOf(Field run_ends, Field values);
/// Looked up in no registry: see type/extension.h for that.
/// An extension over an extension is stored as the inner one's storage.
SHEAF_EXPORT DataType Extension(std::string name, std::string metadata, const DataType& storage);

/// A type without parameters by its id (integers, floats, binaries, dates ...).
/// \return kInvalidArgument where the type needs parameters.
SHEAF_EXPORT StatusOr<DataType> SimpleType(TypeId id);

/// Reads what `DataType::ToString` prints.
SHEAF_EXPORT StatusOr<DataType> ParseType(string_view text);

/// Fields on the longest path, leaf included: `int32` is 1, `list<int32>` 2.
SHEAF_EXPORT int Depth(const DataType& type);

inline bool IsInteger(TypeId id) noexcept { return id >= TypeId::kInt8 && id <= TypeId::kUInt64; }
inline bool IsFloating(TypeId id) noexcept {
  return id >= TypeId::kFloat16 && id <= TypeId::kFloat64;
}
inline bool IsDecimal(TypeId id) noexcept {
  return id >= TypeId::kDecimal32 && id <= TypeId::kDecimal256;
}
inline bool IsUtf8(TypeId id) noexcept {
  return id == TypeId::kUtf8 || id == TypeId::kLargeUtf8 || id == TypeId::kUtf8View;
}
/// List, large list, list-view, large list-view, fixed-size list: not map.
inline bool IsListLike(TypeId id) noexcept {
  return id >= TypeId::kList && id <= TypeId::kFixedSizeList;
}
inline bool IsListView(TypeId id) noexcept {
  return id == TypeId::kListView || id == TypeId::kLargeListView;
}

}  // namespace sheaf
