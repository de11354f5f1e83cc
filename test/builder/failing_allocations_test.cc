// One table of builders x operations: for every operation and every k, allocation number k fails,
// and the builder is as it was — length, null count, flag, bytes used, chunks, and what `Finish`
// gives. Then the same call succeeds. A builder type without a row fails the test.

#include <functional>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/array/chunked_array.h"
#include "sheaf/array/dictionary_array.h"
#include "sheaf/array/run_end_array.h"
#include "sheaf/builder/binary_builder.h"
#include "sheaf/builder/binary_view_builder.h"
#include "sheaf/builder/boolean_builder.h"
#include "sheaf/builder/dictionary_builder.h"
#include "sheaf/builder/fixed_size_list_builder.h"
#include "sheaf/builder/fixed_width_builder.h"
#include "sheaf/builder/list_builder.h"
#include "sheaf/builder/list_view_builder.h"
#include "sheaf/builder/map_builder.h"
#include "sheaf/builder/null_builder.h"
#include "sheaf/builder/struct_builder.h"
#include "sheaf/builder/union_builder.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/builders.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

using Action = std::function<Status(ArrayBuilder&)>;

struct Operation {
  std::string name;
  Action action;
  Action before = [](ArrayBuilder&) {
    return OkStatus();
  };  ///< With memory: opens a list and fills it.
  /// Whether `before` left something open, so that the rows cannot be looked at meanwhile.
  bool open = false;
};

/// The part of the table that belongs to one class of builders, typed.
template <typename Builder, typename Function>
Operation Own(std::string name, Function function) {
  return {std::move(name), [function](ArrayBuilder& builder) {
            SHEAF_RETURN_IF_ERROR(Builder::CheckBuilds(builder.type()));  // Else the cast is wrong.
            return function(static_cast<Builder&>(builder));
          }};
}

/// An operation on what another one opens.
template <typename Builder, typename Before, typename Function>
Operation OnOpen(std::string name, Before before, Function function) {
  Operation operation = Own<Builder>(std::move(name), function);
  operation.before = Own<Builder>("", before).action;
  operation.open = true;
  return operation;
}

// The table.

/// What every builder can do. `many` gives more than any capacity that an earlier append left.
std::vector<Operation> CommonOperations(const DataType& type) {
  Random random(7);
  const Array few = RandomArray(type, {.length = 5, .shape = ViewShape::kGaps}, random);
  const Array many =
      RandomArray(type, {.length = 300, .shape = ViewShape::kOverlapping, .sliced = true}, random);
  const Array packed =
      RandomArray(type, {.length = 40, .null_rate = 0, .shape = ViewShape::kPacked}, random);
  const ChunkedArray chunks = *ChunkedArray::Make(type, {few, packed, many});
  static const std::vector<int64_t> positions = {100, 103, 104, 390, 699};
  return {
      {"AppendNull", [](ArrayBuilder& builder) { return builder.AppendNull(); }},
      {"AppendNulls", [](ArrayBuilder& builder) { return builder.AppendNulls(700); }},
      {"AppendEmptyValue", [](ArrayBuilder& builder) { return builder.AppendEmptyValue(); }},
      {"AppendEmptyValues", [](ArrayBuilder& builder) { return builder.AppendEmptyValues(700); }},
      {"AppendArray", [many](ArrayBuilder& builder) { return builder.AppendArray(many); }},
      {"AppendArray packed",
       [packed](ArrayBuilder& builder) { return builder.AppendArray(packed); }},
      {"AppendArray slice",
       [many](ArrayBuilder& builder) { return builder.AppendArray(many, 13, 200); }},
      {"AppendChunked", [chunks](ArrayBuilder& builder) { return builder.AppendChunked(chunks); }},
      {"AppendRepeated",
       [many](ArrayBuilder& builder) { return builder.AppendRepeated(many, 8, 300); }},
      {"AppendRepeated null",
       [type](ArrayBuilder& builder) {
         return builder.AppendRepeated(*MakeNullArray(type, 1), 0, 300);
       }},
      {"AppendSparse",
       [few, packed](ArrayBuilder& builder) {
         return builder.AppendSparse(packed.Row(3), positions, few, 100, 600);
       }},
      {"AppendSparse null",
       [type, few](ArrayBuilder& builder) {
         return builder.AppendSparse(*MakeNullArray(type, 1), positions, few, 100, 600);
       }},
      {"Reserve", [](ArrayBuilder& builder) { return builder.Reserve(2000); }},
      {"Mark", [](ArrayBuilder& builder) { return builder.Mark().status(); }},
      {"AppendArray rolled back",
       [many](ArrayBuilder& builder) {
         SHEAF_ASSIGN_OR_RETURN(const BuilderMark mark, builder.Mark());
         const Status status = builder.AppendArray(many);
         SHEAF_RETURN_IF_ERROR(builder.RollBack(mark));
         return status;
       }},
      {"ReserveFor", [chunks](ArrayBuilder& builder) { return builder.ReserveFor(chunks); }},
  };
}

