// Random programs of builder calls against the naive model: whatever is appended, rolled back or
// refused, and however it is kept, the values are those of plain vectors, and what a builder says
// before `Finish` is the truth about its result.

#include <array>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builder/random_rows.h"
#include "sheaf/array/bytes.h"
#include "sheaf/array/chunked_array.h"
#include "sheaf/array/union_array.h"
#include "sheaf/builder/fixed_size_list_builder.h"
#include "sheaf/builder/list_builder.h"
#include "sheaf/builder/list_view_builder.h"
#include "sheaf/builder/map_builder.h"
#include "sheaf/builder/struct_builder.h"
#include "sheaf/builder/union_builder.h"
#include "sheaf/type/can_append.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/builders.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"
#include "testing/used_bytes.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

/// One builder, the values it should hold, and sources that come again and again.
class Program {
 public:
  Program(const DataType& type, BuilderOptions options, const Random& random)
      : type_(type), random_(random) {
    options.pool = &pool_;
    builder_ = BuilderOf(type, options);
    for (Array& source : sources_) source = Source(type);
  }

  void Run(int steps) {
    for (int i = 0; i < steps && !::testing::Test::HasFailure(); ++i) {
      Step();
      CheckCounts();
    }
    if (!::testing::Test::HasFailure()) Finish();
    for (const auto& [snapshot, values] : snapshots_) EXPECT_THAT(snapshot, ReadsLike(values));
  }

 private:
  Array Source(const DataType& type, bool nulls = true) {
    const RandomOptions options = {.length = Draw(random_, 0, Chance(random_, 0.2) ? 300 : 20),
                                   .null_rate = nulls && Chance(random_, 0.7) ? 0.3 : 0,
                                   // All views may be null, which is one of the shapes.
                                   .shape = nulls ? std::optional<ViewShape>() : ViewShape::kPacked,
                                   .sliced = Chance(random_, 0.5)};
    return RandomArray(type, options, random_);
  }

  /// One of the sources that come again, or a new one, perhaps of another layout of the same
  /// values.
  Array AnySource() {
    if (Chance(random_, 0.6)) return sources_[static_cast<size_t>(Draw(random_, 0, 2))];
    if (HasNullRows(type_) && Chance(random_, 0.2)) {
      return Source(*Dictionary(AnyIndexType(), type_));
    }
    if (Chance(random_, 0.2)) return Source(RunsOf(type_));
    if (type_.id() == TypeId::kRunEndEncoded) {
      return Source(Chance(random_, 0.5) ? type_.value_type() : RunsOf(type_.value_type()));
    }
    if (type_.id() == TypeId::kDictionary) {
      return Source(Chance(random_, 0.5) ? type_.value_type()
                                         : *Dictionary(AnyIndexType(), type_.value_type()));
    }
    if (!IsListLike(type_.id()) || type_.id() == TypeId::kFixedSizeList) return Source(type_);
    const Field& item = type_.field(0);
    switch (Draw(random_, 0, 4)) {
      case 0:
        return Source(List(item));
      case 1:
        return Source(LargeList(item));
      case 2:
        return Source(ListView(item));
      case 3:
        return Source(LargeListView(item));
      default:
        return Source(*FixedSizeList(item, 2));
    }
  }

  /// Whether what a null index becomes reads as a null, and not as one of a union's children.
  static bool HasNullRows(const DataType& type) {
    if (type.layout().id == LayoutId::kDictionary) return HasNullRows(type.value_type());
    return NullOf(type).is_null();
  }

  DataType RunsOf(const DataType& values) {
    return *RunEndEncoded(Chance(random_, 0.5) ? Int16() : Int64(), Field("values", values));
  }

  DataType AnyIndexType() {
    return *SimpleType(static_cast<TypeId>(
        Draw(random_, static_cast<int64_t>(TypeId::kInt8), static_cast<int64_t>(TypeId::kUInt64))));
  }

  void Step() {
    switch (Draw(random_, 0, 20)) {
      case 0:
      case 1:
      case 2:
        return AppendSlice(AnySource());
      case 3:
        return AppendWhole(AnySource());
      case 4:
        return AppendChunks();
      case 5:
        return AppendNulls();
      case 6:
        return AppendEmpty();
      case 7:
        return AppendRepeats(AnySource());
      case 8:
        return AppendLists();
      case 9:
        return Refuse();
      case 10:
        return MeetTheLimit();
      case 11:
      case 12:
        return TakeMark();
      case 13:
        return RollBack();
      case 14:
        return AbandonRow();
      case 15:
        return AppendRow(AnySource());
      case 16:
        return Fail();
      case 17:
        return AppendSparse(AnySource(), AnySource());
      case 18:
      case 19:
        return TakeSnapshot();
      default:
        if (Chance(random_, 0.3)) Finish();
    }
  }

