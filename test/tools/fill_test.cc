#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sheaf/array/print.h"
#include "testing/builders.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"
#include "tools/json_array.h"
#include "tools/run_tool.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::json;

/// The figures of the only column.
Json FiguresOf(const std::string& file) {
  return Json::parse(RunTool({"inspect", "--json", file}).out)["columns"][0];
}

std::string RowsOf(const std::string& file) { return RunTool({"cat", "--json", file}).out; }

/// `sheaf fill` with these arguments, writing `file`.
ToolRun Fill(const std::string& file, std::vector<std::string> args) {
  args.insert(args.begin(), "fill");
  args.insert(args.end(), {"-o", file});
  return RunTool(args);
}

TEST(FillCommand, AConstantColumnOfLists) {
  TemporaryFolder folder;
  const std::string out = folder / "constant.arrow";
  const ToolRun run =
      Fill(out, {"--type", "list_view<int32>", "--value", "[1, 2, 3]", "--rows", "1000000"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out + run.err, "");
  const Json figures = FiguresOf(out);
  EXPECT_EQ(figures["path"], "$.value");
  EXPECT_EQ(figures["type"], "list_view<int32>");
  EXPECT_EQ(figures["length"], 1'000'000);
  EXPECT_EQ(figures["elements"], 3);
  EXPECT_EQ(figures["sum_of_sizes"], 3'000'000);
  EXPECT_EQ(RunTool({"validate", out}).status, 0);
}

TEST(FillCommand, AMillionRowsWithAPatchEach17Rows) {
  TemporaryFolder folder;
  const std::string patches = folder / "patches.arrow";
  ASSERT_EQ(Fill(patches, {"--type", "fixed_size_list<int32>[8]", "--value",
                           "[1, 2, 3, 4, 5, 6, 7, 8]", "--rows", "58824"})
                .status,
            0);
  const std::string out = folder / "sparse.arrow";
  const ToolRun run =
      Fill(out, {"--type", "list_view<int32>", "--value", "[-1, -2, -3, -4, -5, -6, -7, -8]",
                 "--rows", "1000000", "--every", "17", "--patches", patches});
  ASSERT_EQ(run.status, 0) << run.err;
  const Json figures = FiguresOf(out);
  EXPECT_EQ(figures["elements"], 470'600);
  EXPECT_EQ(figures["bytes"], 9'882'400);
  EXPECT_EQ(figures["sum_of_sizes"], 8'000'000);
}

TEST(FillCommand, PatchesComeAtEveryKthRowFromTheColumnThatIsNamed) {
  TemporaryFolder folder;
  const std::string patches = folder / "patches.arrows";
  ASSERT_EQ(Fill(patches, {"--type", "int32", "--value", "7", "--rows", "9", "--name", "a"}).status,
            0);
  const std::string out = folder / "out.arrow";
  const std::vector<std::string> args = {"--type",  "int32", "--value",   "null",  "--rows", "5",
                                         "--every", "3",     "--patches", patches, "--name", "b"};
  std::vector<std::string> named = args;
  named.insert(named.end(), {"--column", "a"});
  ASSERT_EQ(Fill(out, named).status, 0);
  EXPECT_EQ(RowsOf(out), "{\"b\": 7}\n{\"b\": null}\n{\"b\": null}\n{\"b\": 7}\n{\"b\": null}\n");
  named.back() = "c";
  EXPECT_EQ(Fill(out, named).status, 1);
  ASSERT_EQ(Fill(out, args).status, 0);
  EXPECT_EQ(Json::parse(RunTool({"inspect", "--json", out}).out)["rows"], 5);
}

TEST(FillCommand, NoRowsAndCompressedStreams) {
  TemporaryFolder folder;
  const std::string out = folder / "out.arrows";
  ASSERT_EQ(Fill(out, {"--type", "utf8", "--value", "\"x\"", "--rows", "0"}).status, 0);
  EXPECT_EQ(RowsOf(out), "");
  ASSERT_EQ(
      Fill(out, {"--type", "utf8", "--value", "\"x\"", "--rows", "2", "--compression", "zstd"})
          .status,
      0);
  EXPECT_EQ(RowsOf(out), "{\"value\": \"x\"}\n{\"value\": \"x\"}\n");
}

TEST(FillCommand, WrongTypesAndValuesAreWrongUsage) {
  TemporaryFolder folder;
  const std::string out = folder / "out.arrow";
  struct Case {
    std::string type, value, message;
  };
  for (const Case& wrong : {
           Case{"int33", "1", "--type: type text, position 0: expected a type"},
           Case{"list<int32", "[]", "--type: type text, position 10: expected '>'"},
           Case{"int8", "300",
                "--value: $: 300 is no value of int8: expected an integer of 8 bits or null"},
           Case{"int8", "1.5", "--value: $: 1.5 is no value of int8"},
           Case{"int8", "{", "--value: no JSON at byte 2"},
           Case{"list<struct<a: bool>>", "[{\"a\": 1}]",
                "$.item.a: 1 is no value of bool: expected true, false or null"},
           Case{"struct<a: int8>", "{\"b\": 1}",
                "is no value of struct<a: int8>: expected {\"field\": value, …}"},
           Case{"struct<a: int8 not null>", "{}",
                "$.a, row 0: null in a field that is not nullable"},
           Case{"fixed_size_list<int8>[2]", "[1]", "[2]: expected [item, …] of 2 items, or null"},
           Case{"decimal128(3, 2)", "{\"d\": \"12.34\"}",
                "expected {\"d\": \"digits\"} of at most 3 digits at scale 2"},
           Case{"float32", "1e300", "expected a number in its range, {\"f\": \"nan\"}"},
           Case{"fixed_size_binary[2]", "{\"b\": \"0g\"}", "is no value of"},
           Case{"float64", "1e999", "--value: a number beyond the range of float64"},
           Case{"int8", "[{\"a\": -1e999}]", "--value: a number beyond the range of float64"},
       }) {
    const ToolRun run = Fill(out, {"--type", wrong.type, "--value", wrong.value, "--rows", "1"});
    EXPECT_EQ(run.status, 2) << wrong.type << run.err;
    EXPECT_THAT(run.err, HasSubstr(wrong.message));
    EXPECT_THAT(run.err, HasSubstr("Try: sheaf fill --help"));
    EXPECT_FALSE(Exists(out));
  }
}

TEST(FillCommand, MoreRowsThanAReaderTakesAreAnError) {
  TemporaryFolder folder;
  const std::string out = folder / "out.arrow";
  for (const char* rows : {"576460752303423488", "9223372036854775807"}) {
    const ToolRun run = Fill(out, {"--type", "null", "--value", "null", "--rows", rows});
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.err, "sheaf: " + out + ": $.value: null: " + rows +
                           " rows, where a reader takes fewer than 576460752303423488\n");
  }
  ASSERT_EQ(Fill(out, {"--type", "null", "--value", "null", "--rows", "576460752303423487"}).status,
            0);
  EXPECT_EQ(RunTool({"validate", out}).status, 0);
  const ToolRun negative = Fill(out, {"--type", "null", "--value", "null", "--rows", "-1"});
  EXPECT_EQ(negative.status, 2);
  EXPECT_THAT(negative.err, HasSubstr("--rows: -1 is negative"));
}

TEST(FillCommand, PatchesThatDoNotFitAreBadData) {
  TemporaryFolder folder;
  const std::string out = folder / "out.arrow";
  const std::string patches = folder / "patches.arrow";
  ASSERT_EQ(Fill(patches, {"--type", "int32", "--value", "7", "--rows", "2"}).status, 0);
  const auto run = [&](const char* type, const char* rows) {
    return Fill(out, {"--type", type, "--value", "null", "--rows", rows, "--every", "2",
                      "--patches", patches});
  };
  EXPECT_EQ(run("int32", "4").status, 0);
  const ToolRun few = run("int32", "5");
  EXPECT_EQ(few.status, 1);
  EXPECT_EQ(few.err,
            "sheaf: " + patches + ": 2 rows, where 3 are wanted: a patch each 2 of 5 rows\n");
  const ToolRun other = run("utf8", "4");
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.err, StartsWith("sheaf: " + patches + ": "));
  const ToolRun missing = Fill(out, {"--type", "int32", "--value", "1", "--rows", "3", "--every",
                                     "2", "--patches", folder / "none"});
  EXPECT_EQ(missing.status, 1);
  EXPECT_THAT(missing.err, HasSubstr("No such file"));
}

