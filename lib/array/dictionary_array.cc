#include "sheaf/array/dictionary_array.h"

#include "array/make_typed.h"
#include "sheaf/type/visit_type.h"

namespace sheaf::inline v1 {

StatusOr<DictionaryArray> DictionaryArray::From(Array array) {
  if (array.layout().id != LayoutId::kDictionary) return internal::WrongType(array, "dictionary");
  return DictionaryArray(std::move(array));
}

StatusOr<DictionaryArray> DictionaryArray::Make(const Array& indices, const Array& dictionary,
                                                bool ordered, ValidationLevel level) {
  SHEAF_ASSIGN_OR_RETURN(DataType type, Dictionary(indices.type(), dictionary.type(), ordered));
  SHEAF_ASSIGN_OR_RETURN(Array array, MakeArray({.type = std::move(type),
                                                 .length = indices.length(),
                                                 .offset = indices.offset(),
                                                 .buffers = {indices.buffer(0), indices.buffer(1)},
                                                 .dictionary = {dictionary}},
                                                level));
  return DictionaryArray(std::move(array));
}

StatusOr<Array> DictionaryArray::indices(MemoryPool* pool) const {
  return MakeArray({.type = type().index_type(),
                    .length = length(),
                    .offset = offset(),
                    .buffers = {buffer(0), buffer(1)}},
                   ValidationLevel::kMinimal, pool);
}

int64_t DictionaryArray::index(int64_t i) const noexcept {
  if (!IsValid(i)) return -1;
  return VisitInteger(type().index_type().id(), [&](auto integer) {
    return static_cast<int64_t>(slots<decltype(integer)>(1)[i]);
  });
}

Array DictionaryArray::value(int64_t i) const noexcept {
  const int64_t at = index(i);
  return at < 0 ? dictionary().Slice(0, 0) : dictionary().Row(at);
}

}  // namespace sheaf
