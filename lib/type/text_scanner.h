#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sheaf/base/status.h"

namespace sheaf::inline v1::internal {

/// The words, numbers, symbols and quoted texts of a printed type. `Take…` moves on only where what
/// it looks for is there; errors give the position and what was expected. Spaces in front of a
/// token mean nothing.
class TextScanner {
 public:
  explicit TextScanner(std::string_view text) : text_(text) {}

  Status Error(std::string_view expected) const { return ErrorAt(position_, expected); }
  Status ErrorAt(size_t position, std::string_view expected) const;

  void SkipSpaces();
  bool AtEnd();
  bool Take(char symbol);
  Status Expect(char symbol);
  /// The run of name bytes that is next; may be empty.
  std::string_view PeekWord();
  bool TakeWord(std::string_view word);
  StatusOr<int32_t> ParseInt32(std::string_view what);
  /// A run of allowed bytes, or text in quotes.
  StatusOr<std::string> ParseText(bool (*is_bare)(char), std::string_view what);
  /// Whether a quoted text is next.
  bool AtQuote();
  StatusOr<std::string> ParseQuoted();

 protected:
  std::string_view text_;
  size_t position_ = 0;

 private:
  StatusOr<char> ParseEscape();
};

}  // namespace sheaf::inline v1::internal
