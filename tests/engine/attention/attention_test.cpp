#include "engine/attention/attention.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "engine/bits/isa.h"
#include "engine/types/error.h"
#include "tests/catch.h"
#include "tests/engine/attention/attention_fixture.h"
#include "tests/engine/isas.h"

using namespace redproof::engine;
using namespace redproof::engine::fixture;

namespace {

bool equal_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](float x, float y) { return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y); });
}

struct Strayed {
  std::int64_t rows = 0;
  std::int64_t wrong = 0;
  double worst = 0;  // of error / bound
};

// Every (position, query head) of a sequence from `first` on, against the double-precision truth.
Strayed strayed(const AttentionCase& attention, const AttentionCase::Owner& owner, std::int64_t first) {
  Strayed total;
  const std::int32_t head_dim = attention.memory.layer.spec.head_dim;
  const auto count = [&](double observed, double truth, double bound) {
    const double error = std::fabs(observed - truth);
    total.wrong += !(error <= bound);
    total.worst = std::max(total.worst, error / bound);
  };
  for (std::int64_t position = first; position < owner.length; ++position) {
    for (std::int32_t head = 0; head < attention.q_heads; ++head) {
      const RowTruth truth = truth_of(attention, owner, position, head);
      const auto row = static_cast<std::size_t>((owner.first_row + position) * attention.q_heads + head);
      count(attention.lse[row], truth.lse, truth.lse_bound);
      for (std::int32_t lane = 0; lane < head_dim; ++lane) {
        const auto at = static_cast<std::size_t>(lane);
        count(attention.out[row * static_cast<std::size_t>(head_dim) + at], truth.out[at], truth.out_bound[at]);
      }
      ++total.rows;
    }
  }
  return total;
}

// All positions of all sequences in one prefill.
void prefill(AttentionCase& attention, const CpuOptions& cpu) { attend(attention.call_of_last(1 << 20), attention.memory.layer, cpu); }

// Every lane of every head at one position.
void fill_position(const KvPages& pages, const AttentionCase::Owner& owner, std::int64_t position, std::uint16_t bits) {
  const std::int64_t page = owner.table[static_cast<std::size_t>(position / pages.block_tokens)];
  const std::int64_t lanes = pages.head_dim;
  for (std::int64_t i = 0; i < pages.kv_heads * lanes; ++i) {
    std::byte* at = pages.data + page * pages.page_stride_bytes + position % pages.block_tokens * pages.slot_stride_bytes +
                    i / lanes * pages.head_stride_bytes;
    if (pages.storage == KvStorage::fp8_e4m3) {
      at[i % lanes] = static_cast<std::byte>(bits);
    } else {
      std::memcpy(at + 2 * (i % lanes), &bits, sizeof bits);
    }
  }
}

}  // namespace

TEST_CASE("prefill and decode stay within the derived bound of attention in double precision", "[attention]") {
  for (const KvStorage storage : {KvStorage::fp8_e4m3, KvStorage::bfloat16}) {
    for (const std::int64_t window : {0, 1, 7, 64, 70}) {
      const LayerShape shape{.storage = storage, .pages = 60, .window_tokens = window};
      CAPTURE(static_cast<int>(storage), window);
      AttentionCase attention(shape, 6, {1, 4, 5, 6, 10, 131}, 17);
      prefill(attention, {CpuIsa::scalar, 2});
      for (const AttentionCase::Owner& owner : attention.owners) {
        const Strayed prefilled = strayed(attention, owner, 0);
        CHECK(prefilled.rows == owner.length * 6);
        CHECK(prefilled.wrong == 0);
        CHECK(prefilled.worst > 0.001);  // the bound is near enough to bind
      }
      std::fill(attention.out.begin(), attention.out.end(), NAN);
      attend(attention.call_of_last(1), attention.memory.layer, {CpuIsa::scalar, 2});
      for (const AttentionCase::Owner& owner : attention.owners) CHECK(strayed(attention, owner, owner.length - 1).wrong == 0);
    }
  }
}