std::vector<Operation> NullOperations() { return {}; }

std::vector<Operation> BooleanOperations() {
  static const std::vector<uint8_t> bits(100, 0x5A);
  return {
      Own<BooleanBuilder>("Append", [](BooleanBuilder& builder) { return builder.Append(true); }),
      Own<BooleanBuilder>(
          "AppendValues",
          [](BooleanBuilder& builder) { return builder.AppendValues({bits.data(), 3, 790}); }),
      Own<BooleanBuilder>("AppendValues with nulls",
                          [](BooleanBuilder& builder) {
                            return builder.AppendValues({bits.data(), 3, 790},
                                                        {bits.data(), 1, 790});
                          }),
      Own<BooleanBuilder>(
          "AppendUninitialized",
          [](BooleanBuilder& builder) { return builder.AppendUninitialized(5000).status(); }),
      OnOpen<BooleanBuilder>(
          "Commit",
          [](BooleanBuilder& builder) -> Status {
            SHEAF_ASSIGN_OR_RETURN(const MutableBitSpan window, builder.AppendUninitialized(790));
            CopyBits({bits.data(), 3, 790}, window.bytes, window.bit_offset);
            return OkStatus();
          },
          [](BooleanBuilder& builder) { return builder.Commit(790, {bits.data(), 1, 790}); }),
  };
}

template <typename T>
std::vector<Operation> FixedWidthOperations() {
  using Builder = FixedWidthBuilder<T>;
  static const std::vector<uint8_t> bits(100, 0x5A);
  static const std::vector<T> values(700, T{3});
  return {
      Own<Builder>("Append", [](Builder& builder) { return builder.Append(T{1}); }),
      Own<Builder>("AppendValues", [](Builder& builder) { return builder.AppendValues(values); }),
      Own<Builder>(
          "AppendValues with nulls",
          [](Builder& builder) { return builder.AppendValues(values, {bits.data(), 5, 700}); }),
      Own<Builder>("AppendUninitialized",
                   [](Builder& builder) { return builder.AppendUninitialized(700).status(); }),
      OnOpen<Builder>(
          "Commit",
          [](Builder& builder) -> Status {
            SHEAF_ASSIGN_OR_RETURN(const std::span<T> window, builder.AppendUninitialized(700));
            std::copy(values.begin(), values.end(), window.begin());
            return OkStatus();
          },
          [](Builder& builder) { return builder.Commit(700, {bits.data(), 5, 700}); }),
  };
}

