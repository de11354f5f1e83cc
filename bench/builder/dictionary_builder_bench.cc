#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "sheaf/array/dictionary_array.h"
#include "sheaf/array/fixed_width_array.h"
#include "sheaf/builder/binary_builder.h"
#include "sheaf/builder/dictionary_builder.h"
#include "sheaf/builder/make_builder.h"
#include "workloads/timed.h"

// Dictionary columns: batches over one dictionary, over equal ones in other memory, over different
// ones that share half of their values; decoded again; and texts one by one.
namespace sheaf {
namespace {

using workloads::TimeArray;

std::string Text(int64_t i) { return "a value of some length " + std::to_string(i); }

Array Texts(int64_t first, int64_t count) {
  auto builder = *MakeBuilderAs<BinaryBuilder>(Utf8());
  for (int64_t i = first; i < first + count; ++i) builder->Append(Text(i)).IgnoreError();
  return *builder->Finish();
}

Array Rows(int64_t rows, const Array& dictionary) {
  std::vector<int32_t> indices(static_cast<size_t>(rows));
  for (size_t i = 0; i < indices.size(); ++i)
    indices[i] =
        static_cast<int32_t>(i * 2'654'435'761U % static_cast<uint64_t>(dictionary.length()));
  return *DictionaryArray::Make(*Int32Array::Adopt(std::move(indices)), dictionary);
}

StatusOr<Array> Joined(const DataType& type, const std::vector<Array>& batches) {
  SHEAF_ASSIGN_OR_RETURN(const auto builder, MakeBuilder(type));
  for (const Array& batch : batches) SHEAF_RETURN_IF_ERROR(builder->AppendArray(batch));
  return builder->Finish();
}

enum class Dictionaries { kOne, kEqual, kOverlapping };

void AppendBatches(benchmark::State& state, Dictionaries kind) {
  constexpr int64_t kBatches = 100;
  const int64_t rows = state.range(0);
  const int64_t values = state.range(1);
  const Array one = Texts(0, values);
  std::vector<Array> batches;
  for (int64_t i = 0; i < kBatches; ++i) {
    batches.push_back(Rows(rows, kind == Dictionaries::kOne     ? one
                                 : kind == Dictionaries::kEqual ? Texts(0, values)
                                                                : Texts(i * values / 2, values)));
  }
  const DataType type = *Dictionary(Int32(), Utf8());
  TimeArray(state, *Joined(type, batches), [&] { return Joined(type, batches); });
}

void Decode(benchmark::State& state, const DataType& type) {
  const int64_t rows = state.range(0);
  std::vector<Array> batches;
  if (type == Utf8()) {
    batches = {Rows(rows, Texts(0, state.range(1)))};
  } else {
    std::vector<int64_t> values(static_cast<size_t>(state.range(1)), 7);
    batches = {Rows(rows, *Int64Array::Adopt(std::move(values)))};
  }
  TimeArray(state, *Joined(type, batches), [&] { return Joined(type, batches); });
}

void TextsOneByOne(benchmark::State& state) {
  const int64_t rows = state.range(0);
  std::vector<std::string> texts;
  for (int64_t i = 0; i < rows; ++i) texts.push_back(Text(i * 7919 % state.range(1)));
  const auto run = [&]() -> StatusOr<Array> {
    SHEAF_ASSIGN_OR_RETURN(const auto builder,
                           MakeBuilderAs<DictionaryBuilder>(*Dictionary(Int32(), Utf8())));
    for (const std::string& text : texts) SHEAF_RETURN_IF_ERROR(builder->Append(text));
    return builder->Finish();
  };
  TimeArray(state, *run(), run);
}

BENCHMARK_CAPTURE(AppendBatches, one, Dictionaries::kOne)
    ->Name("dictionary/batches_one")
    ->Args({100, 1000})
    ->Args({10'000, 1000})
    ->UseManualTime();
BENCHMARK_CAPTURE(AppendBatches, equal, Dictionaries::kEqual)
    ->Name("dictionary/batches_equal")
    ->Args({100, 1000})
    ->Args({10'000, 1000})
    ->UseManualTime();
BENCHMARK_CAPTURE(AppendBatches, overlapping, Dictionaries::kOverlapping)
    ->Name("dictionary/batches_overlapping")
    ->Args({100, 1000})
    ->Args({10'000, 1000})
    ->UseManualTime();
BENCHMARK_CAPTURE(Decode, int64, Int64())
    ->Name("dictionary/decode_int64")
    ->Args({1'000'000, 1000})
    ->UseManualTime();
BENCHMARK_CAPTURE(Decode, utf8, Utf8())
    ->Name("dictionary/decode_utf8")
    ->Args({1'000'000, 1000})
    ->UseManualTime();
BENCHMARK(TextsOneByOne)
    ->Name("dictionary/texts_one_by_one")
    ->Args({1'000'000, 1000})
    ->Args({100'000, 100'000})
    ->UseManualTime();

}  // namespace
}  // namespace sheaf