TEST_CASE("the bound separates a window that is off by one, swapped scales and swapped sides", "[attention]") {
  AttentionCase attention({.pages = 30, .window_tokens = 9}, 6, {70}, 23);
  KvLayer& layer = attention.memory.layer;
  const auto wrong_after = [&](auto plant, auto restore) {
    plant();
    attend(attention.call_of_last(1 << 20), layer, {CpuIsa::scalar, 1});
    restore();
    return strayed(attention, attention.owners[0], 0).wrong;
  };
  const auto swap_scales = [&] { std::swap(layer.scales.k, layer.scales.v); };
  const auto swap_sides = [&] { std::swap(layer.k, layer.v); };
  CHECK(wrong_after([] {}, [] {}) == 0);
  CHECK(wrong_after([&] { layer.spec.window_tokens = 10; }, [&] { layer.spec.window_tokens = 9; }) > 5000);
  CHECK(wrong_after([&] { layer.spec.window_tokens = 8; }, [&] { layer.spec.window_tokens = 9; }) > 5000);
  CHECK(wrong_after(swap_scales, swap_scales) > 5000);
  CHECK(wrong_after(swap_sides, swap_sides) > 5000);
}

TEST_CASE("scalar and AVX2, one thread and many, give equal bits", "[attention]") {
  if (!cpu_has_avx2()) {
    CHECK_THROWS_AS(require_isa(CpuIsa::avx2), Refusal);
    return;
  }
  for (const std::int32_t head_dim : {1, 7, 8, 20, 64, 65, 128, 136}) {
    for (const KvStorage storage : {KvStorage::fp8_e4m3, KvStorage::bfloat16}) {
      CAPTURE(head_dim);
      AttentionCase attention({.storage = storage, .head_dim = head_dim, .pages = 50, .window_tokens = 70}, 6, {7, 131}, 29);
      prefill(attention, {CpuIsa::scalar, 1});
      const std::vector<float> out = attention.out;
      const std::vector<float> lse = attention.lse;
      for (const CpuOptions& cpu : {CpuOptions{CpuIsa::avx2, 1}, CpuOptions{CpuIsa::avx2, 3}, CpuOptions{CpuIsa::scalar, 5}}) {
        std::fill(attention.out.begin(), attention.out.end(), NAN);
        prefill(attention, cpu);
        CHECK(equal_bits(attention.out, out));
        CHECK(equal_bits(attention.lse, lse));
      }
    }
  }
}

TEST_CASE("the bits do not depend on how a prompt is cut into chunks, single rows included", "[attention]") {
  for (const CpuIsa isa : isas()) {
    for (const std::int64_t window : {0, 11, 64}) {
      AttentionCase attention({.pages = 40, .window_tokens = window}, 6, {150}, 31);
      prefill(attention, {isa, 2});
      const std::vector<float> out = attention.out;
      const std::vector<float> lse = attention.lse;
      for (const std::int64_t chunk : {1, 2, 4, 5, 6, 31, 32, 33, 64, 149}) {
        CAPTURE(window, chunk);
        std::fill(attention.out.begin(), attention.out.end(), NAN);
        for (std::int64_t first = 0; first < 150; first += chunk) {
          attend(attention.call_of_chunk(0, first, std::min(chunk, 150 - first)), attention.memory.layer, {isa, 2});
        }
        CHECK(equal_bits(attention.out, out));
        CHECK(equal_bits(attention.lse, lse));
      }
    }
  }
}

