#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <signal.h>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "testing/array_literals.h"
#include "testing/from_json.h"
#include "tools/run_tool.h"
#include "tools/write_stream.h"

namespace sheaf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using namespace testing;
using Json = nlohmann::ordered_json;

const std::string kViews = DataPath("ipc/pyarrow_list_view.arrows");
const std::string kTemperatures = DataPath("large/temperatures.arrow");

std::string Rows(const std::string& file) { return RunTool({"cat", "--json", file}).out; }
Json Figures(const std::string& file) {
  return Json::parse(RunTool({"inspect", "--json", file}).out);
}

void ExpectRefused(const ToolRun& run, const std::string& file) {
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(Lines(run.err).size(), 1) << run.err;
  EXPECT_THAT(run.err, StartsWith("sheaf: " + file + ": "));
}

TEST(Concat, RowsOfAllInputsComeInOrderInOneBatch) {
  TemporaryFolder folder;
  const std::string out = folder / "out.arrow";
  const ToolRun run = RunTool({"concat", kViews, kViews, "-o", out});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out + run.err, "");
  EXPECT_EQ(Rows(out), Rows(kViews) + Rows(kViews));
  EXPECT_EQ(Figures(out)["batches"], 1);
  EXPECT_EQ(RunTool({"validate", out}).status, 0);
  EXPECT_THAT(folder.Names(), ElementsAre("out.arrow"));
}

TEST(Concat, ViewsAreKept) {
  TemporaryFolder folder;
  const std::string out = folder / "out.arrow";
  ASSERT_EQ(RunTool({"concat", kTemperatures, kTemperatures, "-o", out}).status, 0);
  const Json before = Figures(kTemperatures);
  const Json after = Figures(out);
  for (size_t i = 0; i < before["columns"].size(); ++i) {
    const Json& column = after["columns"][i];
    if (!column.contains("elements")) continue;
    EXPECT_EQ(column["overlapping"], before["columns"][i]["overlapping"]) << column["path"];
    // Every element was stored at most once for each time its file was given.
    EXPECT_LE(int64_t{column["elements"]}, 2 * int64_t{before["columns"][i]["elements"]});
    EXPECT_EQ(int64_t{column["sum_of_sizes"]}, 2 * int64_t{before["columns"][i]["sum_of_sizes"]});
  }
}

TEST(Concat, EveryFileThatBuildersTakeReadsTheSameAfterwards) {
  int taken = 0;
  TemporaryFolder folder;
  for (const std::string& name : FilesWithoutDictionaries()) {
    const std::string out = folder / "out.arrow";
    const ToolRun run = RunTool({"concat", DataPath(name), DataPath(name), "-o", out});
    if (run.status == 1 && run.err.find("no builder") != std::string::npos)
      continue;  // Maps, unions, ...
    ASSERT_EQ(run.status, 0) << name << ": " << run.err;
    EXPECT_EQ(Rows(out), Rows(DataPath(name)) + Rows(DataPath(name))) << name;
    ++taken;
  }
  EXPECT_GT(taken, 20);
}

TEST(Concat, BatchRowsBoundsEveryBatch) {
  TemporaryFolder folder;
  const std::string out = folder / "out.arrow";
  const std::string in = DataPath("ipc/pyarrow_multi_batch.arrows");
  ASSERT_EQ(RunTool({"concat", in, in, "-o", out, "--batch-rows", "7"}).status, 0);
  const Json figures = Figures(out);
  const int64_t rows = figures["rows"];
  EXPECT_EQ(figures["batches"], (rows + 6) / 7);
  EXPECT_EQ(Rows(out), Rows(in) + Rows(in));
}

TEST(Concat, FormatFollowsTheNameUnlessGiven) {
  TemporaryFolder folder;
  const auto format_of = [&](const std::string& name, std::vector<std::string> more) {
    std::vector<std::string> args = {"concat", kViews, "-o", folder / name};
    args.insert(args.end(), more.begin(), more.end());
    EXPECT_EQ(RunTool(args).status, 0);
    return std::string(Figures(folder / name)["format"]);
  };
  EXPECT_EQ(format_of("a.arrow", {}), "file");
  EXPECT_EQ(format_of("a.arrows", {}), "stream");
  EXPECT_EQ(format_of("a.data", {}), "file");
  EXPECT_EQ(format_of("b.arrow", {"--format", "stream"}), "stream");
  EXPECT_EQ(format_of("b.arrows", {"--format", "file"}), "file");
}

