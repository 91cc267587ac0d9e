#include "mutants/driver/find/libclang.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "gates/runner/refusal.h"
#include "mutants/driver/find/convert.h"

namespace redproof::mutants {
namespace {

constexpr const char* advice = "sources cannot be parsed: install libclang1-19 (scripts/setup does), or name its file in";

struct Missing {
  const char* name;
  void* function;
};

std::atomic<bool> loaded{false};

std::vector<Missing>& missing() {
  static std::vector<Missing> functions;
  return functions;
}

// The soname differs between distributions.
std::vector<std::string> files() {
  const char* const named = std::getenv(libclang_variable);
  if (named != nullptr && *named != 0) return {named};
  return {"libclang-19.so.19", "libclang-19.so.1", "/usr/lib/llvm-19/lib/libclang.so.1", "/usr/lib/llvm-19/lib/libclang.so"};
}

std::pair<void*, std::string> open_library() {
  std::string why;
  for (const std::string& file : files()) {
    if (void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) return {library, {}};
    if (why.empty()) why = dlerror();
  }
  return {nullptr, why};
}

// Answers why not; empty where every function is there. The numbers of kinds differ between versions.
std::string load() {
  auto const [library, why_not] = open_library();
  if (library == nullptr) return why_not;
  for (const Missing& one : missing()) {
    void* const address = dlsym(library, one.name);
    if (address == nullptr) return dlerror();
    std::memcpy(one.function, &address, sizeof address);
  }
  std::string const version = text_of(clang_getClangVersion());
  return version.find("version 19.") == std::string::npos ? "libclang 19 is needed, and this is " + version : std::string();
}

}  // namespace

void remember_to_load(const char* name, void* function) { missing().push_back({name, function}); }

bool is_libclang_loaded() { return loaded; }

void load_libclang() {
  static std::string const why_not = load();
  loaded = why_not.empty();
  if (!loaded) throw gates::Refusal(fmt::format("{} {}: {}", advice, libclang_variable, why_not));
}

}  // namespace redproof::mutants
