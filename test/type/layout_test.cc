#include "sheaf/type/layout.h"

#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/type/field.h"
#include "sheaf/type/visit_layout.h"
#include "type/sample_types.h"

namespace sheaf {
namespace {

/// A row of the table as text: layout, buffers with role and bits of this type.
std::string Facts(const DataType& type) {
  static const std::map<BufferRole, std::string> kRoles = {
      {BufferRole::kValidity, "validity"},
      {BufferRole::kBits, "bits"},
      {BufferRole::kValues, "values"},
      {BufferRole::kOffsets, "offsets"},
      {BufferRole::kViewOffsets, "view_offsets"},
      {BufferRole::kSizes, "sizes"},
      {BufferRole::kData, "data"},
      {BufferRole::kViews, "views"},
      {BufferRole::kTypeIds, "type_ids"},
      {BufferRole::kUnionOffsets, "union_offsets"}};
  const Layout& layout = type.layout();
  std::string facts;
  for (int i = 0; i < layout.num_buffers; ++i) {
    if (i > 0) facts += " ";
    facts += kRoles.at(layout.buffers[static_cast<size_t>(i)].role) + ":" +
             std::to_string(BufferBitWidth(type, i));
  }
  if (layout.has_variadic_buffers) facts += " ...";
  EXPECT_EQ(layout.has_validity, facts.starts_with("validity:1"));
  return facts;
}

TEST(Layout, FactsOfEveryType) {
  const std::map<TypeId, std::string> expected = {
      {TypeId::kNull, ""},
      {TypeId::kBoolean, "validity:1 bits:1"},
      {TypeId::kInt8, "validity:1 values:8"},
      {TypeId::kUInt8, "validity:1 values:8"},
      {TypeId::kInt16, "validity:1 values:16"},
      {TypeId::kUInt16, "validity:1 values:16"},
      {TypeId::kInt32, "validity:1 values:32"},
      {TypeId::kUInt32, "validity:1 values:32"},
      {TypeId::kInt64, "validity:1 values:64"},
      {TypeId::kUInt64, "validity:1 values:64"},
      {TypeId::kFloat16, "validity:1 values:16"},
      {TypeId::kFloat32, "validity:1 values:32"},
      {TypeId::kFloat64, "validity:1 values:64"},
      {TypeId::kDecimal32, "validity:1 values:32"},
      {TypeId::kDecimal64, "validity:1 values:64"},
      {TypeId::kDecimal128, "validity:1 values:128"},
      {TypeId::kDecimal256, "validity:1 values:256"},
      {TypeId::kDate32, "validity:1 values:32"},
      {TypeId::kDate64, "validity:1 values:64"},
      {TypeId::kTime32, "validity:1 values:32"},
      {TypeId::kTime64, "validity:1 values:64"},
      {TypeId::kTimestamp, "validity:1 values:64"},
      {TypeId::kDuration, "validity:1 values:64"},
      {TypeId::kIntervalMonths, "validity:1 values:32"},
      {TypeId::kIntervalDayTime, "validity:1 values:64"},
      {TypeId::kIntervalMonthDayNano, "validity:1 values:128"},
      {TypeId::kBinary, "validity:1 offsets:32 data:0"},
      {TypeId::kUtf8, "validity:1 offsets:32 data:0"},
      {TypeId::kLargeBinary, "validity:1 offsets:64 data:0"},
      {TypeId::kLargeUtf8, "validity:1 offsets:64 data:0"},
      {TypeId::kBinaryView, "validity:1 views:128 ..."},
      {TypeId::kUtf8View, "validity:1 views:128 ..."},
      {TypeId::kList, "validity:1 offsets:32"},
      {TypeId::kLargeList, "validity:1 offsets:64"},
      {TypeId::kListView, "validity:1 view_offsets:32 sizes:32"},
      {TypeId::kLargeListView, "validity:1 view_offsets:64 sizes:64"},
      {TypeId::kFixedSizeList, "validity:1"},
      {TypeId::kStruct, "validity:1"},
      {TypeId::kMap, "validity:1 offsets:32"},
      {TypeId::kSparseUnion, "type_ids:8"},
      {TypeId::kDenseUnion, "type_ids:8 union_offsets:32"},
      {TypeId::kRunEndEncoded, ""},
  };
  for (const auto& [text, type] : testing::SampleTypes()) {
    const auto row = expected.find(type.id());
    if (row == expected.end()) continue;
    EXPECT_EQ(Facts(type), row->second) << text;
  }
  EXPECT_EQ(Facts(*FixedSizeBinary(3)), "validity:1 values:24");
  EXPECT_EQ(Facts(*FixedSizeBinary(0)), "validity:1 values:0");
  EXPECT_EQ(Facts(*Dictionary(Int8(), Utf8())), "validity:1 values:8");
  EXPECT_EQ(Facts(*Dictionary(UInt64(), Utf8())), "validity:1 values:64");
  EXPECT_EQ(Facts(Extension("e", "", LargeListView(Int8()))), Facts(LargeListView(Int8())));
  EXPECT_EQ(Facts(Extension("e", "", *Dictionary(Int16(), Utf8()))), "validity:1 values:16");
}

TEST(Layout, OffsetBits) {
  EXPECT_EQ(List(Int8()).layout().offset_bits, 32);
  EXPECT_EQ(LargeListView(Int8()).layout().offset_bits, 64);
  EXPECT_EQ(Map(Int8(), Field("value", Int8())).layout().offset_bits, 32);
  EXPECT_EQ(Int32().layout().offset_bits, 0);
  for (const DataType& run_ends : {Int16(), Int32(), Int64()}) {
    const DataType type = *RunEndEncoded(run_ends, Field("values", Int8()));
    EXPECT_EQ(type.layout().offset_bits, 8 * run_ends.byte_width());
    EXPECT_EQ(Extension("e", "", type).layout().offset_bits, 8 * run_ends.byte_width());
  }
}

TEST(Layout, BytesNeeded) {
  EXPECT_EQ(BufferBytesNeeded(Int32(), 0, 9), 2);
  EXPECT_EQ(BufferBytesNeeded(Int32(), 1, 9), 36);
  EXPECT_EQ(BufferBytesNeeded(Boolean(), 1, 17), 3);
  EXPECT_EQ(BufferBytesNeeded(Utf8(), 1, 3), 16);
  EXPECT_EQ(BufferBytesNeeded(Utf8(), 1, 0), 0);
  EXPECT_EQ(BufferBytesNeeded(Utf8(), 2, 3), 0);
  EXPECT_EQ(BufferBytesNeeded(LargeList(Int8()), 1, 3), 32);
  EXPECT_EQ(BufferBytesNeeded(ListView(Int8()), 1, 3), 12);
  EXPECT_EQ(BufferBytesNeeded(ListView(Int8()), 2, 3), 12);
  EXPECT_EQ(BufferBytesNeeded(Utf8View(), 1, 3), 48);
  EXPECT_EQ(BufferBytesNeeded(*Union(TypeId::kDenseUnion, {}, {}), 0, 3), 3);
  EXPECT_EQ(BufferBytesNeeded(*Union(TypeId::kDenseUnion, {}, {}), 1, 3), 12);
  EXPECT_EQ(BufferBytesNeeded(*Dictionary(Int16(), Utf8()), 1, 3), 6);
  EXPECT_EQ(BufferBytesNeeded(*FixedSizeBinary(5), 1, 3), 15);
  // Sizes that 64 bits do not hold are larger than any buffer.
  const int64_t many = (int64_t{1} << 59) - 1;
  EXPECT_EQ(BufferBytesNeeded(Int64(), 1, many), many * 8);
  EXPECT_EQ(BufferBytesNeeded(*Decimal(TypeId::kDecimal256, 1, 0), 1, many), INT64_MAX);
  EXPECT_EQ(BufferBytesNeeded(*FixedSizeBinary(INT32_MAX), 1, many), INT64_MAX);
  EXPECT_EQ(BufferBytesNeeded(*FixedSizeBinary(INT32_MAX), 1, 2), 2 * int64_t{INT32_MAX});
}

TEST(VisitLayout, EveryLayoutIsHandedItsTag) {
  std::map<LayoutId, int> seen;
  for (const auto& [text, type] : testing::SampleTypes()) {
    const Layout& layout = type.layout();
    const LayoutId id = VisitLayout(layout, [](auto tag) { return decltype(tag)::kId; });
    EXPECT_EQ(id, layout.id) << text;
    ++seen[id];
  }
  EXPECT_EQ(seen.size(), static_cast<size_t>(kLayoutIdCount));
}

TEST(VisitLayout, ViewsArePreferredToLists) {
  const auto kind = [](const DataType& type) {
    return VisitLayout(type.layout(), Overloaded{
                                          [](ViewLike auto tag) {
                                            using Offset = typename decltype(tag)::Offset;
                                            return "view" + std::to_string(sizeof(Offset));
                                          },
                                          [](ListLike auto tag) {
                                            using Offset = typename decltype(tag)::Offset;
                                            return "list" + std::to_string(sizeof(Offset));
                                          },
                                          [](FixedSizeListLayout) { return std::string("fixed"); },
                                          [](NoList auto) { return std::string("none"); },
                                      });
  };
  EXPECT_EQ(kind(ListView(Int8())), "view4");
  EXPECT_EQ(kind(LargeListView(Int8())), "view8");
  EXPECT_EQ(kind(List(Int8())), "list4");
  EXPECT_EQ(kind(LargeList(Int8())), "list8");
  EXPECT_EQ(kind(Map(Int8(), Field("value", Int8()))), "list4");
  EXPECT_EQ(kind(*FixedSizeList(Field("item", Int8()), 1)), "fixed");
  EXPECT_EQ(kind(Struct({})), "none");
  EXPECT_EQ(kind(Utf8View()), "none");
}

TEST(VisitLayout, VisitorThatLeavesALayoutOutDoesNotCompile) {
  const auto no_fixed_size_list = Overloaded{
      [](ListLike auto) { return 1; },
      [](NoList auto) { return 2; },
  };
  static_assert(!LayoutVisitor<decltype(no_fixed_size_list)>);
  const auto all = Overloaded{no_fixed_size_list, [](FixedSizeListLayout) { return 3; }};
  static_assert(LayoutVisitor<decltype(all)>);
  EXPECT_EQ(VisitLayout(FixedSizeList(Field("item", Int8()), 2)->layout(), all), 3);
}

TEST(VisitLayout, RunEndsComeWithTheirWidth) {
  for (const DataType& run_ends : {Int16(), Int32(), Int64()}) {
    const DataType type = *RunEndEncoded(run_ends, Field("values", Int8()));
    const auto bytes =
        VisitLayout(type.layout(), Overloaded{
                                       []<typename T>(RunEndEncodedLayout<T>) { return sizeof(T); },
                                       [](auto) { return size_t{0}; },
                                   });
    EXPECT_EQ(bytes, static_cast<size_t>(run_ends.byte_width()));
  }
}

}  // namespace
}  // namespace sheaf