TEST(Concat, CompressedOutputReadsTheSame) {
  TemporaryFolder folder;
  const std::string in = kTemperatures;
  const std::string plain = folder / "plain.arrow";
  ASSERT_EQ(RunTool({"concat", in, "-o", plain}).status, 0);
  for (const std::string codec : {"none", "lz4", "zstd"}) {
    const std::string out = folder / (codec + ".arrow");
    ASSERT_EQ(RunTool({"concat", in, "-o", out, "--compression", codec}).status, 0) << codec;
    EXPECT_EQ(Rows(out), Rows(in)) << codec;
    if (codec != "none") {
      EXPECT_LT(ReadFile(out).size(), ReadFile(plain).size() / 2);
    }
  }
}

TEST(Concat, DashesArePipes) {
  const ToolRun run = RunTool({"concat", kViews, "-", "-o", "-"}, ReadFile(kViews));
  ASSERT_EQ(run.status, 0) << run.err;
  const ToolRun rows = RunTool({"cat", "--json", "-"}, run.out);
  EXPECT_EQ(rows.out, Rows(kViews) + Rows(kViews));
  EXPECT_EQ(Json::parse(RunTool({"inspect", "--json", "-"}, run.out).out)["format"], "stream");

  const ToolRun file = RunTool({"concat", kViews, "-o", "-", "--format", "file"});
  EXPECT_THAT(file.out, StartsWith("ARROW1"));
}

TEST(Concat, ListLikeColumnsTakeEveryListLikeTypeAndTheFirstInputDecides) {
  TemporaryFolder folder;
  const char* rows = "[[1, 2], null, []]";
  WriteStream(folder / "views.arrows", {Field("v", TypeFrom("list_view<int32>"))},
              {FromJson("list_view<int32>", rows)});
  WriteStream(folder / "lists.arrows", {Field("v", TypeFrom("large_list<int32>"))},
              {FromJson("large_list<int32>", rows)});
  const std::string out = folder / "out.arrow";
  const ToolRun run =
      RunTool({"concat", folder / "views.arrows", folder / "lists.arrows", "-o", out});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(Figures(out)["columns"][0]["type"], "list_view<int32>");
  EXPECT_EQ(Rows(out), Rows(folder / "views.arrows") + Rows(folder / "lists.arrows"));
}

TEST(Concat, WhatDoesNotMatchIsNamedWithFileAndPath) {
  TemporaryFolder folder;
  const Array ints = Ints({1, 2});
  const auto write = [&](const std::string& name, std::vector<Field> fields,
                         const std::vector<Array>& columns) {
    WriteStream(folder / name, std::move(fields), columns);
    return folder / name;
  };
  const DataType inner = Struct({Field("x", Int32())});
  const DataType other = Struct({Field("x", Int64())});
  const std::string first = write("first", {Field("a", Int32()), Field("b", inner)},
                                  {ints, FromJson(inner, R"([{"x":1},{"x":2}])")});
  const std::string renamed = write("renamed", {Field("a", Int32()), Field("c", inner)},
                                    {ints, FromJson(inner, R"([{"x":1},{"x":2}])")});
  const std::string fewer = write("fewer", {Field("a", Int32())}, {ints});
  const std::string retyped = write("retyped", {Field("a", Int32()), Field("b", other)},
                                    {ints, FromJson(other, R"([{"x":1},{"x":2}])")});
  const std::string out = folder / "out.arrow";
  for (const std::string& second : {renamed, fewer, retyped}) {
    ExpectRefused(RunTool({"concat", first, second, "-o", out}), second);
    EXPECT_FALSE(Exists(out));
  }
  EXPECT_THAT(RunTool({"concat", first, retyped, "-o", out}).err, HasSubstr("$.b.x"));
  EXPECT_THAT(RunTool({"concat", first, renamed, "-o", out}).err,
              HasSubstr("$.b: column 1 is called \"c\" here"));
}

TEST(Concat, ANullForAColumnWithoutNullsIsRefused) {
  TemporaryFolder folder;
  WriteStream(folder / "first", {Field("a", Int32(), /*nullable=*/false)}, {Ints({1})});
  WriteStream(folder / "full", {Field("a", Int32())}, {Ints({2})});
  WriteStream(folder / "null", {Field("a", Int32())}, {Ints({kNull})});
  const std::string out = folder / "out.arrow";
  EXPECT_EQ(RunTool({"concat", folder / "first", folder / "full", "-o", out}).status, 0);
  EXPECT_EQ(Lines(Rows(out)).size(), 2);
  const ToolRun run =
      RunTool({"concat", folder / "first", folder / "null", "-o", folder / "no.arrow"});
  ExpectRefused(run, folder / "null");
  EXPECT_THAT(run.err, HasSubstr("field a: int32 not null is not nullable and has a null"));
}

