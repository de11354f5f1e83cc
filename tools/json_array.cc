#include "tools/json_array.h"

#include <cstring>
#include <deque>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "sheaf/base/bits.h"
#include "sheaf/memory/buffer.h"
#include "sheaf/type/visit_layout.h"
#include "sheaf/type/visit_type.h"
#include "tools/column_path.h"
#include "tools/json_number.h"

namespace sheaf::tools {
namespace {

using Json = nlohmann::json;
using Rows = std::vector<const Json*>;

constexpr size_t kLongestValue = 60;  ///< Characters of a value that a message repeats.
constexpr int kMostLevels = 256;      ///< Of JSON: each of a type's 64 takes up to 3, for a struct.

StatusOr<Array> Convert(const DataType& type, const Rows& rows, const std::string& path);

template <typename T>
StatusOr<Buffer> CopyOf(const std::vector<T>& values) {
  return Buffer::Copy({reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(T)});
}

StatusOr<Buffer> CopyOf(const std::string& bytes) {
  return Buffer::Copy({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
}

/// A bit for each row.
template <typename Function>
StatusOr<Buffer> BitsOf(const Rows& rows, Function&& bit) {
  std::vector<uint8_t> bytes(static_cast<size_t>(BytesForBits(static_cast<int64_t>(rows.size()))));
  for (size_t i = 0; i < rows.size(); ++i) {
    SetBitTo(bytes.data(), static_cast<int64_t>(i), bit(*rows[i]));
  }
  return CopyOf(bytes);
}

StatusOr<Buffer> IntegersOf(const std::vector<int64_t>& values, int bits) {
  if (bits == 64) return CopyOf(values);
  return CopyOf(std::vector<int32_t>(values.begin(), values.end()));
}

/// What a value of the type looks like, as `sheaf cat --json` prints it.
std::string FormOf(const DataType& storage) {
  using Text = std::string;
  return VisitLayout(
      storage.layout(),
      Overloaded{
          [](NullLayout) { return Text("null"); },
          [](BooleanLayout) { return Text("true, false or null"); },
          [&](FixedWidthLayout) { return FixedWidthForm(storage); },
          [&](BinaryLike auto) { return TextForm(storage); },
          [&](BinaryViewLayout) { return TextForm(storage); },
          [&](ViewLike auto) { return Text("[item, …] or null"); },
          [&](ListLike auto) {
            return Text(storage.id() == TypeId::kMap
                            ? "{\"key\": value, …}, {\"m\": [[key, value], …]} or null"
                            : "[item, …] or null");
          },
          [&](FixedSizeListLayout) {
            return "[item, …] of " + std::to_string(storage.list_size()) + " items, or null";
          },
          [](StructLayout) {
            return Text("{\"field\": value, …}, {\"s\": [[\"field\", value], …]} or null");
          },
          [](UnionLike auto) { return Text("a value of one of its fields"); },
          [&](DictionaryLayout) { return FormOf(storage.value_type()); },
          [&](RunEndLike auto) { return FormOf(storage.field(1).type().storage()); },
      });
}

/// The rows of one node on their way into an array.
class Conversion {
 public:
  Conversion(const DataType& type, const Rows& rows, std::string path)
      : type_(type), storage_(type.storage()), rows_(rows), path_(std::move(path)) {}

  StatusOr<Array> Run() {
    parts_.type = type_;
    parts_.length = static_cast<int64_t>(rows_.size());
    if (type_.layout().has_validity) {
      SHEAF_ASSIGN_OR_RETURN(parts_.buffers.emplace_back(),
                             BitsOf(rows_, [](const Json& row) { return !row.is_null(); }));
    }
    SHEAF_RETURN_IF_ERROR(
        VisitLayout(type_.layout(), Overloaded{
                                        [&](NullLayout) { return AddNulls(); },
                                        [&](BooleanLayout) { return AddBooleans(); },
                                        [&](FixedWidthLayout) { return AddFixedWidth(); },
                                        [&](BinaryLike auto) { return AddBinary(); },
                                        [&](BinaryViewLayout) { return AddBinaryViews(); },
                                        [&](ViewLike auto) { return AddLists(); },
                                        [&](ListLike auto) { return AddLists(); },
                                        [&](FixedSizeListLayout) { return AddLists(); },
                                        [&](StructLayout) { return AddStructs(); },
                                        [&](UnionLike auto) { return AddUnions(); },
                                        [&](DictionaryLayout) { return AddDictionary(); },
                                        [&](RunEndLike auto) { return AddRuns(); },
                                    }));
    return MakeArray(std::move(parts_));
  }

 private:
  Status Misfit(const Json& value) const {
    std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text.size() > kLongestValue) text = text.substr(0, kLongestValue) + "…";
    return internal::InvalidArgument(path_, ": ", text, " is no value of ", type_.ToString(),
                                     ": expected ", FormOf(storage_));
  }

  Status AddNulls() {
    for (const Json* row : rows_) {
      if (!row->is_null()) return Misfit(*row);
    }
    return OkStatus();
  }

  Status AddBooleans() {
    for (const Json* row : rows_) {
      if (!row->is_null() && !row->is_boolean()) return Misfit(*row);
    }
    SHEAF_ASSIGN_OR_RETURN(parts_.buffers.emplace_back(), BitsOf(rows_, [](const Json& row) {
                             return row.is_boolean() && row.get<bool>();
                           }));
    return OkStatus();
  }

  Status AddFixedWidth() {
    const auto width = static_cast<size_t>(storage_.byte_width());
    std::vector<uint8_t> bytes(rows_.size() * width);
    for (size_t i = 0; i < rows_.size(); ++i) {
      if (rows_[i]->is_null()) continue;
      if (!WriteFixedWidth(storage_, *rows_[i], bytes.data() + i * width)) return Misfit(*rows_[i]);
    }
    SHEAF_ASSIGN_OR_RETURN(parts_.buffers.emplace_back(), CopyOf(bytes));
    return OkStatus();
  }

  /// Texts for utf8; bytes, too, for binary.
  Status ReadText(const Json& row, std::string* bytes) const {
    const bool fits = IsUtf8(storage_.id()) ? row.is_string() : true;
    return fits && ReadBytes(row, bytes) ? OkStatus() : Misfit(row);
  }

  Status AddBinary() {
    std::vector<int64_t> offsets = {0};
    std::string data;
    for (const Json* row : rows_) {
      if (!row->is_null()) SHEAF_RETURN_IF_ERROR(ReadText(*row, &data));
      offsets.push_back(static_cast<int64_t>(data.size()));
    }
    SHEAF_ASSIGN_OR_RETURN(parts_.buffers.emplace_back(),
                           IntegersOf(offsets, type_.layout().offset_bits));
    SHEAF_ASSIGN_OR_RETURN(parts_.buffers.emplace_back(), CopyOf(data));
    return OkStatus();
  }

  Status AddBinaryViews() {
    constexpr size_t kViewBytes = 16;
    constexpr size_t kInline = 12;
    std::vector<uint8_t> views(rows_.size() * kViewBytes);
    std::string data;
    for (size_t i = 0; i < rows_.size(); ++i) {
      if (rows_[i]->is_null()) continue;
      std::string bytes;
      SHEAF_RETURN_IF_ERROR(ReadText(*rows_[i], &bytes));
      const auto size = static_cast<int32_t>(bytes.size());
      const auto offset = static_cast<int32_t>(data.size());
      uint8_t* view = views.data() + i * kViewBytes;
      std::memcpy(view, &size, 4);
      std::memcpy(view + 4, bytes.data(), bytes.size() <= kInline ? bytes.size() : 4);
      if (bytes.size() <= kInline) continue;
      std::memcpy(view + 12, &offset, 4);  // In data buffer 0.
      data += bytes;
    }
    SHEAF_ASSIGN_OR_RETURN(parts_.buffers.emplace_back(), CopyOf(views));
    if (!data.empty()) {
      SHEAF_ASSIGN_OR_RETURN(parts_.buffers.emplace_back(), CopyOf(data));
    }
    return OkStatus();
  }

  /// The items of a list, or the entries of a map as pairs; null where there is none.
  const Json* ItemsOf(const Json& row) {
    if (storage_.id() != TypeId::kMap || !row.is_object()) return row.is_array() ? &row : nullptr;
    const auto tagged = row.find("m");
    if (row.size() == 1 && tagged != row.end() && tagged->is_array()) return &*tagged;
    Json& pairs = owned_.emplace_back(Json::array());
    for (const auto& [key, value] : row.items()) pairs.push_back(Json::array({key, value}));
    return &pairs;
  }

  Status AddLists() {
    const bool fixed = type_.layout().id == LayoutId::kFixedSizeList;
    std::vector<int64_t> offsets;
    std::vector<int64_t> sizes;
    Rows items;
    for (const Json* row : rows_) {
      offsets.push_back(static_cast<int64_t>(items.size()));
      if (!row->is_null()) {
        const Json* list = ItemsOf(*row);
        if (list == nullptr) return Misfit(*row);
        for (const Json& item : *list) items.push_back(&item);
      } else if (fixed) {
        items.insert(items.end(), static_cast<size_t>(storage_.list_size()), &null_);
      }
      sizes.push_back(static_cast<int64_t>(items.size()) - offsets.back());
      if (fixed && sizes.back() != storage_.list_size()) return Misfit(*row);
    }
    offsets.push_back(static_cast<int64_t>(items.size()));
    SHEAF_RETURN_IF_ERROR(AddListBuffers(std::move(offsets), sizes));
    return AddChild(0, items);
  }

  Status AddListBuffers(std::vector<int64_t> offsets, const std::vector<int64_t>& sizes) {
    const Layout& layout = type_.layout();
    if (layout.id == LayoutId::kFixedSizeList) return OkStatus();
    const bool views = layout.id == LayoutId::kListView;
    if (views) offsets.pop_back();
    SHEAF_ASSIGN_OR_RETURN(parts_.buffers.emplace_back(), IntegersOf(offsets, layout.offset_bits));
    if (!views) return OkStatus();
    SHEAF_ASSIGN_OR_RETURN(parts_.buffers.emplace_back(), IntegersOf(sizes, layout.offset_bits));
    return OkStatus();
  }

  Status AddChild(int i, const Rows& rows) {
    const std::vector<std::string> paths = ChildPaths(path_, storage_.fields());
    SHEAF_ASSIGN_OR_RETURN(Array child,
                           Convert(storage_.field(i).type(), rows, paths[static_cast<size_t>(i)]));
    parts_.children.push_back(std::move(child));
    return OkStatus();
  }

  /// Whether a row is {"s": [[name, value], …]}, with the fields in their order.
  bool IsTagged(const Json& row) const {
    const auto tagged = row.is_object() && row.size() == 1 ? row.find("s") : row.end();
    if (tagged == row.end() || !tagged->is_array()) return false;
    if (tagged->size() != static_cast<size_t>(storage_.num_fields())) return false;
    size_t i = 0;
    for (const Field& field : storage_.fields()) {
      const Json& pair = (*tagged)[i++];
      if (!pair.is_array() || pair.size() != 2 || pair[0] != field.name()) return false;
    }
    return true;
  }

  /// Whether each field has a name of its own, so that a key says which.
  bool HasUniqueNames() const {
    std::set<std::string> names;
    for (const Field& field : storage_.fields()) names.insert(field.name());
    return names.size() == static_cast<size_t>(storage_.num_fields());
  }

  /// Nulls, tagged structs, pairs of a map, and plain objects without a key that is no field, or
  /// may be several.
  bool IsStruct(const Json& row) const {
    if (row.is_null() || IsTagged(row)) return true;
    if (row.is_array()) return row.size() == static_cast<size_t>(storage_.num_fields());
    if (!row.is_object() || !HasUniqueNames()) return false;
    for (const auto& [key, value] : row.items()) {
      bool known = false;
      for (const Field& field : storage_.fields()) known |= field.name() == key;
      if (!known) return false;
    }
    return true;
  }

  const Json* FieldOf(const Json& row, int i) const {
    const auto at = static_cast<size_t>(i);
    if (row.is_null()) return &null_;
    if (row.is_array()) return &row[at];
    if (IsTagged(row)) return &row["s"][at][1];
    const auto found = row.find(storage_.field(i).name());
    return found == row.end() ? &null_ : &*found;
  }

  Status AddStructs() {
    for (const Json* row : rows_) {
      if (!IsStruct(*row)) return Misfit(*row);
    }
    for (int i = 0; i < storage_.num_fields(); ++i) {
      Rows values;
      for (const Json* row : rows_) values.push_back(FieldOf(*row, i));
      SHEAF_RETURN_IF_ERROR(AddChild(i, values));
    }
    return OkStatus();
  }

  /// The first child that takes the value.
  StatusOr<size_t> ChildFor(const Json& row) const {
    for (int i = 0; i < storage_.num_fields(); ++i) {
      if (Convert(storage_.field(i).type(), {&row}, path_).ok()) return static_cast<size_t>(i);
    }
    return Misfit(row);
  }

  Status AddUnions() {
    const bool dense = type_.layout().id == LayoutId::kDenseUnion;
    std::vector<int8_t> type_ids;
    std::vector<int32_t> offsets;
    std::vector<Rows> children(static_cast<size_t>(storage_.num_fields()));
    for (const Json* row : rows_) {
      SHEAF_ASSIGN_OR_RETURN(const size_t taken, ChildFor(*row));
      type_ids.push_back(storage_.type_codes()[taken]);
      offsets.push_back(static_cast<int32_t>(children[taken].size()));
      for (Rows& child : children) {
        if (&child == &children[taken])
          child.push_back(row);
        else if (!dense)
          child.push_back(&null_);
      }
    }
    SHEAF_ASSIGN_OR_RETURN(parts_.buffers.emplace_back(), CopyOf(type_ids));
    if (dense) {
      SHEAF_ASSIGN_OR_RETURN(parts_.buffers.emplace_back(), CopyOf(offsets));
    }
    for (size_t i = 0; i < children.size(); ++i) {
      SHEAF_RETURN_IF_ERROR(AddChild(static_cast<int>(i), children[i]));
    }
    return OkStatus();
  }

  /// Integers 0, 1, 2 … or 1, 2, 3 … of any width; they fit.
  Status CountUp(int64_t first, const DataType& type, Buffer* counts) const {
    const auto n = static_cast<int64_t>(rows_.size());
    return VisitInteger(type.id(), [&](auto integer) -> Status {
      using Integer = decltype(integer);
      if (!std::in_range<Integer>(first + n)) {
        return internal::OutOfRange(path_, ": ", n, " values outgrow ", type.ToString());
      }
      std::vector<Integer> values;
      for (int64_t i = 0; i < n; ++i) values.push_back(static_cast<Integer>(first + i));
      SHEAF_ASSIGN_OR_RETURN(*counts, CopyOf(values));
      return OkStatus();
    });
  }

  /// Every row has its own value.
  Status AddDictionary() {
    SHEAF_RETURN_IF_ERROR(CountUp(0, storage_.index_type(), &parts_.buffers.emplace_back()));
    SHEAF_ASSIGN_OR_RETURN(Array values, Convert(storage_.value_type(), rows_, path_));
    parts_.dictionary.push_back(std::move(values));
    return OkStatus();
  }

  /// Every row is a run.
  Status AddRuns() {
    ArrayParts ends;
    ends.type = storage_.field(0).type();
    ends.length = parts_.length;
    ends.buffers.resize(2);
    SHEAF_RETURN_IF_ERROR(CountUp(1, ends.type, &ends.buffers[1]));
    SHEAF_ASSIGN_OR_RETURN(Array run_ends, MakeArray(std::move(ends)));
    parts_.children.push_back(std::move(run_ends));
    return AddChild(1, rows_);
  }

  const DataType& type_;
  const DataType& storage_;
  const Rows& rows_;
  std::string path_;
  ArrayParts parts_;
  std::deque<Json> owned_;  ///< Pairs made of plain objects: their places must not move.
  inline static const Json null_;
};

StatusOr<Array> Convert(const DataType& type, const Rows& rows, const std::string& path) {
  return Conversion(type, rows, path).Run();
}

/// Looks at a text while it is parsed, for what the parser takes and a value may not be: nested
/// deeper than a type, so that following it would outgrow the stack; or with a key twice, of which
/// one would be lost.
class Watcher {
 public:
  const Status& status() const { return status_; }

  /// \param depth  how many arrays and objects are around `parsed`.
  /// \return whether `parsed` is to be stored.
  bool Look(int depth, Json::parse_event_t event, const Json& parsed) {
    if (!status_.ok()) return false;
    if (event == Json::parse_event_t::object_start) keys_.emplace_back();
    if (event == Json::parse_event_t::object_end) keys_.pop_back();
    if (event == Json::parse_event_t::key) AddKey(parsed.get<std::string>());
    if (depth >= kMostLevels)
      status_ = internal::InvalidArgument("more than ", kMostLevels, " levels");
    return status_.ok();
  }

 private:
  void AddKey(const std::string& key) {
    if (!keys_.back().insert(key).second)
      status_ = internal::InvalidArgument("the key \"", key, "\" twice in one object");
  }

  std::vector<std::set<std::string>> keys_;  ///< Of the objects that are open.
  Status status_;
};

StatusOr<Json> Parse(const std::string& text) {
  try {
    Watcher watcher;
    Json value = Json::parse(text, [&](int depth, Json::parse_event_t event, const Json& parsed) {
      return watcher.Look(depth, event, parsed);
    });
    SHEAF_RETURN_IF_ERROR(watcher.status());
    return value;
  } catch (const Json::parse_error& error) {
    return internal::InvalidArgument("no JSON at byte ", error.byte);
  } catch (const Json::out_of_range&) {
    return internal::InvalidArgument("a number beyond the range of float64");
  }
}

}  // namespace

StatusOr<Array> ArrayFromJson(const DataType& type, const std::string& text) {
  SHEAF_ASSIGN_OR_RETURN(const Json value, Parse(text));
  SHEAF_ASSIGN_OR_RETURN(Array array, Convert(type, {&value}, "$"));
  SHEAF_RETURN_IF_ERROR(Validate(array));
  return array;
}

}  // namespace sheaf::tools
