#pragma once
#include "engine/types/kv.h"

namespace redproof::engine {

constexpr std::int64_t element_bytes(KvStorage storage) { return storage == KvStorage::fp8_e4m3 ? 1 : 2; }

// Byte offset of one element from `pages.data`: the only address arithmetic of store, read and copy.
constexpr std::int64_t kv_offset_bytes(const KvPages& pages, const KvCoordinate& at) {
  return at.page * pages.page_stride_bytes + at.slot * pages.slot_stride_bytes + at.head * pages.head_stride_bytes +
         at.lane * element_bytes(pages.storage);
}

}  // namespace redproof::engine
