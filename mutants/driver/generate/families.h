// The operators' functions, by family: each looks at one spot and adds what it would change there.
#pragma once
#include "mutants/driver/generate/operators.h"

namespace redproof::mutants {

// logic.cpp
void relational(const Spot& spot, Changes& changes);
void logical(const Spot& spot, Changes& changes);
void bitwise(const Spot& spot, Changes& changes);
void condition_forced(const Spot& spot, Changes& changes);
// arithmetic.cpp
void arithmetic(const Spot& spot, Changes& changes);
void shift(const Spot& spot, Changes& changes);
void assignment(const Spot& spot, Changes& changes);
void increment(const Spot& spot, Changes& changes);
void unary_dropped(const Spot& spot, Changes& changes);
void unary_inserted(const Spot& spot, Changes& changes);
// constants.cpp
void constant(const Spot& spot, Changes& changes);
void initialiser(const Spot& spot, Changes& changes);
void return_value(const Spot& spot, Changes& changes);
// statements.cpp
void statement_deleted(const Spot& spot, Changes& changes);
void call_removed(const Spot& spot, Changes& changes);
void jump(const Spot& spot, Changes& changes);
void loop_bound(const Spot& spot, Changes& changes);
void loop_once(const Spot& spot, Changes& changes);
// order.cpp
void statement_moved(const Spot& spot, Changes& changes);
// names.cpp
void argument_swapped(const Spot& spot, Changes& changes);
void scale_swapped(const Spot& spot, Changes& changes);
void stride_swapped(const Spot& spot, Changes& changes);
void neighbour_swapped(const Spot& spot, Changes& changes);
void name_replaced(const Spot& spot, Changes& changes);
// numeric.cpp
void factor_dropped(const Spot& spot, Changes& changes);
void index_term_dropped(const Spot& spot, Changes& changes);
void term_dropped(const Spot& spot, Changes& changes);
void widening_removed(const Spot& spot, Changes& changes);
void accumulator_narrowed(const Spot& spot, Changes& changes);
void cast_removed(const Spot& spot, Changes& changes);
void scale_twice(const Spot& spot, Changes& changes);
void index_shifted(const Spot& spot, Changes& changes);
// calls.cpp
void rounding_replaced(const Spot& spot, Changes& changes);
void saturation_removed(const Spot& spot, Changes& changes);
void std_swapped(const Spot& spot, Changes& changes);
// cuda.cpp
void sync_removal(const Spot& spot, Changes& changes);
void sync_narrow(const Spot& spot, Changes& changes);
void gpu_index_replacement(const Spot& spot, Changes& changes);
void gpu_index_increment(const Spot& spot, Changes& changes);
void gpu_index_decrement(const Spot& spot, Changes& changes);
void mask_narrow(const Spot& spot, Changes& changes);
void stride_drop(const Spot& spot, Changes& changes);
void bounds_guard(const Spot& spot, Changes& changes);
void atom_removal(const Spot& spot, Changes& changes);
void share_removal(const Spot& spot, Changes& changes);
void alloc_swap(const Spot& spot, Changes& changes);
void alloc_increment(const Spot& spot, Changes& changes);
void alloc_decrement(const Spot& spot, Changes& changes);
void launch_shared_bytes(const Spot& spot, Changes& changes);
void stream_default(const Spot& spot, Changes& changes);
// asynchronous.cpp
void pipeline_wait(const Spot& spot, Changes& changes);
void ptx_ld_volatile(const Spot& spot, Changes& changes);
void wait_removed(const Spot& spot, Changes& changes);
// reductions.cpp
void reduce_identity(const Spot& spot, Changes& changes);
void dtype_accum(const Spot& spot, Changes& changes);
void warp_stride(const Spot& spot, Changes& changes);
// formats.cpp
void fp8_variant(const Spot& spot, Changes& changes);
void fp8_no_saturate(const Spot& spot, Changes& changes);

}  // namespace redproof::mutants
