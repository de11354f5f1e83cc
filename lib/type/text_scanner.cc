#include "type/text_scanner.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "type/type_text.h"

namespace sheaf::inline v1::internal {

void TextScanner::SkipSpaces() {
  while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\n')) {
    ++position_;
  }
}

Status TextScanner::ErrorAt(size_t position, std::string_view expected) const {
  const std::string_view found = text_.substr(std::min(position, text_.size()), 16);
  return InvalidArgument("type text, position ", position, ": expected ", expected, ", found ",
                         found.empty() ? "the end" : Concat("'", found, "'"));
}

bool TextScanner::AtEnd() {
  SkipSpaces();
  return position_ == text_.size();
}

bool TextScanner::AtQuote() { return !AtEnd() && text_[position_] == '"'; }

bool TextScanner::Take(char symbol) {
  if (AtEnd() || text_[position_] != symbol) return false;
  ++position_;
  return true;
}

Status TextScanner::Expect(char symbol) {
  if (Take(symbol)) return OkStatus();
  const char quoted[] = {'\'', symbol, '\'', '\0'};
  return Error(quoted);
}

std::string_view TextScanner::PeekWord() {
  SkipSpaces();
  size_t end = position_;
  while (end < text_.size() && IsNameByte(text_[end])) ++end;
  return text_.substr(position_, end - position_);
}

bool TextScanner::TakeWord(std::string_view word) {
  if (PeekWord() != word) return false;
  position_ += word.size();
  return true;
}

StatusOr<int32_t> TextScanner::ParseInt32(std::string_view what) {
  SkipSpaces();
  int32_t value = 0;
  const char* begin = text_.data() + position_;
  const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
  if (error != std::errc()) return Error(what);
  position_ += static_cast<size_t>(end - begin);
  return value;
}

StatusOr<std::string> TextScanner::ParseText(bool (*is_bare)(char), std::string_view what) {
  if (AtQuote()) return ParseQuoted();
  const size_t start = position_;
  while (position_ < text_.size() && is_bare(text_[position_])) ++position_;
  if (position_ == start) return Error(what);
  return std::string(text_.substr(start, position_ - start));
}

StatusOr<std::string> TextScanner::ParseQuoted() {
  const size_t start = position_++;
  std::string text;
  while (position_ < text_.size()) {
    const char byte = text_[position_++];
    if (byte == '"') return text;
    if (byte != '\\') {
      text.push_back(byte);
      continue;
    }
    SHEAF_ASSIGN_OR_RETURN(const char escaped, ParseEscape());
    text.push_back(escaped);
  }
  return ErrorAt(start, "text that ends with a quote");
}

StatusOr<char> TextScanner::ParseEscape() {
  if (position_ < text_.size()) {
    const char byte = text_[position_];
    if (byte == '"' || byte == '\\') {
      ++position_;
      return byte;
    }
    unsigned code = 0;
    if (byte == 'x' && text_.size() - position_ >= 3) {
      const char* digits = text_.data() + position_ + 1;
      const auto [end, error] = std::from_chars(digits, digits + 2, code, 16);
      if (error == std::errc() && end == digits + 2) {
        position_ += 3;
        return static_cast<char>(code);
      }
    }
  }
  return Error("one of \\\", \\\\ and \\xNN");
}

}  // namespace sheaf::inline v1::internal
