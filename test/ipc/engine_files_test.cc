// Every stream and file that other engines wrote: read to the values of its sidecar, written again,
// read back.

#include <set>
#include <string>
#include <vector>

#include "ipc/ipc_testing.h"
#include "sheaf/array/list_view_array.h"
#include "sheaf/ipc/file_reader.h"
#include "testing/from_json.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;

class EngineFile : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    bytes_ = DataFile("ipc/" + GetParam());
    sidecar_ = Sidecar(GetParam());
  }
  /// Whether a dictionary is sent anew, which a file cannot have.
  bool HasReplacement() const {
    if (!sidecar_.at("messages").is_array()) return false;  // So many that it only counts them.
    std::set<int64_t> ids;
    for (const auto& message : sidecar_.at("messages")) {
      if (message.at("kind") != "dictionary" || message.at("delta").get<bool>()) continue;
      if (!ids.insert(message.at("id").get<int64_t>()).second) return true;
    }
    return false;
  }

  Buffer bytes_;
  nlohmann::json sidecar_;
};

void ExpectViews(const Array& array, const nlohmann::json& views) {
  EXPECT_EQ(array.length(), static_cast<int64_t>(views.at("offsets").size()));
  EXPECT_EQ(array.child(0).length(), views.at("child_length").get<int64_t>());
  const auto check = [&](auto offset_type) {
    using Offset = decltype(offset_type);
    for (int64_t i = 0; i < array.length(); ++i) {
      const auto row = static_cast<size_t>(i);
      EXPECT_EQ(array.slots<Offset>(1)[i], views.at("offsets")[row].get<int64_t>()) << "row " << i;
      EXPECT_EQ(array.slots<Offset>(2)[i], views.at("sizes")[row].get<int64_t>()) << "row " << i;
    }
  };
  if (array.type().storage().id() == TypeId::kListView) {
    check(int32_t{});
  } else {
    check(int64_t{});
  }
}

TEST_P(EngineFile, ReadsToTheValuesOfItsSidecar) {
  const auto batches = ReadBatches(bytes_);
  ASSERT_OK(batches);
  if (sidecar_.contains("error")) {  // Its maker refused it, and told no values.
    for (const RecordBatch& batch : *batches) {
      EXPECT_THAT(batch.Validate(ValidationLevel::kFull),
                  StatusIs(StatusCode::kInvalidArgument, "more than 38 digits"));
    }
    return;
  }
  ASSERT_EQ(batches->size(), sidecar_.at("batches").size());
  for (size_t i = 0; i < batches->size(); ++i) {
    EXPECT_EQ((*batches)[i].num_rows(), sidecar_.at("batches")[i].get<int64_t>());
    EXPECT_OK((*batches)[i].Validate(ValidationLevel::kFull));
  }
  if (batches->empty()) return;
  const Schema& schema = batches->front().schema();
  const auto& columns = sidecar_.at("columns");
  ASSERT_EQ(schema.num_fields(), static_cast<int>(columns.size()));
  for (int i = 0; i < schema.num_fields(); ++i) {
    const auto& column = columns[static_cast<size_t>(i)];
    EXPECT_EQ(schema.field(i).name(), column.at("name").get<std::string>());
    const Values expected =
        WithoutUnions(Read(FromJson(schema.field(i).type(), column.at("values"))));
    EXPECT_EQ(FirstDifference(ColumnValues(*batches, i), expected), "")
        << schema.field(i).ToString();
  }
}

TEST_P(EngineFile, KeepsItsListViewsAsTheyAre) {
  if (!sidecar_.contains("views")) return;
  ASSERT_OK_AND_ASSIGN(const auto batches, ReadBatches(bytes_));
  for (const auto& views : sidecar_.at("views")) {
    const RecordBatch& batch = batches.at(views.at("batch").get<size_t>());
    ExpectViews(batch.column(views.at("column").get<int>()), views);
  }
}

TEST_P(EngineFile, ReadsBackAfterBeingWritten) {
  ASSERT_OK_AND_ASSIGN(const auto reader, ipc::OpenReader(bytes_));
  ASSERT_OK_AND_ASSIGN(const auto batches, ReadBatches(bytes_));
  for (const Container container : {Container::kStream, Container::kFile}) {
    if (container == Container::kFile && HasReplacement()) {
      EXPECT_THAT(WriteBatches(reader->schema(), batches, container),
                  StatusIs(StatusCode::kFailedPrecondition, "dictionary"));
      continue;
    }
    for (const ipc::Compression compression :
         {ipc::Compression::kNone, ipc::Compression::kLz4Frame, ipc::Compression::kZstd}) {
      for (const int alignment : {8, 64}) {
        const ipc::WriteOptions options{.compression = compression, .alignment = alignment};
        ASSERT_OK_AND_ASSIGN(const Buffer written,
                             WriteBatches(reader->schema(), batches, container, options));
        ASSERT_OK_AND_ASSIGN(const auto again, ipc::OpenReader(written));
        EXPECT_TRUE(again->schema().Identical(reader->schema()));
        ASSERT_OK_AND_ASSIGN(const auto back, ReadBatches(written));
        ASSERT_EQ(back.size(), batches.size());
        for (int i = 0; i < reader->schema().num_fields(); ++i) {
          EXPECT_EQ(FirstDifference(ColumnValues(back, i), ColumnValues(batches, i)), "");
        }
        for (size_t i = 0; i < back.size(); ++i) {
          EXPECT_EQ(back[i].num_rows(), batches[i].num_rows());
          EXPECT_EQ(back[i].Validate(ValidationLevel::kFull),
                    batches[i].Validate(ValidationLevel::kFull));
        }
      }
    }
  }
}

TEST(EngineFiles, TheTypesOfDuckDbReadToTheirValuesThoughItsDecimalHasTooManyDigits) {
  ASSERT_OK_AND_ASSIGN(const auto batches, ReadBatches(DataFile("ipc/duckdb_types.arrows")));
  ASSERT_EQ(batches.size(), 1U);
  const char* expected[] = {
      R"(["00010203-0405-0607-0809-0a0b0c0d0e0f"])",
      R"(["b"])",
      R"([{"m": [["k", [1, 2]]]}])",
      "[[1, 2]]",
      "[1]",
      R"([{"d": "1.5"}])",
      "[[1, 0, 0]]",
      R"([{"b": "05fd"}])",
      R"([{"d": "170141183460469231731687303715884105727"}])",
      "[null]",
  };
  ASSERT_EQ(batches[0].num_columns(), static_cast<int>(std::size(expected)));
  for (int i = 0; i < batches[0].num_columns(); ++i) {
    EXPECT_THAT(batches[0].column(i), ReadsAs(expected[i])) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(All, EngineFile, ::testing::ValuesIn(EngineFiles()), [](const auto& info) {
  std::string name = info.param;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});

}  // namespace
}  // namespace sheaf
