// `sheaf rebuild`: what is packed, what is told, and what stays the same.

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sheaf/array/list_view_array.h"
#include "sheaf/array/view_stats.h"
#include "testing/array_literals.h"
#include "testing/matchers.h"
#include "tools/rebuild_modes.h"
#include "tools/run_tool.h"
#include "tools/write_stream.h"

namespace sheaf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace testing;
using Json = nlohmann::ordered_json;

std::vector<std::string> ModeNames() {
  std::vector<std::string> names;
  for (const auto& [name, mode] : tools::RebuildModes()) names.push_back(name);
  return names;
}

class RebuildCommand : public ::testing::Test {
 protected:
  std::string Rebuilt(const std::string& mode, const std::vector<std::string>& more = {}) {
    std::vector<std::string> args = {"rebuild", "--mode", mode, in, "-o", out};
    args.insert(args.end(), more.begin(), more.end());
    const ToolRun run = RunTool(args);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.err, "");
    EXPECT_EQ(RunTool({"diff", in, out}).out, "");
    // Some engines' files break a rule that only full validation knows.
    EXPECT_EQ(RunTool({"validate", out}).status, RunTool({"validate", in}).status);
    return run.out;
  }

  TemporaryFolder folder;
  std::string in = folder / "in.arrows";
  std::string out = folder / "out.arrow";
};

//   elements 0 .. 9, views [6 7] null on [8] [1 2 3] [2 3]: eight elements from the first to the
//   last
Array Sparse() { return ListViewsOver(Range(0, 10), {6, 8, 1, 2}, {2, 1, 3, 2}, "1011"); }

TEST_F(RebuildCommand, ATableTellsElementsBytesAndRatio) {
  WriteStream(in, {Field("a", Sparse().type())}, {Sparse()});
  // Written without the first and the last element. 4 rows: 32 bytes of views, and a bitmap.
  EXPECT_EQ(Rebuilt("trim"),
            "column  elements  after  bytes  after  ratio\n"
            "$.a            8      8     65     65   1.00\n");
  EXPECT_EQ(Rebuilt("compact"),
            "column  elements  after  bytes  after  ratio\n"
            "$.a            8      5     65     53   0.82\n");
  EXPECT_EQ(Rebuilt("exact"),
            "column  elements  after  bytes  after  ratio\n"
            "$.a            8      7     65     61   0.94\n");
  EXPECT_TRUE(ListViewArray::From(ReadBatches(out)[0].column(0))->zero_copy_to_list());
  EXPECT_EQ(Rebuilt("zero-copy-to-list"),
            "column  elements  after  bytes  after  ratio\n"
            "$.a            8      7     65     61   0.94\n");
}

TEST_F(RebuildCommand, EveryModeOfEveryListViewFileReadsTheSame) {
  int rebuilt = 0;
  std::vector<std::string> names = EngineFiles();
  names.emplace_back("large/temperatures.arrow");
  for (const std::string& name : names) {
    in = DataPath(name);
    if (RunTool({"inspect", in}).out.find("list_view<") == std::string::npos) continue;
    for (const std::string& mode : ModeNames()) {
      SCOPED_TRACE(name + " " + mode);
      Rebuilt(mode);
      ++rebuilt;
    }
  }
  EXPECT_GT(rebuilt, 40);
}

TEST_F(RebuildCommand, ModesNeverStoreMoreThanTheOneBefore) {
  in = DataPath("large/temperatures.arrow");
  const auto elements = [&](const std::string& mode) {
    Rebuilt(mode);
    int64_t sum = 0;
    const Json figures = Json::parse(RunTool({"inspect", "--json", out}).out);
    for (const Json& column : figures["columns"]) {
      if (column.contains("elements")) sum += int64_t{column["elements"]};
    }
    return sum;
  };
  const int64_t trimmed = elements("trim");
  const int64_t compact = elements("compact");
  const int64_t deduplicated = elements("deduplicate");
  EXPECT_LE(compact, trimmed);
  EXPECT_LT(deduplicated, compact);  // Its words come again and again.
  EXPECT_LE(elements("overlap"), deduplicated);
  EXPECT_GT(elements("exact"), trimmed);  // Views overlap there.
}

