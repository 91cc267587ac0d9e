#include "properties/generators/attention_trace.h"

#include <span>
#include <stdexcept>

#include "oracle/format.h"
#include "properties/generators/page_image.h"

namespace redproof::properties {

AttentionTrace trace_attention(const CheckpointDir& dir, const std::string& flag, const CheckpointOptions& options,
                               std::int64_t prompt_tokens, std::int64_t new_tokens) {
  AttentionTrace trace{std::vector<AttentionRows>(static_cast<std::size_t>(options.layers)), {}, prompt_tokens + new_tokens - 1};
  engine::Observers observers;
  observers.after_attention = [&trace](std::int32_t layer, std::span<const float> q, std::span<const float> out) {
    auto& rows = trace.layers[static_cast<std::size_t>(layer)];
    rows.q.insert(rows.q.end(), q.begin(), q.end());
    rows.out.insert(rows.out.end(), out.begin(), out.end());
  };
  auto loaded = load_directory(dir.path(), flag, observers);
  if (loaded.refused) throw std::runtime_error(loaded.message);
  auto prompt = test_prompts(options.vocab, 9).back();
  prompt.resize(static_cast<std::size_t>(prompt_tokens));
  loaded.engine.front().generate({prompt}, new_tokens, false, true);
  trace.engine = std::move(loaded.engine);
  return trace;
}

std::vector<float> decoded_side(const engine::KvPages& pages, std::int64_t tokens) {
  auto const& format = pages.storage == engine::KvStorage::fp8_e4m3 ? oracle::e4m3fn : oracle::bf16;
  std::vector<float> values;
  for (std::int64_t p = 0; p < tokens; ++p) {
    for (std::int32_t head = 0; head < pages.kv_heads; ++head) {
      for (std::int32_t lane = 0; lane < pages.head_dim; ++lane) {
        engine::KvCoordinate const at{p / pages.block_tokens, static_cast<std::int32_t>(p % pages.block_tokens), head, lane};
        values.push_back(static_cast<float>(oracle::value_of(format, static_cast<std::uint32_t>(element_bits(pages, at)))));
      }
    }
  }
  return values;
}

}  // namespace redproof::properties
