#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sheaf/array/array.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1 {

/// How long a registry keeps a dictionary.
enum class DictionaryHold : uint8_t {
  kAlways,     ///< As long as the registry lives.
  kWhileUsed,  ///< Until nobody else holds it: the registry then forgets it, and its id stays
               ///< taken.
};

struct DictionaryRegistryOptions {
  /// The first id that `Add` gives; any number.
  int64_t first_id = 0;
  DictionaryHold hold = DictionaryHold::kAlways;
  MemoryPool* pool = MemoryPool::Default();
};

/// Dictionaries by id, for whoever needs to name them: importers, IPC readers, engines.
///
/// An id names one dictionary for ever: it is never given twice, and no dictionary takes the place
/// of another. Which dictionary one is, is told by its data, not by its values: handles to the same
/// rows of the same array are one dictionary. Arrays hold their dictionary themselves and read
/// right without a registry. May be used from several threads at once.
class SHEAF_EXPORT DictionaryRegistry {
 public:
  explicit DictionaryRegistry(const DictionaryRegistryOptions& options = {});
  DictionaryRegistry(const DictionaryRegistry&) = delete;
  DictionaryRegistry& operator=(const DictionaryRegistry&) = delete;
  ~DictionaryRegistry();

  /// The id that the dictionary has, or a new one: one larger than any given before, by `AddAs`
  /// too.
  /// \return kOutOfRange past the largest int64; kResourceExhausted.
  StatusOr<int64_t> Add(const Array& dictionary);
  /// The same for several, all or none.
  Status AddAll(std::span<const Array> dictionaries);
  /// Under an id of the caller's choice.
  /// \return kAlreadyExists where the id was ever given to another dictionary, or the dictionary
  /// has another id; kResourceExhausted.
  Status AddAs(int64_t id, const Array& dictionary);

  /// \return kNotFound where there is none, or it is forgotten.
  StatusOr<Array> Get(int64_t id) const;
  /// \return kNotFound where it was not added.
  StatusOr<int64_t> IdOf(const Array& dictionary) const;
  /// Dictionaries kept.
  int64_t size() const;

 private:
  class Entries;
  std::unique_ptr<Entries> entries_;
};

}  // namespace sheaf::inline v1
