#ifndef SHEAF_TEST_PCH_SHEAF_TEST_PCH_H_
#define SHEAF_TEST_PCH_SHEAF_TEST_PCH_H_

// Guarded, not `#pragma once`: g++ takes that for a mistake in a header that it precompiles.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#endif  // SHEAF_TEST_PCH_SHEAF_TEST_PCH_H_
