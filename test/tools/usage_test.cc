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

const std::vector<std::string> kCommands = {"inspect", "cat",     "validate", "concat",
                                            "diff",    "rebuild", "convert",  "fill"};

TEST(Usage, HelpHasAnExampleForEachCommand) {
  for (const std::string& command : kCommands) {
    const ToolRun run = RunTool({command, "--help"});
    EXPECT_EQ(run.status, 0) << command;
    EXPECT_THAT(run.out, HasSubstr("Example:\n  sheaf " + command + " "));
    EXPECT_EQ(run.err, "") << command;
  }
}

TEST(Usage, HelpOfTheProgramNamesEveryCommand) {
  const ToolRun run = RunTool({"--help"});
  EXPECT_EQ(run.status, 0);
  for (const std::string& command : kCommands) {
    EXPECT_THAT(run.out, HasSubstr("\n  sheaf " + command)) << run.out;
  }
}

TEST(Usage, VersionIsPrinted) {
  const ToolRun run = RunTool({"--version"});
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out, StartsWith("sheaf "));
}

TEST(Usage, WrongUsageIsStatusTwoWithOneLineAndAHint) {
  const std::string file = DataPath("ipc/pyarrow_list_view.arrows");
  const std::vector<std::vector<std::string>> wrong = {
      {},
      {"frobnicate", file},
      {"inspect"},
      {"inspect", "--frobnicate", file},
      {"cat"},
      {"cat", file, file},
      {"cat", file, "--rows", "-1"},
      {"cat", file, "--rows", "many"},
      {"validate", file, "--level", "extreme"},
      {"concat", file},
      {"concat", "-o", "out.arrow"},
      {"concat", file, "-o", "out.arrow", "--format", "parquet"},
      {"concat", file, "-o", "out.arrow", "--compression", "gzip"},
      {"concat", file, "-o", "out.arrow", "--batch-rows", "0"},
      {"concat", "-", "-", "-o", "out.arrow"},
      {"diff"},
      {"diff", file},
      {"diff", file, file, file},
      {"diff", "-", "-"},
      {"rebuild", file, "-o", "out.arrow"},
      {"rebuild", "--mode", "trim", file},
      {"rebuild", "--mode", "tidy", file, "-o", "out.arrow"},
      {"fill"},
      {"fill", "--type", "int8", "--value", "1", "-o", "out.arrow"},
      {"fill", "--type", "int8", "--value", "1", "--rows", "-1", "-o", "out.arrow"},
      {"fill", "--type", "int8", "--value", "1", "--rows", "1", "--every", "2", "-o", "out.arrow"},
      {"fill", "--type", "int8", "--value", "1", "--rows", "1", "--patches", file, "-o",
       "out.arrow"},
      {"fill", "--type", "int8", "--value", "1", "--rows", "1", "--column", "a", "-o", "out.arrow"},
  };
  for (const auto& args : wrong) {
    const ToolRun run = RunTool(args);
    EXPECT_EQ(run.status, 2) << ::testing::PrintToString(args) << run.err;
    EXPECT_EQ(run.out, "") << ::testing::PrintToString(args);
    EXPECT_EQ(Lines(run.err).size(), 2) << run.err;
    EXPECT_THAT(run.err, StartsWith("sheaf: "));
    EXPECT_THAT(run.err, HasSubstr("--help"));
    EXPECT_FALSE(Exists("out.arrow"));
  }
}

TEST(Usage, AFileThatIsNotThereIsStatusOneWithOneLine) {
  const std::vector<std::vector<std::string>> commands = {
      {"inspect", "no/such.arrow"},
      {"cat", "no/such.arrow"},
      {"validate", "no/such.arrow"},
      {"concat", "no/such.arrow", "-o", "-"},
  };
  for (const auto& args : commands) {
    const ToolRun run = RunTool(args);
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.err, "sheaf: no/such.arrow: cannot open: No such file or directory\n");
  }
}

TEST(Usage, WhatIsNotArrowIsStatusOneWithOneLine) {
  TemporaryFolder folder;
  WriteFile(folder / "empty", "");
  WriteFile(folder / "text", "once upon a time there was no arrow\n");
  WriteFile(folder / "magic", "ARROW1");
  for (const std::string name : {"empty", "text", "magic", ""}) {
    for (const std::string command : {"inspect", "cat", "validate"}) {
      const ToolRun run = RunTool({command, folder / name});
      EXPECT_EQ(run.status, 1) << command << " " << name;
      EXPECT_EQ(run.out, "") << command << " " << name;
      EXPECT_EQ(Lines(run.err).size(), 1) << run.err;
      EXPECT_THAT(run.err, StartsWith("sheaf: " + folder / name + ": "));
    }
  }
}

TEST(Usage, AFullDiskIsAnError) {
  if (!Exists("/dev/full")) GTEST_SKIP();
  const std::string file = DataPath("ipc/pyarrow_list_view.arrows");
  EXPECT_EQ(RunTool({"concat", file, "-o", "/dev/full"}).status, 1);
}

TEST(Usage, CatStopsAtAFullDiskAndSaysSo) {
  if (!Exists("/dev/full")) GTEST_SKIP();
  // Enough rows that the output fails long before the last one.
  const std::string file = DataPath("large/temperatures.arrow");
  for (const std::string form : {"--json", "--rows=100000"}) {
    const ToolRun run = RunTool({"cat", file, form}, "", "/dev/full");
    EXPECT_EQ(run.status, 1) << form;
    EXPECT_EQ(run.err, "sheaf: -: cannot write: No space left on device\n") << form;
  }
}

}  // namespace
}  // namespace sheaf
