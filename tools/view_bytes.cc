#include "tools/view_bytes.h"

#include <cstdio>
#include <limits>

#include "sheaf/array/bytes.h"
#include "sheaf/base/bits.h"
#include "sheaf/base/checked.h"

namespace sheaf::tools {

int64_t BytesOfViews(const Array& list_view) {
  const int64_t rows = list_view.length();
  return 2 * rows * list_view.layout().offset_bits / 8 +
         (list_view.has_nulls() ? BytesForBits(rows) : 0);
}

int64_t SaturatingAdd(int64_t a, int64_t b) {
  int64_t sum = 0;
  return AddOverflows(a, b, &sum) ? std::numeric_limits<int64_t>::max() : sum;
}

Status ViewBytes::Add(const Array& list_view) {
  SHEAF_ASSIGN_OR_RETURN(const int64_t element_bytes, UsedBytes(list_view.child(0)));
  elements = SaturatingAdd(elements, list_view.child(0).length());
  bytes = SaturatingAdd(bytes, SaturatingAdd(element_bytes, BytesOfViews(list_view)));
  return OkStatus();
}

std::string RatioText(int64_t part, int64_t whole) {
  char text[32];
  const double ratio = whole == 0 ? 1.0 : static_cast<double>(part) / static_cast<double>(whole);
  std::snprintf(text, sizeof(text), "%.2f", ratio);
  return text;
}

}  // namespace sheaf::tools