  void AppendWhole(const Array& source) {
    ASSERT_OK(builder_->AppendArray(source));
    Append(&model_, Read(source));
  }

  void AppendSlice(const Array& source) {
    const int64_t offset = Draw(random_, 0, source.length());
    const int64_t length = Draw(random_, 0, source.length() - offset);
    ASSERT_OK(builder_->AppendArray(source, offset, length));
    testing::AppendSlice(&model_, Read(source), offset, length);
  }

  void AppendChunks() {
    ASSERT_OK_AND_ASSIGN(const ChunkedArray chunks,
                         ChunkedArray::Make(type_, {sources_[0], Source(type_)}));
    ASSERT_OK(builder_->AppendChunked(chunks));
    for (const Array& chunk : chunks.chunks()) Append(&model_, Read(chunk));
  }

  void AppendSparse(const Array& fills, const Array& patches) {
    if (fills.length() == 0) return;
    const int64_t row = Draw(random_, 0, fills.length() - 1);
    const Value fill = Read(fills)[static_cast<size_t>(row)];
    const Values patch_values = Read(patches);
    std::vector<int64_t> positions;
    int64_t length = 0;
    for (const Value& patch : patch_values) {
      const int64_t gap = Chance(random_, 0.5) ? 0 : Draw(random_, 0, 5);
      testing::AppendRepeated(&model_, fill, gap);
      model_.push_back(patch);
      positions.push_back(1000 + length + gap);
      length += gap + 1;
    }
    ASSERT_OK(builder_->AppendSparse(fills.Row(row), positions, patches, 1000, length));
  }

  void AppendNulls() {
    const int64_t n = Draw(random_, 0, 9);
    ASSERT_OK(builder_->AppendNulls(n));
    testing::AppendRepeated(&model_, NullOf(type_), n);
  }

  void AppendEmpty() {
    const int64_t n = Draw(random_, 0, 9);
    ASSERT_OK(builder_->AppendEmptyValues(n));
    testing::AppendRepeated(&model_, EmptyValue(type_), n);
  }

  void AppendRepeats(const Array& source) {
    if (source.length() == 0) return;
    const int64_t row = Draw(random_, 0, source.length() - 1);
    const int64_t n = Draw(random_, 0, 12);
    ASSERT_OK(builder_->AppendRepeated(source, row, n));
    testing::AppendRepeated(&model_, Read(source)[static_cast<size_t>(row)], n);
  }

  /// What only builders of lists have.
  void AppendLists() {
    switch (type_.id()) {
      case TypeId::kList:
        return AppendOwnLists(static_cast<ListBuilder&>(*builder_));
      case TypeId::kLargeList:
        return AppendOwnLists(static_cast<LargeListBuilder&>(*builder_));
      case TypeId::kListView:
        return AppendOwnViews(static_cast<ListViewBuilder&>(*builder_));
      case TypeId::kLargeListView:
        return AppendOwnViews(static_cast<LargeListViewBuilder&>(*builder_));
      case TypeId::kMap:
        return AppendOwnLists(static_cast<MapBuilder&>(*builder_));
      default:
        return AppendSlice(AnySource());
    }
  }

  Array Elements() { return Elements(type_); }
  Array Elements(const DataType& list) {
    return Source(list.field(0).type(), list.field(0).nullable());
  }

  template <typename Builder>
  void AppendOwnLists(Builder& builder) {
    const Array elements = Elements();
    const Value list = {ListValue{Read(elements)}};
    switch (Draw(random_, 0, 2)) {
      case 0:
        ASSERT_OK(builder.AppendList(elements));
        return testing::AppendRepeated(&model_, list, 1);
      case 1: {
        const int64_t n = Draw(random_, 0, 4);
        ASSERT_OK(builder.AppendRepeatedList(elements, n));
        return testing::AppendRepeated(&model_, list, n);
      }
      default:
        builder.BeginList();
        EXPECT_THAT(builder.AppendNull(), StatusIs(StatusCode::kFailedPrecondition));
        ASSERT_OK(builder.elements().AppendArray(elements));
        ASSERT_OK(builder.EndList());
        return testing::AppendRepeated(&model_, list, 1);
    }
  }

