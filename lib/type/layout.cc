#include "sheaf/type/layout.h"

#include <limits>

#include "sheaf/base/bits.h"
#include "sheaf/base/checked.h"
#include "type/type_node.h"

namespace sheaf::inline v1 {
namespace {

using enum BufferRole;

constexpr BufferSpec kBitmap = {kValidity, 1};
constexpr BufferSpec kNone = {kData, 0};

// clang-format off
//                                  id                         buffers validity variadic offsets
constexpr Layout kNullRow        = {LayoutId::kNull,           0, false, false, 0,  {kNone, kNone, kNone}};
constexpr Layout kBooleanRow     = {LayoutId::kBoolean,        2, true,  false, 0,  {kBitmap, {kBits, 1}, kNone}};
constexpr Layout kFixedWidthRow  = {LayoutId::kFixedWidth,     2, true,  false, 0,  {kBitmap, {kValues, 0}, kNone}};
constexpr Layout kBinaryRow      = {LayoutId::kBinary,         3, true,  false, 32, {kBitmap, {kOffsets, 32}, {kData, 0}}};
constexpr Layout kLargeBinaryRow = {LayoutId::kBinary,         3, true,  false, 64, {kBitmap, {kOffsets, 64}, {kData, 0}}};
constexpr Layout kBinaryViewRow  = {LayoutId::kBinaryView,     2, true,  true,  0,  {kBitmap, {kViews, 128}, kNone}};
constexpr Layout kListRow        = {LayoutId::kList,           2, true,  false, 32, {kBitmap, {kOffsets, 32}, kNone}};
constexpr Layout kLargeListRow   = {LayoutId::kList,           2, true,  false, 64, {kBitmap, {kOffsets, 64}, kNone}};
constexpr Layout kViewRow        = {LayoutId::kListView,       3, true,  false, 32, {kBitmap, {kViewOffsets, 32}, {kSizes, 32}}};
constexpr Layout kLargeViewRow   = {LayoutId::kListView,       3, true,  false, 64, {kBitmap, {kViewOffsets, 64}, {kSizes, 64}}};
constexpr Layout kFixedListRow   = {LayoutId::kFixedSizeList,  1, true,  false, 0,  {kBitmap, kNone, kNone}};
constexpr Layout kStructRow      = {LayoutId::kStruct,         1, true,  false, 0,  {kBitmap, kNone, kNone}};
constexpr Layout kSparseRow      = {LayoutId::kSparseUnion,    1, false, false, 0,  {{{kTypeIds, 8}, kNone, kNone}}};
constexpr Layout kDenseRow       = {LayoutId::kDenseUnion,     2, false, false, 32, {{{kTypeIds, 8}, {kUnionOffsets, 32}, kNone}}};
constexpr Layout kDictionaryRow  = {LayoutId::kDictionary,     2, true,  false, 0,  {kBitmap, {kValues, 0}, kNone}};
constexpr Layout kRunEnd16Row    = {LayoutId::kRunEndEncoded,  0, false, false, 16, {kNone, kNone, kNone}};
constexpr Layout kRunEnd32Row    = {LayoutId::kRunEndEncoded,  0, false, false, 32, {kNone, kNone, kNone}};
constexpr Layout kRunEnd64Row    = {LayoutId::kRunEndEncoded,  0, false, false, 64, {kNone, kNone, kNone}};
// clang-format on

// clang-format off
/// By TypeId. An extension has the row of its storage, so its own is never used.
constexpr std::array<const Layout*, kTypeIdCount> kRows = {
    &kNullRow, &kBooleanRow,                             // null, bool
    &kFixedWidthRow, &kFixedWidthRow, &kFixedWidthRow,   // int8, uint8, int16
    &kFixedWidthRow, &kFixedWidthRow, &kFixedWidthRow,   // uint16, int32, uint32
    &kFixedWidthRow, &kFixedWidthRow,                    // int64, uint64
    &kFixedWidthRow, &kFixedWidthRow, &kFixedWidthRow,   // float16, float32, float64
    &kFixedWidthRow, &kFixedWidthRow,                    // decimal32, decimal64
    &kFixedWidthRow, &kFixedWidthRow,                    // decimal128, decimal256
    &kFixedWidthRow, &kFixedWidthRow,                    // date32, date64
    &kFixedWidthRow, &kFixedWidthRow,                    // time32, time64
    &kFixedWidthRow, &kFixedWidthRow,                    // timestamp, duration
    &kFixedWidthRow, &kFixedWidthRow, &kFixedWidthRow,   // intervals
    &kFixedWidthRow,                                     // fixed_size_binary
    &kBinaryRow, &kBinaryRow,                            // binary, utf8
    &kLargeBinaryRow, &kLargeBinaryRow,                  // large_binary, large_utf8
    &kBinaryViewRow, &kBinaryViewRow,                    // binary_view, utf8_view
    &kListRow, &kLargeListRow,                           // list, large_list
    &kViewRow, &kLargeViewRow, &kFixedListRow,           // list_view, large_list_view, fixed_size_list
    &kStructRow, &kListRow,                              // struct, map
    &kSparseRow, &kDenseRow,                             // unions
    &kDictionaryRow, &kRunEnd32Row,                      // dictionary, run_end_encoded
    &kNullRow,                                           // extension
};
// clang-format on

}  // namespace

const Layout& LayoutOf(TypeId id) noexcept { return *kRows[static_cast<size_t>(id)]; }

const Layout& internal::RunEndLayout(int bits) noexcept {
  if (bits == 16) return kRunEnd16Row;
  return bits == 64 ? kRunEnd64Row : kRunEnd32Row;
}

int64_t BufferBitWidth(const DataType& type, int i) noexcept {
  const BufferSpec& spec = type.layout().buffers[static_cast<size_t>(i)];
  if (spec.bit_width != 0 || spec.role != kValues) return spec.bit_width;
  const bool is_dictionary = type.layout().id == LayoutId::kDictionary;
  return int64_t{8} * (is_dictionary ? type.index_type().byte_width() : type.byte_width());
}

int64_t BufferBytesNeeded(const DataType& type, int i, int64_t slots) noexcept {
  const BufferSpec& spec = type.layout().buffers[static_cast<size_t>(i)];
  if (slots == 0 || spec.role == kData) return 0;
  if (spec.bit_width == 1) return BytesForBits(slots);
  const int64_t slot_bytes = BufferBitWidth(type, i) / 8;
  const int64_t counted = spec.role == kOffsets ? slots + 1 : slots;
  int64_t bytes = 0;
  if (MultiplyOverflows(counted, slot_bytes, &bytes)) return std::numeric_limits<int64_t>::max();
  return bytes;
}

}  // namespace sheaf::inline v1
