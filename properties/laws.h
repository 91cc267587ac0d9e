#pragma once
#include "properties/run.h"
#include "properties/subjects/kv_subject.h"

// The laws, one file each. A function runs its law for the subject that it is given, or for each that its own file names, and
// returns green only where every run was.
namespace redproof::properties {

// A law over the whole engine runs on the production loader and forward pass; its subject is "cpu".
LawVerdict worse(LawVerdict a, LawVerdict b);

// Store and read of one layer.
LawVerdict stored_byte_is_nearest(const KvSubject& subject);
LawVerdict other_bytes_are_unchanged(const KvSubject& subject);
LawVerdict bad_slot_is_refused(const KvSubject& subject);
LawVerdict source_dtype_changes_no_byte(const KvSubject& subject);
LawVerdict disagreeing_storage_is_refused(const KvSubject& subject);
LawVerdict read_of_store_is_within_envelope(const KvSubject& subject);
LawVerdict two_scales_read_alike(const KvSubject& subject);
LawVerdict read_is_own_element(const KvSubject& subject);
LawVerdict far_position_is_read(const KvSubject& subject);
LawVerdict nan_code_reads_as_nan(const KvSubject& subject);
LawVerdict bad_block_is_refused(const KvSubject& subject);
LawVerdict bad_call_is_refused(const KvSubject& subject);
LawVerdict bad_tile_is_refused();
LawVerdict read_writes_its_tile();
LawVerdict attention_is_near_truth(const KvSubject& subject);
LawVerdict address_is_exact();
LawVerdict slot_is_exact();

// Sizes.
LawVerdict page_size_is_closed_form();
LawVerdict pool_fills_memory();
LawVerdict pool_serves_its_batch();
LawVerdict block_is_taken_once();
LawVerdict impossible_size_is_refused();
LawVerdict layer_specs_follow_config();
LawVerdict flags_size_the_cache();
LawVerdict arguments_reach_options();

// Resolution, refusal and scales, on real directories.
LawVerdict kv_dtype_is_resolved();
LawVerdict declaration_decides_storage();
LawVerdict inline_outranks_legacy();
LawVerdict refusal_precedes_weights();
LawVerdict unrouted_dtype_is_refused();
LawVerdict flag_decides_dtype();
LawVerdict scale_is_loaded();
LawVerdict bad_scale_is_refused();
LawVerdict scale_moves_bytes();
LawVerdict warning_follows_coverage();

// The whole forward pass.
LawVerdict model_is_scale_covariant();
LawVerdict pages_match_bf16_run();
LawVerdict attention_matches_bf16_run();
LawVerdict attention_matches_own_pages();
LawVerdict generation_is_deterministic();
LawVerdict batch_changes_no_bit();
LawVerdict token_is_greedy();
LawVerdict generation_stops_where_told();
LawVerdict passes_hold_their_tokens();
LawVerdict observers_see_every_row();
LawVerdict bad_chunk_is_refused();
LawVerdict logits_match_rewritten_bf16_run();

}  // namespace redproof::properties
