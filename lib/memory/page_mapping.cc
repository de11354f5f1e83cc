#include "memory/page_mapping.h"

#include <cstddef>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#include <sys/resource.h>
#endif

namespace sheaf::inline v1::internal {
namespace {

#if defined(__linux__) && defined(MREMAP_FIXED)

// Linux 5.7, and not in every libc's header: the old addresses stay mapped. Without it another
// thread's mapping could come to lie there before we had them back.
constexpr int kMoveOnly = MREMAP_MAYMOVE | MREMAP_FIXED | 4 /* MREMAP_DONTUNMAP */;

class LinuxMapping final : public PageMapping {
 public:
  uint8_t* Reserve(int64_t size_bytes) noexcept override {
    // Where addresses are rationed, what is reserved here would be missing elsewhere.
    rlimit limit;
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY) return nullptr;
    // A page more, so that an aligned range fits; the ends go back.
    const int64_t mapped_bytes = size_bytes + kPageBytes;
    uint8_t* mapped = MapNothing(nullptr, mapped_bytes, 0);
    if (mapped == nullptr) return nullptr;
    const auto misalignment = static_cast<int64_t>(reinterpret_cast<uintptr_t>(mapped) %
                                                   static_cast<uintptr_t>(kPageBytes));
    const int64_t in_front = misalignment == 0 ? 0 : kPageBytes - misalignment;
    uint8_t* base = mapped + in_front;
    if (in_front > 0) ::munmap(mapped, Size(in_front));
    ::munmap(base + size_bytes, Size(kPageBytes - in_front));
    AdviseHuge(base, size_bytes);
    return base;
  }

  void Unreserve(uint8_t* base, int64_t size_bytes) noexcept override {
    ::munmap(base, Size(size_bytes));
  }

  bool Open(uint8_t* start, int64_t size_bytes) noexcept override {
    return ::mprotect(start, Size(size_bytes), PROT_READ | PROT_WRITE) == 0;
  }

  void Close(uint8_t* start, int64_t size_bytes) noexcept override {
    // First the pages, while others may go on mapping and touching memory. Then a new mapping for
    // the old, which joins its neighbours: the process has only so many mappings. Where there are
    // too many for this, the range stays open and empty.
    ::madvise(start, Size(size_bytes), MADV_DONTNEED);
    if (MapNothing(start, size_bytes, MAP_FIXED) != nullptr) AdviseHuge(start, size_bytes);
  }

  bool Move(uint8_t* from, uint8_t* to, int64_t size_bytes) noexcept override {
    if (::mremap(from, Size(size_bytes), Size(size_bytes), kMoveOnly, to) != MAP_FAILED)
      return true;
    // Most failures are found before anything is touched. Where the kernel ran out of its own
    // memory halfway, the target is unmapped: it is taken back, unless something else lies there.
    void* again = ::mmap(to, Size(size_bytes), PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (again != MAP_FAILED && again != to) ::munmap(again, Size(size_bytes));  // An older kernel.
    return false;
  }

 private:
  static size_t Size(int64_t size_bytes) noexcept { return static_cast<size_t>(size_bytes); }

  static uint8_t* MapNothing(uint8_t* at, int64_t size_bytes, int flags) noexcept {
    void* mapped = ::mmap(at, Size(size_bytes), PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
    return mapped == MAP_FAILED ? nullptr : static_cast<uint8_t*>(mapped);
  }

  /// Without huge pages all is the same, but slower.
  static void AdviseHuge(uint8_t* start, int64_t size_bytes) noexcept {
    ::madvise(start, Size(size_bytes), MADV_HUGEPAGE);
  }
};

using SystemMapping = LinuxMapping;

#else

/// No stock: who asks it for pages is refused, and allocates plainly.
class NoMapping final : public PageMapping {
 public:
  uint8_t* Reserve(int64_t) noexcept override { return nullptr; }
  void Unreserve(uint8_t*, int64_t) noexcept override {}
  bool Open(uint8_t*, int64_t) noexcept override { return false; }
  void Close(uint8_t*, int64_t) noexcept override {}
  bool Move(uint8_t*, uint8_t*, int64_t) noexcept override { return false; }
};

using SystemMapping = NoMapping;

#endif

}  // namespace

PageMapping& PageMapping::System() noexcept {
  // Never destroyed: the default pool uses it until the process is gone.
  alignas(SystemMapping) static unsigned char storage[sizeof(SystemMapping)];
  static SystemMapping* const mapping = new (storage) SystemMapping;
  return *mapping;
}

}  // namespace sheaf::inline v1::internal
