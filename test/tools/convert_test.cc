// `sheaf convert`: other layouts of the same values.

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/array/list_view_array.h"
#include "testing/array_literals.h"
#include "testing/matchers.h"
#include "tools/run_tool.h"
#include "tools/write_stream.h"

namespace sheaf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using namespace testing;

Array Views() { return ListViewsOver(Range(0, 6), {4, 0, 1, 2}, {2, 3, 2, 0}, "1101"); }

class ConvertCommand : public ::testing::Test {
 protected:
  void Run(const std::vector<std::string>& more) {
    std::vector<std::string> args = {"convert", in, "-o", out};
    args.insert(args.end(), more.begin(), more.end());
    const ToolRun run = RunTool(args);
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out + run.err, "");
    // Some engines' files break a rule that only full validation knows.
    EXPECT_EQ(RunTool({"validate", out}).status, RunTool({"validate", in}).status);
    EXPECT_EQ(Rows(out), Rows(in));
  }
  void ExpectRefused(const std::vector<std::string>& more, const std::string& why) {
    std::vector<std::string> args = {"convert", in, "-o", out};
    args.insert(args.end(), more.begin(), more.end());
    const ToolRun run = RunTool(args);
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.out, "");
    EXPECT_THAT(run.err, StartsWith("sheaf: " + in + ": " + why));
    EXPECT_EQ(Lines(run.err).size(), 1) << run.err;
    EXPECT_FALSE(Exists(out));
  }
  static std::string Rows(const std::string& file) { return RunTool({"cat", "--json", file}).out; }
  std::vector<std::string> Types() {
    std::vector<std::string> types;
    const std::vector<RecordBatch> batches = ReadBatches(out);
    for (const Field& field : batches.at(0).schema().fields())
      types.push_back(field.type().ToString());
    return types;
  }
  /// A list-view in a struct in a large list-view, and a column without lists.
  void WriteNested() {
    const Array inner = StructOver({Field("p", Views().type(), true, {{"k", "v"}})}, {Views()}, 4);
    const Array outer = LargeListViewsOver(inner, {2, 0}, {2, 2});
    WriteStream(in, {Field("a", outer.type(), true, {{"k", "v"}}), Field("b", Int32())},
                {outer, Range(0, 2)});
  }

  TemporaryFolder folder;
  std::string in = folder / "in.arrows";
  std::string out = folder / "out.arrow";
};

TEST_F(ConvertCommand, ListsAtTheTopTakeTheLayoutAskedFor) {
  WriteStream(in,
              {Field("a", Views().type()), Field("b", Int32()),
               Field("c", ListsOver(Range(0, 6), {0, 1, 2, 3, 6}).type())},
              {Views(), Range(0, 4), ListsOver(Range(0, 6), {0, 1, 2, 3, 6})});
  const std::vector<std::pair<std::string, std::string>> layouts = {
      {"list", "list<int32>"},
      {"large-list", "large_list<int32>"},
      {"list-view", "list_view<int32>"},
      {"large-list-view", "large_list_view<int32>"}};
  for (const auto& [name, type] : layouts) {
    Run({"--to", name});
    EXPECT_THAT(Types(), ElementsAre(type, "int32", type));
  }
}

TEST_F(ConvertCommand, ListViewsKeepWhatTheyShareAsLargeListViews) {
  in = DataPath("large/temperatures.arrow");
  Run({"--to", "large-list-view"});
  const Array before = ReadBatches(in)[0].column(2);
  EXPECT_EQ(ReadBatches(out)[0].column(2).child(0).length(), before.child(0).length());
}

TEST_F(ConvertCommand, NestedReachesEveryDepthAndKeepsNamesAndMetadata) {
  WriteNested();
  Run({"--to", "list", "--nested"});
  EXPECT_THAT(Types(), ElementsAre("large_list<struct<p: list<int32>>>", "int32"));
  const Schema schema = ReadBatches(out)[0].schema();
  EXPECT_EQ(schema.field(0).metadata(), ReadBatches(in)[0].schema().field(0).metadata());
  EXPECT_FALSE(schema.field(0).type().field(0).type().field(0).metadata().empty());
  const std::string back = folder / "back.arrow";
  ASSERT_EQ(RunTool({"convert", "--to", "list-view", "--nested", out, "-o", back}).status, 0);
  EXPECT_EQ(RunTool({"diff", in, back}).out, "");
}

TEST_F(ConvertCommand, WithoutNestedOnlyTheTopChanges) {
  WriteNested();
  Run({"--to", "list"});
  EXPECT_THAT(Types(), ElementsAre("list<struct<p: list_view<int32>>>", "int32"));
}

TEST_F(ConvertCommand, OneColumnTakesALayoutOrAType) {
  WriteNested();
  Run({"--column", "$.a.item.p", "--to", "large-list"});
  EXPECT_THAT(Types(), ElementsAre("large_list_view<struct<p: large_list<int32>>>", "int32"));
  Run({"--column", "$.a.item.p", "--to", "list<int32>"});
  EXPECT_THAT(Types(), ElementsAre("large_list_view<struct<p: list<int32>>>", "int32"));
  Run({"--column", "$.a", "--to", "list<struct<p: large_list<int32>>>"});
  EXPECT_THAT(Types(), ElementsAre("list<struct<p: large_list<int32>>>", "int32"));
}

