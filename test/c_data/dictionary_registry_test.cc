#include "sheaf/c_data/dictionary_registry.h"

#include <algorithm>
#include <limits>
#include <set>
#include <thread>
#include <vector>

#include "testing/array_literals.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;

constexpr int64_t kLargestId = std::numeric_limits<int64_t>::max();

TEST(DictionaryRegistry, IdsGoUpByOneAndTheSameDictionaryKeepsItsOwn) {
  DictionaryRegistry registry;
  const Array colors = Utf8s({"red", "green"});
  const Array units = Utf8s({"kg", "m", "s"});
  EXPECT_EQ(registry.Add(colors).value(), 0);
  EXPECT_EQ(registry.Add(units).value(), 1);
  EXPECT_EQ(registry.Add(colors).value(), 0);
  EXPECT_EQ(registry.IdOf(units).value(), 1);
  EXPECT_EQ(registry.size(), 2);
  EXPECT_THAT(registry.Get(0).value(), ReadsAs(R"(["red", "green"])"));
  EXPECT_THAT(registry.Get(1).value(), ReadsAs(R"(["kg", "m", "s"])"));
  EXPECT_THAT(registry.Get(2), StatusIs(StatusCode::kNotFound, "2"));
}

TEST(DictionaryRegistry, EqualDictionariesAndWindowsOfOneAreDifferentDictionaries) {
  DictionaryRegistry registry;
  const Array colors = Utf8s({"red", "green"});
  EXPECT_EQ(registry.Add(colors).value(), 0);
  EXPECT_EQ(registry.Add(Utf8s({"red", "green"})).value(), 1);
  EXPECT_EQ(registry.Add(colors.Slice(0, 1)).value(), 2);
  EXPECT_EQ(registry.Add(colors.Slice(1)).value(), 3);
  EXPECT_EQ(registry.Add(colors.Slice(1, 0)).value(), 4);
  EXPECT_EQ(registry.Add(colors.Slice(0, 2)).value(), 0);
}

TEST(DictionaryRegistry, TheFirstIdIsTheCallersChoice) {
  for (const int64_t first : {int64_t{42}, int64_t{-3}, std::numeric_limits<int64_t>::min()}) {
    DictionaryRegistry registry({.first_id = first});
    EXPECT_EQ(registry.Add(Ints({1})).value(), first);
    EXPECT_EQ(registry.Add(Ints({2})).value(), first + 1);
  }
}

TEST(DictionaryRegistry, ATakenIdIsNeverReplaced) {
  DictionaryRegistry registry;
  const Array colors = Utf8s({"red"});
  const Array units = Utf8s({"kg"});
  ASSERT_OK(registry.AddAs(5, colors));
  EXPECT_OK(registry.AddAs(5, colors));
  EXPECT_THAT(registry.AddAs(5, units), StatusIs(StatusCode::kAlreadyExists, "5"));
  EXPECT_THAT(registry.AddAs(6, colors), StatusIs(StatusCode::kAlreadyExists, "id 5"));
  EXPECT_THAT(registry.Get(5).value(), ReadsAs(R"(["red"])"));
  EXPECT_EQ(registry.size(), 1);
}

TEST(DictionaryRegistry, AddGoesOnBehindTheLargestIdEverGiven) {
  DictionaryRegistry registry;
  std::vector<Array> kept;
  const auto fresh = [&] { return kept.emplace_back(Ints({1})); };
  EXPECT_EQ(registry.Add(fresh()).value(), 0);
  ASSERT_OK(registry.AddAs(10, fresh()));
  ASSERT_OK(registry.AddAs(7, fresh()));  // Below the largest, and free.
  ASSERT_OK(registry.AddAs(-4, fresh()));
  EXPECT_EQ(registry.Add(fresh()).value(), 11);
  for (const int64_t id : {0, 10, 7, -4, 11}) {
    EXPECT_THAT(registry.AddAs(id, fresh()), StatusIs(StatusCode::kAlreadyExists)) << id;
    EXPECT_OK(registry.Get(id)) << id;
  }
}

TEST(DictionaryRegistry, PastTheLargestIdIsOutOfRangeAndChangesNothing) {
  DictionaryRegistry registry({.first_id = kLargestId - 1});
  const Array first = Ints({1});
  const Array second = Ints({2});
  EXPECT_EQ(registry.Add(first).value(), kLargestId - 1);
  // Both or none.
  const std::vector<Array> two = {second, Ints({3})};
  EXPECT_THAT(registry.AddAll(two), StatusIs(StatusCode::kOutOfRange, "9223372036854775807"));
  EXPECT_THAT(registry.IdOf(second), StatusIs(StatusCode::kNotFound));
  EXPECT_EQ(registry.size(), 1);

  EXPECT_EQ(registry.Add(second).value(), kLargestId);
  EXPECT_THAT(registry.Add(Ints({3})), StatusIs(StatusCode::kOutOfRange));
  EXPECT_EQ(registry.Add(first).value(), kLargestId - 1);
  EXPECT_OK(registry.AddAs(3, Ints({4})));
  EXPECT_THAT(registry.Add(Ints({5})), StatusIs(StatusCode::kOutOfRange));
}

