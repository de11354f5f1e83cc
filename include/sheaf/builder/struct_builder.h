#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sheaf/builder/array_builder.h"

namespace sheaf::inline v1 {

/// Builds struct arrays: its own validity, and a builder a field. Rows come as whole struct arrays
/// (`AppendArray`, `AppendRepeated`), nulls or empty values; fields cannot be appended to one by
/// one.
class SHEAF_EXPORT StructBuilder : public ArrayBuilder {
 public:
  /// \param fields  a builder for each field of the type.
  StructBuilder(const DataType& type, std::vector<std::unique_ptr<ArrayBuilder>> fields,
                const BuilderOptions& options = {});
  static Status CheckBuilds(const DataType& type);

  int num_fields() const noexcept { return static_cast<int>(fields_.size()); }

 protected:
  Status StageRanges(const Array& source, std::span<const RowRange> ranges) override;
  Status StageRepeated(const Array& source, RowRange range, int64_t n) override;
  Status StageNulls(int64_t n) override;
  Status StageEmpty(int64_t n) override;
  Status StageKept(const Array& source, RowRange range) override;
  Status StageWidened(int64_t chunk, RowRange range) override;
  Status ReserveRows(int64_t rows) override;
  void Commit() noexcept override;
  void Discard() noexcept override;
  StatusOr<Array> Build() override;
  void Clear() noexcept override;
  int64_t BytesUsed() const noexcept override;

 private:
  std::vector<std::unique_ptr<ArrayBuilder>> fields_;
  internal::StagedVector<int64_t>
      chunks_of_;  ///< Kept chunk of each field, num_fields for each kept chunk here.
};

}  // namespace sheaf
