#include "sheaf/array/equality.h"

#include <algorithm>
#include <string>
#include <utility>

#include "array/path.h"
#include "array/same_values.h"
#include "sheaf/array/logical_nulls.h"
#include "sheaf/array/print.h"
#include "sheaf/array/run_end_array.h"
#include "sheaf/type/visit_layout.h"

namespace sheaf::inline v1 {
namespace {

using internal::Concat;
using internal::Path;
using internal::ValueComparer;

/// Walks down from the first row that differs to the value that does.
class DifferenceFinder {
 public:
  explicit DifferenceFinder(const ValueComparer& comparer) : comparer_(comparer) {}

  std::optional<ValueDifference> Find(const Array& a, const Array& b) {
    found_.row = FirstRow(a, 0, b, 0, a.length());
    if (found_.row == a.length()) return std::nullopt;
    Describe(a, found_.row, b, found_.row, Path{});
    return std::move(found_);
  }

 private:
  /// First of `length` rows that differ, or `length`.
  int64_t FirstRow(const Array& a, int64_t a_begin, const Array& b, int64_t b_begin,
                   int64_t length) const {
    int64_t begin = 0;
    int64_t end = length;
    if (comparer_.Same(a, a_begin, b, b_begin, length)) return length;
    while (end - begin > 1) {  // [0, begin) is the same, and something in [begin, end) is not.
      const int64_t middle = begin + (end - begin) / 2;
      if (comparer_.Same(a, a_begin + begin, b, b_begin + begin, middle - begin)) {
        begin = middle;
      } else {
        end = middle;
      }
    }
    return begin;
  }

  void Found(const Path& path, std::string a, std::string b) {
    found_.path = path.ToString();
    found_.a = std::move(a);
    found_.b = std::move(b);
  }

  void Here(const Array& a, int64_t a_row, const Array& b, int64_t b_row, const Path& path) {
    Found(path, ValueToString(a, a_row), ValueToString(b, b_row));
  }

  /// Where in the lists of one row each the difference is.
  void InLists(const Array& a, int64_t a_begin, int64_t a_size, const Array& b, int64_t b_begin,
               int64_t b_size, const Path& path) {
    const Path child_path = path.Child(a.type().fields(), 0);
    const Array& a_child = a.child(0);
    const Array& b_child = b.child(0);
    const int64_t both = std::min(a_size, b_size);
    const int64_t element = FirstRow(a_child, a_begin, b_child, b_begin, both);
    if (element == both) return Found(path, ListOf(a_size), ListOf(b_size));
    found_.elements.push_back(element);
    Describe(a_child, a_begin + element, b_child, b_begin + element, child_path);
  }

  static std::string ListOf(int64_t size) {
    return Concat("a list of ", size, size == 1 ? " element" : " elements");
  }

  void InStructs(const Array& a, int64_t a_row, const Array& b, int64_t b_row, const Path& path) {
    for (int i = 0; i < a.num_children(); ++i) {
      const int64_t a_slot = a.offset() + a_row;
      const int64_t b_slot = b.offset() + b_row;
      if (!comparer_.Same(a.child(i), a_slot, b.child(i), b_slot, 1)) {
        return Describe(a.child(i), a_slot, b.child(i), b_slot, path.Child(a.type().fields(), i));
      }
    }
    Here(a, a_row, b, b_row, path);
  }

  void Describe(const Array& a, int64_t a_row, const Array& b, int64_t b_row, const Path& path) {
    if (IsLogicallyNull(a, a_row) || IsLogicallyNull(b, b_row))
      return Here(a, a_row, b, b_row, path);
    return VisitLayout(
        a.layout(),
        Overloaded{
            [&]<ListLike L>(L) {
              const auto* at_a = a.slots<typename L::Offset>(1) + a_row;
              const auto* at_b = b.slots<typename L::Offset>(1) + b_row;
              return InLists(a, at_a[0], at_a[1] - at_a[0], b, at_b[0], at_b[1] - at_b[0], path);
            },
            [&]<ViewLike L>(L) {
              using Offset = typename L::Offset;
              return InLists(a, a.slots<Offset>(1)[a_row], a.slots<Offset>(2)[a_row], b,
                             b.slots<Offset>(1)[b_row], b.slots<Offset>(2)[b_row], path);
            },
            [&](FixedSizeListLayout) {
              const int64_t size = a.type().list_size();
              return InLists(a, (a.offset() + a_row) * size, size, b, (b.offset() + b_row) * size,
                             size, path);
            },
            [&](StructLayout) { return InStructs(a, a_row, b, b_row, path); },
            [&](UnionLike auto) {
              const int a_id = a.slots<int8_t>(0)[a_row];
              const int b_id = b.slots<int8_t>(0)[b_row];
              if (a_id == b_id) return Here(a, a_row, b, b_row, path);
              Found(path, Concat("type id ", a_id), Concat("type id ", b_id));
            },
            [&](auto) { return Here(a, a_row, b, b_row, path); },
        });
  }

  const ValueComparer& comparer_;
  ValueDifference found_;
};

}  // namespace

bool Equals(const Array& a, const Array& b, const EqualityOptions& options) {
  if (a.length() != b.length() || !(a.type() == b.type())) return false;
  if (!a.Verify().ok() || !b.Verify().ok()) return false;
  return ValueComparer(options).Same(a, 0, b, 0, a.length());
}

std::string ValueDifference::Place() const {
  std::string place = Concat(path, ", row ", row);
  for (size_t i = 0; i < elements.size(); ++i)
    place += Concat(i == 0 ? ", element " : ".", elements[i]);
  return place;
}

StatusOr<std::optional<ValueDifference>> FindDifference(const Array& a, const Array& b,
                                                        const EqualityOptions& options) {
  if (!(a.type() == b.type()))
    return internal::InvalidArgument("types: ", a.type().ToString(), " and ", b.type().ToString());
  SHEAF_RETURN_IF_ERROR(a.Verify());
  SHEAF_RETURN_IF_ERROR(b.Verify());
  if (a.length() != b.length())
    return internal::InvalidArgument("lengths: ", a.length(), " and ", b.length());
  const ValueComparer comparer(options);
  return DifferenceFinder(comparer).Find(a, b);
}

std::string FirstDifference(const Array& a, const Array& b, const EqualityOptions& options) {
  const StatusOr<std::optional<ValueDifference>> found = FindDifference(a, b, options);
  if (!found.ok()) return Concat(found.status().message());
  if (!found->has_value()) return "";
  return Concat((*found)->Place(), ": ", (*found)->a, " and ", (*found)->b);
}

bool operator==(const Array& a, const Array& b) { return Equals(a, b); }

}  // namespace sheaf
