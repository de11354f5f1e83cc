// sheaf: looks at Arrow IPC streams and files, checks, compares, joins, converts and makes them.
// One source a command; this one picks.

#include <cerrno>
#include <iostream>
#include <string>

#include <CLI/CLI.hpp>

#include "sheaf/version.h"
#include "tools/commands.h"
#include "tools/report.h"

namespace sheaf::tools {
namespace {

constexpr char kFooter[] =
    "FILE is an Arrow IPC file or stream, told apart by its first bytes; - is standard input.\n"
    "Exit status: 0, 1 (a file cannot be read, is broken or does not fit), 2 (wrong usage); of "
    "diff 0\n"
    "(the same), 1 (different), 2 (wrong usage, or a file that cannot be read).\n"
    "\n"
    "Examples:\n"
    "  sheaf inspect a.arrow\n"
    "  sheaf cat a.arrow --rows 10\n"
    "  sheaf validate *.arrow\n"
    "  sheaf concat a.arrow b.arrow -o both.arrow\n"
    "  sheaf diff a.arrow b.arrow\n"
    "  sheaf rebuild --mode compact a.arrow -o compact.arrow\n"
    "  sheaf convert --to list --nested a.arrow -o lists.arrow\n"
    "  sheaf fill --type int32 --value 7 --rows 1000000 -o sevens.arrow\n"
    "\n"
    "sheaf COMMAND --help says more about each.";

/// Help and version go to standard output; what is wrong with a command line is one line and a
/// hint.
ExitStatus ReportUsage(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
    app.exit(error);
    return kSuccess;
  }
  const auto chosen = app.get_subcommands();
  const std::string name = chosen.empty() ? "sheaf" : "sheaf " + chosen.front()->get_name();
  std::cerr << "sheaf: " << OneLine(error.what()) << "\nTry: " << name << " --help\n";
  return kUsage;
}

/// The parser would only say that a command is missing.
void CheckCommand(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  const auto named = [&](const CLI::App* command) { return command->check_name(argv[1]); };
  if (!app.get_subcommands(named).empty()) return;
  throw CLI::ValidationError("no such command", argv[1]);
}

ExitStatus Run(int argc, char** argv) {
  CLI::App app(
      "Looks at Arrow IPC files and streams, checks, compares, joins, converts and makes them; "
      "list-views stay list-views.",
      "sheaf");
  app.set_version_flag("--version", "sheaf " SHEAF_VERSION_STRING);
  app.footer(kFooter);
  app.require_subcommand(1);
  Command chosen;
  AddInspect(app, chosen);
  AddCat(app, chosen);
  AddValidate(app, chosen);
  AddConcat(app, chosen);
  AddDiff(app, chosen);
  AddRebuild(app, chosen);
  AddConvert(app, chosen);
  AddFill(app, chosen);
  try {
    CheckCommand(app, argc, argv);
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return ReportUsage(app, error);
  }
  const ExitStatus status = chosen();
  errno = 0;
  std::cout.flush();  // A full disk may show itself only here.
  const int error = OutputError();
  return error == 0 ? status : Worse(status, ReportError("-", SystemError("cannot write", error)));
}

}  // namespace
}  // namespace sheaf::tools

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  return sheaf::tools::Run(argc, argv);
}