TEST_F(RebuildCommand, ColumnsBelowOthersAreNamedByTheirPaths) {
  // Lists of structs of list-views; the list-view at the top stays as it is.
  const Array points =
      StructOver({Field("p", Sparse().type()), Field("q", Int32())}, {Sparse(), Range(0, 4)}, 4);
  const Array lists = ListsOver(points, {0, 1, 4});
  const Array top = Sparse().Slice(0, 2);
  WriteStream(in, {Field("a", lists.type()), Field("b", top.type())}, {lists, top});
  EXPECT_EQ(Rebuilt("compact", {"--column", "$.a.item.p"}),
            "column      elements  after  bytes  after  ratio\n"
            "$.a.item.p         8      5     65     53   0.82\n");
  const Array after = ReadBatches(out)[0].column(0);
  EXPECT_EQ(after.child(0).child(0).child(0).length(), 5);
  EXPECT_EQ(ReadBatches(out)[0].column(1).child(0).length(), 3);

  EXPECT_EQ(Rebuilt("compact", {"--column", "$.a.item.p", "--column=$.b"}),
            "column      elements  after  bytes  after  ratio\n"
            "$.a.item.p         8      5     65     53   0.82\n"
            "$.b                3      2     29     25   0.86\n");
}

TEST_F(RebuildCommand, EveryBatchIsRebuiltAndTheFiguresAreSummed) {
  const Schema schema({Field("a", Sparse().type())});
  const auto batch = [&](const Array& array) {
    return *RecordBatch::Make(schema, array.length(), {array});
  };
  WriteStream(in, {batch(Sparse()), batch(Sparse().Slice(4)), batch(Sparse())});
  EXPECT_THAT(Rebuilt("compact"), HasSubstr("$.a           16     10    130    106   0.82\n"));
  const auto batches = ReadBatches(out);
  EXPECT_THAT(batches.size(), 3);
  EXPECT_EQ(batches[2].column(0).child(0).length(), 5);
}

TEST_F(RebuildCommand, ListViewsInADictionaryAreRebuiltOnceHoweverManyBatches) {
  const DataType type = *Dictionary(Int8(), Sparse().type());
  ArrayParts parts{.type = type, .length = 3};
  parts.buffers = {Buffer(), Integers({3, 0, 2}, 8)};
  parts.dictionary = {Sparse()};
  const Array array = *MakeArray(parts);
  const auto batch = *RecordBatch::Make(Schema({Field("a", type)}), 3, {array});
  WriteStream(in, {batch, batch});
  EXPECT_EQ(Rebuilt("compact", {"--column", "$.a.dictionary"}),
            "column          elements  after  bytes  after  ratio\n"
            "$.a.dictionary         8      5     65     53   0.82\n");
  EXPECT_EQ(ReadBatches(out)[1].column(0).dictionary().child(0).length(), 5);
}

TEST_F(RebuildCommand, MetadataStays) {
  in = DataPath("ipc/pyarrow_metadata.arrows");
  Rebuilt("compact");
  EXPECT_TRUE(ReadBatches(in)[0].schema().Identical(ReadBatches(out)[0].schema()));
}

TEST_F(RebuildCommand, WithoutAListViewTheRowsAreWrittenAndItSaysSo) {
  WriteStream(in, {Field("a", Int32())}, {Ints({1, 2})});
  EXPECT_EQ(Rebuilt("exact"), in + ": no list-view column at the top, nothing to rebuild\n");
}

TEST_F(RebuildCommand, ToStandardOutputTheTableGoesToTheErrorsPlace) {
  WriteStream(in, {Field("a", Sparse().type())}, {Sparse()});
  const ToolRun run = RunTool({"rebuild", "--mode", "compact", "-", "-o", "-"}, ReadFile(in));
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.err, HasSubstr("$.a            8      5"));
  WriteFile(out, run.out);
  EXPECT_EQ(RunTool({"diff", in, out}).status, 0);
}

TEST_F(RebuildCommand, WrongColumnsAreRefusedAndTheRightOnesNamed) {
  WriteStream(in, {Field("a", Sparse().type()), Field("b", Int32())}, {Sparse(), Range(0, 4)});
  const auto refused = [&](const std::string& column, const std::string& why) {
    const ToolRun run = RunTool({"rebuild", "--mode", "trim", "--column", column, in, "-o", out});
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.err, "sheaf: " + in + ": " + why + "\n");
    EXPECT_THAT(folder.Names(), ElementsAre("in.arrows"));
  };
  refused("$.c", "no column $.c; list-views: $.a");
  refused("a", "no column a; list-views: $.a");
  refused("$.b", "$.b: int32 is no list-view; list-views: $.a");
}

TEST_F(RebuildCommand, BrokenViewsAreRefusedAndNothingIsWritten) {
  in = DataPath("cases/lv_sum_overflow.stream");
  const ToolRun run = RunTool({"rebuild", "--mode", "compact", in, "-o", out});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("list_view $.v, row 1: "));
  EXPECT_THAT(folder.Names(), ElementsAre());
}

}  // namespace
}  // namespace sheaf
