#include "ipc/forge.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <gtest/gtest.h>

#include "ipc/message.h"
#include "ipc/message_writer.h"
#include "ipc/write_schema.h"
#include "sheaf/base/bits.h"
#include "sheaf/ipc/byte_sink.h"
#include "sheaf/type/layout.h"

namespace sheaf::testing {
namespace {

namespace format = internal::format;

/// A table to change in place: the accessors of generated tables only read.
flatbuffers::Table* Writable(const void* table) {
  return const_cast<flatbuffers::Table*>(static_cast<const flatbuffers::Table*>(table));
}

using FieldTables = const flatbuffers::Vector<flatbuffers::Offset<format::Field>>*;

void SetIds(FieldTables fields, const std::vector<int64_t>& ids) {
  for (const format::Field* field : *fields) {
    if (const auto* encoding = field->dictionary(); encoding != nullptr) {
      const int64_t id = ids.at(static_cast<size_t>(encoding->id()));
      EXPECT_TRUE(Writable(encoding)->SetField<int64_t>(format::DictionaryEncoding::VT_ID, id, 0));
    }
    SetIds(field->children(), ids);
  }
}

/// Reverses each `width` bytes.
void Turn(std::vector<uint8_t>* bytes, std::initializer_list<int> widths) {
  size_t at = 0;
  while (at < bytes->size()) {
    for (const int width : widths) {
      const auto begin = bytes->begin() + static_cast<std::ptrdiff_t>(at);
      std::reverse(begin, begin + width);
      at += static_cast<size_t>(width);
    }
  }
}

void TurnView(uint8_t* view) {
  const bool inlined = LoadUnaligned<int32_t>(view) <= 12;
  std::reverse(view, view + 4);
  if (inlined) return;
  std::reverse(view + 8, view + 12);
  std::reverse(view + 12, view + 16);
}

/// Buffer i of a type as a big-endian writer has it.
Buffer BigEndian(const Buffer& buffer, const DataType& type, int i) {
  std::vector<uint8_t> bytes = BytesOf(buffer);
  const TypeId id = type.storage().id();
  const int width = static_cast<int>(BufferBitWidth(type, i) / 8);
  switch (type.layout().buffers[static_cast<size_t>(i)].role) {
    case BufferRole::kViews:
      for (size_t at = 0; at < bytes.size(); at += 16) TurnView(&bytes[at]);
      break;
    case BufferRole::kValues:
      if (id == TypeId::kFixedSizeBinary) break;
      if (id == TypeId::kIntervalDayTime) {
        Turn(&bytes, {4, 4});
      } else if (id == TypeId::kIntervalMonthDayNano) {
        Turn(&bytes, {4, 4, 8});
      } else if (width > 1) {
        Turn(&bytes, {width});
      }
      break;
    default:
      if (width > 1) Turn(&bytes, {width});
  }
  return BufferOf(bytes);
}

/// Turns the buffers of an array round, of which `next` is the first.
void TurnRound(const Array& array, internal::BatchBody* body, size_t* next, size_t* next_count) {
  for (int i = 0; i < array.layout().num_buffers; ++i, ++*next) {
    if (body->buffers[*next].size_bytes() == 0) continue;
    body->buffers[*next] = BigEndian(body->buffers[*next], array.type(), i);
  }
  if (array.layout().has_variadic_buffers) {
    *next += static_cast<size_t>(body->variadic_counts[(*next_count)++]);
  }
  for (int i = 0; i < array.num_children(); ++i) {
    TurnRound(array.child(i), body, next, next_count);
  }
}

/// Gives each union a bitmap in front of its buffers.
void AddUnionBitmaps(const Array& array, internal::BatchBody* body, size_t* next,
                     size_t* next_count) {
  const LayoutId layout = array.layout().id;
  if (layout == LayoutId::kSparseUnion || layout == LayoutId::kDenseUnion) {
    const auto at = static_cast<std::ptrdiff_t>((*next)++);
    body->buffers.insert(body->buffers.begin() + at, Buffer::Empty());
    body->places.insert(body->places.begin() + at, {0, 0});
  }
  *next += static_cast<size_t>(array.layout().num_buffers);
  if (array.layout().has_variadic_buffers) {
    *next += static_cast<size_t>(body->variadic_counts[(*next_count)++]);
  }
  for (int i = 0; i < array.num_children(); ++i) {
    AddUnionBitmaps(array.child(i), body, next, next_count);
  }
}

RecordBatch BatchOfColumns(const std::vector<Array>& columns) {
  std::vector<Field> fields;
  for (const Array& column : columns) fields.emplace_back("", column.type());
  return RecordBatch::Make(Schema(std::move(fields)), columns.empty() ? 0 : columns[0].length(),
                           columns)
      .value();
}

}  // namespace

Buffer ForgedStream(const RecordBatch& batch, const Forge& forge,
                    const ipc::WriteOptions& options) {
  return StreamForge({.options = options})
      .AddSchema(batch.schema())
      .AddBatch(batch.columns(), forge)
      .AddEnd()
      .Finish();
}

StreamForge& StreamForge::AddSchema(const Schema& schema, const std::vector<int64_t>& ids) {
  schema_ = schema;
  ids_ = ids;
  flatbuffers::FlatBufferBuilder builder;
  builder.ForceDefaults(true);  // So that everything has a place to be changed at.
  const auto table = internal::WriteSchema(builder, schema, format_.options.max_depth).value();
  builder.Finish(format::CreateMessage(builder, format::MetadataVersion::V5,
                                       format::MessageHeader::Schema, table.Union()));
  flatbuffers::DetachedBuffer metadata = builder.Release();
  const auto* message = flatbuffers::GetRoot<format::Message>(metadata.data());
  Change(message->header_as_Schema());
  Add(std::move(metadata), {});
  return *this;
}

void StreamForge::Change(const format::Schema* made) const {
  if (format_.big_endian) {
    EXPECT_TRUE(Writable(made)->SetField<int16_t>(format::Schema::VT_ENDIANNESS, 1, 0));
  }
  if (!ids_.empty()) SetIds(made->fields(), ids_);
}

StreamForge& StreamForge::AddDictionary(int64_t id, const Array& values, bool is_delta,
                                        const Forge& forge) {
  internal::BatchBody body = BodyOf({values});
  if (forge) forge(body);
  dictionaries_.push_back(Add(internal::DictionaryMetadata(body, id, is_delta), body.buffers));
  return *this;
}

StreamForge& StreamForge::AddBatch(const std::vector<Array>& columns, const Forge& forge) {
  internal::BatchBody body = BodyOf(columns);
  if (forge) forge(body);
  batches_.push_back(Add(internal::BatchMetadata(body), body.buffers));
  return *this;
}

internal::BatchBody StreamForge::BodyOf(const std::vector<Array>& columns) const {
  internal::BatchBody body =
      internal::MakeBatchBody(BatchOfColumns(columns), format_.options, /*compress=*/true).value();
  if (format_.big_endian) {
    size_t next = 0;
    size_t next_count = 0;
    for (const Array& column : columns) TurnRound(column, &body, &next, &next_count);
  }
  if (format_.version < format::MetadataVersion::V5) {
    size_t next = 0;
    size_t next_count = 0;
    for (const Array& column : columns) AddUnionBitmaps(column, &body, &next, &next_count);
  }
  return body;
}

StreamForge& StreamForge::AddEnd() {
  if (format_.marked) Put(reinterpret_cast<const uint8_t*>(&internal::kContinuation), 4);
  const int32_t zero = 0;
  Put(reinterpret_cast<const uint8_t*>(&zero), 4);
  return *this;
}

Buffer StreamForge::Finish() const { return BufferOf(bytes_); }

Buffer StreamForge::FinishFile() const {
  constexpr int64_t kBegin = 8;  // The magic and its padding.
  const auto moved = [](std::vector<format::Block> blocks) {
    for (format::Block& block : blocks) {
      block = format::Block(block.offset() + kBegin, block.metadata_length(), block.body_length());
    }
    return blocks;
  };
  flatbuffers::FlatBufferBuilder builder;
  builder.ForceDefaults(true);
  const auto schema = internal::WriteSchema(builder, schema_, format_.options.max_depth).value();
  const auto dictionaries = builder.CreateVectorOfStructs(moved(dictionaries_));
  const auto batches = builder.CreateVectorOfStructs(moved(batches_));
  builder.Finish(format::CreateFooter(builder, format_.version, schema, dictionaries, batches));
  const flatbuffers::DetachedBuffer footer = builder.Release();
  Change(flatbuffers::GetRoot<format::Footer>(footer.data())->schema());

  StreamForge file(format_);
  const auto put = [&](const void* bytes, size_t size_bytes) {
    file.Put(static_cast<const uint8_t*>(bytes), static_cast<int64_t>(size_bytes));
  };
  put("ARROW1\0", 8);
  put(bytes_.data(), bytes_.size());
  put(footer.data(), footer.size());
  const auto length = static_cast<int32_t>(footer.size());
  put(&length, 4);
  put("ARROW1", 6);
  return file.Finish();
}

format::Block StreamForge::Add(flatbuffers::DetachedBuffer metadata,
                               const std::vector<Buffer>& buffers) {
  const auto start = static_cast<int64_t>(bytes_.size());
  const auto* message = flatbuffers::GetRoot<format::Message>(metadata.data());
  EXPECT_TRUE(Writable(message)->SetField<int16_t>(format::Message::VT_VERSION,
                                                   static_cast<int16_t>(format_.version), 0));
  const int64_t prefix_bytes = format_.marked ? 8 : 4;
  const auto size_bytes = static_cast<int64_t>(metadata.size());
  const int64_t alignment = format_.options.alignment;
  const int64_t padded =
      (prefix_bytes + size_bytes + alignment - 1) / alignment * alignment - prefix_bytes;
  if (format_.marked) Put(reinterpret_cast<const uint8_t*>(&internal::kContinuation), 4);
  const auto length = static_cast<int32_t>(padded);
  Put(reinterpret_cast<const uint8_t*>(&length), 4);
  Put(metadata.data(), size_bytes);
  bytes_.resize(bytes_.size() + static_cast<size_t>(padded - size_bytes));
  const auto body_start = static_cast<int64_t>(bytes_.size());
  for (const Buffer& buffer : buffers) {
    Put(buffer.data(), buffer.size_bytes());
    Pad();
  }
  return format::Block(start, static_cast<int32_t>(body_start - start),
                       static_cast<int64_t>(bytes_.size()) - body_start);
}

void StreamForge::Put(const uint8_t* bytes, int64_t size_bytes) {
  bytes_.insert(bytes_.end(), bytes, bytes + size_bytes);
}

void StreamForge::Pad() {
  const auto alignment = static_cast<size_t>(format_.options.alignment);
  bytes_.resize((bytes_.size() + alignment - 1) / alignment * alignment);
}

Buffer BufferOf(const std::vector<uint8_t>& bytes) { return Buffer::Copy(bytes).value(); }

std::vector<uint8_t> BytesOf(const Buffer& buffer) {
  return {buffer.data(), buffer.data() + buffer.size_bytes()};
}

Buffer AtShift(const Buffer& bytes, int shift) {
  MutableBuffer shifted = MutableBuffer::Allocate(bytes.size_bytes() + shift).value();
  std::copy_n(bytes.data(), bytes.size_bytes(), shifted.data() + shift);
  return std::move(shifted).Finish().Slice(shift, bytes.size_bytes());
}

}  // namespace sheaf::testing
