#include "mutants/driver/merge/merge.h"

#include "gates/runner/exit_code.h"
#include "mutants/driver/report/report.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;

namespace {

// A selection of four mutants in `count` shards; no source is touched.
std::vector<Part> parts(unsigned count) {
  std::vector<Part> all(count);
  for (unsigned k = 0; k < count; ++k) {
    Part& part = all[k];
    part.folder = "out" + std::to_string(k + 1);
    part.plan.tree_sha256 = "tree";
    part.shard = {"catalogue", {"g/a", "g/b", "g/c", "g/d"}, {k + 1, count}};
    part.end = {{}, {"one note"}, 1.5};
    for (std::size_t i = k; i < 4; i += count) {
      PlannedMutant planned;
      planned.mutant.id = part.shard.selected[i];
      planned.key = "key of " + planned.mutant.id;
      part.plan.mutants.push_back(planned);
      Record record;
      record.id = planned.mutant.id;
      record.key = planned.key;
      record.outcome = Outcome::killed;
      record.as_declared = true;
      part.records.push_back(record);
    }
  }
  return all;
}

std::string refused(const std::vector<Part>& parts) {
  try {
    merge(parts, "/root");
  } catch (const redproof::gates::Refusal& refusal) {
    return refusal.what();
  }
  return "merged";
}

template <typename Change>
std::string refused_after(const Change& change) {
  auto changed = parts(2);
  change(changed);
  return refused(changed);
}

}  // namespace

TEST_CASE("shards in any order become one run in the order of the selection", "[merge]") {
  auto shards = parts(3);
  std::swap(shards[0], shards[2]);
  Merged const merged = merge(shards, "/root");
  std::string ids;
  for (const Record& record : merged.report.records) ids += record.id + " ";
  CHECK(ids == "g/a g/b g/c g/d ");
  CHECK(merged.report.plan.root == "/root");
  CHECK(merged.report.exit_code() == 0);
  CHECK(merged.report.notes == std::vector<std::string>{"one note"});
  CHECK(merged.report.seconds == 4.5);
  CHECK(merged.selection.shard == Shard{});
}

TEST_CASE("shards that do not belong together are refused", "[merge]") {
  CHECK_THAT(refused_after([](auto& p) { p[1].plan.tree_sha256 = "x"; }), ContainsSubstring("out1 and out2 are of different trees"));
  CHECK_THAT(refused_after([](auto& p) { p[1].shard.catalog_sha256 = "x"; }), ContainsSubstring("different catalogues"));
  CHECK_THAT(refused_after([](auto& p) { p[1].plan.seed = 7; }), ContainsSubstring("different seeds"));
  CHECK_THAT(refused_after([](auto& p) { p[1].plan.matrix = true; }), ContainsSubstring("different matrices"));
  CHECK_THAT(refused_after([](auto& p) { p[1].plan.timeout_factor = 7; }), ContainsSubstring("different limits"));
  CHECK_THAT(refused_after([](auto& p) { p[1].plan.planting = "x"; }), ContainsSubstring("different plantings"));
  CHECK_THAT(refused_after([](auto& p) { p[1].shard.selected.pop_back(); }), ContainsSubstring("different selections"));
  CHECK_THAT(refused_after([](auto& p) { p[1].shard.shard.count = 3; }), ContainsSubstring("different numbers of shards"));
  CHECK_THAT(refused_after([](auto& p) { p.pop_back(); }), ContainsSubstring("no folder of shard 2/2"));
  CHECK_THAT(refused_after([](auto& p) { p.erase(p.begin()); }), ContainsSubstring("no folder of shard 1/2"));
  CHECK_THAT(refused({}), ContainsSubstring("no folder"));
}

TEST_CASE("a shard that holds what is not its own is refused", "[merge]") {
  CHECK_THAT(refused_after([](auto& p) { p[1].plan.mutants.pop_back(); }), ContainsSubstring("its plan is not that of shard 2/2"));
  CHECK_THAT(refused_after([](auto& p) { p[1].records[0].id = "g/a"; }), ContainsSubstring("g/a is in its outcomes and not in its plan"));
  CHECK_THAT(refused_after([](auto& p) { p[1].records[0].key = "x"; }), ContainsSubstring("g/b is of other inputs than its plan"));
}

TEST_CASE("the same shard twice is one, unless its outcomes differ", "[merge]") {
  auto twice = parts(2);
  twice.push_back(twice[1]);
  CHECK(merge(twice, "/root").report.records.size() == 4);
  twice.back().folder = "out3";
  twice.back().records[0].outcome = Outcome::timeout;
  CHECK_THAT(refused(twice), ContainsSubstring("g/b is killed in out2 and timeout in out3"));
  twice.back().records[0].outcome = Outcome::killed;
  twice.back().records[0].as_declared = false;
  CHECK_THAT(refused(twice), ContainsSubstring("g/b is killed in out2 and killed in out3"));
}

TEST_CASE("what a shard left out is not run in the whole, and how it ended stays", "[merge]") {
  auto shards = parts(2);
  shards[0].records.pop_back();
  shards[0].end.exit_codes = {redproof::gates::exit_interrupted};
  Merged const merged = merge(shards, "/root");
  CHECK(merged.report.records.size() == 3);
  CHECK(merged.report.exit_code() == 130);
  CHECK_THAT(human_summary(merged.report), ContainsSubstring("+ 1 not run = 4"));
}

TEST_CASE("merged shards are what the unsharded run leaves, in every format", "[merge]") {
  test::Project project;
  project.add_edit("g/a", "store", test::Project::swap);
  project.add_edit("g/b", "store", R"("replace_operator":{"expression":"k < 0","with":"<="})");
  project.add_edit("g/c", "store", R"("replace_literal":{"literal":"99","with":"8"})");
  RunOptions options = project.options();
  options.planting = one_a_build;
  RunReport whole = run(options);
  auto const folder = options.out.parent_path();
  std::vector<Part> shards;
  for (unsigned k = 1; k <= 4; ++k) {
    options.selection.shard = {k, 4};
    options.out = folder / ("shard" + std::to_string(k));
    run(options);
    shards.push_back(read_part(options.out));
  }
  Merged merged = merge(shards, project.root());
  write_merged(merged, shards, folder / "merged");
  CHECK(merged.report.exit_code() == whole.exit_code());
  CHECK(test::read(folder / "merged" / "plan.json") == test::read(folder / "mutate.out" / "plan.json"));
  CHECK(test::read(folder / "merged" / "selection.json") == test::read(folder / "mutate.out" / "selection.json"));
  CHECK(test::read(folder / "merged" / "diff/g/a.diff") == test::read(folder / "mutate.out" / "diff/g/a.diff"));
  CHECK(std::filesystem::exists(folder / "merged" / "logs/g/a.pairs.log"));
  // Time is all that differs.
  for (RunReport* report : {&whole, &merged.report}) {
    report->seconds = 0;
    for (Record& record : report->records) {
      record.seconds = record.build.seconds = 0;
      for (GateRecord& gate : record.gates) gate.seconds = 0;
    }
  }
  CHECK(human_summary(merged.report) == human_summary(whole));
  CHECK(json_report(merged.report) == json_report(whole));
  CHECK(junit_report(merged.report) == junit_report(whole));
  CHECK(github_report(merged.report) == github_report(whole));
  CHECK(sarif_report(merged.report) == sarif_report(whole));
  CHECK(elements_report(merged.report) == elements_report(whole));
}
