// Pages that disagree with the layer's dtype or shape are refused by store and by attention, before a byte moves.
#include <functional>

#include "engine/types/error.h"
#include "properties/generators/kv_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

using engine::KvLayer;
using engine::KvStorage;

struct Disagreement {
  const char* name;
  std::function<void(KvLayer&)> make;
};

const std::vector<Disagreement>& disagreements() {
  static const std::vector<Disagreement> all = {
      {"the spec says fp8, K's pages bfloat16", [](KvLayer& layer) { layer.k.storage = KvStorage::bfloat16; }},
      {"the spec says fp8, V's pages bfloat16", [](KvLayer& layer) { layer.v.storage = KvStorage::bfloat16; }},
      {"the spec says bfloat16, both pages fp8", [](KvLayer& layer) { layer.spec.storage = KvStorage::bfloat16; }},
      {"K's block is shorter than the spec's", [](KvLayer& layer) { layer.k.block_tokens -= 1; }},
      {"V's block is shorter than the spec's", [](KvLayer& layer) { layer.v.block_tokens -= 1; }},
      {"K has other heads", [](KvLayer& layer) { layer.k.kv_heads -= 1; }},
      {"V has another head_dim", [](KvLayer& layer) { layer.v.head_dim -= 4; }},
      {"K's heads overlap", [](KvLayer& layer) { layer.k.head_stride_bytes = layer.spec.head_dim - 1; }},
      {"V's slots overlap", [](KvLayer& layer) { layer.v.slot_stride_bytes = layer.v.head_stride_bytes; }},
      {"K's pages overlap", [](KvLayer& layer) { layer.k.page_stride_bytes = layer.k.slot_stride_bytes; }},
      {"K and V differ in pages", [](KvLayer& layer) { layer.v.pages -= 1; }},
  };
  return all;
}

bool store_refuses(const KvSubject& subject, KvFixture& fixture) {
  std::vector<std::uint16_t> const ones(60, 0x3F80);
  std::vector<std::int64_t> const slots = {0};
  try {
    subject.store({ones.data(), engine::DType::bf16}, {ones.data(), engine::DType::bf16}, slots, fixture.layer);
  } catch (const engine::Refusal&) {
    return true;
  }
  return false;
}

bool attention_refuses(const KvSubject& subject, const KvFixture& fixture) {
  std::vector<std::int32_t> const table = {0};
  std::vector<float> const q(60, 1.0F);
  std::vector<float> out(60);
  std::vector<engine::AttentionSequence> const sequences = {{0, 1, 0, table}};
  try {
    subject.attend({q.data(), out.data(), nullptr, 3, 1.0F, sequences}, fixture.layer);
  } catch (const engine::Refusal&) {
    return true;
  }
  return false;
}

void check(bool observed, bool truth, const std::string& where, const std::string& what, Tally& tally) {
  if (tally.equal(observed == truth)) tally.witness({where, what, observed ? "refused" : "accepted", truth ? "refused" : "accepted"});
}

}  // namespace

LawVerdict disagreeing_storage_is_refused(const KvSubject& subject) {
  Law law{"disagreeing_storage_is_refused", subject.name, "exact: one dtype and one shape a layer; anything else is refused"};
  law.floors = {{"disagreements", 11}, {"agreeing", 2}};
  return run_law(law, [&subject](Draw&, Tally& tally) {
    for (auto const& disagreement : disagreements()) {
      KvFixture fixture({}, 0x38);
      disagreement.make(fixture.layer);
      auto const k_before = fixture.k_memory;
      tally.count("disagreements");
      check(store_refuses(subject, fixture) && fixture.k_memory == k_before, true, "store", disagreement.name, tally);
      check(attention_refuses(subject, fixture), true, "attention", disagreement.name, tally);
    }
    KvFixture agreeing({}, 0x38);
    tally.count("agreeing", 2);
    check(attention_refuses(subject, agreeing), false, "attention", "pages that agree", tally);
    check(store_refuses(subject, agreeing), false, "store", "pages that agree", tally);
  });
}

}  // namespace redproof::properties