TEST_F(ConvertCommand, StringsTakeOtherLayoutsOfStrings) {
  in = DataPath("large/temperatures.arrow");
  for (const std::string type : {"large_utf8", "utf8_view"}) {
    Run({"--column", "$.city", "--to", type});
    EXPECT_EQ(Types()[0], type);
    Run({"--column", "$.next_words.item", "--to", type});
    EXPECT_EQ(Types()[4], "list_view<" + type + ">");
  }
}

TEST_F(ConvertCommand, EveryFileBecomesListsAndReadsTheSame) {
  out = folder / "out.arrows";  // Streams have replaced dictionaries, files have none.
  int converted = 0;
  for (const std::string& name : EngineFiles()) {
    SCOPED_TRACE(name);
    in = DataPath(name);
    Run({"--to", "list", "--nested"});
    EXPECT_EQ(RunTool({"inspect", out}).out.find("list_view<"), std::string::npos);
    Run({"--to", "large-list-view", "--nested"});
    ++converted;
  }
  EXPECT_GT(converted, 20);
}

TEST_F(ConvertCommand, NoBatchesAreASchemaThatIsConverted) {
  const std::string empty = folder / "empty.arrows";
  WriteStream(empty, {Field("a", Views().type())}, {Views().Slice(0, 0)});
  ASSERT_EQ(RunTool({"concat", empty, "-o", in, "--batch-rows", "5"}).status, 0);
  ASSERT_TRUE(ReadBatches(in).empty());
  Run({"--to", "list", "--nested"});
  EXPECT_TRUE(ReadBatches(out).empty());
  EXPECT_EQ(RunTool({"inspect", out}).out.find("list_view<"), std::string::npos);
}

TEST_F(ConvertCommand, BatchesAndMetadataOfTheSchemaStay) {
  in = DataPath("ipc/pyarrow_metadata.arrows");
  Run({"--to", "list-view"});
  EXPECT_EQ(ReadBatches(out)[0].schema().metadata(), ReadBatches(in)[0].schema().metadata());
  in = DataPath("ipc/pyarrow_multi_batch.arrows");
  Run({"--to", "list-view"});
  EXPECT_EQ(ReadBatches(out).size(), ReadBatches(in).size());
}

TEST_F(ConvertCommand, TypesThatHoldOtherValuesAreRefusedWithThePath) {
  WriteNested();
  ExpectRefused({"--column", "$.a.item.p", "--to", "list<utf8>"}, "$.a.item.p");
  ExpectRefused({"--column", "$.b", "--to", "utf8"}, "$.b: ");
  ExpectRefused({"--column", "$.b", "--to", "list"}, "$.b: int32 has no lists");
  ExpectRefused({"--column", "$.c", "--to", "list"},
                "no column $.c; columns: $.a, $.a.item, $.a.item.p, $.a.item.p.item, $.b");
}

TEST_F(ConvertCommand, EntriesOfMapsAndRunEndsStayWhatTheyAre) {
  const DataType map = Map(Utf8(), Field("value", Int32()));
  const DataType runs = *RunEndEncoded(Int32(), Field("values", Utf8()));
  WriteStream(in, {Field("m", map), Field("r", runs)},
              {*MakeEmptyArray(map), *MakeEmptyArray(runs)});
  ExpectRefused({"--column", "$.m.entries", "--to", "int32"}, "int32 cannot be the entries of map");
  ExpectRefused({"--column", "$.r.run_ends", "--to", "utf8"}, "utf8 cannot be the run_ends of ");
  Run({"--column", "$.r.run_ends", "--to", "int16"});
  Run({"--column", "$.m.entries.value", "--to", "int32"});
}

TEST_F(ConvertCommand, AListOfAnotherSizeIsRefusedWithItsRowAndBatch) {
  const Schema schema({Field("a", Views().type())});
  const Array pairs = ListViewsOver(Range(0, 4), {0, 1}, {2, 2});
  const auto batch = [&](const Array& array) {
    return *RecordBatch::Make(schema, array.length(), {array});
  };
  WriteStream(in, {batch(pairs), batch(pairs)});
  Run({"--column", "$.a", "--to", "fixed_size_list<int32>[2]"});
  EXPECT_THAT(Types(), ElementsAre("fixed_size_list<int32>[2]"));
  WriteStream(in, {batch(pairs), batch(Views())});
  ASSERT_EQ(RunTool({"diff", in, in}).status, 0);
  out = folder / "other.arrow";
  const ToolRun run =
      RunTool({"convert", in, "-o", out, "--column", "$.a", "--to", "fixed_size_list<int32>[2]"});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("row 1"));
  EXPECT_THAT(run.err, HasSubstr(", batch 1"));
  EXPECT_FALSE(Exists(out));
}

TEST_F(ConvertCommand, WrongUsageSaysWhatIsMissing) {
  WriteNested();
  const std::vector<std::vector<std::string>> wrong = {
      {},
      {"--to", "list<int32>"},
      {"--to", "lists"},
      {"--column", "$.a", "--to", "list<"},
      {"--column", "$.a", "--to", "list", "--nested"}};
  for (const auto& more : wrong) {
    std::vector<std::string> args = {"convert", in, "-o", out};
    args.insert(args.end(), more.begin(), more.end());
    const ToolRun run = RunTool(args);
    EXPECT_EQ(run.status, 2) << ::testing::PrintToString(more) << run.err;
    EXPECT_EQ(Lines(run.err).size(), 2) << run.err;
    EXPECT_FALSE(Exists(out));
  }
}

}  // namespace
}  // namespace sheaf
