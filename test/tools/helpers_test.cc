// The helpers that the commands share, each by itself.

#include <cstdint>
#include <fcntl.h>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>

#include "tools/column_path.h"
#include "tools/progress.h"
#include "tools/report.h"
#include "tools/text_table.h"

namespace sheaf::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Report, OneLineEscapesWhatSteersATerminal) {
  EXPECT_EQ(OneLine("a\nb\tc\x1b[31m"), "a\\nb\\tc\\x1b[31m");
  EXPECT_EQ(OneLine("é€😀"), "é€😀");
  EXPECT_EQ(OneLine("\xff\xc0\x80 \xe2\x82"), "\\xff\\xc0\\x80 \\xe2\\x82");
  EXPECT_EQ(OneLine("\xc2\x9b"), "\\xc2\\x9b");  // U+009B begins an escape sequence.
}

TEST(ColumnPath, NamesThatRepeatOrAreEmptyGetTheirPosition) {
  const std::vector<Field> fields = {Field("a", Int32()), Field("a", Utf8()), Field("", Int8()),
                                     Field("b", Int8())};
  EXPECT_THAT(ChildPaths("$", fields), ElementsAre("$.a[0]", "$.a[1]", "$[2]", "$.b"));
}

TEST(TextTable, AlignsColumnsAndLeavesNoTrailingSpaces) {
  TextTable table({{"name"}, {"n", Align::kRight}, {"note"}});
  table.AddRow({"é", "1", "x"});
  table.AddRow({"long name", "100", ""});
  std::ostringstream out;
  table.Print(out);
  EXPECT_EQ(out.str(),
            "name         n  note\n"
            "é            1  x\n"
            "long name  100\n");
}

TEST(TextTable, CutsLongCellsAtCharactersAndPrintsTitlesOnce) {
  TextTable table({{"t"}}, 4);
  std::ostringstream out;
  table.AddRow({"ééééé"});
  table.Print(out);
  table.AddRow({"abcd"});
  table.Print(out);
  EXPECT_EQ(out.str(), "t\nééé…\nabcd\n");
}

/// A terminal whose other end the test reads.
class Terminal {
 public:
  Terminal() {
    if (::openpty(&far_, &near_, nullptr, nullptr, nullptr) != 0) near_ = -1;
    ::fcntl(far_, F_SETFL, O_NONBLOCK);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal() {
    ::close(near_);
    ::close(far_);
  }
  int descriptor() const { return near_; }
  std::string Shown() const {
    char text[4096];
    const ssize_t read = ::read(far_, text, sizeof(text));
    return read <= 0 ? "" : std::string(text, static_cast<size_t>(read));
  }

 private:
  int near_ = -1;
  int far_ = -1;
};

TEST(Progress, ShowsABarOnATerminalAndWipesIt) {
  const Terminal terminal;
  if (terminal.descriptor() < 0) GTEST_SKIP() << "no pseudo-terminal here";
  {
    Progress progress("concat", terminal.descriptor(), std::chrono::seconds(0));
    progress.Update(0.45, 1234);
    EXPECT_EQ(terminal.Shown(), "\r\x1b[Kconcat [#########···········]  45 %  1234 rows");
  }
  EXPECT_EQ(terminal.Shown(), "\r\x1b[K");
}

TEST(Progress, ShowsRowsOnlyWhereTheEndIsUnknown) {
  const Terminal terminal;
  if (terminal.descriptor() < 0) GTEST_SKIP() << "no pseudo-terminal here";
  Progress progress("cat", terminal.descriptor(), std::chrono::seconds(0));
  progress.Update(-1, 7);
  EXPECT_EQ(terminal.Shown(), "\r\x1b[Kcat  7 rows");
}

TEST(Progress, StaysAwayFromShortWork) {
  const Terminal terminal;
  if (terminal.descriptor() < 0) GTEST_SKIP() << "no pseudo-terminal here";
  {
    Progress progress("cat", terminal.descriptor(), std::chrono::hours(1));
    progress.Update(0.5, 7);
  }
  EXPECT_EQ(terminal.Shown(), "");
}

TEST(Progress, StaysAwayFromPipes) {
  int pipe[2];
  ASSERT_EQ(::pipe2(pipe, O_NONBLOCK), 0);
  {
    Progress progress("cat", pipe[1], std::chrono::seconds(0));
    progress.Update(0.5, 7);
  }
  char byte = 0;
  EXPECT_LT(::read(pipe[0], &byte, 1), 0);
  ::close(pipe[0]);
  ::close(pipe[1]);
}

}  // namespace
}  // namespace sheaf::tools
