#include <algorithm>
#include <array>

#include "mutants/driver/find/token.h"
#include "mutants/driver/generate/families.h"
#include "mutants/driver/generate/words.h"

namespace redproof::mutants {
namespace {

constexpr std::array<WordPair, 4> index_pairs = {
    {{"threadIdx", "blockIdx"}, {"blockIdx", "threadIdx"}, {"blockDim", "gridDim"}, {"gridDim", "blockDim"}}};
constexpr std::array<WordPair, 5> atomic_marks = {
    {{"atomicAdd", "+="}, {"atomicSub", "-="}, {"atomicAnd", "&="}, {"atomicOr", "|="}, {"atomicXor", "^="}}};

// The base of `threadIdx.x`; empty where a spot is something else. Told by its text: what the members are differs between headers.
std::string_view index_base(const Spot& spot) {
  auto const tokens = token_texts(spot.text());
  bool const component = tokens.size() == 3 && tokens[1] == "." && (tokens[2] == "x" || tokens[2] == "y" || tokens[2] == "z");
  return component && !counterpart(index_pairs, tokens[0]).empty() ? tokens[0] : std::string_view();
}

bool is_call_of(const Spot& spot, std::string_view name) { return spot.node().kind == NodeKind::call && spot.node().name == name; }

bool is_in_kernel(const Spot& spot) {
  std::string_view const text = spot.tree->text(spot.tree->scope->nodes.front().range);
  return text.find("threadIdx") != std::string_view::npos || text.find("blockIdx") != std::string_view::npos;
}

// What stands in the chevrons of `kernel<<<grid, block, shared, stream>>>(...)`.
std::vector<Spot> launch_arguments(const Spot& spot) {
  return is_call_of(spot, "__cudaPushCallConfiguration") ? arguments_of(spot) : std::vector<Spot>();
}

std::vector<Spot> launch_sizes(const Spot& spot) {
  auto arguments = launch_arguments(spot);
  if (arguments.size() > 2) arguments.erase(arguments.begin() + 2, arguments.end());
  return arguments;
}

void shift_index(const Spot& spot, std::string_view by, Changes& changes) {
  std::string_view const base = index_base(spot);
  if (base == "threadIdx" || base == "blockIdx") changes.push_back({spot.range(), "(" + std::string(spot.text()) + std::string(by) + ")"});
}

void shift_launch(const Spot& spot, std::string_view by, Changes& changes) {
  for (const Spot& size : launch_sizes(spot))
    if (is_integer(size.node().type)) changes.push_back({size.range(), summand(size) + std::string(by)});
}

}  // namespace

void sync_removal(const Spot& spot, Changes& changes) {
  for (std::string_view const name : {"__syncthreads", "__syncwarp", "__threadfence", "__threadfence_block"})
    if (is_call_of(spot, name) && stands_as_statement(spot)) changes.push_back({statement_of(spot), ";"});
}

void sync_narrow(const Spot& spot, Changes& changes) {
  if (is_call_of(spot, "__syncthreads")) changes.push_back({spot.range(), "__syncwarp()"});
}

void gpu_index_replacement(const Spot& spot, Changes& changes) {
  std::string_view const base = index_base(spot);
  if (base.empty()) return;
  std::size_t const begin = spot.range().begin;
  changes.push_back({{begin, begin + base.size()}, std::string(counterpart(index_pairs, base))});
}

void gpu_index_increment(const Spot& spot, Changes& changes) { shift_index(spot, " + 1", changes); }
void gpu_index_decrement(const Spot& spot, Changes& changes) { shift_index(spot, " - 1", changes); }

// Half of the warp is left out of a shuffle or a vote.
void mask_narrow(const Spot& spot, Changes& changes) {
  if (spot.node().kind != NodeKind::call || !spot.node().name.starts_with("__") || !spot.node().name.ends_with("_sync")) return;
  auto const arguments = arguments_of(spot);
  if (!arguments.empty() && is_integer(arguments[0].converted())) changes.push_back({arguments[0].range(), "0x0000ffffu"});
}

void stride_drop(const Spot& spot, Changes& changes) {
  if (spot.node().form != Form::assignment || spot.node().op != "+=") return;
  auto const operands = operands_of(spot);
  auto const factors = operands ? operands_of(unwrapped(operands->right)) : std::nullopt;
  if (!factors || unwrapped(operands->right).node().op != "*") return;
  if (index_base(factors->right) == "gridDim") changes.push_back({operands->right.range(), std::string(factors->left.text())});
  if (index_base(factors->left) == "gridDim") changes.push_back({operands->right.range(), std::string(factors->right.text())});
}

// `if (i < n)` lets everything through, `if (i >= n) return;` nothing out.
void bounds_guard(const Spot& spot, Changes& changes) {
  if (spot.node().kind != NodeKind::if_statement || !is_in_kernel(spot)) return;
  auto const condition = condition_of(spot);
  if (!condition) return;
  const std::string& op = condition->node().op;
  if (op == "<" || op == "<=") changes.push_back({condition->range(), "true"});
  if (op == ">=" || op == ">") changes.push_back({condition->range(), "false"});
}

void atom_removal(const Spot& spot, Changes& changes) {
  if (spot.node().kind != NodeKind::call) return;
  std::string_view const mark = counterpart(atomic_marks, spot.node().name);
  auto const arguments = arguments_of(spot);
  if (mark.empty() || arguments.size() != 2) return;
  std::string const address(arguments[0].text());
  std::string const place = address.starts_with("&") ? address.substr(1) : "*(" + address + ")";
  std::string const plain = place + " " + std::string(mark) + " " + std::string(arguments[1].text());
  changes.push_back({spot.range(), stands_as_statement(spot) ? plain : "(" + plain + ")"});
}

void share_removal(const Spot& spot, Changes& changes) {
  if (spot.node().kind != NodeKind::declaration) return;
  std::size_t const begin = spot.range().begin;
  for (const Token& token : lex(spot.tree->text({begin, std::max(begin, spot.node().name_at)}))) {
    Range const range{begin + token.begin, begin + token.end};
    if (spot.tree->text(range) == "extern") return;  // its size comes with the launch
    if (spot.tree->text(range) == "__shared__") changes.push_back({range, ""});
  }
}

void alloc_swap(const Spot& spot, Changes& changes) {
  auto const sizes = launch_sizes(spot);
  if (sizes.size() != 2) return;
  Range const grid = sizes[0].range();
  Range const block = sizes[1].range();
  std::string const between(spot.tree->text({grid.end, block.begin}));
  changes.push_back({{grid.begin, block.end}, std::string(sizes[1].text()) + between + std::string(sizes[0].text())});
}

void alloc_increment(const Spot& spot, Changes& changes) { shift_launch(spot, " + 1", changes); }
void alloc_decrement(const Spot& spot, Changes& changes) { shift_launch(spot, " - 1", changes); }

void launch_shared_bytes(const Spot& spot, Changes& changes) {
  auto const arguments = launch_arguments(spot);
  if (arguments.size() > 2 && arguments[2].text() != "0") changes.push_back({arguments[2].range(), summand(arguments[2]) + " - 1"});
}

void stream_default(const Spot& spot, Changes& changes) {
  auto const arguments = launch_arguments(spot);
  if (arguments.size() < 4) return;
  std::string_view const stream = arguments[3].text();
  if (stream != "0" && stream != "nullptr" && stream != "NULL") changes.push_back({arguments[3].range(), "0"});
}

}  // namespace redproof::mutants