  template <typename Offset>
  void AppendOwnViews(BasicListViewBuilder<Offset>& builder) {
    if (Chance(random_, 0.5)) return AppendOwnLists(builder);
    const auto shape = kViewShapes[static_cast<size_t>(Draw(random_, 0, 7))];
    const RandomViews views = MakeViews(shape, Draw(random_, 0, 20), 5, random_);
    const Array elements = RandomArray(
        type_.field(0).type(),
        {.length = views.elements, .null_rate = type_.field(0).nullable() ? 0.2 : 0}, random_);
    const std::vector<Offset> offsets(views.offsets.begin(), views.offsets.end());
    const std::vector<Offset> sizes(views.sizes.begin(), views.sizes.end());
    std::vector<bool> valid;
    for (size_t i = 0; i < sizes.size(); ++i) valid.push_back(Chance(random_, 0.8));
    const Buffer bits = Bits(valid);
    ASSERT_OK(builder.AppendViews(elements, offsets, sizes,
                                  {bits.data(), 0, static_cast<int64_t>(sizes.size())}));
    const Values values = Read(elements);
    for (size_t i = 0; i < sizes.size(); ++i) {
      model_.push_back(valid[i] ? Value{ListValue{Slice(values, views.offsets[i], views.sizes[i])}}
                                : Value{NullValue{}});
    }
  }

  /// Appends that must fail and change nothing.
  void Refuse() {
    const int64_t bytes_used = builder_->bytes_used();
    const int64_t chunk_count = builder_->chunk_count();
    const Array other = CanAppend(type_, Int8()).ok() ? Ints({1}) : Ints({1}, Int8());
    EXPECT_THAT(builder_->AppendArray(other), StatusIs(StatusCode::kInvalidArgument));
    const Array& source = sources_[0];
    EXPECT_FALSE(builder_->AppendArray(source, 1, source.length()).ok());
    EXPECT_FALSE(builder_->AppendArray(source, -1, 1).ok());
    EXPECT_FALSE(builder_->AppendRepeated(source, source.length(), 1).ok());
    EXPECT_FALSE(builder_->AppendNulls(-1).ok());
    EXPECT_EQ(builder_->bytes_used(), bytes_used);
    EXPECT_EQ(builder_->chunk_count(), chunk_count);
  }

  /// At the limit an append is refused whole or brings no byte.
  void MeetTheLimit() {
    const int64_t bytes_used = builder_->bytes_used();
    builder_->set_byte_limit(bytes_used);
    const Status status = builder_->AppendArray(sources_[1]);
    builder_->set_byte_limit(std::numeric_limits<int64_t>::max());
    EXPECT_EQ(builder_->bytes_used(), bytes_used);
    if (status.ok()) return Append(&model_, Read(sources_[1]));
    EXPECT_THAT(status, StatusIs(StatusCode::kResourceExhausted));
  }

  struct State {
    int64_t bytes_used = 0;
    int64_t chunk_count = 0;
    std::optional<bool> flag;
    friend bool operator==(const State&, const State&) = default;
  };
  State StateNow() const { return {builder_->bytes_used(), builder_->chunk_count(), Flag()}; }

  void TakeMark() {
    if (saved_.size() >= 5) saved_.erase(saved_.begin() + Draw(random_, 0, 4));
    ASSERT_OK_AND_ASSIGN(BuilderMark mark, builder_->Mark());
    saved_.push_back({std::move(mark), model_, StateNow()});
  }

  /// To any mark; those made later are given up, the others are good for more.
  void RollBack() {
    if (saved_.empty()) return;
    const auto to = static_cast<size_t>(Draw(random_, 0, std::ssize(saved_) - 1));
    ASSERT_OK(builder_->RollBack(saved_[to].mark));
    for (size_t i = 0; i < saved_.size(); ++i) EXPECT_EQ(saved_[i].mark.alive(), i <= to);
    EXPECT_TRUE(StateNow() == saved_[to].state);
    model_ = saved_[to].model;
    saved_.resize(to + 1);
  }

  /// Held to the end: nothing that comes later, rolled back or not, may show in it.
  void TakeSnapshot() {
    const State state = StateNow();
    ASSERT_OK_AND_ASSIGN(const Array snapshot, builder_->Snapshot());
    EXPECT_THAT(snapshot, IsValidArray());
    EXPECT_TRUE(StateNow() == state);
    snapshots_.emplace_back(snapshot, model_);
  }