// Values.

std::string JsonOf(const Array& array, int64_t row) {
  std::string text;
  EXPECT_TRUE(AppendValue(array, row, PrintStyle::kJson, &text));
  return text;
}

TEST(ArrayFromJson, ReadsWhatCatPrintsOfEveryType) {
  for (const TypeId id : AllTypeIds()) {
    const DataType type = SampleType(id);
    SCOPED_TRACE(type.ToString());
    if (type.ToString().find("union") != std::string::npos)
      continue;  // The value of a union does not say which child it is of.
    for (const uint64_t seed : Seeds(3)) {
      Random random(seed);
      const Array array = RandomArray(type, {.length = 10}, random);
      for (int64_t row = 0; row < array.length(); ++row) {
        const std::string json = JsonOf(array, row);
        const StatusOr<Array> read = tools::ArrayFromJson(type, json);
        ASSERT_TRUE(read.ok()) << json << ": " << read.status().ToString();
        EXPECT_EQ(JsonOf(*read, 0), json);
        EXPECT_EQ(read->length(), 1);
      }
    }
  }
}

TEST(ArrayFromJson, PlainObjectsAreStructsAndMaps) {
  const auto text_of = [](const char* type, const char* json) {
    const StatusOr<Array> array = tools::ArrayFromJson(TypeFrom(type), json);
    return array.ok() ? JsonOf(*array, 0) : array.status().ToString();
  };
  EXPECT_EQ(text_of("struct<a: int8, s: utf8>", R"({"s": "x"})"),
            R"({"s": [["a", null], ["s", "x"]]})");
  EXPECT_EQ(text_of("struct<s: list<int8>>", R"({"s": [1]})"), R"({"s": [["s", [1]]]})");
  EXPECT_EQ(text_of("map<utf8, int8>", R"({"k": 1, "m": 2})"), R"({"m": [["k", 1], ["m", 2]]})");
  EXPECT_EQ(text_of("decimal64(5, -2)", R"({"d": "12300"})"), R"({"d": "12300"})");
  EXPECT_EQ(text_of("decimal32(4, 2)", R"("-0.50")"), R"({"d": "-0.50"})");
  EXPECT_EQ(text_of("uint64", "18446744073709551615"), "18446744073709551615");
  EXPECT_THAT(text_of("decimal64(5, -2)", R"({"d": "12345"})"), HasSubstr("is no value of"));
  EXPECT_THAT(text_of("int64", "18446744073709551615"), HasSubstr("is no value of"));
  EXPECT_THAT(text_of("null", "1"), HasSubstr("is no value of null"));
}