TEST(DictionaryRegistry, WhileUsedForgetsWhatNobodyHoldsAndKeepsItsIdTaken) {
  DictionaryRegistry registry({.hold = DictionaryHold::kWhileUsed});
  const Array kept = Utf8s({"kept"});
  {
    const Array dropped = Utf8s({"dropped"});
    EXPECT_EQ(registry.Add(dropped).value(), 0);
    EXPECT_EQ(registry.Add(kept).value(), 1);
    EXPECT_OK(registry.Get(0));
    EXPECT_EQ(registry.size(), 2);
  }
  EXPECT_THAT(registry.Get(0), StatusIs(StatusCode::kNotFound));
  EXPECT_EQ(registry.size(), 1);
  EXPECT_THAT(registry.AddAs(0, Ints({1})), StatusIs(StatusCode::kAlreadyExists));
  EXPECT_EQ(registry.Add(Ints({1})).value(), 2);
  EXPECT_EQ(registry.IdOf(kept).value(), 1);
}

TEST(DictionaryRegistry, WhileUsedALongTaskDoesNotGrow) {
  const auto pool = MakeLimitedPool(MemoryPool::Default(), int64_t{1} << 30);
  DictionaryRegistry registry({.hold = DictionaryHold::kWhileUsed, .pool = pool.get()});
  std::vector<Array> window;  // The last hundred are in use.
  int64_t after_warm_up = 0;
  for (int64_t i = 0; i < 5000; ++i) {
    window.push_back(MakeEmptyArray(Int8(), pool.get()).value());
    if (window.size() > 100) window.erase(window.begin());
    ASSERT_EQ(registry.Add(window.back()).value(), i);
    if (i == 500) after_warm_up = pool->peak_bytes();
  }
  EXPECT_EQ(pool->peak_bytes(), after_warm_up);
  EXPECT_EQ(registry.size(), 100);
  for (int64_t i = 4900; i < 5000; ++i) EXPECT_OK(registry.Get(i));
}

TEST(DictionaryRegistry, AlwaysKeepsWhatNobodyElseHolds) {
  DictionaryRegistry registry;
  ASSERT_OK(registry.Add(Utf8s({"red"})));
  EXPECT_EQ(registry.size(), 1);
  EXPECT_THAT(registry.Get(0).value(), ReadsAs(R"(["red"])"));
}

TEST(DictionaryRegistry, ManyDictionariesAreFoundAgain) {
  DictionaryRegistry registry;
  std::vector<Array> dictionaries;
  for (int64_t i = 0; i < 1000; ++i) {
    dictionaries.push_back(Ints({i}));
    ASSERT_EQ(registry.Add(dictionaries.back()).value(), i);
  }
  for (int64_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(registry.IdOf(dictionaries[static_cast<size_t>(i)]).value(), i);
    EXPECT_EQ(registry.Add(dictionaries[static_cast<size_t>(i)]).value(), i);
  }
}

TEST(DictionaryRegistry, ARefusedAllocationAddsNothing) {
  std::vector<Array> dictionaries;
  for (int64_t i = 0; i < 9; ++i) dictionaries.push_back(Ints({i}));
  for (int64_t k = 0;; ++k) {
    FailingPool pool;
    DictionaryRegistry registry({.pool = &pool});
    ASSERT_OK(registry.Add(dictionaries[0]));
    pool.FailAt(k);
    const Status status = registry.AddAll(dictionaries);
    if (!pool.failed()) {
      EXPECT_GE(k, 2);
      EXPECT_OK(status);
      EXPECT_EQ(registry.size(), 9);
      break;
    }
    EXPECT_THAT(status, StatusIs(StatusCode::kResourceExhausted));
    EXPECT_EQ(registry.size(), 1);
    EXPECT_EQ(registry.Add(dictionaries[5]).value(), 1);
    EXPECT_EQ(registry.Add(dictionaries[0]).value(), 0);
  }
}

TEST(DictionaryRegistry, ThreadsGetIdsOfTheirOwnAndAgreeOnSharedDictionaries) {
  DictionaryRegistry registry({.hold = DictionaryHold::kWhileUsed});
  constexpr int kThreads = 8;
  constexpr int kRounds = 300;
  const Array shared = Utf8s({"shared"});
  std::vector<std::vector<int64_t>> ids(kThreads);
  std::vector<std::vector<int64_t>> shared_ids(kThreads);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int64_t i = 0; i < kRounds; ++i) {
        const Array own = Ints({i});
        ids[t].push_back(registry.Add(own).value());
        shared_ids[t].push_back(registry.Add(shared).value());
        const auto found = registry.Get(ids[t].back());
        EXPECT_TRUE(found.ok() && found->data() == own.data());
        (void)registry.Get(ids[t].back() - 3);  // Of another thread, or gone.
        if (i % 50 == 0) (void)registry.size();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<int64_t> all;
  for (const auto& of_thread : ids) all.insert(of_thread.begin(), of_thread.end());
  EXPECT_EQ(all.size(), static_cast<size_t>(kThreads * kRounds));
  const int64_t shared_id = registry.IdOf(shared).value();
  EXPECT_FALSE(all.contains(shared_id));
  for (const auto& of_thread : shared_ids) {
    EXPECT_EQ(std::count(of_thread.begin(), of_thread.end(), shared_id), kRounds);
  }
  EXPECT_EQ(registry.size(), 1);
}

}  // namespace
}  // namespace sheaf
