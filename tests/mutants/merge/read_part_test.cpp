#include "mutants/driver/merge/part.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;

namespace {

// A folder as a run leaves it.
class Left {
 public:
  Left() {
    Plan plan;
    PlannedMutant planned;
    planned.mutant.id = "g/a";
    planned.mutant.reds = {{"pairs", "bytes"}};
    planned.mutant.expects = Expectation::crash;
    planned.finding.files = {{"src/a.cpp", "", "", "h1", "h2"}};
    plan.mutants = {planned};
    plan.seed = 7;
    write("plan.json", to_json(plan));
    write("selection.json", to_json(ShardRecord{"c", {"g/a"}, {1, 1}}));
    write("end.json", to_json(EndRecord{{8}, {"note"}, 2}));
    Record record;
    record.id = "g/a";
    write("outcomes.jsonl", to_json_line(record) + "\n");
  }

  void write(const std::string& name, const std::string& text) { test::write(folder_.path() / name, text); }
  void replace(const std::string& name, const std::string& from, const std::string& to) {
    std::string text = test::read(folder_.path() / name);
    REQUIRE(text.find(from) != std::string::npos);
    write(name, text.replace(text.find(from), from.size(), to));
  }
  void remove(const std::string& name) { std::filesystem::remove(folder_.path() / name); }
  Part part() const { return read_part(folder_.path()); }
  std::string plan() const { return test::read(folder_.path() / "plan.json"); }

 private:
  test::TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("a folder is read as the run left it", "[merge]") {
  Left const left;
  Part const part = left.part();
  CHECK(to_json(part.plan) == left.plan());
  CHECK(part.shard.selected == std::vector<std::string>{"g/a"});
  CHECK(part.end.exit_codes == std::vector<int>{8});
  CHECK(part.records.size() == 1);
}

TEST_CASE("of two lines of a mutant the first counts: the second is of the planting that it was compared with", "[merge]") {
  Left left;
  Record together, alone;
  together.id = alone.id = "g/a";
  together.outcome = Outcome::killed;
  alone.outcome = Outcome::survived;
  left.write("outcomes.jsonl", to_json_line(together) + "\n" + to_json_line(alone) + "\n");
  Part const part = left.part();
  REQUIRE(part.records.size() == 1);
  CHECK(part.records[0].outcome == Outcome::killed);
}

TEST_CASE("a folder that no whole run left is refused by the file that is wrong", "[merge]") {
  auto const why = [](auto change) {
    Left left;
    change(left);
    try {
      left.part();
    } catch (const redproof::gates::Refusal& refusal) {
      return std::string(refusal.what());
    }
    return std::string("read");
  };
  CHECK_THAT(why([](Left& left) { left.remove("end.json"); }), ContainsSubstring("end.json: is not there"));
  CHECK_THAT(why([](Left& left) { left.remove("plan.json"); }), ContainsSubstring("plan.json: is not there"));
  CHECK_THAT(why([](Left& left) { left.remove("outcomes.jsonl"); }), ContainsSubstring("outcomes.jsonl"));
  CHECK_THAT(why([](Left& left) { left.write("outcomes.jsonl", "{\"id\":"); }), ContainsSubstring("line 1 is no outcome"));
  CHECK_THAT(why([](Left& left) { left.write("selection.json", "{"); }), ContainsSubstring("selection.json"));
  CHECK_THAT(why([](Left& left) { left.replace("plan.json", "redproof.plan.1", "redproof.plan.9"); }),
             ContainsSubstring("is not redproof.plan.1"));
  CHECK_THAT(why([](Left& left) { left.replace("plan.json", "mutate 0", "mutate 9"); }), ContainsSubstring("tool: is not"));
  CHECK_THAT(why([](Left& left) { left.replace("plan.json", "g/a", "../a"); }), ContainsSubstring("mutants[0].id: must be relative"));
  CHECK_THAT(why([](Left& left) { left.replace("plan.json", "src/a.cpp", "/etc/a"); }), ContainsSubstring("path: must be relative"));
  CHECK_THAT(why([](Left& left) { left.replace("plan.json", "\"crash\"", "\"fire\""); }), ContainsSubstring("expects: is no ending"));
  CHECK_THAT(why([](Left& left) { left.replace("selection.json", "\"index\": 1", "\"index\": 2"); }),
             ContainsSubstring("shard: is no k of n"));
}
