// Rows built value by value: structs and their lists, a row that is given up, values decoded in
// place.

#include <cstdint>
#include <iostream>
#include <span>
#include <string_view>
#include <vector>

#include "sheaf/builder/binary_builder.h"
#include "sheaf/builder/fixed_width_builder.h"
#include "sheaf/builder/list_view_builder.h"
#include "sheaf/builder/make_builder.h"
#include "sheaf/builder/struct_builder.h"

struct Person {
  std::string_view name;
  std::vector<int32_t> scores;
};

sheaf::Status AppendPerson(const Person& person, sheaf::StructBuilder& people) {
  SHEAF_ASSIGN_OR_RETURN(auto* name, people.field_as<sheaf::BinaryBuilder>(0));
  SHEAF_ASSIGN_OR_RETURN(auto* scores, people.field_as<sheaf::ListViewBuilder>(1));
  SHEAF_RETURN_IF_ERROR(name->Append(person.name));
  scores->BeginList();
  for (const int32_t score : person.scores) {
    if (score < 0) return {sheaf::StatusCode::kInvalidArgument, "a score below zero"};
    SHEAF_RETURN_IF_ERROR(static_cast<sheaf::Int32Builder&>(scores->elements()).Append(score));
  }
  SHEAF_RETURN_IF_ERROR(scores->EndList());
  return people.EndRow();
}

sheaf::Status BuildPeople() {
  SHEAF_ASSIGN_OR_RETURN(const sheaf::DataType type,
                         sheaf::ParseType("struct<name: utf8, scores: list_view<int32>>"));
  SHEAF_ASSIGN_OR_RETURN(const auto builder, sheaf::MakeBuilderAs<sheaf::StructBuilder>(type));
  const std::vector<Person> people = {{"Ada", {7, 9}}, {"Bob", {3, -1}}, {"Cleo", {}}};
  for (const Person& person : people) {
    SHEAF_ASSIGN_OR_RETURN(const sheaf::BuilderMark mark, builder->Mark());
    if (!AppendPerson(person, *builder).ok()) SHEAF_RETURN_IF_ERROR(builder->RollBack(mark));
  }
  SHEAF_ASSIGN_OR_RETURN(const sheaf::Array rows, builder->Finish());
  std::cout << rows.ToString() << '\n';  // Without Bob.
  return sheaf::OkStatus();
}

sheaf::Status Decode() {
  SHEAF_ASSIGN_OR_RETURN(const auto squares,
                         sheaf::MakeBuilderAs<sheaf::Int64Builder>(sheaf::Int64()));
  // Room for up to 1,000 values; as many as were written are taken.
  SHEAF_ASSIGN_OR_RETURN(const std::span<int64_t> window, squares->AppendUninitialized(1000));
  int64_t written = 0;
  for (; written < 5; ++written) window[static_cast<size_t>(written)] = written * written;
  SHEAF_RETURN_IF_ERROR(squares->Commit(written));
  SHEAF_ASSIGN_OR_RETURN(const sheaf::Array array, squares->Finish());
  std::cout << array.ToString() << '\n';
  return sheaf::OkStatus();
}

int main() {
  sheaf::Status status = BuildPeople();
  if (status.ok()) status = Decode();
  if (!status.ok()) std::cerr << status << '\n';
  return status.ok() ? 0 : 1;
}
