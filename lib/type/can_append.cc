#include "sheaf/type/can_append.h"

#include <string>

#include "base/error.h"
#include "sheaf/type/field.h"

namespace sheaf::inline v1 {
namespace {

/// Finds the first place where `from` does not fit into `to`.
class AppendCheck {
 public:
  Status Check(const DataType& to, const DataType& from) {
    Compare(to, from);
    if (reason_.empty()) return OkStatus();
    return internal::InvalidArgument("cannot append ", from.ToString(), " to ", to.ToString(), ": ",
                                     path_, ": ", reason_);
  }

 private:
  bool Compare(const DataType& to, const DataType& from) {
    if (IsListLike(to.id()) && IsListLike(from.id())) return CompareLists(to, from);
    if (to.id() == TypeId::kDictionary || from.id() == TypeId::kDictionary)
      return CompareDictionaries(to, from);
    if (to.id() == from.id() &&
        (to.id() == TypeId::kSparseUnion || to.id() == TypeId::kDenseUnion)) {
      return CompareUnions(to, from);
    }
    if (to.id() == from.id() && to.num_fields() == from.num_fields()) {
      switch (to.id()) {
        case TypeId::kStruct:
          return CompareFields(to, from);
        case TypeId::kRunEndEncoded:
          return CompareRuns(to, from.value_type());
        case TypeId::kMap:
          return CompareMaps(to, from);
        case TypeId::kExtension:
          if (to.extension_name() == from.extension_name() &&
              to.extension_metadata() == from.extension_metadata()) {
            return Compare(to.storage(), from.storage());
          }
          break;
        default:
          break;
      }
    }
    // Rows of runs are values: they are written out, and values become runs.
    if (to.id() == TypeId::kRunEndEncoded) return CompareRuns(to, from);
    if (from.id() == TypeId::kRunEndEncoded) return Compare(to, from.value_type());
    return to == from || Differ(from.ToString(), " is not ", to.ToString());
  }

  /// Rows of every list-like are lists. Only two fixed sizes can never match: other rows are
  /// counted when they are appended.
  bool CompareLists(const DataType& to, const DataType& from) {
    if (to.id() == TypeId::kFixedSizeList && from.id() == TypeId::kFixedSizeList &&
        to.list_size() != from.list_size()) {
      return Differ("lists of ", from.list_size(), " elements are not lists of ", to.list_size());
    }
    return CompareBelow(to.field(0).name(), to.value_type(), from.value_type());
  }

  /// A dictionary's rows are its values: indices of any type go into indices of any type, and
  /// values into dictionaries and out of them.
  bool CompareDictionaries(const DataType& to, const DataType& from) {
    if (to.id() != TypeId::kDictionary) return Compare(to, from.value_type());
    if (from.id() == TypeId::kDictionary && Matches(to.value_type(), from.value_type())) {
      if (!to.ordered() || from.ordered()) return true;
      return Differ("an unordered dictionary is not an ordered one");
    }
    return Compare(to.value_type(), from);
  }

  static bool Matches(const DataType& to, const DataType& from) {
    return AppendCheck().Compare(to, from);
  }

  bool CompareMaps(const DataType& to, const DataType& from) {
    if (to.keys_sorted() != from.keys_sorted()) {
      return Differ(from.keys_sorted() ? "sorted" : "unsorted", " keys are not ",
                    to.keys_sorted() ? "sorted" : "unsorted", " keys");
    }
    const Field& entries = to.field(0);
    const DataType& from_entries = from.value_type();
    const size_t size = path_.size();
    path_.append(".").append(entries.name());
    for (int i = 0; i < 2; ++i) {
      const Field& child = entries.type().field(i);
      if (!CompareBelow(child.name(), child.type(), from_entries.field(i).type())) return false;
    }
    path_.resize(size);
    return true;
  }

  bool CompareFields(const DataType& to, const DataType& from) {
    for (int i = 0; i < to.num_fields(); ++i) {
      const Field& field = to.field(i);
      const Field& source = from.field(i);
      if (field.name() != source.name()) {
        return Differ("field ", i, " is called '", source.name(), "', not '", field.name(), "'");
      }
      if (!CompareBelow(field.name(), field.type(), source.type())) return false;
    }
    return true;
  }

  bool CompareRuns(const DataType& to, const DataType& values) {
    return CompareBelow(to.field(1).name(), to.value_type(), values);
  }

  /// Children are found by their codes; the source may lack some.
  bool CompareUnions(const DataType& to, const DataType& from) {
    for (int i = 0; i < from.num_fields(); ++i) {
      const Field& source = from.field(i);
      const int8_t code = from.type_codes()[static_cast<size_t>(i)];
      const int8_t child = to.child_of_type_code()[static_cast<size_t>(code)];
      if (child < 0)
        return Differ("there is no type code ", code, ", of field '", source.name(), "'");
      const Field& field = to.field(child);
      if (field.name() != source.name()) {
        return Differ("the field of type code ", code, " is called '", source.name(), "', not '",
                      field.name(), "'");
      }
      if (!CompareBelow(field.name(), field.type(), source.type())) return false;
    }
    return true;
  }

  bool CompareBelow(const std::string& name, const DataType& to, const DataType& from) {
    const size_t size = path_.size();
    path_.append(".").append(name);
    if (!Compare(to, from)) return false;  // The path stays where the difference is.
    path_.resize(size);
    return true;
  }

  template <typename... Parts>
  bool Differ(const Parts&... parts) {
    reason_ = internal::Concat(parts...);
    return false;
  }

  std::string path_ = "$";
  std::string reason_;
};

}  // namespace

Status CanAppend(const DataType& to, const DataType& from) {
  if (to.node() == from.node()) return OkStatus();
  return AppendCheck().Check(to, from);
}

}  // namespace sheaf::inline v1
