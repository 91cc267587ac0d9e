// The options of the program that writes checkpoints, run as a process.
#include <algorithm>
#include <filesystem>

#include "tests/catch.h"
#include "tests/engine/checkpoint/fixture.h"
#include "tests/engine/cli/program.h"

using namespace redproof::tests;

namespace {

class Maker {
 public:
  Finished run(std::vector<std::string> options) const {
    options.insert(options.begin(), dir().string());
    return run_program("make_checkpoint", options);
  }

  // One line, which begins with the option (and what it was given), and nothing written.
  void refuses(const std::vector<std::string>& options, const std::string& what) const {
    const Finished finished = run(options);
    CAPTURE(options, finished.err, what);
    CHECK(finished.exit_code == 1);
    CHECK(finished.out.empty());
    CHECK(std::count(finished.err.begin(), finished.err.end(), '\n') == 1);
    CHECK(finished.err.find("make_checkpoint: " + what) == 0);
    CHECK(std::filesystem::is_empty(folder_.path()));
    std::filesystem::remove_all(dir());
  }

  void takes(const std::vector<std::string>& options) const {
    const Finished finished = run(options);
    CAPTURE(options, finished.err);
    CHECK(finished.exit_code == 0);
    std::filesystem::remove_all(dir());
  }

  std::filesystem::path dir() const { return folder_.path() / "checkpoint"; }

 private:
  TemporaryFolder folder_;
};

using Texts = std::vector<std::string>;

const Texts no_numbers{"", "-", "+1", "1x", "0x1", "1.5", "1 "};

}  // namespace

TEST_CASE("a whole number that is none, or out of its range, is refused with option and value", "[cli][make_checkpoint]") {
  const Maker maker;
  const struct {
    std::string option, low, high;  // the first values that are out of range
    std::string range;
  } options[] = {{"--layers", "0", "1001", "1 to 1000"},
                 {"--hidden", "0", "65537", "1 to 65536"},
                 {"--q-heads", "0", "1025", "1 to 1024"},
                 {"--kv-heads", "0", "1025", "1 to 1024"},
                 {"--head-dim", "0", "1025", "1 to 1024"},
                 {"--intermediate", "0", "262145", "1 to 262144"},
                 {"--vocab", "0", "1048577", "1 to 1048576"},
                 {"--max-positions", "0", "1073741825", "1 to 1073741824"},
                 {"--shards", "-1", "10000", "0 to 9999"},
                 {"--seed", "-1", "18446744073709551616", "0 to 18446744073709551615"},
                 {"--eos", "-1", "67", "0 to 66"},
                 {"--keep-o-proj", "-1", "3", "0 to 2"},
                 {"--window", "0", "1073741825", "1 to 1073741824"},
                 {"--rope-original-positions", "0", "1073741825", "1 to 1073741824"}};
  for (const auto& one : options) {
    Texts refused = no_numbers;
    refused.insert(refused.end(), {one.low, one.high, "9223372036854775808"});
    if (one.option == "--seed") refused.pop_back();
    for (const std::string& text : refused)
      maker.refuses({one.option, text}, one.option + ": '" + text + "' is not in " + one.range + "\n");
  }
}

TEST_CASE("a list of whole numbers is refused with the option and the value that is none", "[cli][make_checkpoint]") {
  const Maker maker;
  for (const std::string option : {"--k-gains", "--v-gains"}) {
    for (const Texts& texts : {Texts{""}, {"1", ""}, {"1,,2"}, {","}, {"1,"}}) {
      Texts line{option};
      line.insert(line.end(), texts.begin(), texts.end());
      maker.refuses(line, option + ": '' is not in -100 to 100\n");
    }
    for (const std::string text : {"101", "-101", "1x", "99999999999999999999"}) {
      maker.refuses({option, "1," + text}, option + ": '" + text + "' is not in -100 to 100\n");
    }
    maker.refuses({option, "1,2,3,4"}, option + ": 4 values for 3 layers\n");
    maker.refuses({option, "20", "--dtype", "f16"}, "--k-gains, --v-gains: model.layers.0.");
    maker.takes({option, "-100,100", "1"});
  }
}

TEST_CASE("a real number that is none is refused with option and value", "[cli][make_checkpoint]") {
  const Maker maker;
  const Texts no_reals{"", "x", "1x", "0x1", "1e999", "1e-999", " 1", "+1"};
  for (const std::string option : {"--k-scales", "--v-scales"}) {
    for (const std::string& text : no_reals) maker.refuses({option, text}, option + ": '" + text + "' is no float32 number\n");
    maker.refuses({option, "1,,2"}, option + ": '' is no float32 number\n");
    maker.refuses({option, "1", "1e39"}, option + ": '1e39' is no float32 number\n");
    maker.refuses({option, "1e-50"}, option + ": '1e-50' is no float32 number\n");
    maker.refuses({option, "1,1,1,1"}, option + ": 4 values for 3 layers\n");
    maker.takes({option, "0.5,-1", "nan"});  // what the engine has to refuse can be written
  }
  for (const auto& [option, low] : {std::pair{"--rope-theta", "1"}, {"--rope-factor", "0"}}) {
    Texts refused = no_reals;
    refused.insert(refused.end(), {low, "-1", "nan", "inf", "-inf"});
    for (const std::string& text : refused) {
      maker.refuses({option + std::string("=") + text},
                    text.empty() ? std::string(option) : option + std::string(": '") + text + "' is no finite number above " + low + "\n");
    }
    maker.refuses({option, ""}, option + std::string(": '' is no finite number above ") + low + "\n");
  }
  maker.refuses({"--rope-theta", "1e-45"}, "--rope-theta: '1e-45' is no finite number above 1\n");
}

