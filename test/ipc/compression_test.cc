#include "ipc/compression.h"

#include <cstring>
#include <random>
#include <vector>

#include "ipc/forge.h"
#include "sheaf/base/bits.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;

constexpr ipc::Compression kCodecs[] = {ipc::Compression::kLz4Frame, ipc::Compression::kZstd};

Buffer Compressed(ipc::Compression codec, const std::vector<uint8_t>& bytes) {
  return internal::Compress(codec, bytes, MemoryPool::Default()).value();
}
std::span<const uint8_t> FrameOf(const Buffer& compressed) { return compressed.bytes().subspan(8); }

StatusOr<Buffer> Decompress(ipc::Compression codec, std::span<const uint8_t> frame, int64_t size) {
  return internal::Decompress(codec, frame, size, MemoryPool::Default());
}

TEST(Compression, ComesBackForEverySize) {
  for (const ipc::Compression codec : kCodecs) {
    for (const size_t size : {size_t{64}, size_t{1000}, size_t{1} << 16, (size_t{1} << 20) + 1}) {
      const std::vector<uint8_t> bytes(size, 42);
      const Buffer compressed = Compressed(codec, bytes);
      EXPECT_EQ(LoadUnaligned<int64_t>(compressed.data()), static_cast<int64_t>(size));
      EXPECT_LT(compressed.size_bytes(), static_cast<int64_t>(size));
      ASSERT_OK_AND_ASSIGN(const Buffer plain,
                           Decompress(codec, FrameOf(compressed), static_cast<int64_t>(size)));
      EXPECT_EQ(BytesOf(plain), bytes);
    }
  }
}

TEST(Compression, IPC_16_WhatDoesNotShrinkStaysAsItIs) {
  std::mt19937_64 random(1);
  std::vector<uint8_t> noise(500);
  for (uint8_t& byte : noise) byte = static_cast<uint8_t>(random());
  for (const ipc::Compression codec : kCodecs) {
    for (const std::vector<uint8_t>& bytes : {noise, std::vector<uint8_t>{7}}) {
      const Buffer compressed = Compressed(codec, bytes);
      EXPECT_EQ(LoadUnaligned<int64_t>(compressed.data()), internal::kNotCompressed);
      EXPECT_EQ(std::vector<uint8_t>(FrameOf(compressed).begin(), FrameOf(compressed).end()),
                bytes);
    }
  }
}

TEST(Compression, AFrameThatIsCutOrHoldsMoreOrLessIsAnError) {
  const std::vector<uint8_t> bytes(4000, 9);
  for (const ipc::Compression codec : kCodecs) {
    const Buffer compressed = Compressed(codec, bytes);
    const auto frame = FrameOf(compressed);
    for (size_t size = 0; size < frame.size(); ++size) {
      EXPECT_THAT(Decompress(codec, frame.first(size), 4000),
                  StatusIs(StatusCode::kInvalidArgument));
    }
    for (const int64_t declared : {int64_t{1}, int64_t{3999}, int64_t{4001}, int64_t{1} << 50}) {
      EXPECT_THAT(Decompress(codec, frame, declared), StatusIs(StatusCode::kInvalidArgument));
    }
  }
}

TEST(Compression, EveryFlippedByteOfAFrameIsSafe) {
  std::vector<uint8_t> bytes(3000);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i / 7);
  for (const ipc::Compression codec : kCodecs) {
    const Buffer compressed = Compressed(codec, bytes);
    std::vector<uint8_t> frame(FrameOf(compressed).begin(), FrameOf(compressed).end());
    for (uint8_t& byte : frame) {
      byte ^= 0xFF;
      (void)Decompress(codec, frame, 3000);
      byte ^= 0xFF;
    }
    EXPECT_OK(Decompress(codec, frame, 3000));
  }
}

}  // namespace
}  // namespace sheaf
