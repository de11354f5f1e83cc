#include "testing/random_arrays.h"

#include <algorithm>
#include <string>

#include "sheaf/type/field.h"
#include "testing/raw_buffers.h"

namespace sheaf::testing {
namespace {

constexpr int64_t kMillisecondsPerDay = 86'400'000;

/// Makes one array; children are drawn by makers of their own.
class Maker {
 public:
  Maker(const RandomOptions& options, Random& random) : options_(options), random_(random) {}

  /// `length` rows; where windows are wanted, rows before and behind are cut off.
  Array Make(const DataType& type, int64_t length, bool nullable) {
    if (!options_.sliced) return MakeWhole(type, length, nullable);
    const int64_t before = Draw(random_, 0, 11);
    const int64_t behind = Draw(random_, 0, 3);
    return MakeWhole(type, before + length + behind, nullable).Slice(before, length);
  }

 private:
  Array MakeWhole(const DataType& type, int64_t length, bool nullable);

  Array Child(const DataType& type, int i, int64_t length) {
    const Field& field = type.storage().field(i);
    return Make(field.type(), length, field.nullable());
  }

  Buffer Validity(int64_t length, bool nullable, bool all_null) {
    if (!nullable || (!all_null && options_.null_rate == 0)) return {};
    std::vector<bool> bits;
    for (int64_t i = 0; i < length; ++i)
      bits.push_back(!all_null && !Chance(random_, options_.null_rate));
    return Bits(bits);
  }

  std::vector<int64_t> Integers(int64_t length, int64_t least, int64_t most) {
    std::vector<int64_t> values;
    for (int64_t i = 0; i < length; ++i) values.push_back(Draw(random_, least, most));
    return values;
  }

  Buffer FixedWidth(const DataType& storage, int64_t length);
  Buffer Decimals(const DataType& storage, int64_t length);
  std::string Bytes(bool utf8);
  void AddBinary(ArrayParts* parts);
  void AddBinaryViews(ArrayParts* parts);
  void AddLists(ArrayParts* parts);
  void AddListViews(ArrayParts* parts, ViewShape shape);
  void AddUnion(ArrayParts* parts, bool dense);
  void AddDictionary(ArrayParts* parts);
  void AddRuns(ArrayParts* parts);

