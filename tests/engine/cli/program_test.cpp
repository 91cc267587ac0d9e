#include "tests/engine/cli/program.h"

#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/catch.h"
#include "tests/engine/model/generated.h"

using namespace redproof::tests;
using redproof::properties::CheckpointOptions;
using redproof::properties::WeightsFile;

namespace {

const std::string announcement = "kv cache dtype: fp8_e4m3 (declared by the checkpoint)\n";

CheckpointOptions declared() {
  CheckpointOptions options;
  options.quantization_config = redproof::properties::modelopt_fp8_inline;
  options.k_scales = {0.06F, 0.05F, 0.07F};
  options.v_scales = {0.35F, 0.3F, 0.4F};
  return options;
}

std::vector<std::string> command(const std::string& name, const Generated& model, std::vector<std::string> rest = {}) {
  rest.insert(rest.begin(), {name, "--model", model.path().string()});
  return rest;
}

// One line that begins with the program's name.
bool is_error_line(const std::string& text) {
  return text.starts_with("engine: ") && std::count(text.begin(), text.end(), '\n') == 1 && text.ends_with('\n');
}

void check_refused(const Finished& finished, const std::string& what) {
  CAPTURE(finished.err, what);
  CHECK(finished.exit_code == 1);
  CHECK(finished.out.empty());
  CHECK(is_error_line(finished.err));
  CHECK(finished.err.find(what) != std::string::npos);
}

}  // namespace

TEST_CASE("generate continues token ids, the same on both instruction sets, for any threads and chunks", "[cli]") {
  const Generated model(declared());
  const auto first =
      run_engine(command("generate", model, {"--tokens", "1,2,3,4,5", "--tokens", "6", "--max-tokens", "8", "--ignore-eos"}));
  CHECK(first.exit_code == 0);
  CHECK(first.err == announcement);
  CHECK(std::count(first.out.begin(), first.out.end(), '\n') == 2);
  CHECK(std::count(first.out.begin(), first.out.end(), ',') == 14);
  const auto other = run_engine(command("generate", model,
                                        {"--tokens", "1,2,3,4,5", "--tokens", "6", "--max-tokens", "8", "--ignore-eos", "--isa", "scalar",
                                         "--threads", "3", "--chunk-tokens", "2", "--block-size", "3"}));
  CHECK(other.out == first.out);
}

TEST_CASE("tied embeddings make the logits, whatever lm_head.weight the checkpoint has beside them", "[cli]") {
  CheckpointOptions options;
  options.tied = true;
  const auto continued = [&] {
    const auto finished = run_engine(command("generate", Generated(options), {"--tokens", "1,2,3", "--max-tokens", "8", "--ignore-eos"}));
    CHECK(finished.exit_code == 0);
    return finished.out;
  };
  const std::string tied = continued();
  std::vector<float> other(67 * 48);
  for (std::size_t i = 0; i < other.size(); ++i) other[i] = static_cast<float>(i * 37 % 101) - 50.0F;
  options.extra_tensors = {{"lm_head.weight", {67, 48}, other, redproof::engine::DType::bf16}};
  CHECK(continued() == tied);
  options.extra_config = R"({"tie_word_embeddings": false})";
  CHECK(continued() != tied);
}

TEST_CASE("generate continues text where the checkpoint has a tokenizer", "[cli]") {
  CheckpointOptions options;
  options.tokenizer = true;
  options.vocab = redproof::properties::tokenizer_vocab;
  const Generated model(options);
  const auto json = run_engine(command("generate", model, {"--prompt", "the end", "--max-tokens", "4", "--format", "json"}));
  CHECK(json.exit_code == 0);
  CHECK(field_of(json.out, "prompt") == "\"the end\"");
  CHECK(field_of(json.out, "kv_cache_storage") == "\"bfloat16\"");
  check_refused(run_engine(command("generate", model, {"--prompt", "a", "--prompt", "b\xff\xfe"})), "prompt 1: text: byte 1 is not UTF-8");
  const auto literal =
      run_engine(command("generate", model, {"--prompt", "{}", "--prompt", "[a,b]", "--max-tokens", "1", "--format", "json"}));
  CHECK(literal.out.find("\"prompt\": \"{}\"") != std::string::npos);
  CHECK(literal.out.find("\"prompt\": \"[a,b]\"") != std::string::npos);
  check_refused(run_engine(command("generate", model, {"--prompt", ""})), "prompt 0: no tokens");
  const Generated silent({});
  check_refused(run_engine(command("generate", silent, {"--prompt", "the"})), "tokenizer.json");
}

