#include "mutants/driver/run/shared_verdicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "gates/runner/printable.h"
#include "gates/runner/refusal.h"
#include "gates/runner/safe_path.h"
#include "mutants/driver/cache/toolchain.h"
#include "mutants/driver/cache/verdict_key.h"
#include "mutants/driver/lab/tree.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

// As it would be written of this tree.
Record taken(Record record, const PlannedMutant& planned) {
  record.key = planned.key;
  record.cached = true;
  record.files.clear();
  for (const MutatedFile& file : planned.finding.files)
    record.files.push_back({file.path, file.before_sha256, file.after_sha256, file.before_sha256});
  return record;
}

}  // namespace

SharedVerdicts::SharedVerdicts(const RunOptions& options, const Inputs& inputs, const std::vector<std::string>& files)
    : options_(options), inputs_(inputs), files_(files) {
  if (options.cache.empty()) return;
  if (options.planting == both || options.prepare) {
    options.on_note("the cache is left alone: here everything is shown anew");
    return;
  }
  check_place(files);
  judge_ = judge_sha256();
  bool const is_new = !fs::exists(options.cache);
  cache_.emplace(options.cache);
  if (!is_new || !gates::is_at_or_below(options.cache, options.root)) return;
  try {
    check_place(tree_files(options.root, options.out));
  } catch (const gates::Refusal&) {
    fs::remove(options.cache);
    throw;
  }
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
  VerdictKeys keys({plan, inputs_.lab, lab_config_file(options_), inputs_.gates, files_, judge_}, worker, pristine);
  keys.make(todo, std::max(1u, std::thread::hardware_concurrency()));
  std::vector<const PlannedMutant*> left;
  for (const PlannedMutant* planned : todo) {
    std::string const& key = keys_[planned->mutant.id] = keys.of(*planned);
    auto record = cache_->find(key);
    if (!record || record->id != planned->mutant.id) {
      left.push_back(planned);
      continue;
    }
    taken_.push_back(key);
    on_record(taken(std::move(*record), *planned), *planned);
  }
  return left;
}

void SharedVerdicts::keep(RunReport& report) {
  if (!cache_) return;
  std::vector<CachedVerdict> fresh;
  for (const Record& record : report.records)
    if (auto const key = keys_.find(record.id); key != keys_.end() && !record.cached && is_settled(record))
      fresh.push_back({key->second, record});
  std::string const why_not = cache_->add(fresh, taken_);
  if (why_not.empty()) return;
  report.notes.push_back(why_not);
  options_.on_note(why_not);
}

void SharedVerdicts::tell(RunReport& report) const {
  if (!cache_) return;
  report.notes.push_back(
      fmt::format("{} of {} outcomes from the cache {}", taken_.size(), report.plan.mutants.size(), cache_->file().string()));
}

}  // namespace redproof::mutants
