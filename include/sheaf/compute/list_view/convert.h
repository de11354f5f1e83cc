#pragma once

#include <cstdint>

#include "sheaf/array/array.h"
#include "sheaf/array/record_batch.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/memory_pool.h"
#include "sheaf/type/type_id.h"

namespace sheaf::inline v1 {

/// The rows of a list-like array (lists and list-views of both widths, fixed-size lists, maps) as
/// lists or list-views of 32 or 64 bits, or as a map. Name, nullability and metadata of the
/// elements' field survive, an extension stays one over the new storage, validity is shared. n
/// rows, m elements, s the sizes of valid rows together:
///
/// - list to list-view: elements shared, those before the first row and after the last dropped;
///   offsets shared where the first is 0, else moved; sizes made in one pass. O(n).
/// - list-view to list: O(1) where it is packed from its first element on and the slot behind its
///   offsets holds their end (as Sheaf's own do), one copy of the offsets where it is packed only;
///   else `RebuildMode::kExact`, one sized copy of the elements, O(n + s).
/// - fixed-size list to both: elements shared, null rows keep theirs; offsets and sizes are filled.
///   O(n).
/// - 32 to 64 bits: offsets and sizes are widened, elements shared, overlaps kept. 64 to 32 bits:
///   the same, once the elements that no view reaches at both ends are dropped, which moves the
///   offsets; nothing ever wraps. O(n).
/// - map to list of structs, and back: O(1) where the widths are the same. Keys are checked not to
///   be null.
///
/// Returns the array itself where it has the layout already. View statistics of the result are
/// known wherever they are known without a pass of their own; its `max_size` may be an upper bound.
///
/// \param target  kList, kLargeList, kListView, kLargeListView or kMap.
/// \return kInvalidArgument for another type or target, for elements that are no entries of a map
/// (naming the null key, or the type), and the structural error of an array that must not be
/// followed; kOutOfRange where elements outgrow the offsets; kResourceExhausted.
SHEAF_EXPORT StatusOr<Array> ConvertLists(const Array& array, TypeId target,
                                          MemoryPool* pool = MemoryPool::Default());

/// The rows of a list-like array as lists of `list_size` elements. Null rows may have had any size:
/// they get placeholders. Elements are shared where each row's lie where a fixed-size list has them
/// (O(n), no copy), else copied once, in order. Returns the array itself where it has the size.
/// \return kInvalidArgument naming the first valid row of another size, and that size; otherwise as
/// ConvertLists.
SHEAF_EXPORT StatusOr<Array> ConvertToFixedSizeLists(const Array& array, int32_t list_size,
                                                     MemoryPool* pool = MemoryPool::Default());

/// An array of any type whose list-views, wherever they are, are lists — or the other way round —
/// so that a batch can go to an engine that knows only one of the two, and back.
///
/// With kList each list-view becomes a list and each large list-view a large list; with kLargeList
/// both become large lists. kListView and kLargeListView do the same to lists and large lists. Maps
/// and fixed-size lists stay what they are. Everywhere means: fields of structs, elements of all
/// list-likes, entries of maps, children of unions, values of run-ends and of dictionaries (indices
/// and run ends are shared), storage of extensions, which keep name and parameters. Field names,
/// nullability and metadata stay at every level.
///
/// Each level costs what ConvertLists costs. Outer lists come first, so that the elements of inner
/// ones are copied at most once; elements that no row reaches may go. An array (a batch) without
/// such a list comes back as it is.
///
/// \param target  kList, kLargeList, kListView or kLargeListView.
/// \return the errors of ConvertLists with the path; kInvalidArgument where a registered extension
/// refuses the new storage.
SHEAF_EXPORT StatusOr<Array> ConvertNested(const Array& array, TypeId target,
                                           MemoryPool* pool = MemoryPool::Default());
SHEAF_EXPORT StatusOr<RecordBatch> ConvertNested(const RecordBatch& batch, TypeId target,
                                                 MemoryPool* pool = MemoryPool::Default());

}  // namespace sheaf::inline v1
