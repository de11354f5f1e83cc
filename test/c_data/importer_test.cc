#include "sheaf/c_data/importer.h"

#include <set>
#include <string>
#include <thread>
#include <vector>

#include "c_data/foreign.h"
#include "sheaf/array/dictionary_array.h"
#include "sheaf/c_data/export.h"
#include "testing/array_literals.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;

Array Encoded(const MaybeInts& indices, const Array& dictionary) {
  return DictionaryArray::Make(Ints(indices, Int8()), dictionary).value();
}

/// Indices into texts, from another library.
ForeignArray ForeignTexts(std::initializer_list<int8_t> indices,
                          std::initializer_list<int32_t> ends, const std::string& data) {
  return {.length = static_cast<int64_t>(indices.size()),
          .buffers = {NoBuffer(), BufferOf<int8_t>(indices)},
          .dictionary = {{.length = static_cast<int64_t>(ends.size()) - 1,
                          .buffers = {NoBuffer(), BufferOf<int32_t>(ends), BufferOf(data)}}}};
}
ForeignArray Colors() { return ForeignTexts({0, 1, 0}, {0, 3, 8}, "redgreen"); }
ForeignArray Units() { return ForeignTexts({2, 2, 1}, {0, 2, 3, 4}, "kgms"); }
ForeignSchema TextsSchema(const char* name) {
  return {.format = "c", .name = name, .dictionary = {{.format = "u"}}};
}

int64_t IdOf(const Importer& importer, const Array& array) {
  return importer.registry()->IdOf(array.dictionary()).value();
}

/// A column that counts the calls of its release.
struct Released {
  int array = 0;
  int schema = 0;
};
StatusOr<ImportedColumn> Import(const Importer& importer, const ForeignSchema& schema_literal,
                                const ForeignArray& literal, Released* released) {
  ArrowSchema schema = Make(schema_literal, &released->schema);
  ArrowArray array = Make(literal, &released->array);
  auto column = importer.ImportColumn(&schema, &array);
  EXPECT_EQ(schema.release, nullptr);
  EXPECT_EQ(array.release, nullptr);
  return column;
}

TEST(Importer, DIC_22_C11_ColumnsExportedApartKeepTheirDictionariesAndHaveDifferentIds) {
  Released of_colors;
  Released of_units;
  {
    const auto registry = std::make_shared<DictionaryRegistry>();
    const Importer importer(registry);
    ASSERT_OK_AND_ASSIGN(const ImportedColumn a,
                         Import(importer, TextsSchema("a"), Colors(), &of_colors));
    EXPECT_EQ(a.field.name(), "a");
    EXPECT_THAT(a.array, ReadsAs(R"(["red", "green", "red"])"));
    ASSERT_OK_AND_ASSIGN(const ImportedColumn b,
                         Import(importer, TextsSchema("b"), Units(), &of_units));
    EXPECT_THAT(a.array, ReadsAs(R"(["red", "green", "red"])"));
    EXPECT_THAT(b.array, ReadsAs(R"(["s", "s", "m"])"));
    EXPECT_NE(IdOf(importer, a.array), IdOf(importer, b.array));
    EXPECT_THAT(registry->Get(IdOf(importer, a.array)).value(), ReadsAs(R"(["red", "green"])"));
    EXPECT_THAT(registry->Get(IdOf(importer, b.array)).value(), ReadsAs(R"(["kg", "m", "s"])"));
    EXPECT_EQ(of_colors.array, 0);
    EXPECT_EQ(of_units.array, 0);
    EXPECT_EQ(of_colors.schema, 1);
  }
  EXPECT_EQ(of_colors.array, 1);
  EXPECT_EQ(of_units.array, 1);
}

TEST(Importer, DIC_22_ColumnsThatSheafExportedOneByOne) {
  const Array colors = Encoded({0, 1, 0}, Utf8s({"red", "green"}));
  const Array units = Encoded({2, 2, 1}, Utf8s({"kg", "m", "s"}));
  const Importer importer;
  std::vector<Array> columns;
  for (const Array& column : {colors, units}) {
    ScopedArray array;
    ScopedSchema schema;
    ASSERT_OK(ExportArray(column, &array, &schema));
    columns.push_back(importer.ImportColumn(&schema, &array).value().array);
    EXPECT_THAT(columns[0], ReadsLike(colors));
  }
  EXPECT_THAT(columns[1], ReadsLike(units));
  EXPECT_EQ(IdOf(importer, columns[0]), 0);
  EXPECT_EQ(IdOf(importer, columns[1]), 1);
}