  const RandomOptions& options_;
  Random& random_;
};

Buffer Maker::Decimals(const DataType& storage, int64_t length) {
  std::vector<uint8_t> bytes;
  for (int64_t i = 0; i < length; ++i) {
    const int64_t value = Draw(random_, -99'999, 99'999);
    for (int byte = 0; byte < storage.byte_width(); ++byte) {
      bytes.push_back(static_cast<uint8_t>(byte < 8 ? value >> (8 * byte) : value >> 63));
    }
  }
  return ValuesBuffer(bytes);
}

Buffer Maker::FixedWidth(const DataType& storage, int64_t length) {
  const int bits = storage.byte_width() * 8;
  if (IsDecimal(storage.id())) return Decimals(storage, length);
  switch (storage.id()) {
    case TypeId::kFloat32: {
      std::vector<float> values;
      for (const int64_t value : Integers(length, -1000, 1000))
        values.push_back(static_cast<float>(value) / 8);
      return ValuesBuffer(values);
    }
    case TypeId::kFloat64: {
      std::vector<double> values;
      for (const int64_t value : Integers(length, -1000, 1000))
        values.push_back(static_cast<double>(value) / 8);
      return ValuesBuffer(values);
    }
    case TypeId::kDate64: {
      std::vector<int64_t> values = Integers(length, -10'000, 10'000);
      for (int64_t& value : values) value *= kMillisecondsPerDay;
      return testing::Integers(values, 64);
    }
    case TypeId::kTime32:
    case TypeId::kTime64:
      return testing::Integers(Integers(length, 0, 86'399), bits);
    default:
      break;
  }
  std::vector<uint8_t> bytes;  // Any bits will do.
  for (int64_t i = 0; i < length * storage.byte_width(); ++i)
    bytes.push_back(static_cast<uint8_t>(random_()));
  return ValuesBuffer(bytes);
}

std::string Maker::Bytes(bool utf8) {
  const std::string pieces[] = {"a", "B", "7", " ", "ä", "€", "𝄞"};
  std::string text;
  for (int64_t left = Draw(random_, 0, Chance(random_, 0.8) ? 4 : 20); left > 0; --left) {
    if (utf8) {
      text += pieces[Draw(random_, 0, 6)];
    } else {
      text += static_cast<char>(random_());
    }
  }
  return text;
}

void Maker::AddBinary(ArrayParts* parts) {
  std::string data = Bytes(IsUtf8(parts->type.storage().id()));  // The first offset need not be 0.
  std::vector<int64_t> offsets = {static_cast<int64_t>(data.size())};
  for (int64_t i = 0; i < parts->length; ++i) {
    data += Bytes(IsUtf8(parts->type.storage().id()));
    offsets.push_back(static_cast<int64_t>(data.size()));
  }
  parts->buffers.push_back(testing::Integers(offsets, parts->type.layout().offset_bits));
  parts->buffers.push_back(ValuesBuffer(data));
}

void Maker::AddBinaryViews(ArrayParts* parts) {
  std::vector<uint8_t> views(static_cast<size_t>(parts->length) * 16, 0);
  std::string data[2];
  for (int64_t i = 0; i < parts->length; ++i) {
    const std::string bytes = Bytes(IsUtf8(parts->type.storage().id()));
    uint8_t* view = views.data() + i * 16;
    const auto size = static_cast<int32_t>(bytes.size());
    std::copy_n(reinterpret_cast<const uint8_t*>(&size), 4, view);
    std::copy_n(bytes.begin(), std::min<size_t>(bytes.size(), size <= 12 ? 12 : 4), view + 4);
    if (size <= 12) continue;
    const auto buffer = static_cast<int32_t>(Draw(random_, 0, 1));
    const auto offset = static_cast<int32_t>(data[buffer].size());
    std::copy_n(reinterpret_cast<const uint8_t*>(&buffer), 4, view + 8);
    std::copy_n(reinterpret_cast<const uint8_t*>(&offset), 4, view + 12);
    data[buffer] += bytes;
  }
  parts->buffers.push_back(ValuesBuffer(views));
  for (const std::string& bytes : data) parts->buffers.push_back(ValuesBuffer(bytes));
}

void Maker::AddLists(ArrayParts* parts) {
  std::vector<int64_t> offsets = {Draw(random_, 0, 3)};
  for (int64_t i = 0; i < parts->length; ++i) {
    offsets.push_back(offsets.back() + Draw(random_, 0, options_.max_list_size));
  }
  parts->children.push_back(Child(parts->type, 0, offsets.back() + Draw(random_, 0, 2)));
  parts->buffers.push_back(testing::Integers(offsets, parts->type.layout().offset_bits));
}

void Maker::AddListViews(ArrayParts* parts, ViewShape shape) {
  const RandomViews views = MakeViews(shape, parts->length, options_.max_list_size, random_);
  const int bits = parts->type.layout().offset_bits;
  parts->buffers.push_back(testing::Integers(views.offsets, bits));
  parts->buffers.push_back(testing::Integers(views.sizes, bits));
  parts->children.push_back(Child(parts->type, 0, views.elements));
}

void Maker::AddUnion(ArrayParts* parts, bool dense) {
  const DataType& storage = parts->type.storage();
  std::vector<int64_t> type_ids;
  std::vector<int64_t> offsets;
  std::vector<int64_t> lengths(static_cast<size_t>(storage.num_fields()),
                               dense ? 0 : parts->length);
  for (int64_t i = 0; i < parts->length; ++i) {
    const auto child = static_cast<size_t>(Draw(random_, 0, storage.num_fields() - 1));
    type_ids.push_back(storage.type_codes()[child]);
    if (dense) offsets.push_back(lengths[child]++);
  }
  parts->buffers.push_back(testing::Integers(type_ids, 8));
  if (dense) parts->buffers.push_back(testing::Integers(offsets, 32));
  for (int i = 0; i < storage.num_fields(); ++i) {
    parts->children.push_back(Child(storage, i, lengths[static_cast<size_t>(i)]));
  }
}

void Maker::AddDictionary(ArrayParts* parts) {
  const DataType& storage = parts->type.storage();
  const int64_t values = Draw(random_, 1, 10);
  const int bits = storage.index_type().byte_width() * 8;
  parts->buffers.push_back(testing::Integers(Integers(parts->length, 0, values - 1), bits));
  parts->dictionary.push_back(Make(storage.value_type(), values, /*nullable=*/true));
}

void Maker::AddRuns(ArrayParts* parts) {
  const DataType& end_type = parts->type.storage().field(0).type();
  std::vector<int64_t> ends;
  for (int64_t end = 0; end < parts->length;) {
    end = std::min(parts->length, end + Draw(random_, 1, 5));
    ends.push_back(end);
  }
  const auto runs = static_cast<int64_t>(ends.size());
  parts->children.push_back(
      MakeRaw({.type = end_type,
               .length = runs,
               .buffers = {Buffer(), testing::Integers(ends, end_type.byte_width() * 8)}}));
  parts->children.push_back(Child(parts->type, 1, runs));
}

Array Maker::MakeWhole(const DataType& type, int64_t length, bool nullable) {
  const DataType& storage = type.storage();
  const ViewShape shape = options_.shape.value_or(
      kViewShapes[Draw(random_, 0, static_cast<int64_t>(std::size(kViewShapes)) - 1)]);
  const bool all_null = type.layout().id == LayoutId::kListView && shape == ViewShape::kAllNull;
  ArrayParts parts{.type = type, .length = length};
  if (type.layout().has_validity) parts.buffers.push_back(Validity(length, nullable, all_null));
  switch (type.layout().id) {
    case LayoutId::kNull:
      break;
    case LayoutId::kBoolean: {
      std::vector<bool> bits;
      for (int64_t i = 0; i < length; ++i) bits.push_back(Chance(random_, 0.5));
      parts.buffers.push_back(Bits(bits));
      break;
    }
    case LayoutId::kFixedWidth:
      parts.buffers.push_back(FixedWidth(storage, length));
      break;
    case LayoutId::kBinary:
      AddBinary(&parts);
      break;
    case LayoutId::kBinaryView:
      AddBinaryViews(&parts);
      break;
    case LayoutId::kList:
      AddLists(&parts);
      break;
    case LayoutId::kListView:
      AddListViews(&parts, shape);
      break;
    case LayoutId::kFixedSizeList:
      parts.children.push_back(Child(storage, 0, length * storage.list_size()));
      break;
    case LayoutId::kStruct:
      for (int i = 0; i < storage.num_fields(); ++i)
        parts.children.push_back(Child(storage, i, length));
      break;
    case LayoutId::kSparseUnion:
      AddUnion(&parts, /*dense=*/false);
      break;
    case LayoutId::kDenseUnion:
      AddUnion(&parts, /*dense=*/true);
      break;
    case LayoutId::kDictionary:
      AddDictionary(&parts);
      break;
    case LayoutId::kRunEndEncoded:
      AddRuns(&parts);
      break;
  }
  return MakeRaw(std::move(parts));
}

}  // namespace

Array RandomArray(const DataType& type, const RandomOptions& options, Random& random) {
  return Maker(options, random).Make(type, options.length, /*nullable=*/true);
}

}  // namespace sheaf::testing
