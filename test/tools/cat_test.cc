#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tools/run_tool.h"

namespace sheaf {
namespace {

using ::testing::StartsWith;
using namespace testing;
using OrderedJson = nlohmann::ordered_json;

/// The rows that `cat --json` printed, column by column, as the sidecars have them.
std::vector<nlohmann::json> ColumnsOf(const std::string& out, size_t num_columns) {
  std::vector<nlohmann::json> columns(num_columns, nlohmann::json::array());
  for (const std::string& line : Lines(out)) {
    const OrderedJson row = OrderedJson::parse(line);
    EXPECT_EQ(row.size(), num_columns) << line;
    size_t i = 0;
    for (const auto& [key, value] : row.items()) columns[i++].push_back(nlohmann::json(value));
  }
  return columns;
}

TEST(Cat, JsonOfEveryFileHasTheValuesOfItsSidecar) {
  int checked = 0;
  for (const std::string& name : EngineFiles()) {
    SCOPED_TRACE(name);
    const nlohmann::json sidecar = SidecarOf(name);
    if (!sidecar.contains("columns")) continue;
    const ToolRun run = RunTool({"cat", "--json", DataPath(name)});
    ASSERT_EQ(run.status, 0) << run.err;
    const std::vector<nlohmann::json> columns = ColumnsOf(run.out, sidecar["columns"].size());
    for (size_t i = 0; i < columns.size(); ++i) {
      EXPECT_EQ(columns[i], sidecar["columns"][i]["values"]) << sidecar["columns"][i]["name"];
    }
    ++checked;
  }
  EXPECT_GT(checked, 30);
}

TEST(Cat, TableIsAligned) {
  EXPECT_EQ(RunTool({"cat", DataPath("ipc/pyarrow_list_view.arrows")}).out,
            "overlap                     ordered    strings\n"
            "[12, 13, null]              [1, 2]     [null, \"ccc\"]\n"
            "[10, 11, 12]                null       [\"a\"]\n"
            "null                        []         []\n"
            "[10, 11, 12, 13, null, 15]  [3]        [\"a\", null, \"ccc\"]\n"
            "[]                          [4, 5, 6]  []\n"
            "[13]                        [7]        []\n");
}

TEST(Cat, TableOfEveryFileIsPrinted) {
  for (const std::string& name : EngineFiles()) {
    const ToolRun run = RunTool({"cat", DataPath(name), "--rows", "5"});
    EXPECT_EQ(run.status, 0) << name << run.err;
  }
}

TEST(Cat, RowsLimitsWhatIsPrinted) {
  const std::string file = DataPath("ipc/pyarrow_multi_batch.arrows");
  const std::string all = RunTool({"cat", "--json", file}).out;
  EXPECT_EQ(RunTool({"cat", "--json", "--rows", "0", file}).out, "");
  const std::vector<std::string> seven = Lines(RunTool({"cat", "--json", "--rows", "7", file}).out);
  ASSERT_EQ(seven.size(), 7);
  EXPECT_EQ(seven[6], Lines(all)[6]);
  EXPECT_EQ(RunTool({"cat", "--json", "--rows", "100000000", file}).out, all);
}

TEST(Cat, KeysOfRepeatedAndEmptyNamesCarryTheirPosition) {
  const ToolRun run = RunTool({"cat", "--json", DataPath("ipc/pyarrow_metadata.arrows")});
  EXPECT_EQ(run.out,
            "{\"a[0]\": 1, \"a[1]\": \"p\", \"[2]\": [1]}\n"
            "{\"a[0]\": 2, \"a[1]\": \"q\", \"[2]\": []}\n");
}

TEST(Cat, RowsWithoutColumnsAreEmptyObjects) {
  const nlohmann::json sidecar = SidecarOf("ipc/pyarrow_no_columns.arrows");
  const ToolRun run = RunTool({"cat", "--json", DataPath("ipc/pyarrow_no_columns.arrows")});
  EXPECT_EQ(run.status, 0) << run.err;
  size_t rows = 0;
  for (const size_t batch : sidecar["batches"]) rows += batch;
  EXPECT_EQ(Lines(run.out), std::vector<std::string>(rows, "{}"));
}

TEST(Cat, StandardInputMayBeAStreamOrAFile) {
  for (const std::string name :
       {"ipc/pyarrow_list_view.arrows", "ipc/pyarrow_list_view_file.arrow"}) {
    const ToolRun piped = RunTool({"cat", "-", "--json"}, ReadFile(DataPath(name)));
    EXPECT_EQ(piped.status, 0) << piped.err;
    EXPECT_EQ(piped.out, RunTool({"cat", DataPath(name), "--json"}).out);
  }
}

TEST(Cat, AStreamThatIsCutGivesItsWholeBatchesThenAnError) {
  const std::string whole = ReadFile(DataPath("ipc/pyarrow_multi_batch.arrows"));
  const std::string all = RunTool({"cat", "--json", "-"}, whole).out;
  const ToolRun run = RunTool({"cat", "--json", "-"}, whole.substr(0, whole.size() / 2));
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(all, StartsWith(run.out));
  EXPECT_GT(Lines(run.out).size(), 0);
  EXPECT_EQ(Lines(run.err).size(), 1);
  EXPECT_THAT(run.err, StartsWith("sheaf: -: "));
}

}  // namespace
}  // namespace sheaf