TEST(Importer, DIC_21_BatchesOfOneColumnOneAfterTheOther) {
  int releases = 0;
  {
    const Importer importer;
    ArrowSchema schema = Make(TextsSchema("a"));
    ArrowArray first = Make(Colors(), &releases);
    ASSERT_OK_AND_ASSIGN(const ImportedColumn column, importer.ImportColumn(&schema, &first));
    std::vector<Array> batches = {column.array};
    for (const ForeignArray& literal : {Units(), Colors()}) {
      ArrowArray array = Make(literal, &releases);
      ASSERT_OK_AND_ASSIGN(Array batch, importer.ImportArray(&array, column.field.type()));
      batches.push_back(std::move(batch));
    }
    EXPECT_THAT(batches[0], ReadsAs(R"(["red", "green", "red"])"));
    EXPECT_THAT(batches[1], ReadsAs(R"(["s", "s", "m"])"));
    EXPECT_THAT(batches[2], ReadsAs(R"(["red", "green", "red"])"));
    EXPECT_EQ(importer.registry()->size(), 3);
    EXPECT_EQ(releases, 0);

    // A dictionary stays as long as it is used, by its batch or by itself; indices do not.
    const Array values = batches[1].dictionary();
    batches.clear();
    EXPECT_EQ(importer.registry()->size(), 2);  // `column` has the first.
    EXPECT_EQ(releases, 2);
    EXPECT_THAT(values, ReadsAs(R"(["kg", "m", "s"])"));
  }
  EXPECT_EQ(releases, 3);
}

TEST(Importer, AnImporterOfItsOwnForgetsDictionariesThatNobodyHolds) {
  const Importer importer;
  Released released;
  for (int i = 0; i < 100; ++i) {
    ASSERT_OK_AND_ASSIGN(const ImportedColumn column,
                         Import(importer, TextsSchema("a"), Colors(), &released));
    EXPECT_EQ(IdOf(importer, column.array), i);
    EXPECT_EQ(released.array, i);  // The indices went with the column.
  }
  EXPECT_EQ(importer.registry()->size(), 0);
  EXPECT_EQ(released.array, 100);
}

TEST(Importer, NestedDictionariesHaveIdsInnerFirst) {
  // A struct of a dictionary, and of a dictionary of lists of dictionary values.
  const Array words = Encoded({1, 0, 1}, Utf8s({"x", "y"}));
  const Array lists = ListsOver(words, {0, 2, 3});
  const Array of_lists = Encoded({0, 1, 0, 1}, lists);
  const Array letters = Encoded({0, 0, 1, 1}, Utf8s({"p", "q"}));
  const Array column =
      StructOver({Field("a", letters.type()), Field("b", of_lists.type())}, {letters, of_lists}, 4);
  const auto registry =
      std::make_shared<DictionaryRegistry>(DictionaryRegistryOptions{.first_id = 70});
  const Importer importer(registry);
  ScopedArray array;
  ScopedSchema schema;
  ASSERT_OK(ExportArray(column, &array, &schema));
  ASSERT_OK_AND_ASSIGN(const ImportedColumn imported, importer.ImportColumn(&schema, &array));
  EXPECT_THAT(imported.array, ReadsLike(column));
  EXPECT_EQ(registry->size(), 3);
  EXPECT_EQ(IdOf(importer, imported.array.child(0)), 70);
  EXPECT_EQ(IdOf(importer, imported.array.child(1)), 72);
  EXPECT_EQ(IdOf(importer, imported.array.child(1).dictionary().child(0)), 71);
}

