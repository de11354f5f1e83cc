#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

#include <nlohmann/json.hpp>

namespace sheaf::testing {

/// What a run of the built program left.
struct ToolRun {
  int status = -1;  ///< Exit status, or 128 + the signal that ended it.
  std::string out;
  std::string err;
};

/// Runs `sheaf ARGS…` to its end, with `input` on a pipe as its standard input; its output goes to
/// the device `output` where one is named.
ToolRun RunTool(const std::vector<std::string>& args, const std::string& input = "",
                const char* output = nullptr);

/// Starts it with standard input on a pipe that stays open; gives the process and the pipe's end.
struct RunningTool {
  pid_t process;
  int input;
};
RunningTool StartTool(const std::vector<std::string>& args);
/// As ToolRun::status.
int WaitFor(pid_t process);

/// Path of a file of test/data.
std::string DataPath(const std::string& name);
/// Names of the files in test/data/ipc (`*.arrow`, `*.arrows`), in order.
std::vector<std::string> EngineFiles();
/// Those without dictionaries.
std::vector<std::string> FilesWithoutDictionaries();
/// The sidecar of an IPC file: what a reader must find.
nlohmann::json SidecarOf(const std::string& name);

std::string ReadFile(const std::string& path);
void WriteFile(const std::string& path, const std::string& bytes);
bool Exists(const std::string& path);
std::vector<std::string> Lines(const std::string& text);

/// An empty folder for one test, removed with it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  /// Names in it, hidden ones too, in order.
  std::vector<std::string> Names() const;

 private:
  std::string path_;
};

}  // namespace sheaf::testing
