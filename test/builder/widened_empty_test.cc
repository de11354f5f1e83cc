// Windows that are kept while they reach no row of a child, and widen to some later.
#include <cstdint>
#include <string>
#include <vector>

#include "sheaf/array/equality.h"
#include "sheaf/builder/make_builder.h"
#include "testing/array_literals.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;

/// Appends row 1, whose lists are empty, then all rows, which share a window with it.
void KeepAnEmptyWindowAndWidenIt(const char* type, const char* rows) {
  const Array source = FromJson(type, rows);
  BuilderOptions options;
  options.min_chunk_bytes = BuilderOptions::kAlwaysKeep;
  ASSERT_OK_AND_ASSIGN(const auto builder, MakeBuilder(source.type(), options));
  BuilderOptions copying;
  copying.min_chunk_bytes = BuilderOptions::kNeverKeep;
  ASSERT_OK_AND_ASSIGN(const auto expected, MakeBuilder(source.type(), copying));
  for (ArrayBuilder* each : {builder.get(), expected.get()}) {
    ASSERT_OK(each->AppendArray(source, 1, 1));
    ASSERT_OK(each->AppendArray(source));
    ASSERT_OK(each->AppendArray(source, 0, 2));
  }
  ASSERT_OK_AND_ASSIGN(const Array kept, builder->Finish());
  ASSERT_OK_AND_ASSIGN(const Array copied, expected->Finish());
  ASSERT_OK(Validate(kept));
  EXPECT_EQ(FirstDifference(kept, copied), "") << type;
}

TEST(WidenedWindows, MayHaveReachedNoRowOfAChildBefore) {
  for (const std::string outer : {"list_view", "large_list_view"}) {
    for (const std::string middle : {"list", "large_list", "list_view"}) {
      for (const std::string inner : {"list", "list_view", "large_list_view"}) {
        const std::string lists = outer + "<" + middle + "<" + inner + "<int32>>>";
        KeepAnEmptyWindowAndWidenIt(lists.c_str(),
                                    "[[[null, [1, null], []]], [[], []], [[[null, 2], null], []]]");
      }
      KeepAnEmptyWindowAndWidenIt((outer + "<" + middle + "<utf8>>").c_str(),
                                  R"([[[null, "a"]], [[], []], [["b", null]]])");
    }
    KeepAnEmptyWindowAndWidenIt((outer + "<fixed_size_list<list_view<int32>>[0]>").c_str(),
                                "[[[], []], [[]], [[], null]]");
  }
}

}  // namespace
}  // namespace sheaf
