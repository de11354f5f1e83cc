#include "tools/view_bytes.h"

#include <cstdio>

#include "sheaf/array/bytes.h"
#include "sheaf/base/bits.h"

namespace sheaf::tools {

Status ViewBytes::Add(const Array& list_view) {
  SHEAF_ASSIGN_OR_RETURN(const int64_t element_bytes, UsedBytes(list_view.child(0)));
  const int64_t rows = list_view.length();
  elements += list_view.child(0).length();
  bytes += element_bytes + 2 * rows * list_view.layout().offset_bits / 8 +
           (list_view.has_nulls() ? BytesForBits(rows) : 0);
  return OkStatus();
}

std::string RatioText(int64_t part, int64_t whole) {
  char text[32];
  const double ratio = whole == 0 ? 1.0 : static_cast<double>(part) / static_cast<double>(whole);
  std::snprintf(text, sizeof(text), "%.2f", ratio);
  return text;
}

}  // namespace sheaf::tools
