// Types, fields and schemas as text. What is printed here, type/parse.cc reads.
#include <algorithm>
#include <string>

#include "sheaf/type/schema.h"
#include "sheaf/type/visit_type.h"
#include "type/type_text.h"

namespace sheaf::inline v1 {
namespace internal {

void AppendQuoted(std::string_view text, bool (*is_bare)(char), std::string* out) {
  if (!text.empty() && std::ranges::all_of(text, is_bare)) {
    out->append(text);
    return;
  }
  constexpr char kHexDigits[] = "0123456789abcdef";
  out->push_back('"');
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    if (byte == '"' || byte == '\\') {
      out->push_back('\\');
      out->push_back(byte);
    } else if (code < 0x20 || code == 0x7F) {
      out->append("\\x");
      out->push_back(kHexDigits[code >> 4]);
      out->push_back(kHexDigits[code & 15]);
    } else {
      out->push_back(byte);
    }
  }
  out->push_back('"');
}

namespace {

class TypePrinter {
 public:
  explicit TypePrinter(std::string* out) : out_(*out) {}

  void Print(const DataType& type) {
    const TypeId id = type.id();
    out_.append(TypeName(id));
    switch (id) {
      case TypeId::kDecimal32:
      case TypeId::kDecimal64:
      case TypeId::kDecimal128:
      case TypeId::kDecimal256:
        return Add("(", std::to_string(type.precision()), ", ", std::to_string(type.scale()), ")");
      case TypeId::kTime32:
      case TypeId::kTime64:
      case TypeId::kDuration:
        return Add("[", UnitName(type), "]");
      case TypeId::kTimestamp:
        return PrintTimestamp(type);
      case TypeId::kFixedSizeBinary:
        return Add("[", std::to_string(type.byte_width()), "]");
      case TypeId::kList:
      case TypeId::kLargeList:
      case TypeId::kListView:
      case TypeId::kLargeListView:
        return PrintList(type);
      case TypeId::kFixedSizeList:
        PrintList(type);
        return Add("[", std::to_string(type.list_size()), "]");
      case TypeId::kStruct:
        return PrintStruct(type);
      case TypeId::kMap:
        return PrintMap(type);
      case TypeId::kSparseUnion:
      case TypeId::kDenseUnion:
        return PrintUnion(type);
      case TypeId::kDictionary:
        return PrintDictionary(type);
      case TypeId::kRunEndEncoded:
        Add("<");
        PrintChild(type.field(0), kRunEndsName, /*usually_nullable=*/false);
        Add(", ");
        PrintChild(type.field(1), kValuesName);
        return Add(">");
      case TypeId::kExtension:
        return PrintExtension(type);
      default:
        return;
    }
  }

  void PrintField(const Field& field) {
    AppendQuoted(field.name(), IsNameByte, &out_);
    Add(": ");
    Print(field.type());
    if (!field.nullable()) Add(" not null");
  }

 private:
  template <typename... Texts>
  void Add(const Texts&... texts) {
    (out_.append(texts), ...);
  }

  static std::string_view UnitName(const DataType& type) {
    return kUnitNames[static_cast<size_t>(type.unit())];
  }

  /// A child that has a usual name and nullability: only what is unusual is printed.
  void PrintChild(const Field& child, std::string_view usual_name, bool usually_nullable = true) {
    if (child.name() != usual_name) {
      AppendQuoted(child.name(), IsNameByte, &out_);
      Add(": ");
    }
    Print(child.type());
    if (child.nullable() != usually_nullable) Add(usually_nullable ? " not null" : " nullable");
  }

  void PrintTimestamp(const DataType& type) {
    Add("[", UnitName(type));
    if (!type.timezone().empty()) {
      Add(", ");
      AppendQuoted(type.timezone(), IsWordByte, &out_);
    }
    Add("]");
  }

  void PrintList(const DataType& type) {
    Add("<");
    PrintChild(type.field(0), kItemName);
    Add(">");
  }

  void PrintStruct(const DataType& type) {
    Add("<");
    for (int i = 0; i < type.num_fields(); ++i) {
      if (i > 0) Add(", ");
      PrintField(type.field(i));
    }
    Add(">");
  }

  /// Entries with a name or nullability of their own are printed as the field
  /// they are; the usual ones as key and value.
  void PrintMap(const DataType& type) {
    const Field& entries = type.field(0);
    Add("<");
    if (entries.name() == kEntriesName && !entries.nullable()) {
      PrintChild(entries.type().field(0), kKeyName, /*usually_nullable=*/false);
      Add(", ");
      PrintChild(entries.type().field(1), kValueName);
    } else {
      PrintField(entries);
    }
    if (type.keys_sorted()) Add(", ", kKeysSorted);
    Add(">");
  }

  void PrintUnion(const DataType& type) {
    Add("<");
    for (int i = 0; i < type.num_fields(); ++i) {
      if (i > 0) Add(", ");
      PrintField(type.field(i));
      Add("=", std::to_string(type.type_codes()[static_cast<size_t>(i)]));
    }
    Add(">");
  }

  void PrintDictionary(const DataType& type) {
    Add("<");
    Print(type.index_type());
    Add(", ");
    Print(type.value_type());
    if (type.ordered()) Add(", ", kOrdered);
    Add(">");
  }

  void PrintExtension(const DataType& type) {
    Add("<");
    AppendQuoted(type.extension_name(), IsWordByte, &out_);
    Add(", ");
    Print(type.storage());
    if (!type.extension_metadata().empty()) {
      Add(", ");
      AppendQuoted(type.extension_metadata(), [](char) { return false; }, &out_);
    }
    Add(">");
  }

  std::string& out_;
};

}  // namespace
}  // namespace internal

std::string DataType::ToString() const {
  std::string text;
  internal::TypePrinter(&text).Print(*this);
  return text;
}

std::string Field::ToString() const {
  std::string text;
  internal::TypePrinter(&text).PrintField(*this);
  return text;
}

std::string Schema::ToString() const {
  std::string text;
  for (const Field& field : fields()) {
    if (!text.empty()) text.push_back('\n');
    internal::TypePrinter(&text).PrintField(field);
  }
  return text;
}

}  // namespace sheaf::inline v1
