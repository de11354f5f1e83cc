#include "sheaf/array/array.h"

#include <algorithm>
#include <new>

#include "array/array_data.h"

namespace sheaf::inline v1 {
namespace {

/// What default-made arrays share; it keeps one reference of its own, so that it never dies.
internal::ArrayData* EmptyNullNode() noexcept {
  alignas(internal::ArrayData) static unsigned char storage[sizeof(internal::ArrayData)];
  static internal::ArrayData* node = [] {
    auto* data = new (storage) internal::ArrayData;
    data->null_count.store(0, std::memory_order_relaxed);
    data->verified.store(true, std::memory_order_relaxed);
    return data;
  }();
  return node;
}

}  // namespace

Array::Array() noexcept : data_(EmptyNullNode()), offset_(0), length_(0) {
  internal::Retain(data_);
}

const DataType& Array::type() const noexcept { return data_->type; }

BitSpan Array::validity() const noexcept {
  if (!layout().has_validity || data_->buffers[0].absent()) return {nullptr, 0, length_};
  return {data_->buffers[0].data(), offset_, length_};
}

int64_t Array::null_count() const noexcept {
  if (layout().id == LayoutId::kNull) return length_;
  const BitSpan bits = validity();
  if (bits.absent()) return 0;
  const int64_t kept = data_->null_count.load(std::memory_order_relaxed);
  const bool primary = data_->IsPrimary(offset_, length_);
  if (kept == 0 && data_->Covers(offset_, length_)) return 0;
  if (kept >= 0 && primary) return kept;
  const int64_t count = length_ - CountSet(bits);
  if (primary) data_->null_count.store(count, std::memory_order_relaxed);
  return count;
}

bool Array::IsValid(int64_t i) const noexcept {
  if (layout().id == LayoutId::kNull) return false;
  return validity()[i];
}

Array Array::Slice(int64_t offset, int64_t length) const noexcept {
  const int64_t first = std::clamp<int64_t>(offset, 0, length_);
  const int64_t count = std::clamp<int64_t>(length, 0, length_ - first);
  internal::Retain(data_);
  return Array(const_cast<internal::ArrayData*>(data_), offset_ + first, count);
}

int Array::num_buffers() const noexcept { return data_->num_fixed_buffers() + data_->num_variadic; }

const Buffer& Array::buffer(int i) const noexcept {
  const int num_fixed = data_->num_fixed_buffers();
  if (i < num_fixed) [[likely]]
    return data_->buffers[i];
  if (i < num_fixed + data_->num_variadic) return data_->variadic_buffers[i - num_fixed];
  // A default-made typed array is a null array underneath: its spans are empty, not wild.
  static const Buffer empty = Buffer::Empty();
  return empty;
}

int Array::num_children() const noexcept { return data_->num_children; }
const Array& Array::child(int i) const noexcept {
  if (i < data_->num_children) [[likely]]
    return data_->child(i);
  static const Array empty;  // As for buffers.
  return empty;
}
bool Array::has_dictionary() const noexcept { return data_->has_dictionary; }
const Array& Array::dictionary() const noexcept { return *data_->dictionary; }

}  // namespace sheaf
