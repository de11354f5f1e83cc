#ifndef SHEAF_LIB_PCH_SHEAF_PCH_H_
#define SHEAF_LIB_PCH_SHEAF_PCH_H_

// What most sources include, compiled once. A source still includes what it names.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <absl/strings/string_view.h>

#endif  // SHEAF_LIB_PCH_SHEAF_PCH_H_