TEST_CASE("the bits do not depend on the block size, the blocks' numbers or the layout", "[attention]") {
  const std::vector<std::int64_t> lengths{131};
  AttentionCase truth({.block_tokens = 5, .pages = 40}, 6, lengths, 37);
  prefill(truth, {CpuIsa::scalar, 1});
  for (const std::int32_t block_tokens : {1, 3, 16, 63, 64, 65, 200}) {
    for (const Layout layout : {Layout::dense, Layout::padded, Layout::heads_outer}) {
      // The same K, V and q: drawn after a permutation of as many blocks, so that the numbers stand at the same place of the stream.
      AttentionCase other({.block_tokens = 5, .pages = 40, .layout = layout}, 6, lengths, 37);
      LayerMemory moved({.block_tokens = block_tokens, .pages = 150, .layout = layout});
      std::vector<std::int32_t> table(static_cast<std::size_t>((131 + block_tokens - 1) / block_tokens));
      for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<std::int32_t>(149 - i);
      for (std::int64_t p = 0; p < 131; ++p) {
        for (const auto& [from, to] :
             {std::pair{&other.memory.layer.k, &moved.layer.k}, std::pair{&other.memory.layer.v, &moved.layer.v}}) {
          for (std::int64_t head = 0; head < 3; ++head) {
            const std::int64_t page = table[static_cast<std::size_t>(p / block_tokens)];
            for (std::int64_t lane = 0; lane < 20; ++lane) {
              to->data[page * to->page_stride_bytes + p % block_tokens * to->slot_stride_bytes + head * to->head_stride_bytes + lane] =
                  static_cast<std::byte>(element_bits(*from, other.owners[0].table[static_cast<std::size_t>(p / 5)], p % 5, head, lane));
            }
          }
        }
      }
      other.owners[0].table = table;
      attend(other.call_of_last(131), moved.layer, {CpuIsa::scalar, 1});
      CHECK(equal_bits(other.out, truth.out));
      CHECK(equal_bits(other.lse, truth.lse));
    }
  }
}

