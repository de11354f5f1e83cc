#include "sheaf/compute/convert.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "array/check_values.h"
#include "array/make_typed.h"
#include "array/path.h"
#include "array/with_children.h"
#include "base/error.h"
#include "compute/convert_binary.h"
#include "compute/reached.h"
#include "sheaf/builder/make_builder.h"
#include "sheaf/compute/list_view/convert.h"
#include "sheaf/type/field.h"
#include "sheaf/type/layout.h"
#include "type/with_fields.h"

namespace sheaf::inline v1 {
namespace {

bool IsListOrMap(TypeId id) noexcept { return IsListLike(id) || id == TypeId::kMap; }

bool IsUnion(TypeId id) noexcept { return id == TypeId::kSparseUnion || id == TypeId::kDenseUnion; }

bool IsBytes(TypeId id) noexcept {
  return id == TypeId::kBinary || id == TypeId::kLargeBinary || id == TypeId::kBinaryView;
}

/// Rows that point to their values: dictionaries and run-ends.
bool IsEncoded(TypeId id) noexcept {
  return id == TypeId::kDictionary || id == TypeId::kRunEndEncoded;
}

/// Whether children are matched by position, whatever they are called.
enum class Names : uint8_t { kMatter, kIgnored };

class Converter {
 public:
  explicit Converter(MemoryPool* pool) : pool_(pool) {}

  /// \param array  verified.
  StatusOr<Array> Convert(const Array& array, const DataType& to, Names names = Names::kMatter) {
    const DataType& from = array.type();
    if (from.Identical(to)) return array;
    if (from.id() == TypeId::kExtension || to.id() == TypeId::kExtension) {
      return ConvertExtension(array, to);
    }
    if (IsEncoded(from.id()) || IsEncoded(to.id())) return ConvertEncoded(array, to);
    if (IsListOrMap(from.id()) && IsListOrMap(to.id())) return ConvertRows(array, to);
    if ((IsUtf8(from.id()) && IsUtf8(to.id())) || (IsBytes(from.id()) && IsBytes(to.id()))) {
      return internal::WithBinaryLayout(array, to, pool_);
    }
    if (from.id() == to.id() && (from.id() == TypeId::kStruct || IsUnion(from.id()))) {
      return ConvertFields(array, to, names);
    }
    return Unsupported(from, to, "they do not hold the same values");
  }

  /// Whether a field that may hold nulls became one that may not.
  bool stricter() const noexcept { return stricter_; }

 private:
  static Status Unsupported(const DataType& from, const DataType& to, const std::string& reason) {
    return internal::InvalidArgument("convert ", from.ToString(), " to ", to.ToString(), ": ",
                                     reason);
  }

  void CompareNullability(const Field& from, const Field& to) noexcept {
    stricter_ = stricter_ || (from.nullable() && !to.nullable());
  }

  StatusOr<Array> ConvertExtension(const Array& array, const DataType& to) {
    const DataType& from = array.type();
    const bool both = from.id() == to.id();
    if (both && (from.extension_name() != to.extension_name() ||
                 from.extension_metadata() != to.extension_metadata())) {
      return Unsupported(from, to, "they are different extensions");
    }
    Array rows = array;
    if (from.id() == TypeId::kExtension) {
      SHEAF_ASSIGN_OR_RETURN(rows, internal::WithType(array, from.storage(), pool_));
    }
    SHEAF_ASSIGN_OR_RETURN(const Array storage, Convert(rows, to.storage()));
    if (to.id() != TypeId::kExtension) return storage;
    SHEAF_RETURN_IF_ERROR(internal::CheckExtension(to));
    return internal::WithType(storage, to, pool_);
  }

  /// The values first, so that rows that share one convert it once; then by the builder, which
  /// takes plain, dictionary and run-end rows alike.
  StatusOr<Array> ConvertEncoded(const Array& array, const DataType& to) {
    const DataType& from = array.type();
    const DataType& values = IsEncoded(to.id()) ? to.value_type() : to;
    // A dictionary in runs gets one from a dictionary: indices stay indices.
    const bool all_rows =
        !IsEncoded(from.id()) || (to.id() == TypeId::kRunEndEncoded && values.id() == from.id());
    SHEAF_ASSIGN_OR_RETURN(const Array rows,
                           all_rows ? Convert(array, values) : ConvertValues(array, values));
    if (to.id() == TypeId::kRunEndEncoded && !to.field(1).nullable()) {
      stricter_ = stricter_ || from.id() != to.id() || from.field(1).nullable();
    }
    if (rows.type() == to) return internal::WithType(rows, to, pool_);
    SHEAF_ASSIGN_OR_RETURN(std::unique_ptr<ArrayBuilder> builder, MakeBuilder(to, {.pool = pool_}));
    SHEAF_RETURN_IF_ERROR(builder->AppendArray(rows));
    return builder->Finish();
  }