TEST_CASE("several texts have a heading each, one has none", "[cli]") {
  CheckpointOptions options;
  options.tokenizer = true;
  options.vocab = redproof::properties::tokenizer_vocab;
  const Generated model(options);
  const auto continued = [&](std::vector<std::string> prompts) {
    prompts.insert(prompts.end(), {"--max-tokens", "3"});
    return run_engine(command("generate", model, std::move(prompts))).out;
  };
  const std::string one = continued({"--prompt", "the"}), other = continued({"--prompt", "end"});
  CHECK(one.find("[prompt") == std::string::npos);
  CHECK(continued({"--prompt", "the", "--prompt", "end"}) == "[prompt 0]\n" + one + "[prompt 1]\n" + other);
  check_refused(run_engine(command("generate", model, {"--prompt", "the", "end"})), "not expected: end");
  check_refused(run_engine(command("generate", model, {"--tokens", "1", "2"})), "not expected: 2");
}

TEST_CASE("a document that is no regular file is refused as that, and never waited for", "[cli]") {
  CheckpointOptions options;
  options.tokenizer = true;
  options.vocab = redproof::properties::tokenizer_vocab;
  for (const char* name : {"config.json", "hf_quant_config.json", "generation_config.json", "tokenizer.json"}) {
    const Generated model(options);
    const auto file = model.path() / name;
    const auto refused = [&] {
      check_refused(run_engine(command("generate", model, {"--prompt", "the"})), file.string() + ": not a regular file");
      std::filesystem::remove(file);
    };
    std::filesystem::remove(file);
    std::filesystem::create_directory(file);
    refused();
    REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
    refused();
    std::filesystem::create_symlink("/dev/zero", file);
    refused();
  }
}

TEST_CASE("a field of config.json that is refused is named with its file, by every command", "[cli]") {
  for (const auto& [field, value] : {std::pair{"rope_theta", "1e-45"}, {"rope_theta", "1e999"}, {"hidden_size", "1.5"}}) {
    const Generated model({});
    const auto file = model.path() / "config.json";
    std::ofstream(file) << "{\"architectures\": [\"LlamaForCausalLM\"], \"" << field << "\": " << value << "}";
    const std::string named = file.string() + ": " + field + ": ";
    check_refused(run_engine(command("inspect", model)), named);
    check_refused(run_engine(command("generate", model, {"--tokens", "1"})), named);
    check_refused(run_engine(command("bench", model)), named);
  }
}

TEST_CASE("an input that is refused has one line, whatever would have been said of it otherwise", "[cli]") {
  CheckpointOptions options = declared();
  options.k_scales = options.v_scales = {};  // two lines: the declaration, and no scales
  const Generated whole(options);
  const std::vector<std::string> run{"--tokens", "1", "--max-tokens", "1"};
  const auto said = run_engine(command("generate", whole, run)).err;
  REQUIRE(said.find(announcement) == 0);
  REQUIRE(std::count(said.begin(), said.end(), '\n') == 2);
  const auto refused = [](const Generated& model, const std::vector<std::string>& rest, const std::string& what) {
    check_refused(run_engine(command("generate", model, rest)), what);
  };
  refused(whole, {"--tokens", "67"}, "token 67");
  refused(whole, {"--prompt", "the"}, "tokenizer.json");
  refused(whole, {"--tokens", "1,2", "--max-tokens", "40", "--num-blocks", "2"}, "--num-blocks");
  refused(whole, {"--tokens", "1", "--max-tokens", "5000"}, "--max-tokens");
  refused(whole, {"--tokens", "1", "--kv-cache-memory", "7"}, "--kv-cache-memory");
  check_refused(run_engine(command("bench", whole, {"--num-blocks", "1"})), "--num-blocks");
  options.extra_config = R"({"num_hidden_layers": 4})";
  refused(Generated(options), run, "model.layers.3.input_layernorm.weight");
  options.extra_config = {};
  options.weights = WeightsFile::lying_header;
  refused(Generated(options), run, "model.safetensors");
  options = {};
  options.quantization_config = R"({"quant_method": "modelopt", "kv_cache_quant_algo": "paint"})";  // a warning
  const Generated warned(options);
  REQUIRE(run_engine(command("generate", warned, run)).err.find("\"paint\" is no known KV dtype") != std::string::npos);
  refused(warned, {"--tokens", "67"}, "token 67");
}

