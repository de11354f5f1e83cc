// The greedy superstring alone: what is found by hand, bounds, and a naive greedy beside it.

#include "compute/list_view/superstring.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/failing_pool.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using internal::RowRange;
using internal::Superstring;

struct Pieces {
  std::vector<uint32_t> symbols;
  std::vector<RowRange> ranges;

  explicit Pieces(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      ranges.push_back({static_cast<int64_t>(symbols.size()), static_cast<int64_t>(text.size())});
      symbols.insert(symbols.end(), text.begin(), text.end());
    }
  }
};

constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();

/// The superstring as text; every piece is where it is said to be.
std::string Joined(const std::vector<std::string>& texts, int64_t most_bytes = kNoLimit) {
  const Pieces pieces(texts);
  const auto superstring =
      internal::GreedySuperstring(pieces.symbols, pieces.ranges, most_bytes, MemoryPool::Default());
  EXPECT_OK(superstring);
  std::string text;
  for (const RowRange& range : superstring->ranges.ranges()) {
    for (int64_t i = range.offset; i < range.end(); ++i) {
      text += static_cast<char>(pieces.symbols[static_cast<size_t>(i)]);
    }
  }
  EXPECT_EQ(static_cast<int64_t>(text.size()), superstring->length());
  for (size_t i = 0; i < texts.size(); ++i) {
    const auto begin = static_cast<size_t>(superstring->begins()[i]);
    EXPECT_EQ(text.substr(begin, texts[i].size()), texts[i]) << "piece " << i << " of " << text;
  }
  return text;
}

size_t OverlapOf(const std::string& a, const std::string& b) {
  for (size_t k = std::min(a.size(), b.size()); k > 0; --k) {
    if (a.compare(a.size() - k, k, b, 0, k) == 0) return k;
  }
  return 0;
}

/// The overlaps that a greedy takes, in all, found pair by pair. Ties may be broken otherwise, so
/// the result is a greedy one, not the same one.
size_t NaiveLength(std::vector<std::string> texts) {
  std::vector<std::string> alone;
  for (size_t i = 0; i < texts.size(); ++i) {
    bool within = false;
    for (size_t k = 0; k < texts.size(); ++k) {
      const bool larger = texts[k].size() > texts[i].size() || (texts[k] == texts[i] && k < i);
      within = within || (larger && texts[k].find(texts[i]) != std::string::npos);
    }
    if (!within) alone.push_back(texts[i]);
  }
  while (alone.size() > 1) {
    size_t best = 0, left = 0, right = 1;
    for (size_t i = 0; i < alone.size(); ++i) {
      for (size_t k = 0; k < alone.size(); ++k) {
        if (i != k && OverlapOf(alone[i], alone[k]) > best) {
          best = OverlapOf(alone[i], alone[k]), left = i, right = k;
        }
      }
    }
    alone[left] += alone[right].substr(best);
    alone.erase(alone.begin() + static_cast<std::ptrdiff_t>(right));
  }
  return alone.empty() ? 0 : alone[0].size();
}

TEST(SuperstringTest, PiecesWithinOthersGoThere) {
  EXPECT_EQ(Joined({"bcd", "abcde", "c", "cde"}), "abcde");
  EXPECT_EQ(Joined({"ab", "ab", "ab"}), "ab");
  EXPECT_EQ(Joined({"a", "ab", "abc", "abcd"}), "abcd");
  EXPECT_EQ(Joined({"d", "cd", "bcd", "abcd", "bc"}), "abcd");
}

TEST(SuperstringTest, TheLongestOverlapComesFirst) {
  EXPECT_EQ(Joined({"cde", "abc", "def"}), "abcdef");
  EXPECT_EQ(Joined({"xab", "abz", "bzq"}), "xabzq");
  EXPECT_EQ(Joined({"aaa", "aab", "baa"}).size(), 5u);  // baaab, or the like.
}

TEST(SuperstringTest, AnOverlapWithItselfIsNone) {
  EXPECT_EQ(Joined({"abab"}), "abab");
  EXPECT_EQ(Joined({"aba", "bab"}).size(), 4u) << "a ring of two is cut once";
  EXPECT_EQ(Joined({"abc", "cab", "bca"}).size(), 5u);
}

TEST(SuperstringTest, PiecesThatShareNothingKeepTheirOrder) {
  EXPECT_EQ(Joined({"xy", "ab", "mn"}), "xyabmn");
  EXPECT_EQ(Joined({}), "");
}

TEST(SuperstringTest, BeyondTheBudgetPiecesAreLaidEndToEnd) {
  const std::vector<std::string> texts = {"abc", "bcd", "cde", "def"};
  EXPECT_EQ(Joined(texts), "abcdef");
  EXPECT_EQ(Joined(texts, 9 * internal::kSuperstringBytes), "abcdedef");
  EXPECT_EQ(Joined(texts, 6 * internal::kSuperstringBytes), "abcdcdedef");
  EXPECT_EQ(Joined(texts, 0), "abcbcdcdedef");
}

TEST(SuperstringTest, RandomPiecesAreJoinedAsANaiveGreedyWould) {
  for (const uint64_t seed : Seeds(300)) {
    Random random(seed);
    std::vector<std::string> texts(static_cast<size_t>(Draw(random, 1, 12)));
    const char last = static_cast<char>(Chance(random, 0.5) ? 'b' : 'e');
    for (std::string& text : texts) {
      text.resize(static_cast<size_t>(Draw(random, 1, 7)));
      for (char& letter : text) letter = static_cast<char>(Draw(random, 'a', last));
    }
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + ::testing::PrintToString(texts));
    const std::string joined = Joined(texts);
    size_t all = 0;
    for (const std::string& text : texts) all += text.size();
    EXPECT_LE(joined.size(), all);
    // Greedy choices of equal overlaps differ in what they leave over: by a factor of two in
    // theory.
    EXPECT_LE(joined.size(), 2 * NaiveLength(texts));
    EXPECT_EQ(Joined({joined}), joined);
    EXPECT_EQ(joined, Joined(texts)) << "the same again";
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(SuperstringTest, WithoutTiesItIsTheGreedyOne) {
  // Windows of a text without repeats: every overlap is the longest there is.
  std::string text;
  for (char letter = '!'; letter < '~'; ++letter) text += letter;
  Random random(5);
  std::vector<std::string> windows;
  for (size_t at = 0; at + 10 <= text.size(); at += 3) windows.push_back(text.substr(at, 10));
  std::shuffle(windows.begin(), windows.end(), random);
  EXPECT_EQ(Joined(windows).size(), NaiveLength(windows));
  EXPECT_EQ(Joined(windows), text.substr(0, Joined(windows).size()));
}

TEST(SuperstringTest, LongChainsOfPrefixesTakeLinearTime) {
  // 2,000 pieces, each the prefix of the next: 2 million symbols. Quadratic walks would show.
  const std::string text(2'000, 'a');
  std::vector<std::string> prefixes;
  for (size_t i = 1; i <= text.size(); ++i) prefixes.push_back(text.substr(0, i));
  EXPECT_EQ(Joined(prefixes), text);
}

TEST(SuperstringTest, ARefusedAllocationIsAStatus) {
  const Pieces pieces({"abc", "bcd", "cde"});
  FailingPool pool;
  for (int64_t k = 0;; ++k) {
    pool.FailAt(k);
    const auto superstring =
        internal::GreedySuperstring(pieces.symbols, pieces.ranges, kNoLimit, &pool);
    if (!pool.failed()) break;
    EXPECT_THAT(superstring, StatusIs(StatusCode::kResourceExhausted));
  }
}

}  // namespace
}  // namespace sheaf
