#pragma once

#include <string>

#include "tools/view_layout.h"

namespace sheaf::tools {

/// Draws the views of a column over its elements, as SVG.
///
/// Elements go to the right and rows down. Up to 64 rows each have a line of their own; more are
/// put together in a grid of at most 286 by 200 cells, so that the picture of any column has at
/// most 1 MB. Below, a band tells for every stretch of elements how much of it no list, one list,
/// or several lists read.
///
/// \param title  what the column is; \param subtitle  where it comes from.
std::string DrawViews(const ViewLayout& layout, const std::string& title,
                      const std::string& subtitle);

}  // namespace sheaf::tools
