#include "tools/run_tool.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <signal.h>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace sheaf::testing {
namespace {

namespace fs = std::filesystem;

/// An open file without a name.
class Capture {
 public:
  explicit Capture(const char* device = nullptr)
      : file_(device == nullptr ? std::tmpfile() : std::fopen(device, "r+")) {
    if (file_ == nullptr) std::abort();
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;
  ~Capture() { std::fclose(file_); }

  int descriptor() const { return ::fileno(file_); }
  std::string Text() const {
    std::string text;
    char block[4096];
    std::rewind(file_);
    for (size_t read = 0; (read = std::fread(block, 1, sizeof(block), file_)) > 0;)
      text.append(block, read);
    return text;
  }

 private:
  FILE* file_;
};

pid_t Spawn(const std::vector<std::string>& args, int in, int out, int err) {
  const char* tool = std::getenv("SHEAF_TOOL");
  if (tool == nullptr) {
    std::fputs("SHEAF_TOOL does not say where the program is: run these tests by meson test\n",
               stderr);
    std::abort();
  }
  std::vector<std::string> words = {tool};
  words.insert(words.end(), args.begin(), args.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t process = ::fork();
  if (process != 0) return process;
  for (const auto& [from, to] : {std::pair{in, 0}, {out, 1}, {err, 2}}) {
    if (from >= 0) ::dup2(from, to);
  }
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

}  // namespace

int WaitFor(pid_t process) {
  int status = 0;
  ::waitpid(process, &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

ToolRun RunTool(const std::vector<std::string>& args, const std::string& input,
                const char* output) {
  ::signal(SIGPIPE, SIG_IGN);  // The program may end before it has read all.
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0) std::abort();
  const Capture out(output);
  const Capture err;
  const pid_t process = Spawn(args, pipe[0], out.descriptor(), err.descriptor());
  ::close(pipe[0]);
  std::thread writer([&] {
    size_t done = 0;
    while (done < input.size()) {
      const ssize_t written = ::write(pipe[1], input.data() + done, input.size() - done);
      if (written < 0) break;
      done += static_cast<size_t>(written);
    }
    ::close(pipe[1]);
  });
  const int status = WaitFor(process);
  writer.join();
  return {status, output == nullptr ? out.Text() : "", err.Text()};
}

RunningTool StartTool(const std::vector<std::string>& args) {
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0) std::abort();
  const pid_t process = Spawn(args, pipe[0], -1, -1);
  ::close(pipe[0]);
  return {process, pipe[1]};
}

std::string DataPath(const std::string& name) { return std::string(SHEAF_TEST_DATA) + "/" + name; }

std::vector<std::string> EngineFiles() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(DataPath("ipc"))) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".arrow" && extension != ".arrows") continue;
    names.push_back("ipc/" + entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> FilesWithoutDictionaries() {
  std::vector<std::string> names = EngineFiles();
  std::erase_if(names, [](const std::string& name) {
    return ReadFile(DataPath(name) + ".json").find("\"dictionary_id\"") != std::string::npos;
  });
  return names;
}

nlohmann::json SidecarOf(const std::string& name) {
  return nlohmann::json::parse(ReadFile(DataPath(name) + ".json"));
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void WriteFile(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

bool Exists(const std::string& path) { return fs::exists(path); }

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TemporaryFolder::TemporaryFolder() {
  std::string path = (fs::temp_directory_path() / "sheaf_test.XXXXXX").string();
  if (::mkdtemp(path.data()) == nullptr) std::abort();
  path_ = path;
}

TemporaryFolder::~TemporaryFolder() { fs::remove_all(path_); }

std::vector<std::string> TemporaryFolder::Names() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(path_))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace sheaf::testing
