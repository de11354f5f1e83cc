#pragma once

#include <cstdint>

/// \file
/// Forward declarations of Sheaf's public types, a layer a block.
namespace sheaf::inline v1 {

// memory
class Buffer;
class BufferBuilder;
class MemoryPool;
class MutableBuffer;
struct BitSpan;
struct MemoryCounts;

// type
class DataType;
class Field;
class Schema;
struct BufferSpec;
struct DayTime;
struct Decimal128Value;
struct Decimal256Value;
struct Layout;
struct MonthDayNano;
enum class BufferRole : uint8_t;
enum class LayoutId : uint8_t;
enum class TimeUnit : uint8_t;
enum class TypeId : uint8_t;

// array
class Array;
class BinaryViewArray;
class BooleanArray;
class ChunkedArray;
class DictionaryArray;
class ExtensionArray;
class FixedSizeBinaryArray;
class FixedSizeListArray;
class MapArray;
class NullArray;
class RecordBatch;
class RecordBatchReader;
class RunEndArray;
class StructArray;
class UnionArray;
struct ArrayParts;
struct EqualityOptions;
struct ViewContent;
struct ViewStats;
enum class PrintStyle : uint8_t;
enum class ValidationLevel : uint8_t;
template <typename T>
class FixedWidthArray;
template <typename Offset>
class BasicBinaryArray;
template <typename Offset>
class BasicListArray;
template <typename Offset>
class BasicListViewArray;
using BinaryArray = BasicBinaryArray<int32_t>;
using LargeBinaryArray = BasicBinaryArray<int64_t>;
using ListArray = BasicListArray<int32_t>;
using LargeListArray = BasicListArray<int64_t>;
using ListViewArray = BasicListViewArray<int32_t>;
using LargeListViewArray = BasicListViewArray<int64_t>;

// builder
class ArrayBuilder;
class BooleanBuilder;
class BuilderMark;
class DictionaryBuilder;
class FixedSizeBinaryBuilder;
class FixedSizeListBuilder;
class MapBuilder;
class NullBuilder;
class StructBuilder;
class UnionBuilder;
struct BuilderOptions;
template <typename T>
class FixedWidthBuilder;
template <typename Offset>
class BasicBinaryBuilder;
template <typename Offset>
class BasicListBuilder;
template <typename Offset>
class BasicListViewBuilder;
template <typename RunEnd>
class BasicRunEndBuilder;
using BinaryBuilder = BasicBinaryBuilder<int32_t>;
using LargeBinaryBuilder = BasicBinaryBuilder<int64_t>;
using ListBuilder = BasicListBuilder<int32_t>;
using LargeListBuilder = BasicListBuilder<int64_t>;
using ListViewBuilder = BasicListViewBuilder<int32_t>;
using LargeListViewBuilder = BasicListViewBuilder<int64_t>;

// compute
struct PageRows;

// c_data
class DictionaryRegistry;
class Importer;
struct DictionaryRegistryOptions;
struct ImportedColumn;
struct ImportOptions;
enum class DictionaryHold : uint8_t;

// ipc
namespace ipc {
class ByteSink;
class ByteSource;
class FileReader;
class FileWriter;
class MemorySink;
class StreamReader;
class StreamWriter;
struct ReadOptions;
struct WriteOptions;
enum class Compression : uint8_t;
enum class Format : uint8_t;
}  // namespace ipc

}  // namespace sheaf::inline v1
