#include "tools/output_file.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "tools/report.h"

namespace sheaf::tools {
namespace {

// The temporary file of the process, for the signal handler: only plain memory is safe to read
// there.
char pending_path[PATH_MAX];
constexpr int kFatalSignals[] = {SIGINT, SIGTERM, SIGHUP};

extern "C" void RemovePendingAndDie(int signal_number) {
  ::unlink(pending_path);
  ::signal(signal_number, SIG_DFL);
  ::raise(signal_number);
}

/// Holds signals back while the temporary file and what the handler knows about it are changed
/// together.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t held;
    sigemptyset(&held);
    for (const int number : kFatalSignals) sigaddset(&held, number);
    sigprocmask(SIG_BLOCK, &held, &before_);
  }
  ~SignalsHeld() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_;
};

void HandleSignals(void (*handler)(int)) {
  for (const int number : kFatalSignals) {
    struct sigaction action = {};
    sigaction(number, nullptr, &action);
    if (action.sa_handler == SIG_IGN) continue;  // As under nohup: the caller wants us to go on.
    action = {};
    action.sa_handler = handler;
    sigaction(number, &action, nullptr);
  }
}

mode_t DefaultMode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return static_cast<mode_t>(0666) & ~mask;
}

/// Where a symbolic link leads, so that the link stays and its file is replaced.
std::string Resolve(const std::string& path) {
  char resolved[PATH_MAX];
  return ::realpath(path.c_str(), resolved) == nullptr ? path : std::string(resolved);
}

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

}  // namespace

StatusOr<std::unique_ptr<OutputFile>> OutputFile::Create(const std::string& path) {
  std::unique_ptr<OutputFile> file(new OutputFile);
  if (path == "-") {
    file->descriptor_ = ::dup(STDOUT_FILENO);
    if (file->descriptor_ < 0) return SystemError("cannot write", errno);
    return file;
  }
  struct stat existing = {};
  const bool exists = ::stat(path.c_str(), &existing) == 0;
  if (exists && !S_ISREG(existing.st_mode)) {
    file->descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file->descriptor_ < 0) return SystemError("cannot write", errno);
    return file;
  }
  SHEAF_RETURN_IF_ERROR(file->CreateBeside(exists ? Resolve(path) : path,
                                           exists ? existing.st_mode & 07777 : DefaultMode()));
  return file;
}

Status OutputFile::CreateBeside(const std::string& path, mode_t mode) {
  const std::string folder = FolderOf(path);
  std::string name = path.substr(folder == "." ? 0 : folder.size());
  if (name.empty()) return SystemError("cannot write", EISDIR);
  name.resize(std::min<size_t>(name.size(), 200));  // A file name has at most 255 bytes.
  std::string temporary = folder + (folder == "." ? "/." : ".") + name + ".XXXXXX";
  if (temporary.size() >= sizeof(pending_path)) return SystemError("cannot write", ENAMETOOLONG);

  const SignalsHeld held;
  descriptor_ = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (descriptor_ < 0) return SystemError("cannot write", errno);
  path_ = path;
  temporary_path_ = std::move(temporary);
  std::memcpy(pending_path, temporary_path_.c_str(), temporary_path_.size() + 1);
  HandleSignals(RemovePendingAndDie);
  if (::fchmod(descriptor_, mode) != 0) return SystemError("cannot write", errno);
  return OkStatus();
}

OutputFile::~OutputFile() { Discard(); }

void OutputFile::Discard() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  if (temporary_path_.empty()) return;
  const SignalsHeld held;
  ::unlink(temporary_path_.c_str());
  temporary_path_.clear();
  HandleSignals(SIG_DFL);
}

Status OutputFile::Write(std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return SystemError("cannot write", errno);
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
  return OkStatus();
}

Status OutputFile::Commit() {
  // Without this a crash of the machine could leave the name on an empty file.
  if (!temporary_path_.empty() && ::fsync(descriptor_) != 0)
    return SystemError("cannot write", errno);
  const int closed = ::close(std::exchange(descriptor_, -1));
  if (closed != 0) return SystemError("cannot write", errno);
  if (temporary_path_.empty()) return OkStatus();

  const SignalsHeld held;
  if (::rename(temporary_path_.c_str(), path_.c_str()) != 0)
    return SystemError("cannot write", errno);
  temporary_path_.clear();
  HandleSignals(SIG_DFL);
  return OkStatus();
}

}  // namespace sheaf::tools
