// Pages that disagree with the layer's dtype or shape are refused by store and by attention, before a byte moves; strides that no element
// shares a byte under are taken, whichever way they order heads and slots. A cache takes one pair of scales a layer, no more and no fewer.
#include <functional>
#include <optional>

#include "engine/kv/cache.h"
#include "engine/types/error.h"
#include "oracle/stored_byte.h"
#include "properties/generators/kv_fixture.h"
#include "properties/laws.h"
#include "properties/named_in_order.h"

namespace redproof::properties {
namespace {

using engine::KvLayer;
using engine::KvStorage;

struct Disagreement {
  const char* name;
  std::vector<std::string> says;  // what a refusal has to name, in this order
  std::function<void(KvLayer&)> make;
  bool memory = true;  // false: without any, a token that were let through would end the process
  KvShape shape = {};  // that `make` changes
};

constexpr std::int64_t past_64_bits = std::int64_t{1} << 62;

const std::vector<Disagreement>& disagreements() {
  static const std::vector<Disagreement> all = {
      {"the spec says fp8, K's pages bfloat16",
       {"fp8_e4m3", "K", "bfloat16"},
       [](KvLayer& layer) { layer.k.storage = KvStorage::bfloat16; }},
      {"the spec says fp8, V's pages bfloat16",
       {"fp8_e4m3", "V", "bfloat16"},
       [](KvLayer& layer) { layer.v.storage = KvStorage::bfloat16; }},
      {"the spec says bfloat16, both pages fp8",
       {"bfloat16", "K", "fp8_e4m3"},
       [](KvLayer& layer) { layer.spec.storage = KvStorage::bfloat16; }},
      {"K's block is shorter than the spec's", {"K", "block_tokens is 4", "5"}, [](KvLayer& layer) { layer.k.block_tokens -= 1; }},
      {"V's block is shorter than the spec's", {"V", "block_tokens is 4", "5"}, [](KvLayer& layer) { layer.v.block_tokens -= 1; }},
      {"K has other heads", {"K", "kv_heads is 2", "3"}, [](KvLayer& layer) { layer.k.kv_heads -= 1; }},
      {"V has other heads", {"V", "kv_heads is 2", "3"}, [](KvLayer& layer) { layer.v.kv_heads -= 1; }},
      {"K has more heads", {"K", "kv_heads is 4", "3"}, [](KvLayer& layer) { layer.k.kv_heads += 1; }},
      {"K has another head_dim", {"K", "head_dim is 16", "20"}, [](KvLayer& layer) { layer.k.head_dim -= 4; }},
      {"V has another head_dim", {"V", "head_dim is 16", "20"}, [](KvLayer& layer) { layer.v.head_dim -= 4; }},
      {"head_dim is 0 everywhere",
       {"K", "head_dim is 0"},
       [](KvLayer& layer) { layer.spec.head_dim = layer.k.head_dim = layer.v.head_dim = 0; }},
      {"head_dim is negative everywhere",
       {"K", "head_dim is -20"},
       [](KvLayer& layer) { layer.spec.head_dim = layer.k.head_dim = layer.v.head_dim = -20; },
       false},
      {"two heads overlap",
       {"K", "head_stride_bytes is 19", "20"},
       [](KvLayer& layer) { layer.k.head_stride_bytes = 19; },
       true,
       {.kv_heads = 2}},
      {"heads of two bytes a lane overlap",
       {"V", "head_stride_bytes is 39", "40"},
       [](KvLayer& layer) { layer.v.head_stride_bytes = 39; },
       true,
       {.storage = KvStorage::bfloat16}},
      {"K's heads overlap",
       {"K", "head_stride_bytes is 19", "20"},
       [](KvLayer& layer) { layer.k.head_stride_bytes = layer.spec.head_dim - 1; }},
      {"V's slots overlap", {"V", "slot_stride_bytes"}, [](KvLayer& layer) { layer.v.slot_stride_bytes = layer.v.head_stride_bytes; }},
      {"K's pages overlap", {"K", "page_stride_bytes"}, [](KvLayer& layer) { layer.k.page_stride_bytes = layer.k.slot_stride_bytes; }},
      {"V's pages overlap by a byte",
       {"V", "page_stride_bytes"},
       [](KvLayer& layer) { layer.v.page_stride_bytes = 4 * layer.v.slot_stride_bytes + 2 * layer.v.head_stride_bytes + 19; }},
      {"K's heads, outside of slots, overlap",
       {"K", "head_stride_bytes"},
       [](KvLayer& layer) { layer.k.head_stride_bytes = 4 * layer.k.slot_stride_bytes + 19; },
       true,
       {.heads_outermost = true}},
      {"V's slots, inside of heads, overlap",
       {"V", "slot_stride_bytes is 19", "20"},
       [](KvLayer& layer) { layer.v.slot_stride_bytes = 19; },
       true,
       {.heads_outermost = true}},
      {"K's pages exceed 64 bits",
       {"K", "page_stride_bytes is 4611686018427387904", "exceed 64 bits"},
       [](KvLayer& layer) { layer.k.page_stride_bytes = past_64_bits; }},
      {"V has fewer pages", {"7 K pages", "6 V pages"}, [](KvLayer& layer) { layer.v.pages -= 1; }},
      {"K has fewer pages", {"6 K pages", "7 V pages"}, [](KvLayer& layer) { layer.k.pages -= 1; }},
      {"neither side has a page", {"K", "0 pages"}, [](KvLayer& layer) { layer.k.pages = layer.v.pages = 0; }, false},
      {"each side has -1 pages", {"K", "-1 pages"}, [](KvLayer& layer) { layer.k.pages = layer.v.pages = -1; }, false},
      {"K has no memory", {"K", "pages at"}, [](KvLayer& layer) { layer.k.data = nullptr; }, false},
      {"V has no memory", {"V", "pages at"}, [](KvLayer& layer) { layer.v.data = nullptr; }, false},
      {"the window is negative", {"window_tokens is -1"}, [](KvLayer& layer) { layer.spec.window_tokens = -1; }},
  };
  return all;
}

// Layers whose pages agree with their spec.
const std::vector<Disagreement>& agreements() {
  static const std::vector<Disagreement> all = {
      {"slots that hold heads", {}, [](KvLayer&) {}},
      {"heads that hold slots", {}, [](KvLayer&) {}, true, {.heads_outermost = true}},
      {"one head, whose stride is never used",
       {},
       [](KvLayer& layer) { layer.k.head_stride_bytes = layer.v.head_stride_bytes = 0; },
       true,
       {.kv_heads = 1}},
      {"one slot, whose stride is never used",
       {},
       [](KvLayer& layer) { layer.k.slot_stride_bytes = layer.v.slot_stride_bytes = 0; },
       true,
       {.block_tokens = 1}},
      {"pages without a gap",
       {},
       [](KvLayer& layer) { layer.k.page_stride_bytes = 4 * layer.k.slot_stride_bytes + 2 * layer.k.head_stride_bytes + 20; }},
  };
  return all;
}

// What it says; nothing where it takes the call.
using Answer = std::optional<std::string>;

template <class Call>
Answer refuses(const Call& call) {
  try {
    call();
  } catch (const engine::Refusal& refusal) {
    return refusal.what();
  }
  return std::nullopt;
}

constexpr std::uint16_t k_value = 0x3F80;  // 1.0
constexpr std::uint16_t v_value = 0x4000;  // 2.0
constexpr std::int64_t row_elements = 60;  // most of any shape here: 3 heads of 20 lanes

Answer store_refuses(const KvSubject& subject, KvFixture& fixture, std::span<const std::int64_t> slots) {
  std::vector<std::uint16_t> const k(row_elements, k_value);
  std::vector<std::uint16_t> const v(row_elements, v_value);
  return refuses([&] { subject.store({k.data(), engine::DType::bf16}, {v.data(), engine::DType::bf16}, slots, fixture.layer); });
}

// Attention of one row over one token, as many query heads as the spec has KV heads; `rows` may be 0. out: [q_heads, head_dim].
Answer attention_refuses(const KvSubject& subject, const KvFixture& fixture, std::int64_t rows, std::vector<float>& out) {
  std::vector<std::int32_t> const table = {0};
  std::vector<float> const q(row_elements, 1.0F);
  std::vector<engine::AttentionSequence> const sequences = {{0, rows, 0, table}};
  std::int32_t const q_heads = fixture.layer.spec.kv_heads;
  return refuses([&] { subject.attend({q.data(), out.data(), nullptr, q_heads, 1.0F, sequences}, fixture.layer); });
}

void check(bool holds, const std::string& where, const std::string& what, const char* observed, const char* truth, Tally& tally) {
  if (tally.equal(holds)) tally.witness({where, what, holds ? truth : observed, truth});
}

// First a call that has nothing to move: only a layer that it refuses is given a token.
void check_refused(const KvSubject& subject, const Disagreement& disagreement, Tally& tally) {
  KvFixture fixture(disagreement.shape, 0x38);
  disagreement.make(fixture.layer);
  auto const k_before = fixture.k_memory;
  auto const v_before = fixture.v_memory;
  std::vector<float> const untouched(row_elements, -7.0F);
  auto out = untouched;
  tally.count("disagreements");
  Answer const store = store_refuses(subject, fixture, {});
  Answer const attention = attention_refuses(subject, fixture, 0, out);
  check(store.has_value(), "store of no token", disagreement.name, "accepted", "refused", tally);
  check(attention.has_value(), "attention of no row", disagreement.name, "accepted", "refused", tally);
  for (const Answer& answer : {store, attention})
    if (answer)
      check(named_in_order(*answer, disagreement.says), "the refusal", disagreement.name, answer->c_str(), "side, field, figures", tally);
  if (!disagreement.memory || !store || !attention) return;
  check(store_refuses(subject, fixture, std::vector<std::int64_t>{0}).has_value(), "store", disagreement.name, "accepted", "refused",
        tally);
  check(fixture.k_memory == k_before, "store, K's memory", disagreement.name, "written", "unchanged", tally);
  check(fixture.v_memory == v_before, "store, V's memory", disagreement.name, "written", "unchanged", tally);
  check(attention_refuses(subject, fixture, 1, out).has_value(), "attention", disagreement.name, "accepted", "refused", tally);
  check(out == untouched, "attention, its output", disagreement.name, "written", "unchanged", tally);
}

// Taken, each element in its own place, and read from there.
void check_taken(const KvSubject& subject, const Disagreement& agreement, Tally& tally) {
  KvFixture fixture(agreement.shape, 0xFF);
  agreement.make(fixture.layer);
  tally.count("agreeing");
  bool const refused = store_refuses(subject, fixture, std::vector<std::int64_t>{0}).has_value();
  check(!refused, "store", agreement.name, "refused", "accepted", tally);
  if (refused) return;
  auto const& spec = fixture.layer.spec;
  for (std::int32_t head = 0; head < spec.kv_heads; ++head) {
    for (std::int32_t lane = 0; lane < spec.head_dim; ++lane) {
      engine::KvCoordinate const at{0, 0, head, lane};
      bool const stored = fixture.bits_at(false, at) == oracle::stored_byte(k_value, 1.0F) &&
                          fixture.bits_at(true, at) == oracle::stored_byte(v_value, 1.0F);
      check(stored, coordinate_text("K and V", at), agreement.name, "other bytes", "the stored token", tally);
    }
  }
  std::vector<float> out(row_elements, -7.0F);
  check(!attention_refuses(subject, fixture, 1, out).has_value(), "attention", agreement.name, "refused", "accepted", tally);
  for (std::int32_t i = 0; i < spec.kv_heads * spec.head_dim; ++i) {
    check(out[static_cast<std::size_t>(i)] == 2.0F, "attention, element " + std::to_string(i), agreement.name, "another value", "2", tally);
  }
}

void check_scale_pairs(Tally& tally) {
  for (std::size_t const layers : {1U, 2U, 12U}) {
    std::vector<engine::KvLayerSpec> const specs(layers, engine::KvLayerSpec{KvStorage::fp8_e4m3, 2, 4, 1, 0});
    for (std::size_t const pairs : {std::size_t{0}, layers - 1, layers, layers + 1, 2 * layers}) {
      std::vector<engine::KvScales> const scales(pairs, {0.5F, 0.25F});
      bool const refused = refuses([&] { engine::KvCache(specs, scales, 3); }).has_value();
      tally.count(pairs == layers ? "caches of a pair a layer" : "caches of other pairs");
      check(refused == (pairs != layers), "cache of " + std::to_string(layers) + " layers", std::to_string(pairs) + " scale pairs",
            pairs == layers ? "refused" : "accepted", pairs == layers ? "accepted" : "refused", tally);
    }
  }
}

}  // namespace

LawVerdict disagreeing_storage_is_refused(const KvSubject& subject) {
  Law law{"disagreeing_storage_is_refused", subject.name, "exact: one dtype and one shape a layer; anything else is refused"};
  law.floors = {{"disagreements", 28}, {"agreeing", 5}, {"caches of a pair a layer", 3}, {"caches of other pairs", 12}};
  law.separates = {"agreement/refusal_names_other_side", "agreement/storage_unchecked", "agreement/v_unchecked",
                   "agreement/k_fewer_pages_taken",      "agreement/window_unchecked",  "agreement/memory_unchecked",
                   "agreement/heads_outermost_refused",  "agreement/one_step_refused",  "agreement/v_stored_before_check",
                   "agreement/more_scales_than_layers"};
  return run_law(law, [&subject](Draw&, Tally& tally) {
    for (auto const& disagreement : disagreements()) check_refused(subject, disagreement, tally);
    for (auto const& agreement : agreements()) check_taken(subject, agreement, tally);
    check_scale_pairs(tally);
  });
}

}  // namespace redproof::properties