TEST_CASE("the typed flag reaches the engine: the announcement is there without it, and gone with it", "[cli]") {
  const Generated model(declared());
  const std::vector<std::string> run{"--tokens", "1,2,3", "--max-tokens", "2"};
  const auto with = [&](const std::string& dtype) {
    auto arguments = command("generate", model, run);
    arguments.insert(arguments.end(), {"--kv-cache-dtype", dtype});
    return run_engine(arguments);
  };
  CHECK(run_engine(command("generate", model, run)).err == announcement);
  CHECK(with("auto").err == announcement);
  CHECK(with("fp8").err.empty());
  CHECK(with("bfloat16").err.empty());
}

TEST_CASE("inspect prints what was resolved, with its origin, and needs no weights", "[cli]") {
  CheckpointOptions options = declared();
  options.weights = WeightsFile::absent;
  const Generated model(options);
  const auto json = run_engine(command("inspect", model, {"--json"}));
  CHECK(json.exit_code == 0);
  CHECK(json.err.empty());
  CHECK(field_of(json.out, "kv_cache_dtype") == "\"fp8_e4m3\"");
  CHECK(field_of(json.out, "kv_cache_dtype_origin") == "\"checkpoint\"");
  CHECK(field_of(json.out, "kv_cache_storage") == "\"fp8_e4m3\"");
  CHECK(field_of(json.out, "routed") == "true");
  CHECK(field_of(json.out, "warning") == "null");
  CHECK(field_of(json.out, "bytes_per_block") == "1280");
  CHECK(field_of(json.out, "num_blocks") == "256");
  CHECK(field_of(json.out, "scales") == "absent");
  const auto typed = run_engine(command("inspect", model, {"--json", "--kv-cache-dtype", "bfloat16", "--kv-cache-memory", "96KiB"}));
  CHECK(field_of(typed.out, "kv_cache_dtype_origin") == "\"flag\"");
  CHECK(field_of(typed.out, "num_blocks") == "12");  // 98304 / (3 layers * 16 tokens * 2 heads * 2 sides * 20 lanes * 2 bytes)
  const auto half = run_engine(command("inspect", model, {"--json", "--kv-cache-memory", "96KiB"}));
  CHECK(field_of(half.out, "num_blocks") == "25");
}

TEST_CASE("a model's path that is no UTF-8 is printed with replacement characters, in text and in JSON", "[cli]") {
  const Generated model(declared());
  const auto link = model.path().parent_path() / (model.path().filename().string() + "\xff");
  std::filesystem::create_directory_symlink(model.path(), link);
  CHECK(run_engine({"inspect", "--model", link.string()}).exit_code == 0);
  const auto json = run_engine({"inspect", "--model", link.string(), "--json"});
  CHECK(field_of(json.out, "model") == "\"" + model.path().string() + "\xEF\xBF\xBD\"");
  std::filesystem::remove(link);
}

TEST_CASE("inspect lists the scales that weights carry, in text and in JSON", "[cli]") {
  const Generated model(declared());
  const auto text = run_engine(command("inspect", model));
  CHECK(text.exit_code == 0);
  CHECK(text.out.find("scales of layer 1: k 0.05, v 0.3 (checkpoint)") != std::string::npos);
  CHECK(field_of(run_engine(command("inspect", model, {"--json"})).out, "origin") == "\"checkpoint\"");
  CHECK(field_of(run_engine(command("inspect", model, {"--json", "--kv-cache-dtype", "bfloat16"})).out, "origin") == "\"unused\"");
}

