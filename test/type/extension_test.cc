#include "sheaf/type/extension.h"

#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sheaf {
namespace {

/// Registered for as long as it lives.
class Registered {
 public:
  Registered(std::string name, ExtensionCheck check) : name_(std::move(name)) {
    EXPECT_TRUE(RegisterExtension(name_, std::move(check)).ok());
  }
  ~Registered() { EXPECT_TRUE(UnregisterExtension(name_).ok()); }

 private:
  std::string name_;
};

Status TakesSixteenBytes(const DataType& storage, string_view) {
  if (storage == *FixedSizeBinary(16)) return OkStatus();
  return Status(StatusCode::kInvalidArgument, "a uuid has 16 bytes");
}

Field UuidField(int32_t byte_width) {
  return Field("id", *FixedSizeBinary(byte_width), false,
               {{"before", "1"},
                {kExtensionNameKey, "test.uuid"},
                {kExtensionMetadataKey, "v4"},
                {"after", ""}});
}

TEST(Extension, NamesAreTakenOnce) {
  const Registered uuid("test.uuid", TakesSixteenBytes);
  EXPECT_EQ(RegisterExtension("test.uuid", TakesSixteenBytes).code(), StatusCode::kAlreadyExists);
  EXPECT_EQ(UnregisterExtension("test.other").code(), StatusCode::kNotFound);
}

TEST(Extension, RegisteredFieldBecomesAnExtensionAndGoesBack) {
  const Registered uuid("test.uuid", TakesSixteenBytes);
  const auto field = ResolveExtension(UuidField(16));
  ASSERT_TRUE(field.ok()) << field.status();
  EXPECT_EQ(field->type(), Extension("test.uuid", "v4", *FixedSizeBinary(16)));
  EXPECT_EQ(field->metadata(), (Metadata{{"before", "1"}, {"after", ""}}));
  EXPECT_FALSE(field->nullable());

  const Field stored = StorageField(*field);
  EXPECT_EQ(stored.type(), *FixedSizeBinary(16));
  EXPECT_EQ(*FindMetadata(stored.metadata(), kExtensionNameKey), "test.uuid");
  EXPECT_EQ(*FindMetadata(stored.metadata(), kExtensionMetadataKey), "v4");
  EXPECT_TRUE(ResolveExtension(stored)->Identical(*field));
}

TEST(Extension, UnknownFieldPassesThroughUnchanged) {
  const Field field = UuidField(16);
  EXPECT_TRUE(ResolveExtension(field)->Identical(field));
  EXPECT_TRUE(StorageField(field).Identical(field));
  const Field plain("a", Int8());
  EXPECT_TRUE(ResolveExtension(plain)->Identical(plain));
}

TEST(Extension, RefusalOfTheStorageIsTheChecks) {
  const Registered uuid("test.uuid", TakesSixteenBytes);
  const auto field = ResolveExtension(UuidField(15));
  EXPECT_EQ(field.status().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(field.status().message()), ::testing::HasSubstr("16 bytes"));
}

TEST(Extension, WithoutACheckEveryStorageIsTaken) {
  const Registered anything("test.anything", nullptr);
  const Field field("a", Utf8(), true, {{kExtensionNameKey, "test.anything"}});
  const auto resolved = ResolveExtension(field);
  ASSERT_TRUE(resolved.ok());
  EXPECT_EQ(resolved->type().extension_metadata(), "");
  // No parameters came, none go.
  EXPECT_TRUE(StorageField(*resolved).Identical(field));
}

TEST(Extension, ParametersReachTheCheck) {
  std::string seen;
  const Registered uuid("test.uuid", [&seen](const DataType&, string_view metadata) {
    seen = std::string(metadata);
    return OkStatus();
  });
  ASSERT_TRUE(ResolveExtension(UuidField(3)).ok());
  EXPECT_EQ(seen, "v4");
}

TEST(Extension, RegistryIsUsedByManyThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      const std::string name = "test.thread" + std::to_string(t);
      for (int i = 0; i < 500; ++i) {
        const Registered here(name, nullptr);
        const Field field("a", Int8(), true, {{kExtensionNameKey, name}});
        ASSERT_EQ(ResolveExtension(field)->type().id(), TypeId::kExtension);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace sheaf
