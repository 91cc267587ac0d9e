#include "mutants/driver/plan/platform.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

// The first line of each kind; /proc repeats them for every core.
std::string lines_of(const fs::path& file, const std::vector<std::string_view>& starts) {
  std::string text;
  std::vector<bool> seen(starts.size(), false);
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);)
    for (std::size_t i = 0; i < starts.size(); ++i)
      if (!seen[i] && line.starts_with(starts[i])) {
        seen[i] = true;
        text += line + '\n';
      }
  return text;
}

// Where a name of a program leads, with the size of what stands there: another version is another file.
std::string program(const std::string& name) {
  std::istringstream folders(variable("PATH"));
  std::error_code failed;
  for (std::string folder; std::getline(folders, folder, ':');) {
    fs::path const path = fs::canonical(fs::path(folder) / name, failed);
    if (failed || !fs::is_regular_file(path, failed)) continue;
    return fmt::format("{} {} {}\n", name, path.string(), fs::file_size(path, failed));
  }
  return {};
}

}  // namespace

std::string processor() {
  std::string const line = lines_of("/proc/cpuinfo", {"model name"});
  auto const name = line.find(": ");
  return name == std::string::npos ? std::string() : line.substr(name + 2, line.size() - name - 3);
}

std::string graphics() {
  std::string text = lines_of("/proc/driver/nvidia/version", {"NVRM"});
  std::vector<std::string> models;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator("/proc/driver/nvidia/gpus", failed))
    models.push_back(lines_of(entry.path() / "information", {"Model"}));
  std::sort(models.begin(), models.end());
  return text + fmt::format("{}", fmt::join(models, ""));
}

std::string platform() {
  static constexpr std::array variables{
      "CC", "CXX", "CUDACXX", "CFLAGS", "CXXFLAGS", "CPPFLAGS", "CUDAFLAGS", "LDFLAGS", "CUDA_VISIBLE_DEVICES"};
  utsname names{};
  uname(&names);
  std::string text = fmt::format("{} {}\n", names.sysname, names.machine);
  text += lines_of("/proc/cpuinfo", {"model name", "flags", "CPU part", "Features"});
  text += graphics();
  for (const char* name : variables) text += fmt::format("{}={}\n", name, variable(name));
  for (const std::string& name :
       {std::string("cc"), std::string("c++"), std::string("nvcc"), variable("CC"), variable("CXX"), variable("CUDACXX")})
    if (!name.empty()) text += program(name);
  return text;
}

}  // namespace redproof::mutants