TEST_CASE("inspect reports a dtype that is not routed, generate refuses it before the weights", "[cli]") {
  CheckpointOptions options;
  options.quantization_config = R"({"quant_method": "modelopt", "quant_algo": "NVFP4", "kv_cache_quant_algo": "NVFP4"})";
  options.weights = WeightsFile::lying_header;
  const Generated model(options);
  const auto json = run_engine(command("inspect", model, {"--json"}));
  CHECK(json.exit_code == 0);
  CHECK(field_of(json.out, "kv_cache_dtype") == "\"nvfp4\"");
  CHECK(field_of(json.out, "kv_cache_storage") == "null");
  CHECK(field_of(json.out, "routed") == "false");
  const auto refused = run_engine(command("generate", model, {"--tokens", "1"}));
  CHECK(refused.exit_code == 1);
  CHECK(refused.err.find("nvfp4") != std::string::npos);
  CHECK(refused.err.find("model.safetensors") == std::string::npos);
}

TEST_CASE("bench prints tokens a second, bytes a token and the share of the read bandwidth", "[cli]") {
  const Generated model({});
  const auto json = run_engine(command("bench", model, {"--prompt-tokens", "8", "--max-tokens", "4", "--format", "json"}));
  CHECK(json.exit_code == 0);
  // 146976 bytes of weights, and 10 tokens in 3 layers, K and V, 2 heads of 20, 2 bytes.
  CHECK(field_of(json.out, "bytes_per_token") == "151776");
  CHECK(field_of(json.out, "share_of_read_bandwidth") != "absent");
  check_refused(run_engine(command("bench", model, {"--num-blocks", "1"})), "--num-blocks");
}

TEST_CASE("a command line that says nothing sensible is refused on one line", "[cli]") {
  const Generated model({});
  const auto refused = [&](std::vector<std::string> rest, const std::string& what) {
    check_refused(run_engine(command("generate", model, std::move(rest))), what);
  };
  check_refused(run_engine({}), "A subcommand is required: generate, inspect or bench");
  check_refused(run_engine({"generate"}), "--model");
  check_refused(run_engine({"paint"}), "'paint' is no command");
  check_refused(run_engine({"inspect", "--model", ""}), "--model");
  for (const char* option : {"--threads", "--isa", "--chunk-tokens"}) {
    check_refused(run_engine(command("inspect", model, {option, "1"})), option);
  }
  for (const char* option : {"--num-blocks", "--threads", "--block-size", "--chunk-tokens", "--max-tokens"}) {
    for (const std::string text : {"0", "-1", "x", "", "1x", "99999999999999999999"}) {
      check_refused(run_engine(command("generate", model, {"--tokens", "1", option, text})),
                    std::string(option) + ": '" + text + "' is not in 1 to ");
    }
  }
  check_refused(run_engine(command("bench", model, {"--prompt-tokens", ""})), "--prompt-tokens: '' is not in 1 to 1048576");
  check_refused(run_engine({"generate", "--model", "/nowhere\n/at all", "--tokens", "1"}), "\\x0a/at all");
  refused({}, "--prompt or --tokens");
  refused({"--tokens", "1", "--prompt", "a"}, "--prompt or --tokens");
  refused({"--tokens", "1", "--paint"}, "--paint");
  refused({"--tokens", "1", "--threads", "2", "--threads", "2"}, "--threads");
  refused({"--tokens", "1", "--kv-cache-dtype", "fp8", "--kv-cache-dtype", "fp8"}, "--kv-cache-dtype");
  refused({"--tokens", "1", "--ignore-eos", "--ignore-eos"}, "--ignore-eos");
  for (const char* ids : {"", ",", "1,", "1,2,", ",1", "1,,2", "1,2x", "-1", "1 ,2"}) refused({"--tokens", ids}, "--tokens: '");
  refused({"--tokens", "99999999999"}, "--tokens");
  refused({"--tokens", "1", "--isa", "mmx"}, "--isa");
  refused({"--tokens", "1", "--threads", "0"}, "--threads");
  refused({"--tokens", "1", "--block-size", "-4"}, "--block-size");
  refused({"--tokens", "1", "--max-tokens", "0"}, "--max-tokens");
  refused({"--tokens", "1", "--num-blocks", "0"}, "--num-blocks");
  refused({"--tokens", "1", "--num-blocks", "4", "--kv-cache-memory", "1MiB"}, "--kv-cache-memory");
  for (const char* text : {"", "1MB", "KiB", "0", "-1KiB", "99999999999999999999"}) {
    refused({"--tokens", "1", "--kv-cache-memory", text}, std::string("--kv-cache-memory: '") + text + "' is not a number of bytes");
  }
  refused({"--tokens", "1", "--kv-cache-memory", "9999999999GiB"}, "--kv-cache-memory");
  refused({"--tokens", "1", "--kv-cache-memory", "10"}, "");
  refused({"--tokens", "1", "--kv-cache-dtype", "paint"}, "paint");
  refused({"--tokens", "1", "--kv-cache-dtype", "AUTO"}, "AUTO");
  refused({"--tokens", "1,2", "--max-tokens", "40", "--num-blocks", "2"}, "--num-blocks");
  refused({"--tokens", "67"}, "token 67");
}

