#include "sheaf/type/extension.h"

#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace sheaf::inline v1 {
namespace {

class Registry {
 public:
  static Registry& Get() {
    static auto* const registry = new Registry;  // Never destroyed: used until the process ends.
    return *registry;
  }

  bool Add(std::string name, ExtensionCheck check) {
    auto shared = std::make_shared<const ExtensionCheck>(std::move(check));
    const std::lock_guard lock(mutex_);
    return checks_.try_emplace(std::move(name), std::move(shared)).second;
  }

  bool Remove(std::string_view name) {
    const std::lock_guard lock(mutex_);
    const auto found = checks_.find(name);
    if (found == checks_.end()) return false;
    checks_.erase(found);
    return true;
  }

  /// Shared, so that it is called outside of the lock and may itself use the registry.
  std::shared_ptr<const ExtensionCheck> Find(std::string_view name) {
    const std::lock_guard lock(mutex_);
    const auto found = checks_.find(name);
    return found == checks_.end() ? nullptr : found->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const ExtensionCheck>, std::less<>> checks_;
};

bool IsExtensionKey(const std::string& key) {
  return key == kExtensionNameKey || key == kExtensionMetadataKey;
}

}  // namespace

Status RegisterExtension(std::string name, ExtensionCheck check) {
  if (!Registry::Get().Add(name, std::move(check))) {
    return internal::AlreadyExists("extension '", name, "' is registered already");
  }
  return OkStatus();
}

Status UnregisterExtension(string_view name) {
  if (!Registry::Get().Remove(std::string_view(name.data(), name.size()))) {
    return internal::NotFound("extension '", name, "' is not registered");
  }
  return OkStatus();
}

StatusOr<Field> ResolveExtension(Field field) {
  const std::string* name = FindMetadata(field.metadata(), kExtensionNameKey);
  if (name == nullptr || field.type().id() == TypeId::kExtension) return field;
  const auto check = Registry::Get().Find(*name);
  if (check == nullptr) return field;
  const std::string* found = FindMetadata(field.metadata(), kExtensionMetadataKey);
  const std::string serialized = found == nullptr ? std::string() : *found;
  if (*check) {
    SHEAF_RETURN_IF_ERROR(
        (*check)(field.type(), string_view(serialized.data(), serialized.size())));
  }
  Metadata rest;
  for (const auto& entry : field.metadata()) {
    if (!IsExtensionKey(entry.first)) rest.push_back(entry);
  }
  return Field(field.name(), Extension(*name, serialized, field.type()), field.nullable(),
               std::move(rest));
}

Field StorageField(const Field& field) {
  const DataType& type = field.type();
  if (type.id() != TypeId::kExtension) return field;
  Metadata metadata = field.metadata();
  std::erase_if(metadata, [](const auto& entry) { return IsExtensionKey(entry.first); });
  metadata.emplace_back(kExtensionNameKey, type.extension_name());
  // Without parameters there is no second key: a field that came without it goes out without it.
  if (!type.extension_metadata().empty()) {
    metadata.emplace_back(kExtensionMetadataKey, type.extension_metadata());
  }
  return Field(field.name(), type.storage(), field.nullable(), std::move(metadata));
}

}  // namespace sheaf::inline v1
