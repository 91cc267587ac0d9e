#include <algorithm>

#include "gates/runner/refusal.h"
#include "mutants/driver/prepared/prepared.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

void copy_one(const fs::path& from, const std::string& file, const fs::path& to) {
  if (!fs::is_regular_file(from / file)) throw gates::Refusal((from / file).string() + ": is no file, so it cannot be prepared");
  fs::create_directories((to / file).parent_path());
  fs::copy_file(from / file, to / file, fs::copy_options::overwrite_existing);
  // So that it can be written over, or removed, whatever the build made of it.
  fs::permissions(to / file, fs::perms::owner_read | fs::perms::owner_write, fs::perm_options::add);
}

// A file, or a folder with all below it.
void copy_all(const fs::path& from, const std::string& name, const fs::path& to) {
  if (!fs::is_directory(from / name)) return copy_one(from, name, to);
  for (const std::string& file : all_files(from / name)) copy_one(from, name + "/" + file, to);
}

}  // namespace

std::vector<std::string> all_files(const fs::path& tree) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(tree, fs::directory_options::follow_directory_symlink))
    if (entry.is_regular_file()) files.push_back(entry.path().lexically_relative(tree).generic_string());
  std::sort(files.begin(), files.end());
  return files;
}

void copy_prepared_tree(const fs::path& from, const LabConfig& lab, const std::vector<std::string>& files, const fs::path& to) {
  fs::create_directories(to);
  copy_all(from, lab.gates, to);
  copy_all(from, lab.bin, to);
  for (const std::string& program : lab.programs) copy_one(from, program, to);
  for (const std::string& link : lab.links)
    if (fs::exists(from / link)) copy_all(from, link, to);
  if (lab.inputs) {
    for (const std::string& input : *lab.inputs) copy_all(from, input, to);
    return;
  }
  for (const std::string& file : files)
    if (fs::is_regular_file(from / file)) copy_one(from, file, to);
}

}  // namespace redproof::mutants
