#include "sheaf/array/array.h"
#include "sheaf/array/binary_view_array.h"
#include "sheaf/array/bytes.h"
#include "sheaf/array/equality.h"
#include "sheaf/array/logical_nulls.h"
#include "sheaf/array/struct_array.h"
#include "sheaf/array/view_stats.h"
#include "testing/array_literals.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;

/// A copy of the tree with every buffer in memory of exactly its size (so that a sanitizer sees a
/// read past it), in which some bytes are others and some lengths are shorter.
class Corrupter {
 public:
  /// At kNone even the sizes of buffers and children may be wrong.
  Corrupter(Random& random, ValidationLevel level) : random_(random), level_(level) {}

  StatusOr<Array> Copy(const Array& array) {
    ArrayParts parts;
    parts.type = array.type();
    parts.length = array.length();
    parts.offset = array.offset();
    for (int i = 0; i < array.num_buffers(); ++i)
      parts.buffers.push_back(CopyBuffer(array.buffer(i)));
    for (int i = 0; i < array.num_children(); ++i) {
      SHEAF_ASSIGN_OR_RETURN(Array child, Copy(array.child(i)));
      parts.children.push_back(std::move(child));
    }
    if (array.has_dictionary()) {
      SHEAF_ASSIGN_OR_RETURN(Array dictionary, Copy(array.dictionary()));
      parts.dictionary.push_back(std::move(dictionary));
    }
    if (Chance(random_, 0.02)) parts.length += Draw(random_, 0, 3);
    if (Chance(random_, 0.02)) parts.offset += Draw(random_, 0, 3);
    return MakeArray(std::move(parts), level_);
  }

 private:
  Buffer CopyBuffer(const Buffer& buffer) {
    if (buffer.absent()) return Buffer();
    std::vector<uint8_t> bytes(buffer.bytes().begin(), buffer.bytes().end());
    if (Chance(random_, 0.03))
      bytes.resize(static_cast<size_t>(Draw(random_, 0, buffer.size_bytes())));
    while (!bytes.empty() && Chance(random_, 0.25)) {
      const auto at = static_cast<size_t>(Draw(random_, 0, static_cast<int64_t>(bytes.size()) - 1));
      bytes[at] =
          static_cast<uint8_t>(Chance(random_, 0.5) ? Draw(random_, 0, 255) : bytes[at] + 1);
    }
    bytes.shrink_to_fit();
    return *Buffer::Adopt(std::move(bytes));
  }

  Random& random_;
  ValidationLevel level_;
};

/// Everything that follows offsets, views, indices and the like. What it finds is not the point:
/// that nothing is read that must not be is (run under the sanitizers).
void UseInEveryWay(const Array& array) {
  const Status verified = array.Verify();
  const Status full = Validate(array);
  if (full.ok()) {
    EXPECT_OK(verified);
  }
  EXPECT_FALSE(array.ToString().empty());
  EXPECT_EQ(array == array, verified.ok());
  EXPECT_EQ(UsedBytes(array).ok(), verified.ok());
  EXPECT_EQ(LogicalNullCount(array).ok(), verified.ok());
  if (IsListView(array.type().id())) {
    EXPECT_EQ(Overlapping(array).ok(), verified.ok());
    EXPECT_EQ(ContentOf(array).ok(), verified.ok());
  }
  if (array.layout().id == LayoutId::kBinaryView) {
    EXPECT_EQ(BinaryViewArray::From(array)->Compact().ok(), verified.ok());
  }
  if (array.type().storage().id() == TypeId::kStruct) {
    const StructArray rows = *StructArray::From(array);
    for (int i = 0; i < rows.num_children(); ++i) {
      const StatusOr<Array> field = rows.FlattenedField(i);
      if (field.ok() && verified.ok()) {
        EXPECT_OK(field->Verify());
      }
    }
  }
  if (verified.ok()) {
    EXPECT_EQ(Read(array).size(), static_cast<size_t>(array.length()));
  }
}

TEST(CorruptArrays, AreRefusedOrHarmless) {
  int refused = 0;
  int harmless = 0;
  for (const uint64_t seed : Seeds(20)) {
    for (const TypeId id : AllTypeIds()) {
      Random random(seed);
      SCOPED_TRACE(::testing::Message() << "seed " << seed << " " << SampleType(id).ToString());
      RandomOptions options;
      options.length = 10;
      options.max_list_size = 3;
      options.sliced = Chance(random, 0.5);
      const Array sound = RandomArray(
          Chance(random, 0.5) ? ListView(SampleType(id)) : SampleType(id), options, random);
      for (int i = 0; i < 8; ++i) {
        const StatusOr<Array> array =
            Corrupter(random, i % 2 == 0 ? ValidationLevel::kMinimal : ValidationLevel::kNone)
                .Copy(sound);
        if (!array.ok()) continue;
        const Array slice = array->Slice(Draw(random, 0, 4), Draw(random, 0, 4));
        UseInEveryWay(slice);  // Before anything is known of the whole.
        UseInEveryWay(*array);
        UseInEveryWay(slice);
        ++(array->Verify().ok() ? harmless : refused);
      }
    }
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(harmless, 100);
}

}  // namespace
}  // namespace sheaf
