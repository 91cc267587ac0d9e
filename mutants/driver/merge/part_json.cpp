#include <nlohmann/json.hpp>

#include "mutants/driver/merge/part.h"

namespace redproof::mutants {
namespace {

std::string text(const nlohmann::ordered_json& document) {
  return document.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string to_json(const ShardRecord& record) {
  return text({{"schema", "redproof.selection.1"},
               {"catalog_sha256", record.catalog_sha256},
               {"shard", {{"index", record.shard.index}, {"count", record.shard.count}}},
               {"selected", record.selected}});
}

std::string to_json(const EndRecord& record) {
  return text({{"schema", "redproof.end.1"}, {"exit_codes", record.exit_codes}, {"notes", record.notes}, {"seconds", record.seconds}});
}

}  // namespace redproof::mutants