TEST(Importer, NestedDictionariesAreForgottenTogether) {
  const Array words = Encoded({1, 0, 1}, Utf8s({"x", "y"}));
  const Array of_lists = Encoded({0, 1, 0, 1}, ListsOver(words, {0, 2, 3}));
  const Importer importer;
  {
    ScopedArray array;
    ScopedSchema schema;
    ASSERT_OK(ExportArray(of_lists, &array, &schema));
    ASSERT_OK_AND_ASSIGN(const ImportedColumn column, importer.ImportColumn(&schema, &array));
    EXPECT_EQ(importer.registry()->size(), 2);
  }
  EXPECT_EQ(importer.registry()->size(), 0);
}

TEST(Importer, SeveralImportersOverOneRegistryGiveNoIdTwice) {
  const auto registry = std::make_shared<DictionaryRegistry>();
  const Importer one(registry);
  const Importer other(registry, {.level = ValidationLevel::kFull});
  Released released;
  std::set<int64_t> ids;
  for (const Importer* importer : {&one, &other, &one}) {
    ASSERT_OK_AND_ASSIGN(const ImportedColumn column,
                         Import(*importer, TextsSchema("a"), Colors(), &released));
    ids.insert(IdOf(*importer, column.array));
  }
  EXPECT_EQ(ids, (std::set<int64_t>{0, 1, 2}));
  EXPECT_EQ(registry->size(), 3);  // Kept, as the registry was told.
}

TEST(Importer, ThreadsImportIntoOneRegistryWithoutACollision) {
  const auto registry = std::make_shared<DictionaryRegistry>();
  const Importer shared_importer(registry);
  constexpr int kThreads = 8;
  constexpr int kRounds = 100;
  std::vector<std::vector<int64_t>> ids(kThreads);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      const Importer own(registry);
      for (int i = 0; i < kRounds; ++i) {
        const Importer& importer = i % 2 == 0 ? shared_importer : own;
        const bool colors = (static_cast<int>(t) + i) % 3 == 0;
        ArrowSchema schema = Make(TextsSchema("a"));
        ArrowArray array = Make(colors ? Colors() : Units());
        const ImportedColumn column = importer.ImportColumn(&schema, &array).value();
        EXPECT_THAT(column.array,
                    ReadsAs(colors ? R"(["red", "green", "red"])" : R"(["s", "s", "m"])"));
        ids[t].push_back(IdOf(importer, column.array));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<int64_t> all;
  for (const auto& of_thread : ids) all.insert(of_thread.begin(), of_thread.end());
  EXPECT_EQ(all.size(), static_cast<size_t>(kThreads * kRounds));
  EXPECT_EQ(registry->size(), kThreads * kRounds);
}

/// Three columns of which the third's index is out of bounds.
struct ThreeColumns {
  int array_releases = 0;
  int schema_releases = 0;
  std::vector<ArrowSchema> schemas;
  std::vector<ArrowArray> arrays;

  explicit ThreeColumns(const ForeignArray& third) {
    for (const char* name : {"a", "b", "c"}) {
      schemas.push_back(Make(TextsSchema(name), &schema_releases));
    }
    for (const ForeignArray& literal : {Colors(), Units(), third}) {
      arrays.push_back(Make(literal, &array_releases));
    }
  }
  void ExpectTaken() const {
    for (const ArrowSchema& schema : schemas) EXPECT_EQ(schema.release, nullptr);
    for (const ArrowArray& array : arrays) EXPECT_EQ(array.release, nullptr);
    EXPECT_EQ(schema_releases, 3);
  }
};

TEST(Importer, ColumnsAreImportedTogether) {
  const Importer importer;
  ThreeColumns columns(Units());
  {
    ASSERT_OK_AND_ASSIGN(const auto imported,
                         importer.ImportColumns(columns.schemas, columns.arrays));
    columns.ExpectTaken();
    ASSERT_EQ(imported.size(), 3U);
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(IdOf(importer, imported[i].array), static_cast<int64_t>(i));
    }
    EXPECT_EQ(imported[2].field.name(), "c");
    EXPECT_THAT(imported[0].array, ReadsAs(R"(["red", "green", "red"])"));
    EXPECT_EQ(columns.array_releases, 0);
  }
  EXPECT_EQ(importer.registry()->size(), 0);
  EXPECT_EQ(columns.array_releases, 3);
  EXPECT_EQ(importer.ImportColumns({}, {}).value().size(), 0U);
}

