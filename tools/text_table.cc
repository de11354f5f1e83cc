#include "tools/text_table.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "tools/report.h"

namespace sheaf::tools {
namespace {

bool BeginsCharacter(char byte) { return (static_cast<uint8_t>(byte) & 0xC0) != 0x80; }

/// At most `width` characters of `text`, the last one `…` where something is left out.
std::string Cut(std::string text, size_t width) {
  if (width == 0 || CharacterCount(text) <= width) return text;
  size_t end = 0;
  for (size_t seen = 0; end < text.size(); ++end) {
    if (BeginsCharacter(text[end]) && ++seen == width) break;
  }
  return text.substr(0, end) + "…";
}

}  // namespace

size_t CharacterCount(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), BeginsCharacter));
}

TextTable::TextTable(std::vector<Column> columns, size_t max_width)
    : columns_(std::move(columns)), max_width_(max_width) {
  for (Column& column : columns_) {
    column.title = Cut(OneLine(column.title), max_width_);
    widths_.push_back(CharacterCount(column.title));
  }
}

void TextTable::AddRow(const std::vector<std::string>& cells) {
  std::vector<std::string>& row = rows_.emplace_back();
  for (const std::string& cell : cells) row.push_back(Cut(OneLine(cell), max_width_));
  Widen(row);
}

void TextTable::Widen(const std::vector<std::string>& cells) {
  for (size_t i = 0; i < cells.size(); ++i) {
    widths_[i] = std::max(widths_[i], CharacterCount(cells[i]));
  }
}

void TextTable::Print(std::ostream& out) {
  if (!titles_printed_) {
    std::vector<std::string> titles;
    for (const Column& column : columns_) titles.push_back(column.title);
    PrintLine(out, titles);
    titles_printed_ = true;
  }
  for (const auto& row : rows_) PrintLine(out, row);
  rows_.clear();
}

void TextTable::PrintLine(std::ostream& out, const std::vector<std::string>& cells) const {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i) {
    const std::string padding(widths_[i] - CharacterCount(cells[i]), ' ');
    if (i > 0) line += "  ";
    line += columns_[i].align == Align::kRight ? padding + cells[i] : cells[i] + padding;
  }
  line.erase(line.find_last_not_of(' ') + 1);  // No trailing spaces.
  out << line << '\n';
}

}  // namespace sheaf::tools
