// Generated mutants that survived beside all others: what the compiler makes of them can tell that they are equivalent.
#pragma once
#include <atomic>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "mutants/driver/plan/plan.h"
#include "mutants/driver/record.h"
#include "mutants/driver/run/object_code.h"

namespace redproof::mutants {

class Survivors {
 public:
  // From then on survivors are held back. Throws gates::Refusal where the compile database cannot be read.
  void compare_by(const std::filesystem::path& compile_commands, Worker& worker) { object_code_.emplace(compile_commands, worker); }
  // Takes the record where code can tell more of it, until all mutants have run: compiling takes longer than a gate.
  bool hold_back(const PlannedMutant& planned, Record& record);
  std::size_t count() const { return held_.size(); }
  // Hands out the records that were held back, compared. Each of the threads that call it has a folder of its own.
  void compare(const std::filesystem::path& folder, const std::atomic<bool>& stop,
               const std::function<void(Record, const PlannedMutant&)>& add);

 private:
  std::optional<ObjectCode> object_code_;  // where there is a compiler
  std::vector<std::pair<const PlannedMutant*, Record>> held_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
};

}  // namespace redproof::mutants
