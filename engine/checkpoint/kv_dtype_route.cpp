#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/checkpoint/kv_dtype.h"
#include "engine/checkpoint/printable.h"
#include "engine/types/error.h"

namespace redproof::engine {
namespace {

constexpr std::array<const char*, 4> routed_architectures{"LlamaForCausalLM", "Qwen2ForCausalLM", "Qwen3ForCausalLM", "MistralForCausalLM"};

bool is_routed_architecture(const std::string& name) {
  return std::find(routed_architectures.begin(), routed_architectures.end(), name) != routed_architectures.end();
}

// "--kv-cache-dtype nvfp4", and what auto came to.
std::string describe(const KvDtype& dtype, const std::string& flag) {
  std::string const typed = "--kv-cache-dtype " + printable(flag);
  return dtype.name == flag ? typed : fmt::format("{} (the checkpoint declares {})", typed, printable(dtype.name));
}

}  // namespace

void require_routed(const KvDtype& dtype, const std::string& flag, const ModelConfig& config) {
  std::string const what = fmt::format("{} with {}", printable(config.architecture), describe(dtype, flag));
  if (!is_routed_architecture(config.architecture)) throw Refusal(what + " is not routed: no model of this architecture");
  if (!dtype.unrouted_reason.empty()) throw Refusal(fmt::format("{} is not routed: {}", what, dtype.unrouted_reason));
  if (!dtype.storage) throw Refusal(what + " is not routed: the KV cache stores bfloat16 or fp8_e4m3");
}

}  // namespace redproof::engine
