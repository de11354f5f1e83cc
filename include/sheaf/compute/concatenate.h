#pragma once

#include <span>

#include "sheaf/array/array.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1 {

/// The rows of all arrays, one array after the other, as one array of their type.
///
/// Goes through the builders: every buffer is allocated once, of exactly its size, and every
/// element copied once — elements of list-views as often as they are stored, not as often as they
/// are read: slices of one array, however many, bring its elements once, unless that would make of
/// plain lists (ViewStats::zero_copy_to_list) something else. Equal neighbouring runs merge,
/// dictionaries are unified. One array is returned as it is.
///
/// Costs O(rows + elements stored), and nothing for arrays of no rows.
/// \return kInvalidArgument without an array, for arrays of different types (naming each type once)
/// and the structural error of an array that must not be followed; kOutOfRange where offsets would
/// outgrow their width, naming the type that has them; kResourceExhausted.
SHEAF_EXPORT StatusOr<Array> Concatenate(std::span<const Array> arrays,
                                         MemoryPool* pool = MemoryPool::Default());

}  // namespace sheaf::inline v1
