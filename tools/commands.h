#pragma once

#include <functional>

#include "tools/report.h"

namespace CLI {
class App;
}

namespace sheaf::tools {

/// What the command line asks for, ready to run.
using Command = std::function<ExitStatus()>;

// Each adds one command to `app`; parsing its arguments sets `chosen`.
void AddInspect(CLI::App& app, Command& chosen);
void AddCat(CLI::App& app, Command& chosen);
void AddValidate(CLI::App& app, Command& chosen);
void AddConcat(CLI::App& app, Command& chosen);
void AddDiff(CLI::App& app, Command& chosen);
void AddRebuild(CLI::App& app, Command& chosen);
void AddConvert(CLI::App& app, Command& chosen);
void AddFill(CLI::App& app, Command& chosen);

}  // namespace sheaf::tools
