#pragma once

#include <cstdint>
#include <span>

namespace sheaf::inline v1::internal {

/// Which of `count` blocks of rows come from patches: block positions[j] - base is patch j, all
/// others are the fill. Positions ascend strictly and lie in [base, base + count).
struct SparsePositions {
  std::span<const int64_t> positions;
  int64_t base = 0;
  int64_t count = 0;

  int64_t operator[](int64_t j) const noexcept { return positions[static_cast<size_t>(j)] - base; }
  int64_t num_patches() const noexcept { return static_cast<int64_t>(positions.size()); }
  int64_t num_fills() const noexcept { return count - num_patches(); }

  /// In the order of the blocks: fills(n) for n fill blocks, patches(first, n) for the patches
  /// [first, first + n) side by side. Ends with the first status that is not OK.
  template <typename Fills, typename Patches>
  auto VisitRuns(Fills&& fills, Patches&& patches) const -> decltype(fills(int64_t{})) {
    int64_t done = 0;
    for (int64_t j = 0; j < num_patches();) {
      const int64_t begin = (*this)[j];
      if (begin > done) {
        if (auto status = fills(begin - done); !status.ok()) return status;
      }
      const int64_t first = j++;
      while (j < num_patches() && (*this)[j] == begin + (j - first)) ++j;
      if (auto status = patches(first, j - first); !status.ok()) return status;
      done = begin + (j - first);
    }
    if (count > done) return fills(count - done);
    return {};
  }
};

}  // namespace sheaf::inline v1::internal
