#include "array/check_values.h"

#include <cstring>

#include "array/array_data.h"
#include "array/string_view_slot.h"
#include "array/wide_decimal.h"
#include "kernels/utf8.h"
#include "sheaf/type/visit_layout.h"

namespace sheaf::inline v1::internal {
namespace {

struct Rows {
  const Array& array;
  const Path& path;
  int64_t first_row;

  template <typename... Args>
  Status Error(int64_t row, const Args&... args) const {
    return RowError(array.type(), path, first_row + row, args...);
  }
};

/// The count that the node was made with, if it is of this window.
Status CheckNullCount(const Rows& rows) {
  const ArrayData& data = *rows.array.data();
  const int64_t told = data.null_count.load(std::memory_order_relaxed);
  const BitSpan validity = rows.array.validity();
  if (told < 0 || validity.absent() || !data.IsPrimary(rows.array.offset(), rows.array.length())) {
    return OkStatus();
  }
  const int64_t counted = rows.array.length() - CountSet(validity);
  if (told == counted) return OkStatus();
  return ArrayError(rows.array.type(), rows.path, "null count is ", told, ", the bitmap has ",
                    counted, " nulls");
}

/// Of rows that together are UTF-8. A row that begins at the end of all bytes is empty.
template <typename Offset>
bool RowsBeginCodePoints(const Offset* offsets, int64_t length, const char* bytes) noexcept {
  for (int64_t i = 0; i < length && offsets[i] < offsets[length]; ++i) {
    if (!kernels::BeginsCodePoint(bytes[offsets[i]])) return false;
  }
  return true;
}

template <typename Offset>
Status CheckUtf8(const Rows& rows) {
  const Array& array = rows.array;
  const auto* offsets = array.slots<Offset>(1);
  const char* bytes = array.buffer(2).as<char>();
  const auto text = [&](int64_t begin, int64_t end) {
    return std::string_view(bytes + offsets[begin],
                            static_cast<size_t>(offsets[end] - offsets[begin]));
  };
  // One pass over all bytes settles most arrays: ASCII cannot be cut inside a code point, and other
  // text is not where every row begins with one. What lies under nulls may fail, and is let pass.
  const std::string_view all = text(0, array.length());
  if (kernels::IsAscii(all)) return OkStatus();
  if (kernels::IsUtf8(all) && RowsBeginCodePoints(offsets, array.length(), bytes)) {
    return OkStatus();
  }
  const BitSpan validity = array.validity();
  for (int64_t i = 0; i < array.length(); ++i) {
    if (validity[i] && !kernels::IsUtf8(text(i, i + 1))) return rows.Error(i, "not UTF-8");
  }
  return OkStatus();
}

Status CheckStringViews(const Rows& rows) {
  const Array& array = rows.array;
  const bool utf8 = IsUtf8(array.type().storage().id());
  const auto* slots = array.slots<StringViewSlot>(1);
  const BitSpan validity = array.validity();
  for (int64_t i = 0; i < array.length(); ++i) {
    if (!validity[i]) continue;
    const std::string_view bytes = BytesOf(array, slots[i]);
    if (!slots[i].is_inline() &&
        std::memcmp(slots[i].prefix, bytes.data(), sizeof(slots[i].prefix)) != 0) {
      return rows.Error(i, "the view's prefix is not how the value begins");
    }
    if (utf8 && !kernels::IsUtf8(bytes)) return rows.Error(i, "not UTF-8");
  }
  return OkStatus();
}

Status CheckDecimals(const Rows& rows) {
  const DataType& type = rows.array.type().storage();
  const int width = type.byte_width();
  const WideDecimal limit = WideDecimal::PowerOfTen(type.precision());
  const uint8_t* values = rows.array.buffer(1).data() + rows.array.offset() * width;
  const BitSpan validity = rows.array.validity();
  for (int64_t i = 0; i < rows.array.length(); ++i) {
    if (!validity[i] || WideDecimal::Load(values + i * width, width).IsBelow(limit)) continue;
    return rows.Error(i, "more than ", type.precision(), " digits");
  }
  return OkStatus();
}

Status CheckOwnValues(const Rows& rows) {
  const TypeId id = rows.array.type().storage().id();
  return VisitLayout(
      rows.array.layout(),
      Overloaded{
          [&]<BinaryLike L>(L) {
            return IsUtf8(id) ? CheckUtf8<typename L::Offset>(rows) : OkStatus();
          },
          [&](BinaryViewLayout) { return CheckStringViews(rows); },
          [&](FixedWidthLayout) { return IsDecimal(id) ? CheckDecimals(rows) : OkStatus(); },
          [](auto) { return OkStatus(); },
      });
}

/// The slots of child i that the window reaches, and the first of them.
Array ReachedPart(const Array& array, int i, int64_t* first) {
  const Array& child = array.child(i);
  const auto cut = [&](int64_t begin, int64_t length) {
    *first = begin;
    return child.Slice(begin, length);
  };
  return VisitLayout(array.layout(),
                     Overloaded{
                         [&]<ListLike L>(L) {
                           const auto* offsets = array.slots<typename L::Offset>(1);
                           return cut(offsets[0], offsets[array.length()] - offsets[0]);
                         },
                         [&]<ViewLike L>(L) {
                           const ViewStats stats = StatsOf(array);
                           return cut(stats.begin, stats.end - stats.begin);
                         },
                         [&](FixedSizeListLayout) {
                           const int64_t size = array.type().list_size();
                           return cut(array.offset() * size, array.length() * size);
                         },
                         [&](StructLayout) { return cut(array.offset(), array.length()); },
                         [&](SparseUnionLayout) { return cut(array.offset(), array.length()); },
                         [&](auto) { return cut(0, child.length()); },
                     });
}

}  // namespace

Status CheckValues(const Array& array, const Path& path, int64_t first_row) {
  if (array.length() == 0) return OkStatus();
  SHEAF_RETURN_IF_ERROR(CheckDepth(array.type(), path));
  const Rows rows{array, path, first_row};
  SHEAF_RETURN_IF_ERROR(CheckNullCount(rows));
  SHEAF_RETURN_IF_ERROR(CheckOwnValues(rows));
  for (int i = 0; i < array.num_children(); ++i) {
    int64_t first = 0;
    const Array part = ReachedPart(array, i, &first);
    SHEAF_RETURN_IF_ERROR(CheckValues(part, path.Child(array.type().fields(), i), first));
  }
  return array.has_dictionary() ? CheckValues(array.dictionary(), path.Dictionary()) : OkStatus();
}

}  // namespace sheaf::inline v1::internal
