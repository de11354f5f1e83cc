#include "array/trimmed_views.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "array/string_view_slot.h"

namespace sheaf::inline v1::internal {
namespace {

bool IsZero(const StringViewSlot& slot) {
  static constexpr char kZero[sizeof(StringViewSlot)] = {};
  return std::memcmp(&slot, kZero, sizeof(kZero)) == 0;
}

/// The part of a data buffer in use, and where it goes.
struct DataRange {
  int64_t begin = INT64_MAX;
  int64_t end = 0;
  int32_t new_index = -1;

  bool used() const { return end > 0; }
};

class ViewTrimmer {
 public:
  explicit ViewTrimmer(const Array& array)
      : array_(array),
        views_(array.length() == 0 ? nullptr : array.slots<StringViewSlot>(1)),
        ranges_(static_cast<size_t>(array.num_buffers() - 2)) {}

  void FindRanges() {
    const BitSpan validity = array_.validity();
    for (int64_t i = 0; i < array_.length(); ++i) {
      const StringViewSlot& view = views_[i];
      if (!validity[i]) {
        changes_ = changes_ || !IsZero(view);
      } else if (!view.is_inline()) {
        DataRange& range = ranges_[static_cast<size_t>(view.buffer_index)];
        range.begin = std::min<int64_t>(range.begin, view.offset);
        range.end = std::max<int64_t>(range.end, int64_t{view.offset} + view.size);
      }
    }
    int32_t used = 0;
    for (size_t i = 0; i < ranges_.size(); ++i) {
      if (!ranges_[i].used()) continue;
      ranges_[i].new_index = used++;
      changes_ =
          changes_ || ranges_[i].begin != 0 || ranges_[i].new_index != static_cast<int32_t>(i);
    }
  }

  StatusOr<Buffer> Views(MemoryPool* pool) const {
    if (array_.length() == 0) return Buffer::Empty();
    const int64_t size_bytes = array_.length() * static_cast<int64_t>(sizeof(StringViewSlot));
    if (!changes_) {
      return array_.buffer(1).Slice(array_.offset() * static_cast<int64_t>(sizeof(StringViewSlot)),
                                    size_bytes);
    }
    SHEAF_ASSIGN_OR_RETURN(MutableBuffer moved, MutableBuffer::Allocate(size_bytes, pool));
    const BitSpan validity = array_.validity();
    for (int64_t i = 0; i < array_.length(); ++i) {
      StringViewSlot view = validity[i] ? views_[i] : StringViewSlot{};
      if (!view.is_inline()) {
        const DataRange& range = ranges_[static_cast<size_t>(view.buffer_index)];
        view.buffer_index = range.new_index;
        view.offset -= static_cast<int32_t>(range.begin);
      }
      moved.as<StringViewSlot>()[i] = view;
    }
    return std::move(moved).Finish();
  }

  void AddData(std::vector<Buffer>* buffers) const {
    for (size_t i = 0; i < ranges_.size(); ++i) {
      const DataRange& range = ranges_[i];
      if (!range.used()) continue;
      buffers->push_back(
          array_.buffer(static_cast<int>(i) + 2).Slice(range.begin, range.end - range.begin));
    }
  }

 private:
  const Array& array_;
  const StringViewSlot* views_;
  std::vector<DataRange> ranges_;
  bool changes_ = false;  // Whether any view differs from what it was.
};

}  // namespace

Status TrimStringViews(const Array& array, std::vector<Buffer>* buffers, MemoryPool* pool) {
  ViewTrimmer trimmer(array);
  trimmer.FindRanges();
  SHEAF_ASSIGN_OR_RETURN(Buffer views, trimmer.Views(pool));
  buffers->push_back(std::move(views));
  trimmer.AddData(buffers);
  return OkStatus();
}

}  // namespace sheaf::inline v1::internal
