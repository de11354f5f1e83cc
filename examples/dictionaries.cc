// Dictionary columns: values and arrays with dictionaries of their own in one builder, a dictionary
// that grows from array to array, and rows decoded again.

#include <cstdint>
#include <iostream>

#include "sheaf/array/dictionary_array.h"
#include "sheaf/array/fixed_width_array.h"
#include "sheaf/builder/binary_builder.h"
#include "sheaf/builder/dictionary_builder.h"
#include "sheaf/builder/make_builder.h"

/// ["elm", "oak", "elm"], by indices of 32 bits.
sheaf::StatusOr<sheaf::DictionaryArray> Trees() {
  SHEAF_ASSIGN_OR_RETURN(const auto names,
                         sheaf::MakeBuilderAs<sheaf::BinaryBuilder>(sheaf::Utf8()));
  for (const char* name : {"elm", "oak"}) SHEAF_RETURN_IF_ERROR(names->Append(name));
  SHEAF_ASSIGN_OR_RETURN(const sheaf::Array values, names->Finish());
  SHEAF_ASSIGN_OR_RETURN(const sheaf::Array indices, sheaf::Int32Array::Adopt({0, 1, 0}));
  return sheaf::DictionaryArray::Make(indices, values);
}

sheaf::Status BuildTrees() {
  SHEAF_ASSIGN_OR_RETURN(const sheaf::Array trees, Trees());
  SHEAF_ASSIGN_OR_RETURN(const sheaf::DataType type, sheaf::ParseType("dictionary<int8, utf8>"));

  SHEAF_ASSIGN_OR_RETURN(const auto builder, sheaf::MakeBuilderAs<sheaf::DictionaryBuilder>(type));
  SHEAF_RETURN_IF_ERROR(builder->Append("oak"));
  SHEAF_RETURN_IF_ERROR(builder->AppendArray(trees));  // Of another dictionary.
  SHEAF_RETURN_IF_ERROR(builder->AppendNull());
  SHEAF_ASSIGN_OR_RETURN(const sheaf::Array array, builder->Finish());
  std::cout << array.ToString() << " over " << array.dictionary().ToString() << '\n';

  // A builder of the values takes them decoded.
  SHEAF_ASSIGN_OR_RETURN(const auto plain, sheaf::MakeBuilder(sheaf::Utf8()));
  SHEAF_RETURN_IF_ERROR(plain->AppendArray(array));
  SHEAF_ASSIGN_OR_RETURN(const sheaf::Array texts, plain->Finish());
  std::cout << texts.ToString() << '\n';
  return sheaf::OkStatus();
}

sheaf::Status BuildDeltas() {
  sheaf::BuilderOptions options;
  options.dictionaries.keep_dictionary = true;
  SHEAF_ASSIGN_OR_RETURN(const sheaf::DataType type, sheaf::ParseType("dictionary<int8, int64>"));
  SHEAF_ASSIGN_OR_RETURN(const auto builder,
                         sheaf::MakeBuilderAs<sheaf::DictionaryBuilder>(type, options));
  for (int64_t batch = 0; batch < 3; ++batch) {
    SHEAF_RETURN_IF_ERROR(builder->Append(batch));
    SHEAF_RETURN_IF_ERROR(builder->Append(batch + 1));
    // What a reader does not have yet.
    SHEAF_ASSIGN_OR_RETURN(const sheaf::Array delta, builder->DictionaryDelta());
    SHEAF_ASSIGN_OR_RETURN(const sheaf::Array array, builder->Finish());
    std::cout << array.ToString() << ", new: " << delta.ToString() << '\n';
  }
  return sheaf::OkStatus();
}

int main() {
  for (const sheaf::Status& status : {BuildTrees(), BuildDeltas()}) {
    if (status.ok()) continue;
    std::cerr << status.ToString() << '\n';
    return 1;
  }
  return 0;
}
