// `sheaf inspect --svg` and `--plan`.

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "testing/array_literals.h"
#include "tools/rebuild_modes.h"
#include "tools/run_tool.h"
#include "tools/write_stream.h"

namespace sheaf {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using namespace testing;
using Json = nlohmann::ordered_json;

Array Sparse() { return ListViewsOver(Range(0, 10), {6, 8, 1, 2}, {2, 1, 3, 2}, "1011"); }

class InspectViews : public ::testing::Test {
 protected:
  /// A list-view at the top and one in a struct in a list.
  void WriteNested() {
    const Array points = StructOver({Field("p", Sparse().type())}, {Sparse()}, 4);
    const Array lists = ListsOver(points, {0, 1, 4});
    const Array top = Sparse().Slice(2, 2);
    WriteStream(in, {Field("a", lists.type()), Field("b", top.type())}, {lists, top});
  }
  ToolRun Run(std::vector<std::string> args) {
    args.insert(args.begin(), "inspect");
    args.push_back(in);
    return RunTool(args);
  }

  TemporaryFolder folder;
  std::string in = folder / "in.arrows";
  std::string out = folder / "out.svg";
};

TEST_F(InspectViews, ThePictureOfTheFirstListViewIsWritten) {
  WriteNested();
  const ToolRun run = Run({"--svg", out});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.out + run.err, "");
  const std::string svg = ReadFile(out);
  EXPECT_THAT(svg, StartsWith("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_THAT(svg, EndsWith("</svg>\n"));
  EXPECT_THAT(svg, HasSubstr("$.a.item.p: list_view&lt;int32&gt;"));
  EXPECT_THAT(svg, HasSubstr(in + ", 4 rows over 8 elements in 1 batch"));
}

TEST_F(InspectViews, ColumnPicksTheListView) {
  WriteNested();
  EXPECT_EQ(Run({"--svg", out, "--column", "$.b"}).status, 0);
  EXPECT_THAT(ReadFile(out), HasSubstr("2 rows over 3 elements"));
  const ToolRun wrong = Run({"--svg", out, "--column", "$.a"});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_EQ(wrong.err, "sheaf: " + in +
                           ": $.a: list<struct<p: list_view<int32>>> is no list-view; list-views: "
                           "$.a.item.p, $.b\n");
}

TEST_F(InspectViews, EveryListViewFileHasAPictureAndAPlan) {
  int drawn = 0;
  std::vector<std::string> names = EngineFiles();
  names.emplace_back("large/temperatures.arrow");
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    in = DataPath(name);
    if (RunTool({"inspect", in}).out.find("list_view<") == std::string::npos) continue;
    const ToolRun run = Run({"--svg", "-"});
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_THAT(run.out, EndsWith("</svg>\n"));
    EXPECT_EQ(Run({"--plan"}).status, 0);
    ++drawn;
  }
  EXPECT_GT(drawn, 10);
}

TEST_F(InspectViews, WithoutAListViewThereIsNoPictureAndAnEmptyPlan) {
  WriteStream(in, {Field("a", Int32())}, {Ints({1})});
  EXPECT_EQ(Run({"--svg", out}).err, "sheaf: " + in + ": there is no list-view\n");
  EXPECT_FALSE(Exists(out));
  EXPECT_EQ(Run({"--plan"}).out, in + ": no list-view\n");
}

TEST_F(InspectViews, APlanIsATableOfModes) {
  WriteStream(in, {Field("a", Sparse().type())}, {Sparse()});
  EXPECT_EQ(Run({"--plan"}).out,
            in + "\n"
                 "column  mode               elements  bytes  ratio\n"
                 "$.a     now                       8     65   1.00\n"
                 "        trim                      8     65   1.00\n"
                 "        zero-copy-to-list         7     61   0.94\n"
                 "        exact                     7     61   0.94\n"
                 "        compact                   5     53   0.82\n"
                 "        deduplicate               5     53   0.82\n"
                 "        overlap                   5     53   0.82  at most\n");
}

TEST_F(InspectViews, WhatAPlanSaysIsWhatRebuildLeaves) {
  for (const std::string name : {"large/temperatures.arrow", "ipc/pyarrow_list_view.arrows"}) {
    in = DataPath(name);
    const ToolRun run = Run({"--plan", "--json"});
    ASSERT_EQ(run.status, 0) << run.err;
    const Json plan = Json::parse(run.out);
    EXPECT_EQ(plan["file"], in);
    for (const auto& [mode, unused] : tools::RebuildModes()) {
      const std::string rebuilt = folder / "rebuilt.arrow";
      ASSERT_EQ(RunTool({"rebuild", "--mode", mode, in, "-o", rebuilt}).status, 0);
      const Json figures = Json::parse(RunTool({"inspect", "--json", rebuilt}).out);
      for (const Json& column : plan["columns"]) {
        const Json& planned = column["plan"][mode];
        for (const Json& after : figures["columns"]) {
          if (after["path"] != column["path"]) continue;
          if (planned["at_most"]) {
            EXPECT_LE(after["elements"], planned["elements"]) << mode << column["path"];
          } else {
            EXPECT_EQ(after["elements"], planned["elements"]) << mode << column["path"];
          }
        }
      }
    }
  }
}

TEST_F(InspectViews, BatchesOfAPlanAreSummed) {
  const Schema schema({Field("a", Sparse().type())});
  const auto batch = *RecordBatch::Make(schema, 4, {Sparse()});
  WriteStream(in, {batch, batch, batch});
  const Json plan = Json::parse(Run({"--plan", "--json", "--column", "$.a"}).out);
  EXPECT_EQ(plan["columns"][0]["plan"]["compact"]["elements"], 15);
  EXPECT_EQ(plan["columns"][0]["plan"]["now"]["bytes"], 195);
  EXPECT_EQ(plan["columns"][0]["plan"]["now"]["at_most"], false);
}

TEST_F(InspectViews, OptionsThatDoNotGoTogetherAreWrongUsage) {
  WriteNested();
  const std::vector<std::vector<std::string>> wrong = {{"--column", "$.b"},
                                                       {"--svg", out, "--json"},
                                                       {"--svg", out, "--plan"},
                                                       {"--svg", ""},
                                                       {"--svg", out, in}};
  for (const auto& args : wrong) {
    const ToolRun run = Run(args);
    EXPECT_EQ(run.status, 2) << ::testing::PrintToString(args);
    EXPECT_EQ(Lines(run.err).size(), 2);
    EXPECT_FALSE(Exists(out));
  }
}

TEST_F(InspectViews, ABrokenFileOrAPlaceThatCannotBeWrittenIsAnError) {
  WriteNested();
  EXPECT_EQ(Run({"--svg", folder / "no/such.svg"}).status, 1);
  in = DataPath("cases/lv_sum_overflow.stream");
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"--plan"}, {"--svg", out}}) {
    const ToolRun run = Run(args);
    EXPECT_EQ(run.status, 1);
    EXPECT_THAT(run.err, HasSubstr("list_view $.v, row 1: "));
    EXPECT_FALSE(Exists(out));
  }
}

}  // namespace
}  // namespace sheaf
