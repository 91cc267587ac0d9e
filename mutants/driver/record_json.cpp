#include <cmath>
#include <nlohmann/json.hpp>

#include "gates/runner/json_document.h"
#include "mutants/driver/record.h"
#include "mutants/driver/report/json_records.h"

namespace redproof::mutants {
namespace {

using Json = nlohmann::ordered_json;
using gates::JsonValue;

// JSON has no word for these.
Json number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

Json json_of(const GateRecord& gate) {
  Json json = {{"gate", gate.gate},
               {"role", gate.role},
               {"stage", gate.stage},
               {"verdict", gate.verdict},
               {"reason", gate.reason},
               {"law", gate.law},
               {"elements", gate.elements},
               {"pristine_elements", gate.pristine_elements},
               {"failures", gate.failures},
               {"worst", nullptr},
               {"exit_code_only", gate.exit_code_only},
               {"confined", gate.confined},
               {"out_of_memory", gate.out_of_memory},
               {"hits", nullptr},
               {"seconds", gate.seconds}};
  if (gate.hits) json["hits"] = *gate.hits;
  if (gate.worst) {
    const WorstRecord& worst = *gate.worst;
    json["worst"] = {{"where", worst.where}, {"inputs", worst.inputs},       {"observed", worst.observed},
                     {"truth", worst.truth}, {"error", number(worst.error)}, {"bound", number(worst.bound)}};
  }
  return json;
}

template <typename T, typename F>
Json list_of(const std::vector<T>& items, F to_json) {
  Json list = Json::array();
  for (const T& item : items) list.push_back(to_json(item));
  return list;
}

Json json_of(const FileRecord& file) {
  return {{"path", file.path}, {"before", file.before}, {"mutated", file.mutated}, {"restored", file.restored}};
}

Json json_of(const ProgramRecord& program) { return {{"path", program.path}, {"before", program.before}, {"mutated", program.mutated}}; }

Json json_of(const AttemptRecord& attempt) {
  return {{"what", attempt.what},       {"alone", attempt.alone},         {"limit_seconds", attempt.limit_seconds},
          {"seconds", attempt.seconds}, {"timed_out", attempt.timed_out}, {"ending", attempt.ending}};
}

AttemptRecord attempt_of(const JsonValue& json) {
  return {json.at("what").text(),      json.at("alone").boolean(),     json.at("limit_seconds").number(),
          json.at("seconds").number(), json.at("timed_out").boolean(), json.at("ending").text()};
}

GateRecord gate_of(const JsonValue& json) {
  GateRecord gate;
  gate.gate = json.at("gate").text();
  gate.role = json.at("role").text();
  gate.stage = json.at("stage").text();
  gate.verdict = json.at("verdict").text();
  gate.reason = json.at("reason").text();
  gate.law = json.at("law").text();
  gate.elements = json.at("elements").natural();
  gate.pristine_elements = json.at("pristine_elements").natural();
  gate.failures = json.at("failures").natural();
  gate.exit_code_only = json.at("exit_code_only").boolean();
  gate.confined = json.at("confined").boolean();
  gate.out_of_memory = json.at("out_of_memory").boolean();
  if (JsonValue const hits = json.at("hits"); !hits.is_null()) gate.hits = hits.natural();
  gate.seconds = json.at("seconds").number();
  if (JsonValue const worst = json.at("worst"); !worst.is_null())
    gate.worst = WorstRecord{worst.at("where").text(), worst.at("inputs").text(),           worst.at("observed").text(),
                             worst.at("truth").text(), worst.at("error").extended_number(), worst.at("bound").extended_number()};
  return gate;
}

BuildRecord build_of(const JsonValue& json) {
  return {json.at("ran").boolean(), static_cast<int>(json.at("exit_code").integer(-1, 255)), json.at("seconds").number(),
          json.at("error").text()};
}

Record whole_record(const JsonValue& json) {
  Record record;
  record.id = json.at("id").text();
  record.key = json.at("key").text();
  auto const outcome = outcome_of(json.at("outcome").text());
  if (!outcome) json.at("outcome").refuse("is no outcome");
  record.outcome = *outcome;
  record.as_declared = json.at("as_declared").boolean();
  record.reason = json.at("reason").text();
  for (const JsonValue& file : json.at("files").items())
    record.files.push_back({file.at("path").text(), file.at("before").text(), file.at("mutated").text(), file.at("restored").text()});
  record.build = build_of(json.at("build"));
  for (const JsonValue& program : json.at("programs").items())
    record.programs.push_back({program.at("path").text(), program.at("before").text(), program.at("mutated").text()});
  record.code = json.at("code").text();
  for (const JsonValue& edit : json.at("edits").items()) record.edits.push_back({edit.at("edit").text(), edit.at("effect").text()});
  for (const JsonValue& gate : json.at("gates").items()) record.gates.push_back(gate_of(gate));
  for (const JsonValue& attempt : json.at("attempts").items()) record.attempts.push_back(attempt_of(attempt));
  record.planting = json.at("planting").text();
  record.planting_reason = json.at("planting_reason").text();
  record.seconds = json.at("seconds").number();
  record.reused = json.at("reused").boolean();
  record.cached = json.at("cached").boolean();
  return record;
}

}  // namespace

nlohmann::ordered_json json_of(const Record& record) {
  return {{"id", record.id},
          {"key", record.key},
          {"outcome", word(record.outcome)},
          {"as_declared", record.as_declared},
          {"reason", record.reason},
          {"files", list_of(record.files, [](const FileRecord& file) { return json_of(file); })},
          {"build",
           {{"ran", record.build.ran},
            {"exit_code", record.build.exit_code},
            {"seconds", record.build.seconds},
            {"error", record.build.error}}},
          {"programs", list_of(record.programs, [](const ProgramRecord& program) { return json_of(program); })},
          {"code", record.code},
          {"edits", list_of(record.edits, [](const EditRecord& edit) { return Json{{"edit", edit.edit}, {"effect", edit.effect}}; })},
          {"gates", list_of(record.gates, [](const GateRecord& gate) { return json_of(gate); })},
          {"attempts", list_of(record.attempts, [](const AttemptRecord& attempt) { return json_of(attempt); })},
          {"planting", record.planting},
          {"planting_reason", record.planting_reason},
          {"seconds", record.seconds},
          {"reused", record.reused},
          {"cached", record.cached}};
}

std::string to_json_line(const Record& record) { return json_of(record).dump(-1, ' ', false, Json::error_handler_t::replace); }

std::optional<Record> record_of(const std::string& line) {
  try {
    auto const document = gates::JsonDocument::parse(line, "outcomes.jsonl");
    return whole_record(document.root());
  } catch (const gates::Refusal&) {
    return std::nullopt;
  }
}

}  // namespace redproof::mutants
