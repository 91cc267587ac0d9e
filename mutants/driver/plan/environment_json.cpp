#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <thread>

#include "gates/runner/process.h"
#include "mutants/driver/plan/environment.h"
#include "mutants/driver/plan/plan.h"
#include "mutants/driver/plan/platform.h"

namespace redproof::mutants {
namespace {

using Json = nlohmann::ordered_json;

// The first line of what it says; empty where it says nothing.
std::string version_of(const std::string& program) {
  gates::ProcessSpec spec;
  spec.argv = {program, "--version"};
  spec.set_env = {{"LC_ALL", "C"}};
  spec.timeout = std::chrono::seconds(10);
  auto const result = gates::run_process(spec);
  return result.ended_by_itself() && result.exit_code == 0 ? result.output.substr(0, result.output.find('\n')) : std::string();
}

}  // namespace

std::string environment_json(const std::set<std::string>& compilers, const std::string& parser) {
  utsname names{};
  uname(&names);
  Json versions = Json::array();
  for (const std::string& compiler : compilers) versions.push_back({{"program", compiler}, {"version", version_of(compiler)}});
  auto const memory = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  Json const document = {{"schema", "redproof.environment.1"},
                         {"tool", tool_version},
                         {"system", fmt::format("{} {} {}", names.sysname, names.release, names.machine)},
                         {"processor", processor()},
                         {"cores", std::thread::hardware_concurrency()},
                         {"memory_bytes", memory},
                         {"graphics", graphics()},
                         {"parser", parser},
                         {"compilers", versions}};
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace redproof::mutants
