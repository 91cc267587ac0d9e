#include <functional>
#include <limits>

#include "engine/kv/read.h"
#include "engine/types/error.h"
#include "tests/catch.h"
#include "tests/engine/kv/layer_fixture.h"

using namespace redproof::engine;
using namespace redproof::engine::fixture;

namespace {

struct Defect {
  const char* message;
  std::function<void(KvPages&)> plant;
};

const std::vector<Defect>& page_defects() {
  static const std::vector<Defect> defects{
      {"kv cache dtype: the layer's spec says fp8_e4m3", [](KvPages& p) { p.storage = KvStorage::bfloat16; }},
      {"kv_heads is 4, the layer's spec says 3", [](KvPages& p) { p.kv_heads = 4; }},
      {"head_dim is 19, the layer's spec says 20", [](KvPages& p) { p.head_dim = 19; }},
      {"block_tokens is 6, the layer's spec says 5", [](KvPages& p) { p.block_tokens = 6; }},
      {"0 pages", [](KvPages& p) { p.pages = 0; }},
      {"7 pages at 0x0", [](KvPages& p) { p.data = nullptr; }},
      {"head_stride_bytes is 19", [](KvPages& p) { p.head_stride_bytes = 19; }},
      {"head_stride_bytes is 0", [](KvPages& p) { p.head_stride_bytes = 0; }},
      {"head_stride_bytes is -64", [](KvPages& p) { p.head_stride_bytes = -64; }},
      {"slot_stride_bytes is 59", [](KvPages& p) { p.slot_stride_bytes = 59; }},
      {"slot_stride_bytes is 0", [](KvPages& p) { p.slot_stride_bytes = 0; }},
      {"page_stride_bytes is 299", [](KvPages& p) { p.page_stride_bytes = 299; }},
      {"page_stride_bytes is -300", [](KvPages& p) { p.page_stride_bytes = -300; }},
      {"6 steps exceed 64 bits",
       [](KvPages& p) {
         p.page_stride_bytes = std::numeric_limits<std::int64_t>::max() / 5;
         p.pages = 6;
       }},
  };
  return defects;
}

}  // namespace

TEST_CASE("pages that agree with their spec are accepted in every layout and storage", "[agreement]") {
  for (const Layout layout : {Layout::dense, Layout::padded, Layout::heads_outer}) {
    for (const KvStorage storage : {KvStorage::fp8_e4m3, KvStorage::bfloat16}) {
      const LayerMemory memory({.storage = storage, .layout = layout});
      CHECK_NOTHROW(require_agreement(memory.layer));
    }
  }
}

TEST_CASE("pages that disagree with their spec are refused on either side, and the message names side and field", "[agreement]") {
  for (const Defect& defect : page_defects()) {
    CAPTURE(defect.message);
    LayerMemory k({.layout = Layout::dense});
    defect.plant(k.layer.k);
    CHECK_THROWS_AS(require_agreement(k.layer), Refusal);
    CHECK_THROWS_WITH(require_agreement(k.layer), ContainsSubstring(defect.message) && ContainsSubstring("K pages"));
    LayerMemory v({.layout = Layout::dense});
    defect.plant(v.layer.v);
    CHECK_THROWS_WITH(require_agreement(v.layer), ContainsSubstring(defect.message) && ContainsSubstring("V pages"));
  }
}

TEST_CASE("a spec of bfloat16 over fp8 pages is refused as well as the reverse", "[agreement]") {
  LayerMemory memory({.storage = KvStorage::fp8_e4m3, .layout = Layout::dense});
  memory.layer.spec.storage = KvStorage::bfloat16;
  CHECK_THROWS_WITH(require_agreement(memory.layer), "kv cache dtype: the layer's spec says bfloat16, its K pages hold fp8_e4m3");
}

TEST_CASE("fp8 strides under bfloat16 pages are refused", "[agreement]") {
  LayerMemory memory({.layout = Layout::dense});
  memory.layer.spec.storage = memory.layer.k.storage = memory.layer.v.storage = KvStorage::bfloat16;
  CHECK_THROWS_WITH(require_agreement(memory.layer), ContainsSubstring("head_stride_bytes is 20, one step holds 40 bytes"));
}

TEST_CASE("the stride of an axis of one step is not looked at", "[agreement]") {
  LayerMemory memory({.kv_heads = 1, .layout = Layout::dense});
  memory.layer.k.head_stride_bytes = 0;
  CHECK_NOTHROW(require_agreement(memory.layer));
}

TEST_CASE("K and V hold the same number of pages, and a window is not negative", "[agreement]") {
  LayerMemory memory({.layout = Layout::dense});
  memory.layer.v.pages = 6;
  CHECK_THROWS_WITH(require_agreement(memory.layer), ContainsSubstring("7 K pages, 6 V pages"));
  LayerMemory window({.window_tokens = -1});
  CHECK_THROWS_WITH(require_agreement(window.layer), ContainsSubstring("window_tokens is -1"));
}
