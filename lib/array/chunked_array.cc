#include "sheaf/array/chunked_array.h"

#include <algorithm>
#include <utility>

#include "array/same_values.h"
#include "base/error.h"
#include "sheaf/base/checked.h"

namespace sheaf::inline v1 {

StatusOr<ChunkedArray> ChunkedArray::Make(DataType type, std::vector<Array> chunks) {
  ChunkedArray made;
  for (size_t i = 0; i < chunks.size(); ++i) {
    if (!(chunks[i].type() == type)) {
      return internal::InvalidArgument("chunk ", i, " is ", chunks[i].type().ToString(), ", not ",
                                       type.ToString());
    }
    if (AddOverflows(made.length_, chunks[i].length(), &made.length_)) {
      return internal::OutOfRange("the chunks' lengths exceed 64 bits");
    }
  }
  made.type_ = std::move(type);
  made.chunks_ = std::move(chunks);
  return made;
}

int64_t ChunkedArray::null_count() const noexcept {
  int64_t count = 0;
  for (const Array& chunk : chunks_) count += chunk.null_count();
  return count;
}

ChunkedArray ChunkedArray::Slice(int64_t offset, int64_t length) const {
  int64_t begin = std::clamp<int64_t>(offset, 0, length_);
  int64_t left = std::clamp<int64_t>(length, 0, length_ - begin);
  ChunkedArray slice;
  slice.type_ = type_;
  slice.length_ = left;
  for (const Array& chunk : chunks_) {
    if (left == 0) break;
    if (begin < chunk.length()) {
      slice.chunks_.push_back(chunk.Slice(begin, left));
      left -= slice.chunks_.back().length();
    }
    begin = std::max<int64_t>(0, begin - chunk.length());
  }
  return slice;
}

bool operator==(const ChunkedArray& a, const ChunkedArray& b) {
  if (a.length_ != b.length_ || !(a.type_ == b.type_)) return false;
  const auto verified = [](const Array& chunk) { return chunk.Verify().ok(); };
  if (!std::all_of(a.chunks_.begin(), a.chunks_.end(), verified) ||
      !std::all_of(b.chunks_.begin(), b.chunks_.end(), verified)) {
    return false;
  }
  const internal::ValueComparer comparer{EqualityOptions{}};
  size_t i = 0;
  size_t j = 0;
  int64_t at_a = 0;
  int64_t at_b = 0;
  for (int64_t left = a.length_; left > 0;) {
    const int64_t has_a = a.chunks_[i].length() - at_a;
    const int64_t has_b = b.chunks_[j].length() - at_b;
    const int64_t both = std::min(has_a, has_b);
    if (both > 0 && !comparer.Same(a.chunks_[i], at_a, b.chunks_[j], at_b, both)) return false;
    left -= both;
    at_a = has_a == both ? 0 : at_a + both;
    at_b = has_b == both ? 0 : at_b + both;
    i += has_a == both ? 1 : 0;
    j += has_b == both ? 1 : 0;
  }
  return true;
}

}  // namespace sheaf
