#include "mutants/driver/plant/plant.h"

#include <chrono>
#include <thread>

#include "gates/runner/refusal.h"
#include "gates/runner/write_file.h"
#include "mutants/driver/plant/sha256.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

// Kernels stamp files by a clock of some milliseconds: without the pause an object just built could look as new as its changed source.
void wait_for_fresh_stamp() { std::this_thread::sleep_for(std::chrono::milliseconds(12)); }

}  // namespace

void PlantedTree::plant(const std::vector<MutatedFile>& files) {
  wait_for_fresh_stamp();
  for (const MutatedFile& file : files)
    if (sha256_of_file(tree_ / file.path) != file.before_sha256) throw NotRestored((tree_ / file.path).string() + ": is not pristine");
  planted_ = files;
  for (const MutatedFile& file : files) {
    gates::write_in_place(tree_ / file.path, file.after);
    if (sha256_of_file(tree_ / file.path) != file.after_sha256)
      throw gates::Refusal((tree_ / file.path).string() + ": was not written whole");
  }
}

void PlantedTree::restore() {
  wait_for_fresh_stamp();
  for (const MutatedFile& file : planted_) {
    gates::write_in_place(tree_ / file.path, file.before);
    if (sha256_of_file(tree_ / file.path) != file.before_sha256) throw NotRestored((tree_ / file.path).string() + ": was not restored");
  }
  planted_.clear();
}

std::map<std::string, std::string> PlantedTree::hashes() const {
  std::map<std::string, std::string> hashes;
  for (const MutatedFile& file : planted_) hashes[file.path] = sha256_of_file(tree_ / file.path);
  return hashes;
}

}  // namespace redproof::mutants
