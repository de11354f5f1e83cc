#include "tools/schema_differences.h"

#include <algorithm>
#include <span>

#include "base/error.h"
#include "tools/column_path.h"

namespace sheaf::tools {
namespace {

using internal::Concat;

std::vector<std::string> NamesOf(std::span<const Field> fields) {
  std::vector<std::string> names;
  for (const Field& field : fields) names.push_back(field.name());
  return names;
}

/// Whether only the children tell the types apart.
bool SameButForChildren(const DataType& a, const DataType& b) {
  if (a.id() != b.id() || a.num_fields() != b.num_fields() || a.num_fields() == 0) return false;
  return (IsListLike(a.id()) && a.list_size() == b.list_size()) || a.id() == TypeId::kStruct ||
         (a.id() == TypeId::kMap && a.keys_sorted() == b.keys_sorted());
}

class Finder {
 public:
  /// \param named  whether the fields' names mean something.
  void Compare(const std::string& parent, std::span<const Field> a, std::span<const Field> b,
               bool named) {
    const std::vector<std::string> a_paths = ChildPaths(parent, a);
    if (!named || NamesOf(a) == NamesOf(b)) {
      for (size_t i = 0; i < a.size(); ++i) CompareField(a_paths[i], a[i], b[i]);
      return;
    }
    const std::vector<std::string> b_paths = ChildPaths(parent, b);
    if (std::ranges::is_permutation(a_paths, b_paths)) {
      lines.push_back(Concat(parent, ": ", ListOf(a), " and ", ListOf(b), ": another order"));
    }
    for (size_t i = 0; i < a.size(); ++i) {
      const auto same = std::ranges::find(b_paths, a_paths[i]);
      if (same == b_paths.end()) {
        lines.push_back(Concat(a_paths[i], ": only in the first"));
      } else {
        CompareField(a_paths[i], a[i], b[static_cast<size_t>(same - b_paths.begin())]);
      }
    }
    for (const std::string& path : b_paths) {
      if (std::ranges::find(a_paths, path) == a_paths.end())
        lines.push_back(Concat(path, ": only in the second"));
    }
  }

  std::vector<std::string> lines;

 private:
  static std::string ListOf(std::span<const Field> fields) {
    std::string list;
    for (const Field& field : fields) list += (list.empty() ? "" : ", ") + field.name();
    return list;
  }

  void CompareField(const std::string& path, const Field& a, const Field& b) {
    if (a.nullable() != b.nullable()) {
      const char* const words[] = {"not null", "nullable"};
      lines.push_back(Concat(path, ": ", words[a.nullable()], " and ", words[b.nullable()]));
    }
    if (a.type() == b.type()) return;
    const size_t before = lines.size();
    if (SameButForChildren(a.type(), b.type()))
      Compare(path, a.type().fields(), b.type().fields(), a.type().id() == TypeId::kStruct);
    if (lines.size() == before)
      lines.push_back(Concat(path, ": ", a.type().ToString(), " and ", b.type().ToString()));
  }
};

}  // namespace

std::vector<std::string> SchemaDifferences(const Schema& a, const Schema& b) {
  Finder finder;
  finder.Compare("$", a.fields(), b.fields(), true);
  return std::move(finder.lines);
}

}  // namespace sheaf::tools
