#include "builder/memo_table.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "sheaf/base/checked.h"

namespace sheaf::inline v1::internal {

namespace {

constexpr auto kHashBytes = static_cast<int64_t>(sizeof(uint64_t));

}  // namespace

Status MemoTable::Reserve(int64_t additional) {
  int64_t wanted = 0;
  int64_t bytes = 0;
  if (AddOverflows(size(), additional, &wanted) || MultiplyOverflows(wanted, 4, &wanted) ||
      MultiplyOverflows(wanted, sizeof(Slot), &bytes)) {
    return OutOfMemory(std::numeric_limits<int64_t>::max());
  }
  SHEAF_RETURN_IF_ERROR(hashes_.Reserve(additional * kHashBytes));
  int64_t slots = std::max(kFirstSlots, num_slots());
  while (slots < wanted / 2) slots *= 2;
  if (slots == num_slots()) return OkStatus();

  bytes = slots * static_cast<int64_t>(sizeof(Slot));
  auto* const memory = reinterpret_cast<Slot*>(pool_->Allocate(bytes));
  if (memory == nullptr) return OutOfMemory(bytes);
  std::memset(static_cast<void*>(memory), 0, static_cast<size_t>(bytes));
  FreeSlots();
  slots_ = memory;
  mask_ = static_cast<uint64_t>(slots) - 1;
  // In the order of the values, so that each comes behind those before it in a row of slots.
  const auto* hashes = hashes_.as<uint64_t>();
  for (int64_t i = 0; i < size(); ++i) {
    if (hashes[i] != kTwin) Place(hashes[i], i + 1);
  }
  return OkStatus();
}

void MemoTable::TruncateTo(int64_t new_size) noexcept {
  const auto* hashes = hashes_.as<uint64_t>();
  // From the last one on: none that is left was placed with regard to it, so a slot becomes free
  // and no search ends too early.
  for (int64_t i = size() - 1; i >= new_size; --i) {
    if (hashes[i] == kTwin) continue;
    uint64_t at = hashes[i] & mask_;
    while (slots_[at].value != i + 1) at = (at + 1) & mask_;
    slots_[at] = {0, kFree};
  }
  if (new_size < size()) hashes_.TruncateTo(new_size * kHashBytes);
}

void MemoTable::Clear() noexcept {
  FreeSlots();
  hashes_.Reset();
}

void MemoTable::FreeSlots() noexcept {
  if (slots_ == nullptr) return;
  pool_->Free(reinterpret_cast<uint8_t*>(slots_), num_slots() * static_cast<int64_t>(sizeof(Slot)));
  slots_ = nullptr;
  mask_ = 0;
}

}  // namespace sheaf::inline v1::internal
