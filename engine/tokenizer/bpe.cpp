#include "engine/tokenizer/bpe.h"

#include <queue>

namespace redproof::engine::text {
namespace {

struct Symbol {
  std::int32_t id;
  std::int32_t previous, next;  // -1: none
  bool merged_away = false;
};

struct Candidate {
  std::int32_t rank;
  std::int32_t at;  // the left symbol
  std::int32_t id;  // of the pair once joined
  bool operator<(const Candidate& other) const {
    return rank != other.rank ? rank > other.rank : at > other.at;
  }  // the heap's top is least
};

std::vector<Symbol> symbols_of(const BpeModel& model, std::string_view word) {
  std::vector<Symbol> symbols;
  symbols.reserve(word.size());
  bool after_unknown = false;
  for (char const c : word) {
    std::int32_t id = model.byte_ids[static_cast<std::uint8_t>(c)];
    bool const unknown = id < 0;
    bool const fused = unknown && after_unknown && model.fuse_unknown;
    after_unknown = unknown;
    if (unknown && model.unknown_id) id = *model.unknown_id;
    if (id < 0 || fused) continue;
    auto const at = static_cast<std::int32_t>(symbols.size());
    symbols.push_back({id, at - 1, at + 1});
  }
  if (!symbols.empty()) symbols.back().next = -1;
  return symbols;
}

// One word's symbols as a linked list, and the pairs that may be joined, best first.
class Merger {
 public:
  Merger(const BpeModel& model, std::vector<Symbol>& symbols) : model_(model), symbols_(symbols) {
    for (std::size_t at = 0; at < symbols.size(); ++at) offer(static_cast<std::int32_t>(at));
  }

  void run() {
    while (!heap_.empty()) {
      Candidate const best = heap_.top();
      heap_.pop();
      if (still_there(best)) join(best);
    }
  }

 private:
  const Merge* merge_at(std::int32_t at) const {
    if (symbols_[at].next < 0) return nullptr;
    auto const found = model_.merges.find(merge_key(symbols_[at].id, symbols_[symbols_[at].next].id));
    return found == model_.merges.end() ? nullptr : &found->second;
  }

  void offer(std::int32_t at) {
    if (Merge const* merge = merge_at(at)) heap_.push({merge->rank, at, merge->id});
  }

  // The package compares what the pair joins to, not the pair: two pairs with the same sum keep the older rank.
  bool still_there(const Candidate& candidate) const {
    if (symbols_[candidate.at].merged_away) return false;
    Merge const* merge = merge_at(candidate.at);
    return merge != nullptr && merge->id == candidate.id;
  }

  void join(const Candidate& candidate) {
    Symbol& left = symbols_[candidate.at];
    Symbol& right = symbols_[left.next];
    right.merged_away = true;
    left.id = candidate.id;
    left.next = right.next;
    if (left.next >= 0) symbols_[left.next].previous = candidate.at;
    if (left.previous >= 0) offer(left.previous);
    offer(candidate.at);
  }

  const BpeModel& model_;
  std::vector<Symbol>& symbols_;
  std::priority_queue<Candidate> heap_;
};

}  // namespace

void bpe_encode(const BpeModel& model, std::string_view word, std::vector<std::int32_t>& ids) {
  if (model.ignore_merges) {
    auto const found = model.entries.find(std::string(word));
    if (found != model.entries.end()) return ids.push_back(found->second);
  }
  std::vector<Symbol> symbols = symbols_of(model, word);
  Merger(model, symbols).run();
  for (Symbol const& symbol : symbols) {
    if (!symbol.merged_away) ids.push_back(symbol.id);
  }
}

}  // namespace redproof::engine::text