  /// Some of a row, lists open at every level, all given up.
  void AbandonRow() {
    const State state = StateNow();
    ASSERT_OK_AND_ASSIGN(const BuilderMark mark, builder_->Mark());
    BeginRow(*builder_);
    ASSERT_OK(builder_->RollBack(mark));
    EXPECT_TRUE(StateNow() == state);
  }

  void BeginRow(ArrayBuilder& builder) {
    switch (builder.type().id()) {
      case TypeId::kList:
        return BeginListOf(static_cast<ListBuilder&>(builder));
      case TypeId::kLargeList:
        return BeginListOf(static_cast<LargeListBuilder&>(builder));
      case TypeId::kListView:
        return BeginListOf(static_cast<ListViewBuilder&>(builder));
      case TypeId::kLargeListView:
        return BeginListOf(static_cast<LargeListViewBuilder&>(builder));
      case TypeId::kFixedSizeList:
        return BeginListOf(static_cast<FixedSizeListBuilder&>(builder));
      case TypeId::kMap:
        return BeginListOf(static_cast<MapBuilder&>(builder));
      case TypeId::kSparseUnion:
      case TypeId::kDenseUnion: {
        auto& rows = static_cast<UnionBuilder&>(builder);
        const int child = static_cast<int>(Draw(random_, 0, rows.num_children() - 1));
        return BeginRow(rows.child(child));
      }
      case TypeId::kStruct: {
        auto& rows = static_cast<StructBuilder&>(builder);
        for (int i = 0; i < rows.num_fields(); ++i) {
          if (Chance(random_, 0.7)) BeginRow(rows.field(i));
        }
        return;
      }
      default:
        EXPECT_OK(builder.AppendArray(Source(builder.type())));
    }
  }

  template <typename Builder>
  void BeginListOf(Builder& builder) {
    builder.BeginList();
    if (Chance(random_, 0.5)) {
      EXPECT_OK(builder.elements().AppendArray(Elements(builder.type())));
    }
    if (Chance(random_, 0.7)) BeginRow(builder.elements());
  }

  /// One row of a union array, value by value.
  void AppendUnionRow(const Array& source) {
    if (source.type() != type_ || source.length() == 0) return AppendSlice(source);
    const UnionArray unions = *UnionArray::From(source);
    const int64_t row = Draw(random_, 0, source.length() - 1);
    auto& rows = static_cast<UnionBuilder&>(*builder_);
    const int child = unions.child_index(row);
    EXPECT_THAT(rows.Append(unions.type_ids()[row]), StatusIs(StatusCode::kFailedPrecondition));
    ASSERT_OK(rows.child(child).AppendArray(unions.child(child), unions.child_slot(row), 1));
    EXPECT_THAT(rows.AppendNull(), StatusIs(StatusCode::kFailedPrecondition));
    ASSERT_OK(rows.Append(unions.type_ids()[row]));
    testing::AppendSlice(&model_, Read(source), row, 1);
  }

  /// One row of a struct array, value by value.
  void AppendRow(const Array& source) {
    if (type_.id() == TypeId::kSparseUnion || type_.id() == TypeId::kDenseUnion) {
      return AppendUnionRow(source);
    }
    const bool structs = type_.id() == TypeId::kStruct && source.type().id() == TypeId::kStruct;
    if (!structs || source.length() == 0) return AppendSlice(source);
    const int64_t row = Draw(random_, 0, source.length() - 1);
    if (source.IsNull(row)) return;
    auto& rows = static_cast<StructBuilder&>(*builder_);
    for (int i = rows.num_fields() - 1; i >= 0; --i) {
      ASSERT_OK(rows.field(i).AppendArray(source.child(i), source.offset() + row, 1));
    }
    ASSERT_OK(rows.EndRow());
    testing::AppendSlice(&model_, Read(source), row, 1);
  }

  /// Allocations are refused from some point on, or one of them.
  void Fail() {
    const State state = StateNow();
    const Array source = AnySource();
    pool_.FailAt(Draw(random_, 0, 3), Chance(random_, 0.5));
    if (Chance(random_, 0.3)) {
      const StatusOr<Array> array = builder_->Finish();
      pool_.SwitchOff();
      if (array.ok()) return CheckFinished(*array, state);
      EXPECT_THAT(array, StatusIs(StatusCode::kResourceExhausted));
    } else if (Chance(random_, 0.3)) {
      const StatusOr<Array> snapshot = builder_->Snapshot();
      pool_.SwitchOff();
      if (snapshot.ok()) {
        snapshots_.emplace_back(*snapshot, model_);
      } else {
        EXPECT_THAT(snapshot, StatusIs(StatusCode::kResourceExhausted));
      }
    } else {
      const Status status = builder_->AppendArray(source);
      pool_.SwitchOff();
      if (status.ok()) return Append(&model_, Read(source));
      EXPECT_THAT(status, StatusIs(StatusCode::kResourceExhausted));
    }
    EXPECT_TRUE(StateNow() == state);
  }

