#include "kernels/hash.h"

#include <set>
#include <string>
#include <vector>

#include "kernels/on_every_target.h"

namespace sheaf {
namespace {

using namespace testing;
using kernels::HashBytes;
using kernels::HashPair;
using kernels::HashWord;

TEST(Hash, OfNoBytesIsTheOneThatTheAuthorOfXxh3Publishes) {
  EXPECT_EQ(HashBytes(nullptr, 0), 0x2D06800538D394C2U);
  EXPECT_EQ(HashBytes("", 0), 0x2D06800538D394C2U);
}

TEST(Hash, OfBytesIsTheSameOnEveryTargetAndAtEveryAddress) {
  ForLengths([](int64_t n, std::mt19937_64& random) {
    const auto bytes = Drawn<uint8_t>(n, [&] { return random(); });
    const uint64_t seed = random();
    const uint64_t expected = HashBytes(bytes.data(), n, seed);
    const Input<uint8_t> elsewhere(bytes, random);
    OnEveryTarget([&](const kernels::Kernels& table) {
      EXPECT_EQ(table.Of<kernels::HashLoops>().hash_bytes(elsewhere.data(), n, seed), expected);
    });
  });
}

TEST(Hash, OfBytesDependsOnEachByteTheLengthAndTheSeed) {
  for (const int64_t n : {1, 3, 4, 8, 9, 16, 17, 100, 240, 241, 1000, 5000}) {
    std::string bytes(static_cast<size_t>(n), 'a');
    std::set<uint64_t> seen{HashBytes(bytes.data(), n), HashBytes(bytes.data(), n - 1),
                            HashBytes(bytes.data(), n, 1)};
    for (char& byte : bytes) {
      byte = 'b';
      seen.insert(HashBytes(bytes.data(), n));
      byte = 'a';
    }
    EXPECT_EQ(seen.size(), 3 + static_cast<size_t>(n)) << n;
  }
}

/// How many of `keys` fall into the fullest of 1024 buckets, by the lowest bits of their hashes.
int64_t Fullest(const std::vector<uint64_t>& hashes, int shift) {
  std::vector<int64_t> buckets(1024);
  for (const uint64_t hash : hashes) ++buckets[(hash >> shift) & 1023];
  return *std::max_element(buckets.begin(), buckets.end());
}

TEST(Hash, SpreadsKeysThatDifferInFewBitsOverAllBits) {
  for (const int step : {0, 3, 10, 32, 48}) {  // 65,536 keys, the i-th is i shifted up.
    SCOPED_TRACE(step);
    std::vector<uint64_t> words;
    std::vector<uint64_t> low;
    std::vector<uint64_t> high;
    for (uint64_t i = 0; i < 65536; ++i) {
      words.push_back(HashWord(i << step));
      low.push_back(HashPair(i << step, 7));
      high.push_back(HashPair(7, i << step));
    }
    for (const auto* hashes : {&words, &low, &high}) {
      EXPECT_EQ(std::set<uint64_t>(hashes->begin(), hashes->end()).size(), 65536U);
      for (const int shift : {0, 20, 54}) EXPECT_LT(Fullest(*hashes, shift), 64 + 56);  // 7 sigma.
    }
  }
}

TEST(Hash, FlipsHalfOfTheBitsForAnyBitOfAWord) {
  std::mt19937_64 random(5);
  for (int bit = 0; bit < 64; ++bit) {
    int flipped = 0;
    for (int i = 0; i < 256; ++i) {
      const uint64_t key = random();
      flipped += std::popcount(HashWord(key) ^ HashWord(key ^ (uint64_t{1} << bit)));
    }
    EXPECT_NEAR(flipped / 256.0, 32, 2) << bit;
  }
}

TEST(Hash, WordsThatClusterUnderOneSeedDoNotUnderAnother) {
  std::vector<uint64_t> clustered;  // All in one bucket of 1024.
  for (uint64_t key = 0; clustered.size() < 512; ++key) {
    if ((HashWord(key) & 1023) == 5) clustered.push_back(key);
  }
  std::vector<uint64_t> anew;
  for (const uint64_t key : clustered) anew.push_back(HashWord(key, 1));
  EXPECT_LT(Fullest(anew, 0), 10);
}

TEST(Hash, OfAPairDependsOnTheOrder) { EXPECT_NE(HashPair(1, 2), HashPair(2, 1)); }

}  // namespace
}  // namespace sheaf