TEST(ArrayFromJson, NestsDeeperThanAnyTypeAreRefusedBeforeTheyAreFollowed) {
  for (const size_t levels : {size_t{257}, size_t{100'000}}) {
    for (const char* type : {"int8", "list<int8>", "utf8", "map<utf8, list<int8>>"}) {
      const std::string lists = std::string(levels, '[') + std::string(levels, ']');
      for (const std::string& json : {lists, "{\"k\": " + lists + "}"}) {
        EXPECT_THAT(tools::ArrayFromJson(TypeFrom(type), json),
                    StatusIs(StatusCode::kInvalidArgument, "more than 256 levels"));
      }
    }
  }
  // The deepest type there is, of structs: three levels of JSON each, and all are read.
  std::string type = "null", json = "null";
  for (int level = 1; level < 64; ++level) {
    type = "struct<a: " + type + ">";
    json = R"({"s": [["a", )" + json + "]]}";
  }
  const StatusOr<Array> array = tools::ArrayFromJson(TypeFrom(type), json);
  ASSERT_TRUE(array.ok()) << array.status().ToString();
  EXPECT_EQ(JsonOf(*array, 0), json);
}

TEST(ArrayFromJson, NoValueIsLostToAnotherOfTheSameName) {
  for (const auto& [type, json] : {std::pair{"struct<a: int8>", R"({"a": 1, "a": 2})"},
                                   {"map<utf8, int8>", R"({"a": 1, "b": 2, "a": 2})"},
                                   {"list<struct<a: int8, b: struct<a: int8>>>",
                                    R"([{"b": {"a": 1}, "a": 1}, {"a": 1, "b": null, "a": 1}])"}}) {
    EXPECT_THAT(tools::ArrayFromJson(TypeFrom(type), json),
                StatusIs(StatusCode::kInvalidArgument, "the key \"a\" twice in one object"));
  }
  // Fields of one name have their order, which an object lacks.
  const DataType doubled = TypeFrom("struct<a: int8, a: int8>");
  EXPECT_THAT(tools::ArrayFromJson(doubled, R"({"a": 1})"),
              StatusIs(StatusCode::kInvalidArgument, "is no value of"));
  const StatusOr<Array> tagged = tools::ArrayFromJson(doubled, R"({"s": [["a", 1], ["a", 2]]})");
  ASSERT_TRUE(tagged.ok()) << tagged.status().ToString();
  EXPECT_EQ(JsonOf(*tagged, 0), R"({"s": [["a", 1], ["a", 2]]})");
}

}  // namespace
}  // namespace sheaf
