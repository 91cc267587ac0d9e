#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "engine/serve/engine.h"

namespace redproof::engine::cli {

struct Completion {
  std::string prompt;  // empty where the prompt was token ids
  std::vector<std::int32_t> prompt_tokens;
  std::vector<std::int32_t> tokens;
  std::string text;  // empty where there is no tokenizer
};

struct Inspection {
  std::string model;
  EnginePlan plan;
  std::string unrouted;             // why no kernel is routed; empty where one is
  std::vector<LayerScales> scales;  // empty where there are no weights to read them from
  std::string scales_warning;
};

struct BenchResult {
  double read_gb_per_s;  // best of 1 and 2 threads
  std::int64_t prompt_tokens;
  double prefill_tokens_per_s;
  std::int64_t decode_tokens;
  double decode_tokens_per_s;
  std::int64_t bytes_per_token;  // weights, and the KV cache at the middle of the run
  double decode_gb_per_s;
  double share;  // of read_gb_per_s
};

const char* storage_name(KvStorage storage);
const char* origin_name(KvDtypeOrigin origin);
const char* origin_name(KvScaleOrigin origin);

std::string completions_json(const std::vector<Completion>& completions, const EnginePlan& plan);
std::string inspection_json(const Inspection& inspection);
std::string bench_json(const BenchResult& result);
std::string inspection_text(const Inspection& inspection);
std::string bench_text(const BenchResult& result);

}  // namespace redproof::engine::cli