TEST_CASE("help names the exit codes and ends well", "[cli]") {
  const auto help = run_engine({"--help"});
  CHECK(help.exit_code == 0);
  for (const char* part : {"generate", "inspect", "bench", "70 an internal error", "130 interrupted"}) {
    CHECK(help.out.find(part) != std::string::npos);
  }
  for (const char* command : {"generate", "inspect", "bench"}) {
    const auto own = run_engine({command, "--help"});
    CHECK(own.out.find("--kv-cache-dtype") != std::string::npos);
    CHECK(own.out.find("130 interrupted") != std::string::npos);
  }
  CHECK(run_engine({"--version"}).exit_code == 0);
}

TEST_CASE("output that is lost is an error", "[cli]") {
  const Generated model({});
  // A limit on files is met as a full disk is: the report is longer, the message is not.
  CHECK(run_program("engine", command("inspect", model, {"--json"}), {}, {.file_bytes = 200}).exit_code == 1);
  CHECK(run_program("engine", command("inspect", model, {"--json"}), {}, {.file_bytes = 200}).err == "engine: stdout: File too large\n");
  CHECK(run_engine({"--version"}, {"/dev/full", ""}).err == "engine: stdout: No space left on device\n");
  for (const char* out : {"/dev/full", "-"}) {
    for (const auto& arguments :
         {command("inspect", model), command("generate", model, {"--tokens", "1", "--max-tokens", "1"}), {"--help"}}) {
      CAPTURE(out, arguments[0]);
      check_refused(run_engine(arguments, {out, ""}), "stdout");
    }
  }
}

TEST_CASE("an interrupt ends with 130 and no output", "[cli]") {
  CheckpointOptions options = declared();
  options.max_positions = 1 << 20;
  const Generated model(options);
  // It announces its dtype, then decodes for as long as it is let.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const auto finished = interrupt_engine(
        command("generate", model, {"--tokens", "1", "--max-tokens", "200000", "--ignore-eos", "--num-blocks", "12501", "--isa", "scalar"}),
        signal);
    CAPTURE(signal);
    CHECK(finished.exit_code == 130);
    CHECK(finished.out.empty());
    CHECK(finished.err.find("engine: interrupted\n") != std::string::npos);
  }
}

TEST_CASE("a stderr that takes nothing changes no exit code and no output", "[cli]") {
  const Generated model(declared());
  const std::vector<std::string> run = command("generate", model, {"--tokens", "1", "--max-tokens", "2"});
  const auto told = run_engine(run);
  REQUIRE(told.err == announcement);
  for (const char* err : {"/dev/full", "-"}) {
    CAPTURE(err);
    const auto untold = run_engine(run, {"", err});
    CHECK(untold.exit_code == 0);
    CHECK(untold.out == told.out);
    CHECK(run_engine({"paint"}, {"", err}).exit_code == 1);
    CHECK(run_engine({"inspect", "--model", "/nowhere"}, {"", err}).exit_code == 1);
  }
}