std::vector<Operation> FixedSizeBinaryOperations() {
  using Builder = FixedSizeBinaryBuilder;
  static const std::vector<uint8_t> bytes(32 * 700, 0);
  static const std::vector<uint8_t> bits(100, 0x5A);
  return {
      Own<Builder>("Append",
                   [](Builder& builder) {
                     return builder.Append(
                         {bytes.data(), static_cast<size_t>(builder.byte_width())});
                   }),
      Own<Builder>("AppendBytes",
                   [](Builder& builder) {
                     return builder.AppendBytes(bytes.data(), 700, {bits.data(), 5, 700});
                   }),
      Own<Builder>("AppendUninitialized",
                   [](Builder& builder) { return builder.AppendUninitialized(700).status(); }),
      OnOpen<Builder>(
          "Commit",
          [](Builder& builder) -> Status {
            SHEAF_ASSIGN_OR_RETURN(const std::span<uint8_t> window,
                                   builder.AppendUninitialized(700));
            std::copy_n(bytes.begin(), window.size(), window.begin());
            return OkStatus();
          },
          [](Builder& builder) { return builder.Commit(700, {bits.data(), 5, 700}); }),
  };
}

template <typename Offset>
std::vector<Operation> BinaryOperations() {
  using Builder = BasicBinaryBuilder<Offset>;
  static const std::vector<std::string_view> values(300, "seven letters");
  static const std::vector<uint8_t> bits(100, 0x5A);
  return {
      Own<Builder>("Append",
                   [](Builder& builder) { return builder.Append("a text of some length"); }),
      Own<Builder>("AppendValues", [](Builder& builder) { return builder.AppendValues(values); }),
      Own<Builder>(
          "AppendValues with nulls",
          [](Builder& builder) { return builder.AppendValues(values, {bits.data(), 5, 300}); }),
      Own<Builder>("ReserveData", [](Builder& builder) { return builder.ReserveData(5000); }),
      Own<Builder>(
          "AppendUninitialized",
          [](Builder& builder) { return builder.AppendUninitialized(700, 5000).status(); }),
      OnOpen<Builder>(
          "Commit",
          [](Builder& builder) -> Status {
            SHEAF_ASSIGN_OR_RETURN(const BinaryWindow<Offset> window,
                                   builder.AppendUninitialized(700, 5000));
            std::fill(window.sizes.begin(), window.sizes.end(), 3);
            std::fill(window.data.begin(), window.data.end(), 'x');
            return OkStatus();
          },
          [](Builder& builder) { return builder.Commit(700, {bits.data(), 5, 700}); }),
  };
}