  void CheckCounts() {
    EXPECT_EQ(builder_->length(), static_cast<int64_t>(model_.size()));
    // A dictionary's values may be null without the rows being so.
    if (type_.layout().id == LayoutId::kDictionary) {
      EXPECT_LE(builder_->null_count(), CountNulls(model_));
    } else if (type_.layout().has_validity) {
      EXPECT_EQ(builder_->null_count(), CountNulls(model_));
    }
  }

  std::optional<bool> Flag() const {
    if (type_.id() == TypeId::kListView)
      return static_cast<ListViewBuilder&>(*builder_).zero_copy_to_list();
    if (type_.id() == TypeId::kLargeListView) {
      return static_cast<LargeListViewBuilder&>(*builder_).zero_copy_to_list();
    }
    return std::nullopt;
  }

  void Finish() {
    const State state = StateNow();
    CheckFinished(Finished(*builder_), state);
  }

  void CheckFinished(const Array& array, const State& before) {
    EXPECT_THAT(array, ReadsLike(model_));
    EXPECT_THAT(array, IsValidArray());
    EXPECT_EQ(before.bytes_used, NaiveUsedBytes(array));
    ASSERT_OK_AND_ASSIGN(const int64_t used_bytes, UsedBytes(array));
    EXPECT_EQ(before.bytes_used, used_bytes);
    if (before.flag.has_value()) {
      EXPECT_EQ(*before.flag, StatsOf(array).zero_copy_to_list);
    }
    EXPECT_EQ(builder_->bytes_used(), 0);
    for (const Saved& saved : saved_) EXPECT_FALSE(saved.mark.alive());
    saved_.clear();
    model_.clear();
  }

  /// What a mark should bring back.
  struct Saved {
    BuilderMark mark;
    Values model;
    State state;
  };

  DataType type_;
  Random random_;
  FailingPool pool_;
  std::unique_ptr<ArrayBuilder> builder_;
  Values model_;
  std::vector<Saved> saved_;
  std::vector<std::pair<Array, Values>> snapshots_;  ///< With what the model was then.
  std::array<Array, 3> sources_;
};

void RunPrograms(const BuilderOptions& options) {
  ForRandomTypes(150, [&](const DataType& type, const Random& random) {
    Program(type, options, random).Run(40);
  });
}

/// With a dictionary at the root, or as the elements of list-views.
void RunDictionaryPrograms(const BuilderOptions& options) {
  ForRandomTypes(80, [&](const DataType& type, const Random& random) {
    Program(*Dictionary(Int16(), type), options, random).Run(40);
    Program(ListView(*Dictionary(UInt32(), type)), options, random).Run(40);
  });
}

TEST(RandomAppendTest, ArraysKeptByDefault) { RunPrograms({}); }
TEST(RandomAppendTest, EveryArrayKept) { RunPrograms(kKeepAll); }
TEST(RandomAppendTest, NoArrayKept) { RunPrograms(kKeepNone); }
TEST(RandomAppendTest, SomeArraysKept) { RunPrograms({.min_chunk_bytes = 100}); }
TEST(RandomAppendTest, NoSmallWindowOfALargeArrayKept) {
  RunPrograms({.min_chunk_bytes = 0, .max_retained_ratio = 4});
}
TEST(RandomAppendTest, DictionariesOfEveryType) { RunDictionaryPrograms({.min_chunk_bytes = 100}); }
TEST(RandomAppendTest, DictionariesThatAreAllKept) { RunDictionaryPrograms(kKeepAll); }
TEST(RandomAppendTest, DictionariesWhoseIndicesMayWiden) {
  RunDictionaryPrograms(
      {.min_chunk_bytes = 100, .dictionaries = {.on_overflow = OnIndexOverflow::kWiden}});
}
TEST(RandomAppendTest, ListViewsThatBringTheFewestBytes) {
  RunPrograms({.min_chunk_bytes = 100, .list_views = {.on_append = ListViewPolicy::kCheapest}});
}
TEST(RandomAppendTest, ListViewsThatAreFlattened) {
  RunPrograms({.min_chunk_bytes = 0, .list_views = {.on_append = ListViewPolicy::kExact}});
}

}  // namespace
}  // namespace sheaf