TEST_CASE("a word that is none of an option's is refused with all that are", "[cli][make_checkpoint]") {
  const Maker maker;
  for (const std::string word : {"zork", "", "0", "LLAMA"}) {
    const auto refused = [&](const std::string& option, const std::string& words) {
      maker.refuses({option, word}, option + ": '" + word + "' is none of " + words + "\n");
    };
    refused("--family", "llama, mistral, qwen2, qwen3");
    refused("--dtype", "bf16, f16, f32");
    refused("--rope", "default, linear, llama3, yarn");
    refused("--scale-names", "attn, cache, kv_scale, plain, proj, qkv_proj");
    refused("--weights", "absent, honest, lying_header, trailing_byte");
  }
  maker.takes({"--rope", "linear", "--family", "qwen3", "--dtype", "f32", "--scale-names", "proj", "--weights", "absent"});
}

TEST_CASE("options that contradict each other are refused by their names", "[cli][make_checkpoint]") {
  const Maker maker;
  maker.refuses({"--kv-heads", "4"}, "--kv-heads: 4 does not divide --q-heads 6\n");
  maker.refuses({"--head-dim", "5"}, "--head-dim: 5 is odd: rotation turns pairs of lanes\n");
  maker.refuses({"--eos", "10", "--vocab", "10"}, "--eos: '10' is not in 0 to 9\n");
  maker.refuses({"--keep-o-proj", "7"}, "--keep-o-proj: '7' is not in 0 to 2\n");
  maker.refuses({"--window", "5"}, "--window: a Llama model has none\n");
  maker.refuses({"--attention-bias", "--family", "qwen2"}, "--attention-bias: Llama only\n");
  maker.refuses({"--mlp-bias", "--family", "qwen3"}, "--mlp-bias: Llama only\n");
  maker.refuses({"--tokenizer"}, "--tokenizer: needs a --vocab of 272 or more\n");
  maker.refuses({"--rope", "yarn"}, "--rope yarn: needs --rope-original-positions\n");
  maker.refuses({"--rope", "llama3"}, "--rope llama3: needs --rope-original-positions\n");
  maker.refuses({"--layers", "3", "--layers", "3"}, "--layers: ");
  maker.refuses({"--zork"}, "The following argument was not expected: --zork\n");
  maker.refuses({"zork\n"}, "The following argument was not expected: zork\\x0a\n");
  maker.takes({"--keep-o-proj", "2", "--zero-o-proj", "--eos", "66", "--seed", "18446744073709551615"});
}

TEST_CASE("a document that is no JSON, or says a thing twice, is refused by its option", "[cli][make_checkpoint]") {
  const Maker maker;
  for (const std::string option : {"--extra-config", "--quantization-config", "--hf-quant-config"}) {
    maker.refuses({option, "{"}, option + ": not JSON at byte 2\n");
    maker.refuses({option, ""}, option + ": not JSON at byte 1\n");
    maker.refuses({option, "{} x"}, option + ": not JSON at byte 4\n");
    maker.refuses({option, R"({"a": 1, "a": 2})"}, option + ": key \"a\" twice in one object\n");
    maker.refuses({option, R"({"a": 1e999})"}, option + ": a: a number out of range\n");
  }
  maker.refuses({"--extra-config", "[]"}, "--extra-config: [] is not an object\n");
  maker.takes({"--extra-config", "{}", "--quantization-config", "[]", "--hf-quant-config", "null"});
}

TEST_CASE("the help of make_checkpoint names its exit codes, and output that is lost is an error", "[cli][make_checkpoint]") {
  const auto help = run_program("make_checkpoint", {"--help"});
  CHECK(help.exit_code == 0);
  for (const char* part : {"0 written", "1 refused", "70 an internal error", "130 interrupted"}) {
    CHECK(help.out.find(part) != std::string::npos);
  }
  const std::pair<const char*, const char*> lost_to[] = {{"/dev/full", "No space left on device"}, {"-", "Bad file descriptor"}};
  for (const auto& [out, why] : lost_to) {
    const auto lost = run_program("make_checkpoint", {"--help"}, {out, ""});
    CHECK(lost.exit_code == 1);
    CHECK(lost.err == std::string("make_checkpoint: stdout: cannot be written: ") + why + "\n");
  }
}
