// `sheaf diff`: equal or the first difference, whatever the batches and the placement.

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/array_literals.h"
#include "testing/from_json.h"
#include "tools/run_tool.h"
#include "tools/write_stream.h"

namespace sheaf {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using namespace testing;

class Diff : public ::testing::Test {
 protected:
  ToolRun Run(const std::vector<std::string>& more = {}) {
    std::vector<std::string> args = {"diff", a, b};
    args.insert(args.end(), more.begin(), more.end());
    return RunTool(args);
  }
  /// Two columns of JSON rows, as a and as b.
  ToolRun RunOn(const std::string& type, const std::string& a_rows, const std::string& b_rows) {
    const DataType column = TypeFrom(type);
    WriteStream(a, {Field("c", column)}, {FromJson(column, a_rows)});
    WriteStream(b, {Field("c", column)}, {FromJson(column, b_rows)});
    return Run();
  }
  std::string Differing(const std::string& place, const std::string& in_a,
                        const std::string& in_b) {
    return place + "\n  " + a + ": " + in_a + "\n  " + b + ": " + in_b + "\n";
  }
  void ExpectDifferent(const ToolRun& run, const std::string& out) {
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.out, out);
    EXPECT_EQ(run.err, "");
  }
  void ExpectSame(const ToolRun& run) {
    EXPECT_EQ(run.status, 0) << run.out;
    EXPECT_EQ(run.out + run.err, "");
  }

  TemporaryFolder folder;
  std::string a = folder / "a.arrows";
  std::string b = folder / "b.arrows";
};

TEST_F(Diff, EveryFileIsTheSameAsItself) {
  for (const std::string& name : EngineFiles()) {
    SCOPED_TRACE(name);
    const ToolRun run = RunTool({"diff", DataPath(name), DataPath(name)});
    EXPECT_EQ(run.status, 0) << run.out;
    EXPECT_EQ(run.out + run.err, "");
  }
}

TEST_F(Diff, BatchesFormatCompressionAndPlacementMakeNoDifference) {
  const std::string file = DataPath("large/temperatures.arrow");
  ASSERT_EQ(
      RunTool({"concat", file, "-o", a, "--batch-rows", "777", "--compression", "zstd"}).status, 0);
  const std::string exact = folder / "exact.arrow";
  ASSERT_EQ(RunTool({"rebuild", "--mode", "exact", file, "-o", exact}).status, 0);
  for (const std::string& other : {a, exact}) {
    EXPECT_EQ(RunTool({"diff", file, other}).out, "");
    EXPECT_EQ(RunTool({"diff", other, file}).status, 0);
  }
}

TEST_F(Diff, TheFirstRowThatDiffersIsNamedDownToTheValue) {
  ExpectDifferent(RunOn("int32", "[1, 2, 3, 4]", "[1, 2, 5, 6]"),
                  Differing("$.c, row 2", "3", "5"));
  ExpectDifferent(RunOn("utf8", R"(["p", "q"])", R"(["p", null])"),
                  Differing("$.c, row 1", "\"q\"", "null"));
  ExpectDifferent(RunOn("list_view<struct<x: int32, y: utf8>>",
                        R"([[], [{"x": 1, "y": "p"}, {"x": 2, "y": "q"}]])",
                        R"([[], [{"x": 1, "y": "p"}, {"x": 2, "y": "r"}]])"),
                  Differing("$.c.item.y, row 1, element 1", "\"q\"", "\"r\""));
  ExpectDifferent(RunOn("list<list<int8>>", "[[[1], [2, 3]]]", "[[[1], [2, 4]]]"),
                  Differing("$.c.item.item, row 0, element 1.1", "3", "4"));
  ExpectDifferent(RunOn("list_view<int32>", "[[1, 2]]", "[[1]]"),
                  Differing("$.c, row 0", "a list of 2 elements", "a list of 1 element"));
  ExpectDifferent(RunOn("utf8", R"(["a\nb"])", R"(["a\tb"])"),
                  Differing("$.c, row 0", R"("a\u000ab")", R"("a\u0009b")"));
}

TEST_F(Diff, TheEarliestRowComesBeforeTheFirstColumn) {
  const std::vector<Field> fields = {Field("x", Int32()), Field("y", Int32())};
  WriteStream(a, fields, {Ints({1, 2, 3}), Ints({1, 2, 3})});
  WriteStream(b, fields, {Ints({1, 2, 9}), Ints({1, 9, 3})});
  ExpectDifferent(Run(), Differing("$.y, row 1", "2", "9"));
}

TEST_F(Diff, RowsCountOverAllBatches) {
  const Schema schema({Field("c", Int32())});
  const auto batch = [&](int64_t first, int64_t last) {
    return *RecordBatch::Make(schema, last - first, {Range(first, last)});
  };
  WriteStream(a, {batch(0, 3), batch(3, 3), batch(3, 10)});
  WriteStream(b, {batch(0, 5), batch(5, 7), batch(8, 11), batch(0, 0)});
  ExpectDifferent(Run(), Differing("$.c, row 7", "7", "8"));
  WriteStream(b, {batch(0, 5), batch(5, 6)});
  ExpectDifferent(Run(), Differing("rows", "10", "6"));
  WriteStream(b, {batch(0, 10), batch(10, 14), batch(14, 20)});
  ExpectDifferent(Run(), Differing("rows", "10", "20"));
  WriteStream(b, {batch(0, 0), batch(0, 9), batch(9, 10), batch(10, 10)});
  ExpectSame(Run());
}

