#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/kernel_table.h"

namespace sheaf::testing {

/// Calls `check(table)` for each table this machine can run.
template <typename Check>
void OnEveryTarget(Check&& check) {
  for (const kernels::Kernels* table : kernels::Runnable()) {
    SCOPED_TRACE(table->target);
    check(*table);
  }
}

/// Calls `check(n, random)` for lengths 0 to 200 and some longer ones; `random` begins anew.
template <typename Check>
void ForLengths(Check&& check) {
  for (int64_t n = 0; n <= 200; ++n) {
    SCOPED_TRACE(n);
    std::mt19937_64 random(static_cast<uint64_t>(n));
    check(n, random);
  }
  for (const int64_t n : {1021, 4099}) {
    SCOPED_TRACE(n);
    std::mt19937_64 random(static_cast<uint64_t>(n));
    check(n, random);
  }
}

/// A copy of values at a random address, in a block of its own that ends where they end: a
/// sanitizer sees what is read beyond.
template <typename T>
class Input {
 public:
  Input(const std::vector<T>& values, std::mt19937_64& random)
      : lead_(random() % (64 / sizeof(T) + 1)), block_(lead_ + values.size()) {
    if (!values.empty())
      std::memcpy(block_.data() + lead_, values.data(), values.size() * sizeof(T));
  }
  const T* data() const { return block_.data() + lead_; }

 private:
  size_t lead_;
  std::vector<T> block_;
};

/// What `write(out)` puts into n slots at a random address; it must leave those around alone.
template <typename T, typename Write>
std::vector<T> Written(int64_t n, std::mt19937_64& random, Write&& write) {
  const auto kGuard = static_cast<T>(0x5A5A5A5A5A5A5A5AU);
  const size_t lead = random() % (64 / sizeof(T) + 1);
  const size_t trail = 64 / sizeof(T);
  const auto size = static_cast<size_t>(n);
  std::vector<T> block(lead + size + trail, kGuard);
  write(block.data() + lead);
  for (size_t i = 0; i < lead; ++i) EXPECT_EQ(block[i], kGuard) << "before";
  for (size_t i = lead + size; i < block.size(); ++i) EXPECT_EQ(block[i], kGuard) << "behind";
  return {block.begin() + static_cast<std::ptrdiff_t>(lead),
          block.begin() + static_cast<std::ptrdiff_t>(lead + size)};
}

/// Integers of any size: small, at the limits, and anything.
template <typename T>
T AnyInteger(std::mt19937_64& random) {
  const auto near = static_cast<T>(random() % 4);
  switch (random() % 4) {
    case 0:
      return near;
    case 1:
      return static_cast<T>(std::numeric_limits<T>::max() - near);
    case 2:
      return static_cast<T>(std::numeric_limits<T>::min() + near);
    default:
      return static_cast<T>(random());
  }
}

template <typename T, typename Draw>
std::vector<T> Drawn(int64_t n, Draw&& draw) {
  std::vector<T> values(static_cast<size_t>(n));
  for (T& value : values) value = static_cast<T>(draw());
  return values;
}

}  // namespace sheaf::testing
