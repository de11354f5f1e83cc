#pragma once

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "sheaf/array/array.h"
#include "sheaf/builder/array_builder.h"
#include "sheaf/builder/make_builder.h"
#include "testing/from_json.h"
#include "testing/json_values.h"
#include "testing/matchers.h"

namespace sheaf::testing {

/// Rows on the builder's children and pieces are kept by reference from the first byte on, or
/// never.
inline const BuilderOptions kKeepAll = {.min_chunk_bytes = BuilderOptions::kAlwaysKeep};
inline const BuilderOptions kKeepNone = {.min_chunk_bytes = BuilderOptions::kNeverKeep};

inline std::unique_ptr<ArrayBuilder> BuilderOf(const DataType& type,
                                               const BuilderOptions& options = {}) {
  auto builder = MakeBuilder(type, options);
  if (!builder.ok()) BadLiteral(builder.status().ToString());
  return *std::move(builder);
}
inline std::unique_ptr<ArrayBuilder> BuilderOf(const char* type,
                                               const BuilderOptions& options = {}) {
  return BuilderOf(TypeFrom(type), options);
}

/// The builder as its own class: `BuilderOf<ListViewBuilder>("list_view<int32>")`.
template <typename Builder>
std::unique_ptr<Builder> BuilderOf(const DataType& type, const BuilderOptions& options = {}) {
  auto builder = MakeBuilderAs<Builder>(type, options);
  if (!builder.ok()) BadLiteral(builder.status().ToString());
  return *std::move(builder);
}
template <typename Builder>
std::unique_ptr<Builder> BuilderOf(const char* type, const BuilderOptions& options = {}) {
  return BuilderOf<Builder>(TypeFrom(type), options);
}

/// What `Finish` gives, checked at full depth; a refusal is a test failure and gives an empty
/// array.
inline Array Finished(ArrayBuilder& builder) {
  const int64_t length = builder.length();
  const int64_t null_count = builder.null_count();
  StatusOr<Array> array = builder.Finish();
  EXPECT_TRUE(array.ok()) << array.status().ToString();
  if (!array.ok()) return Array();
  EXPECT_THAT(*array, IsValidArray());
  EXPECT_EQ(array->length(), length);
  if (array->layout().has_validity) {
    EXPECT_EQ(array->null_count(), null_count);
  }
  EXPECT_EQ(builder.length(), 0);
  return *std::move(array);
}
/// The same as its own class: `FinishedAs<ListViewArray>(*builder)`.
template <typename ArrayType>
ArrayType FinishedAs(ArrayBuilder& builder) {
  StatusOr<ArrayType> array = ArrayType::From(Finished(builder));
  EXPECT_TRUE(array.ok()) << array.status().ToString();
  return array.ok() ? *std::move(array) : ArrayType();
}

/// Offsets of a list and other values of a buffer, from the window's first slot on.
template <typename T>
std::vector<T> SlotsOf(const Array& array, int buffer, int64_t count) {
  const T* slots = array.slots<T>(buffer);
  return std::vector<T>(slots, slots + count);
}
inline std::vector<int64_t> OffsetsOf(const Array& list) {
  const int64_t count = list.length() + 1;
  if (list.layout().offset_bits == 64) return SlotsOf<int64_t>(list, 1, count);
  const std::vector<int32_t> offsets = SlotsOf<int32_t>(list, 1, count);
  return {offsets.begin(), offsets.end()};
}

/// Validity of the window as digits, "" without a bitmap.
inline std::string ValidOf(const Array& array) {
  if (array.validity().absent()) return "";
  std::string digits;
  for (int64_t i = 0; i < array.length(); ++i) digits += array.IsValid(i) ? '1' : '0';
  return digits;
}

}  // namespace sheaf::testing
