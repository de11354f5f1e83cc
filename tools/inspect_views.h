#pragma once

#include <string>

#include "tools/report.h"

namespace sheaf::tools {

/// `inspect --svg`: draws the views of a list-view column of `file` into the file `svg`.
/// \param column  its path; empty: the first list-view.
ExitStatus InspectSvg(const std::string& file, const std::string& column, const std::string& svg);

/// `inspect --plan`: prints what each mode of `rebuild` would leave of the list-view columns of
/// `file`, as a table or as one line of JSON.
/// \param column  the path of one; empty: all of them.
ExitStatus InspectPlan(const std::string& file, const std::string& column, bool json);

}  // namespace sheaf::tools
