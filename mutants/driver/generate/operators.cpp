#include "mutants/driver/generate/operators.h"

#include <algorithm>

#include "gates/runner/refusal.h"
#include "mutants/driver/generate/families.h"

namespace redproof::mutants {

const std::vector<Operator>& operators() {
  // What knows more about the place comes first.
  static const std::vector<Operator> all = {
      {"sync_removal", "CUDA: a barrier or a fence goes", true, sync_removal},
      {"sync_narrow", "CUDA: __syncthreads becomes __syncwarp", true, sync_narrow},
      {"gpu_index_replacement", "CUDA: threadIdx and blockIdx, blockDim and gridDim are exchanged", true, gpu_index_replacement},
      {"gpu_index_increment", "CUDA: threadIdx.x becomes threadIdx.x + 1", true, gpu_index_increment},
      {"gpu_index_decrement", "CUDA: threadIdx.x becomes threadIdx.x - 1", true, gpu_index_decrement},
      {"mask_narrow", "CUDA: a shuffle or a vote leaves half of the warp out", true, mask_narrow},
      {"stride_drop", "CUDA: a grid-stride loop steps by one block", true, stride_drop},
      {"bounds_guard", "CUDA: a kernel's bounds check lets everything through", true, bounds_guard},
      {"atom_removal", "CUDA: atomicAdd and its like become plain updates", true, atom_removal},
      {"share_removal", "CUDA: a __shared__ variable becomes each thread's own", true, share_removal},
      {"alloc_swap", "CUDA: grid and block of a launch are exchanged", true, alloc_swap},
      {"alloc_increment", "CUDA: a launch has one block, or one thread, more", true, alloc_increment},
      {"alloc_decrement", "CUDA: a launch has one block, or one thread, less", true, alloc_decrement},
      {"launch_shared_bytes", "CUDA: a launch has one byte less of shared memory", true, launch_shared_bytes},
      {"stream_default", "CUDA: a launch is put on the default stream", true, stream_default},
      {"pipeline_wait", "CUDA: a wait lets one asynchronous copy more be outstanding", true, pipeline_wait},
      {"wait_removed", "CUDA: a wait of the host whose result is used becomes cudaSuccess", true, wait_removed},
      {"ptx_ld_volatile", "CUDA: ld.volatile in an asm statement becomes ld, ld.acquire ld.relaxed", true, ptx_ld_volatile},
      {"warp_stride", "CUDA: half a warp is taken for all of it: 32 becomes 16, & 31 & 15, an offset of 16 8", true, warp_stride},
      {"reduce_identity", "a maximum or minimum starts from 0; CUDA: a sum starts from 1", true, reduce_identity},
      {"dtype_accum", "CUDA: a sum of floats is rounded to bf16 or half at each step", true, dtype_accum},
      {"fp8_variant", "CUDA: e4m3 and e5m2 are exchanged", true, fp8_variant},
      {"fp8_no_saturate", "CUDA: a conversion to fp8 no longer saturates", true, fp8_no_saturate},
      {"scale_twice", "x * scale becomes x * scale * scale, x / scale x / scale / scale", true, scale_twice},
      {"index_shifted", "an index table is read one further: table[i] becomes table[i + 1]", true, index_shifted},
      {"scale_swapped", "a scale becomes its neighbour: k_scale, v_scale", true, scale_swapped},
      {"stride_swapped", "a stride becomes another stride in reach", true, stride_swapped},
      {"neighbour_swapped", "a name becomes one that differs in one word: k_pages, v_pages", true, neighbour_swapped},
      {"factor_dropped", "a * s and a / s become a; s * a becomes a; x *= s goes", true, factor_dropped},
      {"index_term_dropped", "one term of an index or an address goes", true, index_term_dropped},
      {"rounding_replaced", "a rounding function becomes another: nearbyint, round, trunc, floor, ceil, CUDA's _rn and _rz", true,
       rounding_replaced},
      {"saturation_removed", "clamp, min or max with a limit becomes what it limits", true, saturation_removed},
      {"widening_removed", "a cast to a wider type that arithmetic needs goes", true, widening_removed},
      {"accumulator_narrowed", "a 64-bit variable that is added to gets 32 bits", true, accumulator_narrowed},
      {"relational", "a comparison becomes three of the other seven, by type", true, relational},
      {"logical", "&& and || become either side, or what they are when decided", true, logical},
      {"condition_forced", "the condition of an if or ?: is true, is false; of a loop, is false", true, condition_forced},
      {"arithmetic", "+ and -, * and / are exchanged; % becomes *", true, arithmetic},
      {"bitwise", "& and | become ^, ^ becomes |; either side alone", true, bitwise},
      {"shift", "<< and >> are exchanged; the value unshifted", true, shift},
      {"assignment", "a compound assignment becomes its counterpart, or a plain one", true, assignment},
      {"increment", "++ and -- are exchanged, or go where the value is used", true, increment},
      {"unary_dropped", "!x, -x and ~x become x", true, unary_dropped},
      {"argument_swapped", "two arguments of compatible types are exchanged", true, argument_swapped},
      {"call_removed", "a call whose result nobody uses goes", true, call_removed},
      {"statement_deleted", "an assignment, an increment, a throw or a range-for goes", true, statement_deleted},
      {"statement_moved", "two neighbouring statements are exchanged where one writes what the other reads", true, statement_moved},
      {"return_value", "what is returned becomes nothing, or one, of its type", true, return_value},
      {"jump", "break and continue are exchanged; a case falls through", true, jump},
      {"constant", "a number becomes its neighbours, 0, 1 or its negative; true and false are exchanged", true, constant},
      {"loop_bound", "a counting loop stops one earlier", true, loop_bound},
      {"loop_once", "a loop's body runs once", true, loop_once},
      {"std_swapped", "min and max, begin and end, front and back, any_of and all_of are exchanged", true, std_swapped},
      {"term_dropped", "one term of a sum that is no index goes", false, term_dropped},
      {"initialiser", "a variable starts as nothing of its type", false, initialiser},
      {"cast_removed", "a cast that narrows or changes the sign goes", false, cast_removed},
      {"unary_inserted", "an operand is negated", false, unary_inserted},
      {"name_replaced", "an operand becomes another variable, field or enumerator of its type", false, name_replaced},
  };
  return all;
}

std::vector<const Operator*> chosen_operators(const std::vector<std::string>& names) {
  std::vector<const Operator*> chosen;
  bool const all = std::find(names.begin(), names.end(), "all") != names.end();
  for (const std::string& name : names)
    if (name != "all" && std::none_of(operators().begin(), operators().end(), [&](const Operator& one) { return one.name == name; }))
      throw gates::Refusal("--operators: there is no operator " + name);
  for (const Operator& one : operators()) {
    bool const named = std::find(names.begin(), names.end(), one.name) != names.end();
    if (all || named || (names.empty() && one.by_default)) chosen.push_back(&one);
  }
  return chosen;
}

}  // namespace redproof::mutants
