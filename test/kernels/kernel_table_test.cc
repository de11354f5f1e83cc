#include "kernels/kernel_table.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sheaf {
namespace {

std::vector<std::string> RunnableNames() {
  std::vector<std::string> names;
  for (const kernels::Kernels* table : kernels::Runnable()) names.emplace_back(table->target);
  return names;
}

TEST(KernelTable, NamesItsTargetsBestFirstAndEndsWithScalar) {
  const std::vector<std::string> order = {"avx512bw", "avx2", "sse4_2", "scalar"};
  const std::vector<std::string> names = RunnableNames();
  EXPECT_EQ(names.back(), "scalar");
  // A machine that runs one of them runs those behind it.
  EXPECT_TRUE(names.size() == 1 ||
              std::equal(names.rbegin(), names.rend(), order.rbegin(),
                         order.rbegin() + static_cast<std::ptrdiff_t>(names.size())));
}

TEST(KernelTable, BestIsTheFirstThatRunsOrTheOneAskedFor) {
  const char* forced = std::getenv("SHEAF_KERNELS");
  const std::vector<std::string> names = RunnableNames();
  const bool runs = forced != nullptr && std::count(names.begin(), names.end(), forced) > 0;
  EXPECT_EQ(kernels::Best().target, runs ? std::string(forced) : names.front());
}

// The choice is made when the library is loaded, so each is made by a process of its own.
class KernelTableDeathTest : public ::testing::Test {
 protected:
  static void ExpectBest(const char* forced, const std::string& expected) {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";  // Starts the program anew.
    const char* before = std::getenv("SHEAF_KERNELS");
    const std::string kept = before == nullptr ? "" : before;
    setenv("SHEAF_KERNELS", forced, 1);
    EXPECT_EXIT(
        {
          std::fprintf(stderr, "best is %s\n", kernels::Best().target);
          std::exit(0);
        },
        ::testing::ExitedWithCode(0), "best is " + expected + "\n");
    before == nullptr ? unsetenv("SHEAF_KERNELS") : setenv("SHEAF_KERNELS", kept.c_str(), 1);
  }
};

TEST_F(KernelTableDeathTest, TheEnvironmentForcesEveryTargetThatRuns) {
  for (const std::string& name : RunnableNames()) ExpectBest(name.c_str(), name);
}

TEST_F(KernelTableDeathTest, ANameThatNobodyKnowsIsAsIfItWereNotThere) {
  for (const char* name : {"", "avx", "AVX2", "neon", "scalar "}) {
    ExpectBest(name, RunnableNames().front());
  }
}

}  // namespace
}  // namespace sheaf
