#include "mutants/driver/find/cuda.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <map>
#include <tuple>

#include "gates/runner/scratch.h"
#include "mutants/driver/find/compile_database.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

constexpr unsigned newest_known = 90;  // of clang 19, less its variants

// An empty header where clang's wrapper asks for one that CUDA 13 left out. Lives as long as the program.
const std::string& shim_folder() {
  static const gates::Scratch folder{fs::path()};
  static const std::string path = [] {
    std::ofstream(folder.path() / "texture_fetch_functions.h").flush();
    return folder.path().string();
  }();
  return path;
}

// bin/nvcc lies in its toolkit.
fs::path toolkit_of(const std::string& compiler) {
  std::error_code failed;
  fs::path const real = fs::canonical(compiler, failed);
  fs::path const folder = failed ? fs::path() : real.parent_path().parent_path();
  return fs::exists(folder / "include/cuda_runtime.h", failed) ? folder : fs::path();
}

// The number behind each sm_ and compute_.
unsigned architecture_of(const std::vector<std::string>& words) {
  unsigned newest = 0;
  for (const std::string& word : words)
    for (const char* mark : {"sm_", "compute_"})
      for (auto at = word.find(mark); at != std::string::npos; at = word.find(mark, at + 1)) {
        unsigned number = 0;
        for (auto digit = at + std::string(mark).size(); digit < word.size() && std::isdigit(static_cast<unsigned char>(word[digit])) != 0;
             ++digit)
          number = number * 10 + static_cast<unsigned>(word[digit] - '0');
        newest = std::max(newest, number);
      }
  return newest == 0 ? newest_known : std::min(newest, newest_known);
}

using NodePlace = std::tuple<Range, NodeKind>;

void add_nodes(const std::vector<Node>& from, std::vector<Node>& to) {
  std::map<NodePlace, int> known;
  for (std::size_t i = 0; i < to.size(); ++i) known.emplace(NodePlace{to[i].range, to[i].kind}, static_cast<int>(i));
  std::vector<int> places(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    auto const [found, is_new] = known.emplace(NodePlace{from[i].range, from[i].kind}, static_cast<int>(to.size()));
    places[i] = found->second;
    if (!is_new) continue;
    Node node = from[i];
    node.children.clear();
    node.parent = from[i].parent < 0 ? -1 : places[static_cast<std::size_t>(from[i].parent)];
    if (node.parent >= 0) to[static_cast<std::size_t>(node.parent)].children.push_back(places[i]);
    to.push_back(std::move(node));
  }
}

bool same_scope(const Scope& one, const Scope& other) {
  return one.kind == other.kind && one.name == other.name && one.signature == other.signature && one.line == other.line;
}

}  // namespace

bool is_cuda_source(const fs::path& file, const std::vector<std::string>& words) {
  if (file.extension() == ".cu") return true;
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (words[i] == "-x" && (words[i + 1] == "cu" || words[i + 1] == "cuda")) return true;
  return false;
}

bool is_cuda_header(const fs::path& header) {
  if (header.extension() == ".cuh") return true;
  std::ifstream stream(header);
  std::string const text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  return text.find("__device__") != std::string::npos || text.find("__global__") != std::string::npos;
}

std::vector<std::string> with_options_files(const std::vector<std::string>& words, const fs::path& directory) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string name;
    for (const char* flag : {"--options-file", "-optf"}) {
      if (words[i] == flag && i + 1 < words.size()) name = words[++i];
      if (std::string const assigned = std::string(flag) + "="; words[i].starts_with(assigned)) name = words[i].substr(assigned.size());
    }
    if (name.empty()) {
      all.push_back(words[i]);
      continue;
    }
    std::ifstream stream(directory / name);
    for (std::string& word : split_command({std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()}))
      all.push_back(std::move(word));
  }
  return all;
}

std::vector<std::string> cuda_flags(const std::vector<std::string>& words) {
  std::vector<std::string> flags{"-x", "cuda", "-nocudalib", "--cuda-gpu-arch=sm_" + std::to_string(architecture_of(words))};
  fs::path const toolkit = words.empty() ? fs::path() : toolkit_of(words.front());
  if (toolkit.empty()) return flags;
  flags.push_back("--cuda-path=" + toolkit.string());
  if (!fs::exists(toolkit / "include/texture_fetch_functions.h")) flags.insert(flags.end(), {"-isystem", shim_folder()});
  return flags;
}

FileSyntax both_passes(FileSyntax host, const FileSyntax& device) {
  if (host.broken.empty()) host.broken = device.broken;
  if (!host.broken.empty()) return host;
  for (const Scope& scope : device.scopes) {
    auto const found = std::find_if(host.scopes.begin(), host.scopes.end(), [&](const Scope& other) { return same_scope(other, scope); });
    if (found == host.scopes.end())
      host.scopes.push_back(scope);
    else
      add_nodes(scope.nodes, found->nodes);
  }
  std::stable_sort(host.scopes.begin(), host.scopes.end(), [](const Scope& one, const Scope& other) { return one.line < other.line; });
  return host;
}

}  // namespace redproof::mutants