TEST_F(Diff, RowsWithoutColumnsAreCounted) {
  const auto rows = [](int64_t count) { return *RecordBatch::Make(Schema(), count, {}); };
  WriteStream(a, {rows(3), rows(2)});
  WriteStream(b, {rows(5)});
  ExpectSame(Run());
  WriteStream(b, {rows(4)});
  ExpectDifferent(Run(), Differing("rows", "5", "4"));
}

TEST_F(Diff, SchemasAreComparedBeforeRows) {
  const auto types = [&](const std::string& in_a, const std::string& in_b) {
    for (const auto& [path, text] : {std::pair{a, in_a}, {b, in_b}}) {
      const DataType type = TypeFrom(text);
      WriteStream(path, {Field("c", type)}, {*MakeEmptyArray(type)});
    }
    return Run();
  };
  ExpectDifferent(types("int32", "int64"), "schema: $.c: int32 and int64\n");
  ExpectDifferent(types("list<int32>", "list_view<int32>"),
                  "schema: $.c: list<int32> and list_view<int32>\n");
  ExpectDifferent(
      types("list_view<struct<x: int8, y: utf8>>", "list_view<struct<x: int8, y: binary>>"),
      "schema: $.c.item.y: utf8 and binary\n");
  ExpectDifferent(types("list<int32 not null>", "list<int32>"),
                  "schema: $.c.item: not null and nullable\n");
  ExpectDifferent(types("struct<x: int8, y: int8>", "struct<y: int8, x: int16>"),
                  "schema: $.c: x, y and y, x: another order\nschema: $.c.x: int8 and int16\n");
  ExpectDifferent(types("struct<x: int8, y: int8>", "struct<y: int8, z: int8>"),
                  "schema: $.c.x: only in the first\nschema: $.c.z: only in the second\n");
  ExpectDifferent(types("fixed_size_list<int8>[2]", "fixed_size_list<int8>[3]"),
                  "schema: $.c: fixed_size_list<int8>[2] and fixed_size_list<int8>[3]\n");
  ExpectDifferent(types("timestamp[s]", "timestamp[s, UTC]"),
                  "schema: $.c: timestamp[s] and timestamp[s, UTC]\n");
}

TEST_F(Diff, EveryDifferenceOfTheColumnsIsNamed) {
  WriteStream(a, {Field("p", Int32()), Field("q", Int32(), false), Field("r", Utf8())},
              {Ints({}), Ints({}), Utf8s({})});
  WriteStream(b, {Field("p", Int8()), Field("q", Int32()), Field("s", Utf8())},
              {Ints({}, Int8()), Ints({}), Utf8s({})});
  ExpectDifferent(Run(),
                  "schema: $.p: int32 and int8\nschema: $.q: not null and nullable\n"
                  "schema: $.r: only in the first\nschema: $.s: only in the second\n");
}

TEST_F(Diff, NamesOfElementsAndMetadataMakeNoDifference) {
  const Array lists = ListViews({.offsets = {0}, .sizes = {1}, .elements = {1}});
  ASSERT_TRUE(lists.type() == ListView(Field("other", Int32())));
  WriteStream(a, {Field("c", lists.type())}, {lists});
  ArrayParts parts{.type = ListView(Field("other", Int32())), .length = 1};
  parts.buffers = {Buffer(), lists.buffer(1), lists.buffer(2)};
  parts.children = {lists.child(0)};
  const Array renamed = *MakeArray(parts);
  WriteStream(b, {Field("c", renamed.type(), true, {{"k", "v"}})}, {renamed});
  ExpectSame(Run());
}

TEST_F(Diff, FloatsAreComparedByTheirBitsOrAsIeeeSays) {
  const auto doubles = [&](const std::string& path, double value) {
    WriteStream(path, {Field("c", Float64())}, {Doubles({value})});
  };
  doubles(a, 0.0);
  doubles(b, -0.0);
  ExpectDifferent(Run(), Differing("$.c, row 0", "0.0", "-0.0"));
  ExpectSame(Run({"--ieee-floats"}));
}

TEST_F(Diff, WhatCannotBeReadIsStatusTwo) {
  WriteStream(a, {Field("c", Int32())}, {Ints({1})});
  const std::string bad = DataPath("cases/lv_sum_overflow.stream");
  for (const auto& files :
       {std::pair{a, std::string("no/such")}, {std::string("no/such"), a}, {bad, bad}}) {
    const ToolRun run = RunTool({"diff", files.first, files.second});
    EXPECT_EQ(run.status, 2) << run.out;
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(Lines(run.err).size(), 1) << run.err;
  }
}

TEST_F(Diff, ABrokenBatchBehindTheEndOfTheOtherFileIsAnError) {
  const std::string whole = ReadFile(DataPath("ipc/pyarrow_multi_batch.arrows"));
  WriteFile(a, whole);
  WriteFile(b, whole.substr(0, whole.size() - 100));
  const ToolRun run = Run();
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, StartsWith("sheaf: " + b + ": "));
}

TEST_F(Diff, OneOfThemMayBeStandardInput) {
  const std::string file = DataPath("ipc/pyarrow_list_view.arrows");
  EXPECT_EQ(RunTool({"diff", "-", file}, ReadFile(file)).status, 0);
  EXPECT_EQ(RunTool({"diff", file, "-"}, ReadFile(file)).status, 0);
  EXPECT_EQ(RunTool({"diff", "-", "-"}).status, 2);
}

TEST_F(Diff, AFullDiskIsStatusTwo) {
  if (!Exists("/dev/full")) GTEST_SKIP();
  WriteStream(a, {Field("c", Int32())}, {Ints({1})});
  WriteStream(b, {Field("c", Int32())}, {Ints({2})});
  EXPECT_EQ(RunTool({"diff", a, b}, "", "/dev/full").status, 2);
}

}  // namespace
}  // namespace sheaf
