#pragma once

#include <cstdint>

namespace sheaf::inline v1::internal {

/// What a `PageStock` asks of the system: addresses without memory, memory behind them, and memory
/// moved from one address to another. Tests put failures in between.
///
/// Addresses and sizes are multiples of `kPageBytes`, within one reserved range.
class PageMapping {
 public:
  static constexpr int64_t kPageBytes = int64_t{2}
                                        << 20;  ///< A huge page of x86-64 and of AArch64.

  PageMapping() = default;
  PageMapping(const PageMapping&) = delete;
  PageMapping& operator=(const PageMapping&) = delete;
  virtual ~PageMapping() = default;

  /// Addresses that nobody else gets, without memory, aligned to a page; null where there are none.
  virtual uint8_t* Reserve(int64_t size_bytes) noexcept = 0;
  virtual void Unreserve(uint8_t* base, int64_t size_bytes) noexcept = 0;

  /// Lets the bytes be read and written. What has no memory yet reads as zero and gets huge pages,
  /// where the system has them, when first touched. Open bytes keep what is in them.
  virtual bool Open(uint8_t* start, int64_t size_bytes) noexcept = 0;

  /// Gives the memory back, and keeps the addresses.
  virtual void Close(uint8_t* start, int64_t size_bytes) noexcept = 0;

  /// Moves the memory of one open range to another, of which the memory is given back; `from` stays
  /// open, without memory. On failure both ranges are open and `from` is unchanged.
  virtual bool Move(uint8_t* from, uint8_t* to, int64_t size_bytes) noexcept = 0;

  /// The system's own; one that reserves nothing where the system lacks the calls.
  static PageMapping& System() noexcept;
};

}  // namespace sheaf::inline v1::internal