std::vector<Operation> BinaryViewOperations() {
  using Builder = BinaryViewBuilder;
  static const std::vector<std::string_view> values(300, "more than twelve letters");
  static const std::vector<uint8_t> bits(100, 0x5A);
  return {
      Own<Builder>("Append short", [](Builder& builder) { return builder.Append("twelve bytes"); }),
      Own<Builder>("Append",
                   [](Builder& builder) { return builder.Append("a text of some length"); }),
      Own<Builder>("AppendValues", [](Builder& builder) { return builder.AppendValues(values); }),
      Own<Builder>(
          "AppendValues with nulls",
          [](Builder& builder) { return builder.AppendValues(values, {bits.data(), 5, 300}); }),
      Own<Builder>("ReserveData", [](Builder& builder) { return builder.ReserveData(50'000); }),
      Own<Builder>(
          "AppendUninitialized",
          [](Builder& builder) { return builder.AppendUninitialized(700, 50'000).status(); }),
      OnOpen<Builder>(
          "Commit",
          [](Builder& builder) -> Status {
            SHEAF_ASSIGN_OR_RETURN(const BinaryWindow<int32_t> window,
                                   builder.AppendUninitialized(700, 50'000));
            for (size_t i = 0; i < 700; ++i) window.sizes[i] = i % 2 == 0 ? 3 : 30;
            std::fill(window.data.begin(), window.data.end(), 'x');
            return OkStatus();
          },
          [](Builder& builder) { return builder.Commit(700, {bits.data(), 5, 700}); }),
  };
}

/// What lists, list-views and fixed-size lists have in common. \param size  of every list.
template <typename Builder>
std::vector<Operation> ListOperations(int64_t size) {
  const Array elements = Range(0, size);
  std::vector<Operation> operations = {
      Own<Builder>("AppendList",
                   [elements](Builder& builder) { return builder.AppendList(elements); }),
      Own<Builder>(
          "AppendRepeatedList",
          [elements](Builder& builder) { return builder.AppendRepeatedList(elements, 50); }),
      OnOpen<Builder>(
          "EndList",
          [elements](Builder& builder) {
            builder.BeginList();
            return builder.elements().AppendArray(elements);
          },
          [](Builder& builder) { return builder.EndList(); }),
      Own<Builder>("AppendUniform",
                   [many = Range(0, 20 * size), size](Builder& builder) {
                     return builder.AppendUniform(many, size);
                   }),
      Own<Builder>("AppendUniform values",
                   [size](Builder& builder) {
                     const std::vector<int32_t> values(static_cast<size_t>(20 * size), 3);
                     return builder.AppendUniform(std::span<const int32_t>(values), size);
                   }),
  };
  return operations;
}

template <typename Offset>
std::vector<Operation> ListViewOperations() {
  using Builder = BasicListViewBuilder<Offset>;
  std::vector<Operation> operations = ListOperations<Builder>(200);
  static const std::vector<Offset> offsets(300, 2);
  static const std::vector<Offset> sizes(300, 90);
  static const std::vector<uint8_t> bits(100, 0x5A);
  const Array elements = Range(0, 100);
  operations.push_back(Own<Builder>("AppendViews", [elements](Builder& builder) {
    return builder.AppendViews(elements, offsets, sizes);
  }));
  operations.push_back(Own<Builder>("AppendViews with nulls", [elements](Builder& builder) {
    return builder.AppendViews(elements, offsets, sizes, {bits.data(), 5, 300});
  }));
  const Array source = ListViewsOver(elements, {40, 2, 7}, {30, 5, 0}, "110");
  operations.push_back(Own<Builder>("AddSource, AppendViews", [source](Builder& builder) -> Status {
    SHEAF_ASSIGN_OR_RETURN(const SourceHandle handle, builder.AddSource(source));
    return builder.AppendViews(handle, 0, 3);
  }));
  operations.push_back(
      Own<Builder>("AddSource, AppendRepeated", [source](Builder& builder) -> Status {
        SHEAF_ASSIGN_OR_RETURN(const SourceHandle handle, builder.AddSource(source));
        return builder.AppendRepeated(handle, 1, 700);
      }));
  static const std::vector<Offset> none(700, 0);
  static const std::vector<uint8_t> many_bits(100, 0x5A);
  operations.push_back(Own<Builder>("AppendViewsOfStored", [](Builder& builder) {
    // One element of what there is, or nothing of nothing.
    const std::vector<Offset> ones(700, builder.elements().length() > 0 ? 1 : 0);
    return builder.AppendViewsOfStored(none, ones, {many_bits.data(), 3, 700});
  }));
  return operations;
}

std::vector<Operation> StructOperations() {
  const auto one_field = [](StructBuilder& builder) { return builder.field(0).AppendEmptyValue(); };
  const auto all_fields = [](StructBuilder& builder) {
    for (int i = 0; i < builder.num_fields(); ++i) {
      SHEAF_RETURN_IF_ERROR(builder.field(i).AppendEmptyValue());
    }
    return OkStatus();
  };
  return {
      OnOpen<StructBuilder>("EndRow", all_fields,
                            [](StructBuilder& builder) { return builder.EndRow(); }),
      OnOpen<StructBuilder>(
          "EndRow with nulls", one_field,
          [](StructBuilder& builder) { return builder.EndRow(MissingFields::kNull); }),
  };
}

std::vector<Operation> DictionaryOperations() {
  using Builder = DictionaryBuilder;
  static const std::vector<std::string_view> values = {"one", "two", "", "one", "seventeen"};
  static const std::vector<uint8_t> bits = {0b10111};
  MaybeTexts texts;
  for (int i = 0; i < 300; ++i) texts.push_back(std::to_string(i * i % 211));
  const Array plain = Utf8s(texts);
  const Array other = *DictionaryArray::Make(Ints({3, 0, kNull, 299}, UInt32()), plain);
  return {
      Own<Builder>("Append", [](Builder& builder) { return builder.Append("a text"); }),
      Own<Builder>("AppendValues",
                   [](Builder& builder) {
                     return builder.AppendValues(std::span<const std::string_view>(values),
                                                 {bits.data(), 0, 5});
                   }),
      Own<Builder>("AppendArray of values",
                   [plain](Builder& builder) { return builder.AppendArray(plain); }),
      Own<Builder>("AppendArray of another dictionary",
                   [other](Builder& builder) { return builder.AppendArray(other); }),
      Own<Builder>("AppendRepeated of a value",
                   [plain](Builder& builder) { return builder.AppendRepeated(plain, 8, 700); }),
      Own<Builder>("DictionaryDelta",
                   [](Builder& builder) { return builder.DictionaryDelta().status(); }),
  };
}

std::vector<Operation> MapOperations() {
  const auto open_map = [](MapBuilder& builder) {
    builder.BeginMap();
    for (int i = 0; i < 100; ++i) {
      SHEAF_RETURN_IF_ERROR(builder.keys().AppendEmptyValue());
      SHEAF_RETURN_IF_ERROR(builder.items().AppendNull());
    }
    return OkStatus();
  };
  return {
      OnOpen<MapBuilder>("EndMap", open_map, [](MapBuilder& builder) { return builder.EndMap(); })};
}

std::vector<Operation> UnionOperations() {
  const auto one_value = [](UnionBuilder& builder) { return builder.child(1).AppendEmptyValue(); };
  return {OnOpen<UnionBuilder>("Append", one_value,
                               [](UnionBuilder& builder) { return builder.Append(5); })};
}

/// Plain values are encoded.
std::vector<Operation> RunEndOperations() {
  MaybeInts values;
  for (int i = 0; i < 600; ++i) values.push_back(i * i % 7);
  const Array plain = Ints(values);
  const Array runs = *RunEndArray::Make(Ints({250, 600, 900}, Int16()), Ints({4, kNull, 1}));
  return {
      {"AppendArray of values",
       [plain](ArrayBuilder& builder) { return builder.AppendArray(plain); }},
      {"AppendRepeated of a value",
       [plain](ArrayBuilder& builder) { return builder.AppendRepeated(plain, 3, 700); }},
      {"AppendArray of narrower run ends",
       [runs](ArrayBuilder& builder) { return builder.AppendArray(runs, 100, 700); }},
  };
}

const std::map<TypeId, std::vector<Operation>>& Table() {
  static const std::map<TypeId, std::vector<Operation>> table = {
      {TypeId::kNull, NullOperations()},
      {TypeId::kBoolean, BooleanOperations()},
      {TypeId::kInt8, FixedWidthOperations<int8_t>()},
      {TypeId::kUInt8, FixedWidthOperations<uint8_t>()},
      {TypeId::kInt16, FixedWidthOperations<int16_t>()},
      {TypeId::kUInt16, FixedWidthOperations<uint16_t>()},
      {TypeId::kInt32, FixedWidthOperations<int32_t>()},
      {TypeId::kUInt32, FixedWidthOperations<uint32_t>()},
      {TypeId::kInt64, FixedWidthOperations<int64_t>()},
      {TypeId::kUInt64, FixedWidthOperations<uint64_t>()},
      {TypeId::kFloat16, FixedWidthOperations<uint16_t>()},
      {TypeId::kFloat32, FixedWidthOperations<float>()},
      {TypeId::kFloat64, FixedWidthOperations<double>()},
      {TypeId::kDate32, FixedWidthOperations<int32_t>()},
      {TypeId::kDate64, FixedWidthOperations<int64_t>()},
      {TypeId::kTime32, FixedWidthOperations<int32_t>()},
      {TypeId::kTime64, FixedWidthOperations<int64_t>()},
      {TypeId::kTimestamp, FixedWidthOperations<int64_t>()},
      {TypeId::kDuration, FixedWidthOperations<int64_t>()},
      {TypeId::kIntervalMonths, FixedWidthOperations<int32_t>()},
      {TypeId::kIntervalDayTime, FixedSizeBinaryOperations()},
      {TypeId::kIntervalMonthDayNano, FixedSizeBinaryOperations()},
      {TypeId::kDecimal32, FixedWidthOperations<int32_t>()},
      {TypeId::kDecimal64, FixedWidthOperations<int64_t>()},
      {TypeId::kDecimal128, FixedSizeBinaryOperations()},
      {TypeId::kDecimal256, FixedSizeBinaryOperations()},
      {TypeId::kFixedSizeBinary, FixedSizeBinaryOperations()},
      {TypeId::kBinary, BinaryOperations<int32_t>()},
      {TypeId::kUtf8, BinaryOperations<int32_t>()},
      {TypeId::kLargeBinary, BinaryOperations<int64_t>()},
      {TypeId::kLargeUtf8, BinaryOperations<int64_t>()},
      {TypeId::kBinaryView, BinaryViewOperations()},
      {TypeId::kUtf8View, BinaryViewOperations()},
      {TypeId::kList, ListOperations<ListBuilder>(200)},
      {TypeId::kLargeList, ListOperations<LargeListBuilder>(200)},
      {TypeId::kListView, ListViewOperations<int32_t>()},
      {TypeId::kLargeListView, ListViewOperations<int64_t>()},
      {TypeId::kFixedSizeList, ListOperations<FixedSizeListBuilder>(2)},
      {TypeId::kStruct, StructOperations()},
      {TypeId::kDictionary, DictionaryOperations()},
      {TypeId::kMap, MapOperations()},
      {TypeId::kSparseUnion, UnionOperations()},
      {TypeId::kDenseUnion, UnionOperations()},
      {TypeId::kRunEndEncoded, RunEndOperations()},
      {TypeId::kExtension, FixedWidthOperations<int32_t>()},
  };
  return table;
}

/// Deeper trees, for the operations that all builders share: several children of which a later one
/// fails. The last has so many that a mark of it takes memory.
std::vector<DataType> DeepTypes() {
  std::vector<Field> fields;
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
    fields.emplace_back(name, ListView(Utf8()));
  }
  return {
      TypeFrom("struct<a: utf8, b: list_view<int32>, c: list<utf8>>"),
      TypeFrom("list_view<struct<a: int32, b: list_view<utf8>>>"),
      TypeFrom("list<fixed_size_list<bool>[3]>"),
      TypeFrom("struct<a: fixed_size_binary[0], b: list_view<fixed_size_binary[3]>>"),
      TypeFrom("struct<a: utf8_view, b: list_view<utf8_view>, c: list<binary_view>>"),
      TypeFrom("large_list_view<list<large_list_view<float64>>>"),
      TypeFrom("struct<a: dictionary<int32, list<utf8>>, b: list_view<dictionary<int16, utf8>>>"),
      TypeFrom("dictionary<int32, dictionary<int16, utf8>>"),
      Map(Utf8(), Field("value", *RunEndEncoded(Int32(), Field("values", ListView(Utf8()))))),
      *RunEndEncoded(Int64(), Field("values", Struct({Field("a", Int32()), Field("b", Utf8())}))),
      *Union(TypeId::kDenseUnion,
             {Field("a", ListView(Utf8())),
              Field("b", *RunEndEncoded(Int32(), Field("values", Utf8())))},
             {2, 5}),
      ListView(
          *Union(TypeId::kSparseUnion, {Field("a", List(Utf8())), Field("b", Int8())}, {3, 1})),
      Struct({Field("a", Int32(), /*nullable=*/false),
              Field("b", List(Field("item", Utf8(), false)))}),
      Struct(fields),
  };
}

// The check.

struct State {
  int64_t length = 0;
  int64_t null_count = 0;
  int64_t bytes_used = 0;
  int64_t chunk_count = 0;
  std::optional<bool> flag;
  friend bool operator==(const State&, const State&) = default;
  friend void PrintTo(const State& state, std::ostream* out) {
    *out << "length " << state.length << ", nulls " << state.null_count << ", bytes "
         << state.bytes_used << ", chunks " << state.chunk_count << ", flag "
         << (state.flag.has_value() ? *state.flag + 0 : -1);
  }
};

State StateOf(ArrayBuilder& builder) {
  State state = {
      builder.length(), builder.null_count(), builder.bytes_used(), builder.chunk_count(), {}};
  if (builder.type().id() == TypeId::kListView) {
    state.flag = static_cast<ListViewBuilder&>(builder).zero_copy_to_list();
  }
  if (builder.type().id() == TypeId::kLargeListView) {
    state.flag = static_cast<LargeListViewBuilder&>(builder).zero_copy_to_list();
  }
  return state;
}

/// What a builder holds before the operation: `rows` rows, the last one null.
Array RowsBefore(const DataType& type, int64_t rows) {
  Random random(3);
  return RandomArray(type, {.length = rows, .null_rate = 0.2, .shape = ViewShape::kGaps}, random);
}

std::unique_ptr<ArrayBuilder> Prepared(const BuilderOptions& options, const Array& rows) {
  auto builder = BuilderOf(rows.type(), options);
  if (rows.length() == 0) return builder;
  EXPECT_OK(builder->AppendArray(rows, 0, rows.length() - 1));
  EXPECT_OK(builder->AppendNull());
  return builder;
}

/// Values and the elements stored, of a dictionary its values: a failed append leaves none behind.
struct Outcome {
  Values values;
  int64_t elements = 0;
  friend bool operator==(const Outcome&, const Outcome&) = default;
  friend void PrintTo(const Outcome& outcome, std::ostream* out) {
    *out << outcome.elements << " elements, " << ToText(outcome.values);
  }
};

Outcome OutcomeOf(ArrayBuilder& builder) {
  const Array array = Finished(builder);
  if (array.has_dictionary()) return {Read(array), array.dictionary().length()};
  return {Read(array), array.num_children() > 0 ? array.child(0).length() : 0};
}

class Check {
 public:
  Check(const BuilderOptions& options, const Array& rows, const Operation& operation)
      : rows_(rows), operation_(operation), options_(options) {
    options_.pool = &pool_;
  }

  void Run() {
    const Outcome before = Expected(/*with_operation=*/false);
    const Outcome after = Expected(/*with_operation=*/true);
    for (const bool for_good : {false, true}) {
      for (int64_t k = 0; FailsAt(k, for_good, before, after); ++k) {
        if (::testing::Test::HasFailure()) return;
        ASSERT_LT(k, 1000) << "no end of allocations";
      }
    }
  }

 private:
  Outcome Expected(bool with_operation) {
    const auto builder = Prepared(options_, rows_);
    if (with_operation) {
      EXPECT_OK(operation_.before(*builder));
      EXPECT_OK(operation_.action(*builder));
    }
    return OutcomeOf(*builder);
  }

  /// False once the operation has fewer than k + 1 allocations.
  bool FailsAt(int64_t k, bool for_good, const Outcome& before, const Outcome& after) {
    SCOPED_TRACE("allocation " + std::to_string(k));
    const auto builder = Prepared(options_, rows_);
    EXPECT_OK(operation_.before(*builder));
    const State state = StateOf(*builder);
    pool_.FailAt(k, for_good);
    const Status status = operation_.action(*builder);
    const bool failed = pool_.failed();
    pool_.SwitchOff();
    if (!failed) {
      EXPECT_OK(status);
      return false;
    }
    if (status.ok()) return true;  // A refusal that was not needed: growth tried in vain, say.
    EXPECT_THAT(status, StatusIs(StatusCode::kResourceExhausted));
    EXPECT_EQ(StateOf(*builder), state);
    // What is open is closed by trying again; else every second time the rows are looked at first.
    if (operation_.open || k % 2 == 1) {
      EXPECT_OK(operation_.action(*builder));
      EXPECT_EQ(OutcomeOf(*builder), after);
    } else {
      EXPECT_EQ(OutcomeOf(*builder), before);
      EXPECT_OK(operation_.action(*builder));  // The builder is as good as new.
    }
    return true;
  }

  Array rows_;
  const Operation& operation_;
  FailingPool pool_;
  BuilderOptions options_;
};

using Result = std::function<Status(ArrayBuilder&)>;

/// `finish` that fails leaves the builder unchanged and may be tried again.
void CheckFinish(BuilderOptions options, const Array& rows, const Result& finish) {
  FailingPool pool;
  options.pool = &pool;
  Random random(5);
  const Array more = RandomArray(rows.type(), {.length = 60, .sliced = true}, random);
  const auto fill = [&](ArrayBuilder& builder) {
    EXPECT_OK(builder.AppendArray(more));
    EXPECT_OK(builder.AppendArray(more, 20, 30));
  };
  const auto reference = Prepared(options, rows);
  fill(*reference);
  const Outcome expected = OutcomeOf(*reference);
  for (int64_t k = 0; k < 1000; ++k) {
    SCOPED_TRACE("allocation " + std::to_string(k));
    const auto builder = Prepared(options, rows);
    fill(*builder);
    const State state = StateOf(*builder);
    pool.FailAt(k);
    const Status status = finish(*builder);
    const bool failed = pool.failed();
    pool.SwitchOff();
    if (!failed) {
      EXPECT_OK(status);
      return;
    }
    if (status.ok()) continue;
    EXPECT_THAT(status, StatusIs(StatusCode::kResourceExhausted));
    EXPECT_EQ(StateOf(*builder), state);
    EXPECT_EQ(OutcomeOf(*builder), expected);
    if (::testing::Test::HasFailure()) return;
  }
}

/// What gives arrays.
const std::map<std::string, Result>& Results() {
  static const std::map<std::string, Result> results = {
      {"Finish", [](ArrayBuilder& builder) { return builder.Finish().status(); }},
      {"FinishChunked", [](ArrayBuilder& builder) { return builder.FinishChunked().status(); }},
      {"Snapshot", [](ArrayBuilder& builder) { return builder.Snapshot().status(); }},
  };
  return results;
}

/// What really cuts is in new_chunk_failing_test.cc.
const BuilderOptions kMayCut = {.min_chunk_bytes = 1024, .on_overflow = OnOverflow::kNewChunk};

std::vector<BuilderOptions> AllOptions() {
  return {BuilderOptions{}, kKeepAll, kKeepNone, kMayCut};
}

void CheckType(const DataType& type, const std::vector<Operation>& operations) {
  for (const BuilderOptions& options : AllOptions()) {
    for (const int64_t rows : {0, 64}) {
      SCOPED_TRACE(type.ToString() + ", kept from " + std::to_string(options.min_chunk_bytes) +
                   " bytes, " + std::to_string(rows) + " rows before");
      for (const Operation& operation : operations) {
        SCOPED_TRACE(operation.name);
        Check(options, RowsBefore(type, rows), operation).Run();
        if (::testing::Test::HasFailure()) return;
      }
      for (const auto& [name, finish] : Results()) {
        SCOPED_TRACE(name);
        CheckFinish(options, RowsBefore(type, rows), finish);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(FailingAllocationsTest, EveryBuilderHasARowInTheTable) {
  for (const TypeId id : AllTypeIds()) {
    const DataType type = SampleType(id);
    EXPECT_EQ(MakeBuilder(type).ok(), Table().contains(id)) << type.ToString();
  }
}

TEST(FailingAllocationsTest, AFailedOperationOfAnyBuilderChangesNothing) {
  for (const auto& [id, own] : Table()) {
    const DataType type = SampleType(id);
    std::vector<Operation> operations = CommonOperations(type);
    operations.insert(operations.end(), own.begin(), own.end());
    CheckType(type, operations);
    if (HasFailure()) return;
  }
}

TEST(FailingAllocationsTest, AFailedOperationOfATreeOfBuildersChangesNothing) {
  for (const DataType& type : DeepTypes()) {
    CheckType(type, CommonOperations(type));
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace sheaf