TEST(Concat, AFailureLeavesNoFileAndTheOldOneUntouched) {
  TemporaryFolder folder;
  const std::string broken = DataPath("cases/lv_cut_in_body.stream");
  const std::string good = DataPath("cases/lv_whole.stream");
  const std::string out = folder / "out.arrow";
  ExpectRefused(RunTool({"concat", good, broken, "-o", out}), broken);
  EXPECT_THAT(folder.Names(), IsEmpty());

  WriteFile(out, "as it was");
  ExpectRefused(RunTool({"concat", good, broken, "-o", out, "--batch-rows", "1"}), broken);
  EXPECT_EQ(ReadFile(out), "as it was");
  EXPECT_THAT(folder.Names(), ElementsAre("out.arrow"));
}

TEST(Concat, AnInterruptLeavesNoFile) {
  TemporaryFolder folder;
  const std::string stream = ReadFile(kViews);
  const RunningTool tool = StartTool({"concat", "-", "-o", folder / "out.arrow"});
  ASSERT_GT(::write(tool.input, stream.data(), stream.size() / 2), 0);
  for (int i = 0; i < 1000 && folder.Names().empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(folder.Names().size(), 1);  // Hidden, beside its place.
  EXPECT_FALSE(Exists(folder / "out.arrow"));
  ::kill(tool.process, SIGTERM);
  EXPECT_EQ(WaitFor(tool.process), 128 + SIGTERM);
  ::close(tool.input);
  EXPECT_THAT(folder.Names(), IsEmpty());
}

TEST(Concat, OutMayBeOneOfTheInputs) {
  TemporaryFolder folder;
  const std::string file = folder / "grows.arrow";
  WriteFile(file, ReadFile(DataPath("ipc/pyarrow_list_view_file.arrow")));
  const std::string before = Rows(file);
  ASSERT_EQ(RunTool({"concat", file, file, "-o", file}).status, 0);
  EXPECT_EQ(Rows(file), before + before);
}

TEST(Concat, AnExistingFileKeepsItsModeAndALinkStaysALink) {
  TemporaryFolder folder;
  WriteFile(folder / "real.arrow", "old");
  ASSERT_EQ(::chmod((folder / "real.arrow").c_str(), 0640), 0);
  ASSERT_EQ(::symlink((folder / "real.arrow").c_str(), (folder / "link.arrow").c_str()), 0);
  ASSERT_EQ(RunTool({"concat", kViews, "-o", folder / "link.arrow"}).status, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.arrow"));
  struct stat facts = {};
  ASSERT_EQ(::stat((folder / "real.arrow").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0640U);
  EXPECT_EQ(Rows(folder / "real.arrow"), Rows(kViews));
}

TEST(Concat, AFolderThatIsNotThereIsAnErrorAboutOut) {
  ExpectRefused(RunTool({"concat", kViews, "-o", "no/such/out.arrow"}), "no/such/out.arrow");
  TemporaryFolder folder;
  ExpectRefused(RunTool({"concat", kViews, "-o", folder / ""}), folder / "");
}

TEST(Concat, InputsWithoutRowsGiveOneEmptyBatch) {
  TemporaryFolder folder;
  WriteStream(folder / "empty.arrows", {Field("v", TypeFrom("list_view<int32>"))},
              {FromJson("list_view<int32>", "[]")});
  const std::string out = folder / "out.arrow";
  ASSERT_EQ(RunTool({"concat", folder / "empty.arrows", "-o", out}).status, 0);
  EXPECT_EQ(Figures(out)["rows"], 0);
  EXPECT_EQ(Figures(out)["batches"], 1);
  EXPECT_EQ(Figures(out)["columns"][0]["type"], "list_view<int32>");
}

TEST(Concat, RowsWithoutColumnsAreCounted) {
  TemporaryFolder folder;
  const std::string in = DataPath("cases/no_columns.stream");  // 7 rows.
  const std::string out = folder / "out.arrow";
  ASSERT_EQ(RunTool({"concat", in, in, "-o", out}).status, 0);
  EXPECT_EQ(Figures(out)["rows"], 14);
}

}  // namespace
}  // namespace sheaf
