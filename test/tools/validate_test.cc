#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/run_tool.h"

namespace sheaf {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using namespace testing;

TEST(Validate, EveryFileOfOtherEnginesIsValidAtEveryLevel) {
  for (const std::string& name : EngineFiles()) {
    for (const std::string level : {"none", "minimal", "default", "full"}) {
      const ToolRun run = RunTool({"validate", "--level", level, DataPath(name)});
      if (level == "full" && SidecarOf(name).contains("error")) {  // Its maker refused it, too.
        EXPECT_EQ(run.status, 1) << name;
        EXPECT_THAT(run.err, HasSubstr("more than 38 digits"));
        continue;
      }
      EXPECT_EQ(run.status, 0) << name << " " << level << run.err;
      EXPECT_THAT(run.out, StartsWith(DataPath(name) + ": valid "));
    }
  }
}

TEST(Validate, SaysFormatBatchesAndRows) {
  const std::string file = DataPath("large/temperatures.arrow");
  EXPECT_EQ(RunTool({"validate", file}).out, file + ": valid file, 2 batches, 17518 rows\n");
}

TEST(Validate, NamesWhatIsWrongAndWherePerFile) {
  const std::string good = DataPath("cases/lv_whole.stream");
  const std::string bad = DataPath("cases/lv_sum_overflow.stream");
  const ToolRun run = RunTool({"validate", good, bad, good});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(Lines(run.out).size(), 2);
  EXPECT_EQ(Lines(run.err).size(), 1);
  EXPECT_THAT(run.err, StartsWith("sheaf: " + bad + ": "));
  EXPECT_THAT(run.err, HasSubstr("row "));
  EXPECT_THAT(run.err, HasSubstr(", batch 0\n"));
}

TEST(Validate, BrokenInputsAreErrorsOfOneLine) {
  const std::vector<std::string> broken = {
      "lv_cut_after_length", "lv_cut_in_body",        "lv_cut_in_length",   "lv_cut_in_metadata",
      "lv_sum_overflow",     "lv_null_out_of_bounds", "struct_child_short", "sv_bad_index",
      "sv_count_huge",       "sv_count_missing",      "sv_count_negative",
  };
  for (const std::string& name : broken) {
    const std::string file = DataPath("cases/" + name + ".stream");
    const ToolRun run = RunTool({"validate", file});
    EXPECT_EQ(run.status, 1) << name;
    EXPECT_EQ(run.out, "") << name;
    EXPECT_EQ(Lines(run.err).size(), 1) << run.err;
    EXPECT_THAT(run.err, StartsWith("sheaf: " + file + ": "));
  }
}

TEST(Validate, SoundInputsOfOddShapesAreValid) {
  for (const std::string name : {"lv_whole", "lv_no_eos", "lv_null_garbage_ok", "no_columns",
                                 "struct_no_fields", "fsl_size_zero", "sv_good", "be_int"}) {
    const ToolRun run = RunTool({"validate", DataPath("cases/" + name + ".stream")});
    EXPECT_EQ(run.status, 0) << name << ": " << run.err;
  }
}

TEST(Validate, ViewsAreLookedAtOnlyAtTheFullLevel) {
  const std::string bad = DataPath("cases/lv_sum_overflow.stream");
  EXPECT_EQ(RunTool({"validate", "--level", "none", bad}).status, 0);
  EXPECT_EQ(RunTool({"validate", "--level", "minimal", bad}).status, 0);
  EXPECT_EQ(RunTool({"validate", "--level", "full", bad}).status, 1);
}

TEST(Validate, ABrokenMessageOfAFileNamesItsBatchOnce) {
  TemporaryFolder folder;
  const std::string file = folder / "broken.arrow";
  const std::string whole = DataPath("cases/lv_whole.stream");
  ASSERT_EQ(RunTool({"concat", whole, "-o", file, "--batch-rows", "1"}).status, 0);
  std::string bytes = ReadFile(file);
  const std::string marker =
      "\xff\xff\xff\xff";  // Stands before every message; the schema is first.
  const size_t schema = bytes.find(marker);
  bytes.replace(bytes.find(marker, schema + 4), 4, std::string("\x7f\xff\xff\xff", 4));
  WriteFile(file, bytes);
  const ToolRun run = RunTool({"validate", file});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, StartsWith("sheaf: " + file + ": batch 0: "));
  EXPECT_THAT(run.err, ::testing::Not(HasSubstr(", batch 0")));
}

TEST(Validate, StandardInputIsADash) {
  const ToolRun run = RunTool({"validate", "-"}, ReadFile(DataPath("cases/lv_whole.stream")));
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, StartsWith("-: valid stream, "));
}

}  // namespace
}  // namespace sheaf