TEST_CASE("one visible token gives lse = score and out = v * v_scale with every bit", "[attention]") {
  for (const CpuIsa isa : isas()) {
    for (const KvStorage storage : {KvStorage::fp8_e4m3, KvStorage::bfloat16}) {
      AttentionCase attention({.storage = storage, .pages = 40, .window_tokens = 1}, 6, {131}, 41);
      const AttentionCase::Owner& owner = attention.owners[0];
      const KvLayer& layer = attention.memory.layer;
      fill_position(layer.v, owner, 77, storage == KvStorage::fp8_e4m3 ? 0x80 : 0x8000);  // -0 must come out as -0
      prefill(attention, {isa, 1});
      const bool scaled = storage == KvStorage::fp8_e4m3;
      std::int64_t wrong = 0;
      for (std::int64_t p = 0; p < owner.length; ++p) {
        for (std::int64_t head = 0; head < 6; ++head) {
          const auto row = static_cast<std::size_t>(p * 6 + head);
          float lanes[8] = {};
          for (std::int64_t lane = 0; lane < 20; ++lane) {
            const auto v = static_cast<float>(held(layer.v, owner, p, head / 2, lane)) * (scaled ? layer.scales.v : 1.0F);
            const float out = attention.out[row * 20 + static_cast<std::size_t>(lane)];
            wrong += std::bit_cast<std::uint32_t>(out) != std::bit_cast<std::uint32_t>(v);
            const float product =
                attention.q[row * 20 + static_cast<std::size_t>(lane)] * static_cast<float>(held(layer.k, owner, p, head / 2, lane));
            lanes[lane % 8] += product;
          }
          const float dot = ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
          wrong += attention.lse[row] != dot * (softmax_scale * (scaled ? layer.scales.k : 1.0F));
        }
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("a bfloat16 cache gives the same bits whatever the layer's scales", "[attention]") {
  AttentionCase plain({.storage = KvStorage::bfloat16, .pages = 40, .scales = {1.0F, 1.0F}}, 6, {70}, 43);
  AttentionCase scaled({.storage = KvStorage::bfloat16, .pages = 40, .scales = {0.06F, NAN}}, 6, {70}, 43);
  prefill(plain, {CpuIsa::scalar, 1});
  prefill(scaled, {CpuIsa::scalar, 1});
  CHECK(equal_bits(plain.out, scaled.out));
  CHECK(equal_bits(plain.lse, scaled.lse));
}

TEST_CASE("no position outside of the window or behind the row is read", "[attention]") {
  for (const CpuIsa isa : isas()) {
    AttentionCase attention({.pages = 40, .window_tokens = 11}, 6, {150}, 47);
    const auto poison = [&](std::int64_t position) {
      fill_position(attention.memory.layer.k, attention.owners[0], position, 0x7F);
      fill_position(attention.memory.layer.v, attention.owners[0], position, 0x7F);
    };
    attend(attention.call_of_chunk(0, 80, 40), attention.memory.layer, {isa, 1});
    const std::vector<float> out = attention.out;
    for (std::int64_t position = 0; position < 150; ++position) {
      if (position < 70 || position >= 120) poison(position);  // row 80 sees 70..80, row 119 sees 109..119
    }
    std::fill(attention.out.begin(), attention.out.end(), NAN);
    attend(attention.call_of_chunk(0, 80, 40), attention.memory.layer, {isa, 1});
    CHECK(std::isfinite(attention.out[80 * 6 * 20]));
    CHECK(equal_bits(attention.out, out));
    poison(70);
    attend(attention.call_of_chunk(0, 80, 40), attention.memory.layer, {isa, 1});
    CHECK(std::isnan(attention.out[80 * 6 * 20]));     // row 80 sees position 70
    CHECK(std::isfinite(attention.out[81 * 6 * 20]));  // row 81 does not
    CHECK(std::isfinite(attention.lse[119 * 6]));
  }
}

TEST_CASE("decode rows and prefill rows go through one call, and lse may be left out", "[attention]") {
  AttentionCase attention({.pages = 60}, 6, {33, 1, 64, 65}, 53);
  prefill(attention, {CpuIsa::scalar, 1});
  const std::vector<float> out = attention.out;
  std::vector<AttentionSequence> mixed;
  for (std::size_t i = 0; i < attention.owners.size(); ++i) {
    const AttentionCase::Owner& owner = attention.owners[i];
    const std::int64_t rows = i % 2 == 0 ? 1 : owner.length;
    mixed.push_back({owner.first_row + owner.length - rows, rows, owner.length - rows, owner.table});
  }
  std::vector<float> again(out.size(), 0.0F);
  attend({attention.q.data(), again.data(), nullptr, 6, softmax_scale, mixed}, attention.memory.layer, {CpuIsa::scalar, 3});
  std::int64_t written = 0;
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    written += again[i] != 0.0F;
    wrong += again[i] != 0.0F && again[i] != out[i];
  }
  CHECK(written == (1 + 1 + 1 + 65) * 6 * 20);
  CHECK(wrong == 0);
}

TEST_CASE("a call that disagrees with the layer is refused", "[attention]") {
  AttentionCase attention({.pages = 40}, 6, {12}, 59);
  KvLayer layer = attention.memory.layer;
  const CpuOptions cpu{CpuIsa::scalar, 1};
  AttentionCall call = attention.call_of_last(1);
  call.q_heads = 7;
  CHECK_THROWS_WITH(attend(call, layer, cpu), ContainsSubstring("num_attention_heads 7") && ContainsSubstring("num_key_value_heads 3"));
  call.q_heads = 0;
  CHECK_THROWS_AS(attend(call, layer, cpu), Refusal);
  CHECK_THROWS_WITH(attend(attention.call_of_chunk(0, 14, 2), layer, cpu), ContainsSubstring("2 rows from position 14"));
  CHECK_THROWS_AS(attend(attention.call_of_chunk(0, 0, -1), layer, cpu), Refusal);
  CHECK_THROWS_AS(attend(attention.call_of_chunk(0, -1, 1), layer, cpu), Refusal);
  // One row in front of the first: the arrays begin a row later, so that it would be there.
  const AttentionSequence in_front{-1, 1, 0, attention.owners[0].table};
  const AttentionCall before{attention.q.data() + 120, attention.out.data() + 120, nullptr, 6, softmax_scale, std::span(&in_front, 1)};
  CHECK_THROWS_WITH(attend(before, layer, cpu), ContainsSubstring("1 rows from position 0"));
  attention.owners[0].table[1] = 40;
  CHECK_THROWS_WITH(attend(attention.call_of_last(1), layer, {CpuIsa::scalar, 2}), "block table: block 40 of 40");
  layer.v.storage = KvStorage::bfloat16;
  CHECK_THROWS_WITH(attend(attention.call_of_last(1), layer, cpu), ContainsSubstring("kv cache dtype"));
}

TEST_CASE("a call without rows does nothing", "[attention]") {
  AttentionCase attention({.pages = 40}, 6, {12}, 61);
  attend(attention.call_of_chunk(0, 5, 0), attention.memory.layer, {CpuIsa::scalar, 2});
  CHECK(std::all_of(attention.out.begin(), attention.out.end(), [](float x) { return std::isnan(x); }));
}
