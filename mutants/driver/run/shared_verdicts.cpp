#include "mutants/driver/run/shared_verdicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "gates/runner/printable.h"
#include "gates/runner/refusal.h"
#include "gates/runner/safe_path.h"
#include "mutants/driver/cache/toolchain.h"
#include "mutants/driver/cache/verdict_key.h"
#include "mutants/driver/find/find.h"
#include "mutants/driver/lab/tree.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t few = 4;  // fewer are planted one a build where `auto` is asked for

// As it would be written of this tree.
Record taken(Record record, const PlannedMutant& planned) {
  record.key = planned.key;
  record.cached = true;
  // What is chosen at run time was never planted.
  bool const was_planted =
      std::any_of(record.files.begin(), record.files.end(), [](const FileRecord& file) { return !file.restored.empty(); });
  record.files.clear();
  for (const MutatedFile& file : planned.finding.files)
    record.files.push_back({file.path, file.before_sha256, file.after_sha256, was_planted ? file.before_sha256 : std::string()});
  return record;
}

// As a run of `count` mutants plants them, and as it plants one of those that are too few to be planted together.
std::vector<std::string> plantings_of(const std::string& asked, std::size_t count) {
  if (asked != automatic) return {asked};
  if (count < few) return {one_a_build};
  return {schemata, one_a_build};
}

// Beside all others, also where it then got a build of its own.
const char* planting_of(const Record& record) {
  return record.planting == one_a_build && record.planting_reason.empty() ? one_a_build : schemata;
}

}  // namespace

std::vector<std::string> without_cache(std::vector<std::string> files, const RunOptions& options) {
  if (options.cache.empty()) return files;
  std::string const inside = options.cache.lexically_relative(options.root).generic_string();
  std::erase_if(files,
                [&](const std::string& file) { return file == inside + "-journal" || file == inside + "-wal" || file == inside + "-shm"; });
  return files;
}

SharedVerdicts::SharedVerdicts(const RunOptions& options, const Inputs& inputs, const std::vector<std::string>& files)
    : options_(options), inputs_(inputs), files_(files) {
  if (options.cache.empty()) return;
  if (options.planting == both || options.prepare) {
    options.on_note("the cache is left alone: here everything is shown anew");
    return;
  }
  check_place(files);
  has_parser();  // it judges too
  judge_ = judge_sha256();
  bool const is_new = !fs::exists(options.cache);
  try {
    cache_.emplace(options.cache);
  } catch (const CacheBusy& busy) {
    leave_alone(busy.what());
  }
  if (!cache_ || !is_new || !gates::is_at_or_below(options.cache, options.root)) return;
  try {
    check_place(tree_files(options.root, options.out));
  } catch (const gates::Refusal&) {
    fs::remove(options.cache);
    throw;
  }
}

void SharedVerdicts::leave_alone(const std::string& why) {
  cache_.reset();
  notes_.push_back(why);
  options_.on_note(why);
}

void SharedVerdicts::check_place(const std::vector<std::string>& files) const {
  std::string const file = gates::printable(options_.cache.string());
  if (gates::is_at_or_below(options_.cache, options_.out) || gates::is_at_or_below(options_.cache, options_.out.string() + ".old"))
    throw gates::Refusal(fmt::format("--cache: {}: the output folder is made anew by each run; name a file beside it", file));
  // What lies in the tree is copied with it, and hashed.
  std::string const inside = options_.cache.lexically_relative(options_.root).generic_string();
  if (std::binary_search(files.begin(), files.end(), inside))
    throw gates::Refusal(fmt::format("--cache: {}: is a file of the project; name one that git ignores, or one elsewhere", file));
}

std::vector<const PlannedMutant*> SharedVerdicts::take(const std::vector<const PlannedMutant*>& todo, const Plan& plan, Worker& worker,
                                                       const GateResults& pristine,
                                                       const std::function<void(Record, const PlannedMutant&)>& on_record) {
  if (!cache_) return todo;
  VerdictKeys keys({plan, inputs_.lab, lab_config_file(options_), inputs_.gates, inputs_.sha256, files_, judge_}, worker, pristine);
  keys.make(todo, std::max(1u, std::thread::hardware_concurrency()));
  auto const plantings = plantings_of(options_.planting, todo.size());
  for (const PlannedMutant* planned : todo)
    for (const std::string& planting : plantings) keys_[planned->mutant.id][planting] = keys.of(*planned, planting);
  if (!keys.why_not().empty()) {
    leave_alone("the cache is left alone: " + keys.why_not());
    return todo;
  }
  std::vector<const PlannedMutant*> left;
  for (const PlannedMutant* planned : todo) {
    auto record = find(planned->mutant.id, plantings);
    record ? on_record(taken(std::move(*record), *planned), *planned) : left.push_back(planned);
  }
  return left;
}

std::optional<Record> SharedVerdicts::find(const std::string& id, const std::vector<std::string>& plantings) {
  try {
    for (const std::string& planting : plantings) {
      if (!cache_) return std::nullopt;
      std::string const& key = keys_.at(id).at(planting);
      auto record = cache_->find(key);
      if (!record || record->id != id) continue;
      taken_.push_back(key);
      return record;
    }
  } catch (const CacheBusy& busy) {
    leave_alone(busy.what());
  }
  return std::nullopt;
}

void SharedVerdicts::keep(RunReport& report) {
  if (!cache_) return;
  std::vector<CachedVerdict> fresh;
  for (const Record& record : report.records) {
    auto const keys = keys_.find(record.id);
    if (keys == keys_.end() || record.cached || !is_settled(record)) continue;
    auto const key = keys->second.find(planting_of(record));
    if (key != keys->second.end()) fresh.push_back({key->second, record});
  }
  std::string const why_not = cache_->add(fresh, taken_);
  if (why_not.empty()) return;
  report.notes.push_back(why_not);
  options_.on_note(why_not);
}

void SharedVerdicts::tell(RunReport& report) const {
  report.notes.insert(report.notes.end(), notes_.begin(), notes_.end());
  if (!cache_) return;
  report.notes.push_back(
      fmt::format("{} of {} outcomes from the cache {}", taken_.size(), report.plan.mutants.size(), cache_->file().string()));
}

}  // namespace redproof::mutants
