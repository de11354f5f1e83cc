#include <cstdio>

#include "sheaf/sheaf.h"

int main() {
  const sheaf::StatusOr<int64_t> sum = sheaf::CheckedAdd(40, 2, "rows");
  const sheaf::Status refused = sheaf::CheckedMultiply(int64_t{1} << 62, 2, "bytes").status();
  std::printf("sheaf %s: %s\n", SHEAF_VERSION_STRING, refused.ToString().c_str());
  return sum.ok() && *sum == 42 && refused.code() == sheaf::StatusCode::kOutOfRange ? 0 : 1;
}