TEST(Importer, AFailingThirdColumnReleasesAllAndRegistersNone) {
  const auto registry = std::make_shared<DictionaryRegistry>();
  const Importer importer(registry, {.level = ValidationLevel::kFull});
  ThreeColumns columns(ForeignTexts({0, 9, 0}, {0, 3, 8}, "redgreen"));
  EXPECT_THAT(importer.ImportColumns(columns.schemas, columns.arrays),
              StatusIs(StatusCode::kInvalidArgument, "column 2: "));
  columns.ExpectTaken();
  EXPECT_EQ(columns.array_releases, 3);
  EXPECT_EQ(registry->size(), 0);
  EXPECT_EQ(registry->Add(Ints({1})).value(), 0);  // No id was used up.
}

TEST(Importer, MissingSchemasReleaseAllToo) {
  const Importer importer;
  ThreeColumns columns(Units());
  columns.schemas[2].release(&columns.schemas[2]);
  EXPECT_THAT(importer.ImportColumns(std::span(columns.schemas).first(2), columns.arrays),
              StatusIs(StatusCode::kInvalidArgument, "2 schemas for 3 arrays"));
  columns.ExpectTaken();
  EXPECT_EQ(columns.array_releases, 3);

  Released released;
  ArrowArray array = Make(Colors(), &released.array);
  EXPECT_THAT(importer.ImportColumn(nullptr, &array), StatusIs(StatusCode::kInvalidArgument));
  EXPECT_EQ(array.release, nullptr);
  EXPECT_EQ(released.array, 1);
  ArrowSchema schema = Make(TextsSchema("a"), &released.schema);
  EXPECT_THAT(importer.ImportColumn(&schema, nullptr), StatusIs(StatusCode::kInvalidArgument));
  EXPECT_EQ(released.schema, 1);
}

TEST(Importer, IdsThatRunOutReleaseAll) {
  const auto registry =
      std::make_shared<DictionaryRegistry>(DictionaryRegistryOptions{.first_id = INT64_MAX - 1});
  const Importer importer(registry);
  ThreeColumns columns(Units());
  EXPECT_THAT(importer.ImportColumns(columns.schemas, columns.arrays),
              StatusIs(StatusCode::kOutOfRange));
  columns.ExpectTaken();
  EXPECT_EQ(columns.array_releases, 3);
  EXPECT_EQ(registry->size(), 0);
}

TEST(Importer, ARefusedAllocationReleasesAll) {
  FailingPool pool;
  for (int64_t k = 0;; ++k) {
    const Importer importer({.pool = &pool});
    ThreeColumns columns(Units());
    pool.FailAt(k);
    const Status status = importer.ImportColumns(columns.schemas, columns.arrays).status();
    columns.ExpectTaken();
    if (!pool.failed()) {
      EXPECT_OK(status);
      break;
    }
    pool.SwitchOff();
    EXPECT_THAT(status, StatusIs(StatusCode::kResourceExhausted));
    EXPECT_EQ(columns.array_releases, 3) << k;
    EXPECT_EQ(importer.registry()->size(), 0);
  }
}

TEST(Importer, BatchesRegisterTheDictionariesOfTheirColumns) {
  const Array colors = Encoded({0, 1, 0}, Utf8s({"red", "green"}));
  const Array shared = Encoded({1, 1, 1}, colors.dictionary());
  ASSERT_OK_AND_ASSIGN(const RecordBatch batch,
                       RecordBatch::Make(Schema({Field("a", colors.type()), Field("n", Int8()),
                                                 Field("b", shared.type())}),
                                         3, {colors, Ints({1, 2, 3}, Int8()), shared}));
  const Importer importer;
  ScopedArray array;
  ASSERT_OK(ExportRecordBatch(batch, &array));
  ASSERT_OK_AND_ASSIGN(const RecordBatch back, importer.ImportRecordBatch(&array, batch.schema()));
  EXPECT_THAT(back.column(2), ReadsLike(shared));
  EXPECT_EQ(IdOf(importer, back.column(0)), 0);
  EXPECT_EQ(IdOf(importer, back.column(2)), 1);
}

}  // namespace
}  // namespace sheaf
