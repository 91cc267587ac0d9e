#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engine/kv/address.h"
#include "engine/kv/read.h"
#include "engine/types/error.h"

namespace redproof::engine {
namespace {

const char* name_of(KvStorage storage) { return storage == KvStorage::fp8_e4m3 ? "fp8_e4m3" : "bfloat16"; }

// mutate: skip(statement_deleted) a function that must not return and does has no meaning
[[noreturn]] void refuse(const char* side, const std::string& what) { throw Refusal(fmt::format("kv cache: {} pages: {}", side, what)); }

void require_equal(const char* side, const char* field, std::int64_t pages, std::int64_t spec) {
  if (pages == spec && spec > 0) return;
  refuse(side, fmt::format("{} is {}, the layer's spec says {}", field, pages, spec));
}

void require_storage(const KvPages& pages, const KvLayerSpec& spec, const char* side) {
  if (pages.storage == spec.storage) return;
  throw Refusal(
      fmt::format("kv cache dtype: the layer's spec says {}, its {} pages hold {}", name_of(spec.storage), side, name_of(pages.storage)));
}

void require_shape(const KvPages& pages, const KvLayerSpec& spec, const char* side) {
  require_equal(side, "kv_heads", pages.kv_heads, spec.kv_heads);
  require_equal(side, "head_dim", pages.head_dim, spec.head_dim);
  require_equal(side, "block_tokens", pages.block_tokens, spec.block_tokens);
  if (pages.pages <= 0 || pages.data == nullptr) refuse(side, fmt::format("{} pages at {}", pages.pages, fmt::ptr(pages.data)));
}

struct Axis {
  const char* stride_name;
  std::int64_t stride_bytes;
  std::int64_t extent;
};

// Bytes that `extent` steps of an axis cover when each step covers `inner_bytes`. A step shorter than that makes two elements share a byte.
std::int64_t cover(const Axis& axis, std::int64_t inner_bytes, const char* side) {
  if (axis.stride_bytes < inner_bytes) {
    refuse(side, fmt::format("{} is {}, one step holds {} bytes", axis.stride_name, axis.stride_bytes, inner_bytes));
  }
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(axis.extent - 1, axis.stride_bytes, &bytes) || __builtin_add_overflow(bytes, inner_bytes, &bytes)) {
    refuse(side, fmt::format("{} is {}: {} steps exceed 64 bits", axis.stride_name, axis.stride_bytes, axis.extent));
  }
  return bytes;
}

// Heads may lie within slots or slots within heads; pages lie outside of both.
void require_strides(const KvPages& pages, const char* side) {
  std::array<Axis, 2> inner{Axis{"head_stride_bytes", pages.head_stride_bytes, pages.kv_heads},
                            Axis{"slot_stride_bytes", pages.slot_stride_bytes, pages.block_tokens}};
  if (inner[1].stride_bytes < inner[0].stride_bytes) std::swap(inner[0], inner[1]);
  std::int64_t bytes = pages.head_dim * element_bytes(pages.storage);
  for (const Axis& axis : inner) {
    // The stride of an axis of one step is never used.
    // mutate: skip(relational) an extent is positive here; agreement/one_step_refused has its bound
    if (axis.extent > 1) bytes = cover(axis, bytes, side);
  }
  cover({"page_stride_bytes", pages.page_stride_bytes, pages.pages}, bytes, side);
}

void require_side(const KvPages& pages, const KvLayerSpec& spec, const char* side) {
  require_storage(pages, spec, side);
  require_shape(pages, spec, side);
  require_strides(pages, side);
}

}  // namespace

void require_agreement(const KvLayer& layer) {
  require_side(layer.k, layer.spec, "K");
  require_side(layer.v, layer.spec, "V");
  if (layer.k.pages != layer.v.pages) {
    throw Refusal(fmt::format("kv cache: {} K pages, {} V pages: a block is a page of each", layer.k.pages, layer.v.pages));
  }
  if (layer.spec.window_tokens < 0) throw Refusal(fmt::format("kv cache: window_tokens is {}", layer.spec.window_tokens));
}

}  // namespace redproof::engine
