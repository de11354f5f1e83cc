#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

namespace sheaf::tools {

enum class Align { kLeft, kRight };

/// A table of text with aligned columns, printed block by block so that a table of any length takes
/// the memory of one block: widths grow from block to block and never shrink.
class TextTable {
 public:
  struct Column {
    std::string title;
    Align align = Align::kLeft;
  };

  /// \param max_width  cells longer than so many characters are cut, with `…` at the end; 0: never.
  explicit TextTable(std::vector<Column> columns, size_t max_width = 0);

  /// One cell a column; control characters are escaped.
  void AddRow(const std::vector<std::string>& cells);

  /// Prints the rows added since the last time, the first time with the titles above them.
  void Print(std::ostream& out);

  size_t pending_rows() const { return rows_.size(); }

 private:
  void PrintLine(std::ostream& out, const std::vector<std::string>& cells) const;
  void Widen(const std::vector<std::string>& cells);

  std::vector<Column> columns_;
  size_t max_width_;
  std::vector<size_t> widths_;
  std::vector<std::vector<std::string>> rows_;
  bool titles_printed_ = false;
};

/// Characters of UTF-8 `text`.
size_t CharacterCount(const std::string& text);

}  // namespace sheaf::tools
