#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tools/run_tool.h"

namespace sheaf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using namespace testing;
using Json = nlohmann::ordered_json;

Json InspectJson(const std::string& path) {
  const ToolRun run = RunTool({"inspect", "--json", path});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.err, "") << path;
  return Json::parse(run.out);
}

std::vector<std::string> KeysOf(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

void ExpectColumnShape(const Json& column, std::set<std::string>& paths) {
  const std::string type = column.at("type");
  const bool views = type.starts_with("list_view<") || type.starts_with("large_list_view<");
  std::vector<std::string> keys = {"path", "type", "length", "null_count", "bytes"};
  if (views) {
    keys.insert(keys.end(), {"elements", "referenced_elements", "sum_of_sizes", "packed",
                             "overlapping", "zero_copy_to_list"});
  }
  keys.push_back("children");
  EXPECT_EQ(KeysOf(column), keys) << column;
  EXPECT_TRUE(paths.insert(column["path"]).second) << "twice: " << column["path"];
  for (const Json& child : column["children"]) {
    EXPECT_THAT(std::string(child["path"]), StartsWith(std::string(column["path"])));
    ExpectColumnShape(child, paths);
  }
}

TEST(Inspect, JsonHasExactlyTheKeysItPromisesForEveryFile) {
  for (const std::string& name : EngineFiles()) {
    SCOPED_TRACE(name);
    const Json file = InspectJson(DataPath(name));
    EXPECT_THAT(KeysOf(file), ElementsAre("file", "format", "batches", "rows", "columns"));
    EXPECT_EQ(file["file"], DataPath(name));
    std::set<std::string> paths;
    for (const Json& column : file["columns"]) ExpectColumnShape(column, paths);
  }
}

TEST(Inspect, CountsAreThoseOfTheSidecars) {
  for (const std::string& name : EngineFiles()) {
    SCOPED_TRACE(name);
    const nlohmann::json sidecar = SidecarOf(name);
    if (!sidecar.contains("batches")) continue;
    const Json file = InspectJson(DataPath(name));
    int64_t rows = 0;
    for (const int64_t batch : sidecar["batches"]) rows += batch;
    EXPECT_EQ(file["format"], sidecar["format"]);
    EXPECT_EQ(file["batches"], sidecar["batches"].size());
    EXPECT_EQ(file["rows"], rows);
    ASSERT_EQ(file["columns"].size(), sidecar["fields"].size());
    for (const Json& column : file["columns"]) EXPECT_EQ(column["length"], rows) << column["path"];
  }
}

/// The figures of a list-view column, found slowly from the offsets and sizes in a sidecar.
struct Views {
  int64_t elements = 0;
  int64_t sum_of_sizes = 0;
  int64_t referenced = 0;
  bool overlapping = false;
};

Views SlowViews(const nlohmann::json& sidecar, size_t column) {
  Views views;
  std::vector<int64_t> first_row = {0};
  for (const int64_t rows : sidecar["batches"]) first_row.push_back(first_row.back() + rows);
  const nlohmann::json& values = sidecar["columns"][column]["values"];
  for (const nlohmann::json& stored : sidecar["views"]) {
    if (stored["column"] != column) continue;
    views.elements += int64_t{stored["child_length"]};
    std::set<int64_t> content;
    std::set<int64_t> placed;
    for (size_t i = 0; i < stored["offsets"].size(); ++i) {
      const bool valid = !values[static_cast<size_t>(first_row[stored["batch"]]) + i].is_null();
      const int64_t offset = stored["offsets"][i];
      const int64_t size = stored["sizes"][i];
      if (valid) views.sum_of_sizes += size;
      for (int64_t element = offset; element < offset + size; ++element) {
        if (valid) content.insert(element);
        views.overlapping |= !placed.insert(element).second;
      }
    }
    views.referenced += static_cast<int64_t>(content.size());
  }
  return views;
}

TEST(Inspect, ViewFiguresAreThoseOfTheStoredOffsetsAndSizes) {
  int checked = 0;
  for (const std::string& name : EngineFiles()) {
    SCOPED_TRACE(name);
    const nlohmann::json sidecar = SidecarOf(name);
    if (!sidecar.contains("views")) continue;
    const Json file = InspectJson(DataPath(name));
    for (size_t i = 0; i < file["columns"].size(); ++i) {
      const Json& column = file["columns"][i];
      if (!column.contains("elements")) continue;
      const Views views = SlowViews(sidecar, i);
      EXPECT_EQ(column["elements"], views.elements) << column;
      EXPECT_EQ(column["sum_of_sizes"], views.sum_of_sizes) << column;
      EXPECT_EQ(column["referenced_elements"], views.referenced) << column;
      EXPECT_EQ(column["overlapping"], views.overlapping) << column;
      ++checked;
    }
  }
  EXPECT_GT(checked, 20);
}

TEST(Inspect, LargeFileHasTheFiguresOfItsMaker) {
  const Json file = InspectJson(DataPath("large/temperatures.arrow"));
  const nlohmann::json facts = nlohmann::json::parse(ReadFile(DataPath("large/temperatures.json")));
  for (const Json& column : file["columns"]) {
    const std::string name = std::string(column["path"]).substr(2);
    if (!facts[0].contains(name)) continue;
    nlohmann::json sums = {{"elements", 0}, {"null_count", 0}, {"sum_of_sizes_of_valid_rows", 0}};
    for (const auto& batch : facts) {
      for (auto& [key, sum] : sums.items()) sum = int64_t{sum} + int64_t{batch[name][key]};
    }
    EXPECT_EQ(column["elements"], sums["elements"]) << name;
    EXPECT_EQ(column["null_count"], sums["null_count"]) << name;
    EXPECT_EQ(column["sum_of_sizes"], sums["sum_of_sizes_of_valid_rows"]) << name;
    EXPECT_EQ(column["overlapping"], name != "pair") << name;
    EXPECT_EQ(column["packed"], name == "pair") << name;
    EXPECT_EQ(column["zero_copy_to_list"], name == "pair") << name;
  }
}

TEST(Inspect, DictionariesAreShownBelowTheirColumnsAndCountedOnce) {
  const Json file = InspectJson(DataPath("ipc/pyarrow_dictionary_delta_file.arrow"));
  ASSERT_EQ(file["batches"], 4);
  const Json& column = file["columns"][0];
  ASSERT_EQ(column["children"].size(), 1);
  const Json& values = column["children"][0];
  EXPECT_EQ(values["path"], std::string(column["path"]) + ".dictionary");
  EXPECT_EQ(values["type"], "utf8");
  // All batches of a file share the one dictionary with its deltas; a stream's grows: 2, 3, 5.
  EXPECT_EQ(values["length"], 5);
  const Json stream = InspectJson(DataPath("ipc/pyarrow_dictionary_delta.arrows"));
  EXPECT_EQ(stream["columns"][0]["children"][0]["length"], 2 + 3 + 5);

  const Json nested = InspectJson(DataPath("ipc/pyarrow_dictionary_columns.arrows"));
  const Json& outer = nested["columns"][8]["children"][0];
  EXPECT_EQ(outer["path"], "$.nested.dictionary");
  EXPECT_EQ(outer["children"][0]["path"], "$.nested.dictionary.item");
  EXPECT_EQ(outer["children"][0]["children"][0]["path"], "$.nested.dictionary.item.dictionary");
}

TEST(Inspect, RepeatedAndEmptyNamesGetTheirPosition) {
  const Json file = InspectJson(DataPath("ipc/pyarrow_metadata.arrows"));
  std::vector<std::string> paths;
  for (const Json& column : file["columns"]) paths.push_back(column["path"]);
  EXPECT_THAT(paths, ElementsAre("$.a[0]", "$.a[1]", "$[2]"));
  EXPECT_EQ(file["columns"][2]["children"][0]["path"], "$[2].element");
}

TEST(Inspect, TypesPrintAsInTheFormatsOwnWords) {
  const Json file = InspectJson(DataPath("large/temperatures.arrow"));
  std::vector<std::string> types;
  for (const Json& column : file["columns"]) types.push_back(column["type"]);
  EXPECT_THAT(types, ElementsAre("utf8", "timestamp[s]", "list_view<float32>",
                                 "list_view<struct<hour: int8, temp: float32>>", "list_view<utf8>",
                                 "list_view<int32>"));
}

TEST(Inspect, TextIsATableOfPaths) {
  const std::string file = DataPath("ipc/pyarrow_list_view.arrows");
  EXPECT_EQ(RunTool({"inspect", file}).out,
            file +
                ": stream, 1 batch, 6 rows\n"
                "  overlap: list_view<int32>\n"
                "  ordered: list_view<int64>\n"
                "  strings: list_view<utf8>\n"
                "column          type              length  null_count  bytes  elements  "
                "referenced_elements  sum_of_sizes  packed  overlapping  zero_copy_to_list\n"
                "$.overlap       list_view<int32>       6           1     74         6  "
                "                  6            13  no      yes          no\n"
                "$.overlap.item  int32                  6           1     25\n"
                "$.ordered       list_view<int64>       6           1    105         7  "
                "                  7             7  yes     no           yes\n"
                "$.ordered.item  int64                  7           0     56\n"
                "$.strings       list_view<utf8>        6           0     69         3  "
                "                  3             6  no      yes          no\n"
                "$.strings.item  utf8                   3           1     21\n");
}

TEST(Inspect, SeveralFilesAreALineEachAndABrokenOneDoesNotStopTheRest) {
  const std::string good = DataPath("ipc/pyarrow_list_view.arrows");
  const ToolRun run = RunTool({"inspect", "--json", good, "no/such.arrow", good});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(Lines(run.out).size(), 2);
  EXPECT_EQ(run.err, "sheaf: no/such.arrow: cannot open: No such file or directory\n");
}

TEST(Inspect, StandardInputMayBeAStreamOrAFile) {
  for (const std::string name :
       {"ipc/pyarrow_list_view.arrows", "ipc/pyarrow_list_view_file.arrow"}) {
    const ToolRun piped = RunTool({"inspect", "--json", "-"}, ReadFile(DataPath(name)));
    EXPECT_EQ(piped.status, 0) << piped.err;
    Json expected = InspectJson(DataPath(name));
    expected["file"] = "-";
    EXPECT_EQ(Json::parse(piped.out), expected);
  }
}

TEST(Inspect, BrokenViewsAreAnErrorThatNamesTheRow) {
  const std::string file = DataPath("cases/lv_sum_overflow.stream");
  const ToolRun run = RunTool({"inspect", file});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.err, "sheaf: " + file +
                         ": list_view $.v, row 1: offset + size past the end of elements: "
                         "3 + 2147483646 > 3, batch 0\n");
}

}  // namespace
}  // namespace sheaf