  /// A dictionary or run-end array over converted values.
  StatusOr<Array> ConvertValues(const Array& array, const DataType& values) {
    SHEAF_ASSIGN_OR_RETURN(const Array rows, internal::ReachedOnly(array, pool_));
    if (rows.has_dictionary()) {
      SHEAF_ASSIGN_OR_RETURN(Array dictionary, Convert(rows.dictionary(), values));
      return internal::WithChildren(rows, {}, &dictionary, pool_);
    }
    SHEAF_ASSIGN_OR_RETURN(Array converted, Convert(rows.child(1), values));
    std::vector<Array> children = {rows.child(0), std::move(converted)};
    return internal::WithChildren(rows, children, nullptr, pool_);
  }

  StatusOr<Array> ConvertRows(const Array& array, const DataType& to) {
    const DataType& from = array.type();
    const bool map = from.id() == TypeId::kMap || to.id() == TypeId::kMap;
    if (to.keys_sorted() && !from.keys_sorted()) {
      return Unsupported(from, to, "its keys are not said to be sorted");
    }
    SHEAF_ASSIGN_OR_RETURN(Array rows, to.id() == TypeId::kFixedSizeList
                                           ? ConvertToFixedSizeLists(array, to.list_size(), pool_)
                                           : ConvertLists(array, to.id(), pool_));
    SHEAF_ASSIGN_OR_RETURN(rows, internal::ReachedOnly(rows, pool_));
    CompareNullability(from.field(0), to.field(0));
    SHEAF_ASSIGN_OR_RETURN(Array elements,
                           ConvertChild(rows, 0, to, map ? Names::kIgnored : Names::kMatter));
    return internal::WithTypeAndChildren(rows, to, {&elements, 1}, nullptr, pool_);
  }

  StatusOr<Array> ConvertFields(const Array& array, const DataType& to, Names names) {
    const DataType& from = array.type();
    if (from.num_fields() != to.num_fields()) return Unsupported(from, to, "they differ in fields");
    if (IsUnion(from.id()) && !std::ranges::equal(from.type_codes(), to.type_codes())) {
      return Unsupported(from, to, "they differ in type codes");
    }
    SHEAF_ASSIGN_OR_RETURN(const Array rows, internal::ReachedOnly(array, pool_));
    std::vector<Array> children;
    for (int i = 0; i < rows.num_children(); ++i) {
      if (names == Names::kMatter && from.field(i).name() != to.field(i).name()) {
        return Unsupported(from, to,
                           internal::Concat("field ", i, " is called '", from.field(i).name(),
                                            "', not '", to.field(i).name(), "'"));
      }
      CompareNullability(from.field(i), to.field(i));
      SHEAF_ASSIGN_OR_RETURN(children.emplace_back(), ConvertChild(rows, i, to));
    }
    return internal::WithTypeAndChildren(rows, to, children, nullptr, pool_);
  }

  StatusOr<Array> ConvertChild(const Array& rows, int i, const DataType& to,
                               Names names = Names::kMatter) {
    StatusOr<Array> converted = Convert(rows.child(i), to.field(i).type(), names);
    if (converted.ok()) return converted;
    return internal::AtPath("$" + internal::PathStep(to.fields(), i), converted.status());
  }

  MemoryPool* pool_;
  bool stricter_ = false;
};

}  // namespace

StatusOr<Array> Convert(const Array& array, const DataType& type, MemoryPool* pool) {
  if (array.type().Identical(type)) return array;
  SHEAF_RETURN_IF_ERROR(array.Verify());
  Converter converter(pool);
  SHEAF_ASSIGN_OR_RETURN(Array converted, converter.Convert(array, type));
  if (converter.stricter()) {
    SHEAF_RETURN_IF_ERROR(internal::CheckNullability(converted, internal::Path{}));
  }
  return converted;
}

}  // namespace sheaf::inline v1
