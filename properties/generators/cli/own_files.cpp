#include "properties/generators/cli/own_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <system_error>
#include <vector>

#include "engine/types/error.h"
#include "properties/generators/cli/document.h"

namespace redproof::properties::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& dir, const std::string& why) { throw engine::Refusal(fmt::format("{}: {}", dir.string(), why)); }

[[noreturn]] void refuse_foreign(const fs::path& dir, const std::string& name) {
  refuse(dir, fmt::format("holds {}, which make_checkpoint did not write", name));
}

bool is_shard(std::string_view name) {
  constexpr std::string_view pattern = "model-00000-of-00000.safetensors";
  const auto fits = [](char c, char like) { return like == '0' ? c >= '0' && c <= '9' : c == like; };
  return std::equal(name.begin(), name.end(), pattern.begin(), pattern.end(), fits);
}

bool is_own_name(std::string_view name) {
  constexpr std::string_view names[] = {"config.json", "hf_quant_config.json", "model.safetensors", "model.safetensors.index.json",
                                        "tokenizer.json"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names) || is_shard(name);
}

// Sorted, so that the same one is named wherever the folder stands.
std::vector<fs::path> files_in(const fs::path& dir) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator at(dir, error), end; !error && at != end; at.increment(error)) files.push_back(at->path());
  if (error) refuse(dir, error == std::errc::not_a_directory ? "is no folder" : error.message());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<fs::path> own_files_in(const fs::path& dir) {
  std::vector<fs::path> files = files_in(dir);
  for (const fs::path& file : files) {
    std::error_code error;
    const bool own = is_own_name(file.filename().string()) && fs::is_regular_file(fs::symlink_status(file, error));
    if (!own) refuse_foreign(dir, file.filename().string());
  }
  return files;
}

}  // namespace

void require_own_checkpoint(const fs::path& dir) {
  const std::vector<fs::path> files = own_files_in(dir);
  if (files.empty()) return;
  const fs::path config = dir / "config.json";
  if (files.front() != config)
    refuse(dir, fmt::format("holds {}, but no config.json that make_checkpoint wrote", files.front().filename().string()));
  if (!is_config_of_ours(config)) refuse_foreign(dir, "config.json");
}

void remove_own_files(const fs::path& dir) {
  for (const fs::path& file : own_files_in(dir)) {
    std::error_code error;
    if (!fs::remove(file, error) && error) refuse(file, error.message());
  }
}

}  // namespace redproof::properties::cli
