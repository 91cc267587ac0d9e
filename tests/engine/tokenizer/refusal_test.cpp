// What tokenizer.json may not hold. Every refusal names the file and the field.
#include <fmt/format.h>
#include <sys/stat.h>

#include <fstream>

#include "engine/tokenizer/tokenizer.h"
#include "tests/catch.h"
#include "tests/engine/checkpoint/fixture.h"
#include "tests/engine/tokenizer/tiny.h"

namespace redproof::tests {
namespace {

std::string refusal_of_text(const std::string& json) {
  TemporaryFolder const folder;
  folder.write("tokenizer.json", json);
  std::string const message = refusal_of([&] { engine::Tokenizer::load(folder.path() / "tokenizer.json"); });
  std::string const file = (folder.path() / "tokenizer.json").string();
  return message.starts_with(file + ": ") ? message.substr(file.size() + 2) : "does not name the file: " + message;
}

struct Bad {
  std::string TinyTokenizer::* section;
  std::string value;
  std::string message;  // a part of it
};

std::string refusal_of_section(const Bad& bad) {
  TinyTokenizer tiny;
  tiny.*bad.section = bad.value;
  return refusal_of_text(tiny.json());
}

void check_all(const std::vector<Bad>& all) {
  for (Bad const& bad : all) CHECK_THAT(refusal_of_section(bad), ContainsSubstring(bad.message));
}

std::string split_with(const std::string& pattern) {
  return R"({"type":"Sequence","pretokenizers":[{"type":"Split","pattern":)" + pattern +
         R"(,"behavior":"Isolated","invert":false},{"type":"ByteLevel","add_prefix_space":false,"use_regex":false}]})";
}

const std::string special = R"({"SpecialToken":{"id":"s","type_id":0}})";

std::string sequence(const std::string& name) { return R"({"Sequence":{"id":")" + name + R"(","type_id":0}})"; }

std::string template_of(const std::vector<std::string>& single) {
  return fmt::format(
      R"({{"type":"TemplateProcessing","single":[{}],"pair":[],"special_tokens":{{"s":{{"id":"s","ids":[999],"tokens":["s"]}}}}}})",
      fmt::join(single, ","));
}

std::string added(const std::string& id, const std::string& content) {
  return fmt::format(R"({{"id":{},"content":{},"special":true,"normalized":false,"lstrip":false,"rstrip":false,"single_word":false}})", id,
                     content);
}

}  // namespace

TEST_CASE("a file that is missing, empty, cut short or not UTF-8 is refused", "[tokenizer]") {
  CHECK_THAT(refusal_of([] { engine::Tokenizer::load("/nowhere/tokenizer.json"); }),
             ContainsSubstring("/nowhere/tokenizer.json: no such file"));
  CHECK_THAT(refusal_of_text(""), ContainsSubstring("not JSON"));
  std::string const whole = TinyTokenizer().json();
  CHECK_THAT(refusal_of_text(whole.substr(0, whole.size() / 2)), ContainsSubstring("not JSON at byte"));
  CHECK_THAT(refusal_of_text("{\"\xff\":1}"), ContainsSubstring("not JSON at byte"));
  CHECK_THAT(refusal_of_text("[1]"), ContainsSubstring("is array, not an object"));
  CHECK_THAT(refusal_of_text("{\"model\":1e999}"), ContainsSubstring("out of range"));
  CHECK_THAT(refusal_of_text(whole + std::string("\0{", 2)), ContainsSubstring(fmt::format("not JSON at byte {}", whole.size() + 1)));
  TemporaryFolder const folder;
  CHECK(refusal_of([&] { engine::Tokenizer::load(folder.path()); }) == folder.path().string() + ": not a regular file");
  std::filesystem::path const pipe = folder.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(refusal_of([&] { engine::Tokenizer::load(pipe); }) == pipe.string() + ": not a regular file");
}

TEST_CASE("a document past 64 MiB or deeper than 64 is refused", "[tokenizer]") {
  std::string const deep = "{\"model\":" + std::string(64, '[') + std::string(64, ']') + "}";
  CHECK_THAT(refusal_of_text(deep), ContainsSubstring("nested deeper than 64"));
  std::string const allowed = "{\"model\":" + std::string(63, '[') + std::string(63, ']') + "}";
  CHECK_THAT(refusal_of_text(allowed), !ContainsSubstring("nested"));
  TemporaryFolder const folder;
  folder.write("tokenizer.json", "{}");
  std::filesystem::resize_file(folder.path() / "tokenizer.json", (64U << 20) + 1);
  CHECK_THAT(refusal_of([&] { engine::Tokenizer::load(folder.path() / "tokenizer.json"); }), ContainsSubstring("more than 67108864 bytes"));
}

TEST_CASE("a key that stands twice is refused, in the vocabulary too", "[tokenizer]") {
  CHECK_THAT(refusal_of_text(R"({"model":{},"model":{}})"), ContainsSubstring("key \"model\" twice"));
  TinyTokenizer tiny;
  tiny.vocab += R"(,"he":300)";
  CHECK_THAT(refusal_of_text(tiny.json()), ContainsSubstring("key \"he\" twice"));
  CHECK_THAT(refusal_of_text(R"({"\u001b[31m":1,"\u001b[31m":2})"), ContainsSubstring("\\x1b[31m"));
}

TEST_CASE("a model that is not a byte-level BPE is refused by its field", "[tokenizer]") {
  check_all({
      {&TinyTokenizer::model_fields, R"("type":"Unigram")", "model.type: \"Unigram\" is not supported"},
      {&TinyTokenizer::model_fields, R"("type":7)", "model.type: is number, not a string"},
      {&TinyTokenizer::model_fields, R"("byte_fallback":true)", "model.byte_fallback: true is not supported"},
      {&TinyTokenizer::model_fields, R"("dropout":0.1)", "model.dropout: "},
      {&TinyTokenizer::model_fields, R"("end_of_word_suffix":"</w>")", "model.end_of_word_suffix: is not supported"},
      {&TinyTokenizer::model_fields, R"("continuing_subword_prefix":"##")", "model.continuing_subword_prefix: is not supported"},
      {&TinyTokenizer::model_fields, R"("unk_token":"<unk>")", "model.unk_token: \"<unk>\" is not in model.vocab"},
      {&TinyTokenizer::model_fields, R"("temperature":1)", "model: temperature is not supported"},
      {&TinyTokenizer::merges, R"(["h e","x"])", "model.merges[1]: is not two tokens"},
      {&TinyTokenizer::merges, R"(["h  e"])", "model.merges[0]: is not two tokens"},
      {&TinyTokenizer::merges, R"([["h"]])", "model.merges[0]: is not a pair"},
      {&TinyTokenizer::merges, R"([["h",1]])", "model.merges[0][1]: is number, not a string"},
      {&TinyTokenizer::merges, R"(["h zz"])", "model.merges[0]: \"zz\" is not in model.vocab"},
      {&TinyTokenizer::merges, R"(["h h"])", "model.merges[0]: \"hh\" is not in model.vocab"},
      {&TinyTokenizer::merges, "{}", "model.merges: is object, not an array"},
      {&TinyTokenizer::merges, "null", "model: merges is missing"},
      {&TinyTokenizer::vocab, R"("a":-1)", "model.vocab: the id of \"a\""},
      {&TinyTokenizer::vocab, R"("a":2147483648)", "model.vocab: the id of \"a\""},
      {&TinyTokenizer::vocab, R"("a":1,"b":1)", "model.vocab: id 1 stands twice"},
  });
}

TEST_CASE("a step that is not supported is refused by its field", "[tokenizer]") {
  check_all({
      {&TinyTokenizer::normalizer, R"({"type":"NFKC"})", "normalizer.type: \"NFKC\" is not supported"},
      {&TinyTokenizer::normalizer, R"({"type":"Sequence","normalizers":[{"type":"NFC"},{"type":"Lowercase"}]})",
       "normalizer.normalizers[1].type: \"Lowercase\" is not supported"},
      {&TinyTokenizer::pre_tokenizer, "null", "pre_tokenizer is missing"},
      {&TinyTokenizer::pre_tokenizer, R"({"type":"Metaspace"})", "pre_tokenizer.type: \"Metaspace\" is not supported"},
      {&TinyTokenizer::pre_tokenizer, R"({"type":"Digits","individual_digits":true})", "pre_tokenizer: has no ByteLevel step"},
      {&TinyTokenizer::pre_tokenizer, R"({"type":"ByteLevel","use_regex":true})", "pre_tokenizer: add_prefix_space is missing"},
      {&TinyTokenizer::pre_tokenizer,
       R"({"type":"Sequence","pretokenizers":[{"type":"ByteLevel","add_prefix_space":false},{"type":"Digits","individual_digits":true}]})",
       "pre_tokenizer.pretokenizers[1]: comes after ByteLevel"},
      {&TinyTokenizer::pre_tokenizer, split_with(R"({"Regex":"(a"})"), "pre_tokenizer.pretokenizers[0].pattern.Regex: is no pattern"},
      {&TinyTokenizer::pre_tokenizer, split_with(R"({"Regex":"\\w+"})"), "pre_tokenizer.pretokenizers[0].pattern.Regex: uses '\\w'"},
      {&TinyTokenizer::pre_tokenizer, split_with(R"({"String":""})"), "pre_tokenizer.pretokenizers[0].pattern.String: is empty"},
      {&TinyTokenizer::decoder, R"({"type":"Metaspace"})", "decoder.type: \"Metaspace\" is not supported"},
      {&TinyTokenizer::decoder, "null", "decoder is missing"},
      {&TinyTokenizer::post_processor, R"({"type":"BertProcessing"})", "post_processor.type: \"BertProcessing\" is not supported"},
      {&TinyTokenizer::post_processor, R"({"type":"TemplateProcessing","single":[],"special_tokens":{}})",
       "post_processor.single: does not hold the sequence"},
      {&TinyTokenizer::post_processor,
       R"({"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"s","type_id":0}},{"Sequence":{"id":"A","type_id":0}}],"special_tokens":{"s":{"id":"s","ids":[999],"tokens":["s"]}}})",
       "post_processor: id 999 is no token's"},
      {&TinyTokenizer::post_processor, template_of({sequence("A"), special, special}), "post_processor: id 999 is no token's"},
      {&TinyTokenizer::post_processor, template_of({sequence("A"), sequence("A")}),
       "post_processor.single: does not hold the sequence \"A\" once"},
      {&TinyTokenizer::post_processor, template_of({sequence("B")}), "post_processor.single[0].Sequence.id: is not \"A\""},
      {&TinyTokenizer::post_processor, template_of({sequence("A"), sequence("B")}), "post_processor.single[1].Sequence.id: is not \"A\""},
      {&TinyTokenizer::post_processor,
       R"({"type":"Sequence","processors":[)" + template_of({sequence("A")}) + "," + template_of({sequence("A")}) + "]}",
       "post_processor.processors[1]: is a second TemplateProcessing"},
  });
}

TEST_CASE("an added token that the Python package would number otherwise is refused", "[tokenizer]") {
  check_all({
      {&TinyTokenizer::added_tokens, "[" + added("263", R"("<a>")") + "]",
       "added_tokens[0].id: 263 is not the id that this token gets, 262"},
      {&TinyTokenizer::added_tokens, "[" + added("262", R"("hello")") + "]",
       "added_tokens[0].id: 262 is not the id that this token gets, 259"},
      {&TinyTokenizer::added_tokens, "[" + added("262", R"("<a>")") + "," + added("263", R"("<a>")") + "]",
       "added_tokens[1].content: stands twice"},
      {&TinyTokenizer::added_tokens, "[" + added("262", R"("")") + "]", "added_tokens[0].content: is empty"},
      {&TinyTokenizer::added_tokens, "[" + added("-1", R"("<a>")") + "]", "added_tokens[0].id: is not a whole number"},
      {&TinyTokenizer::added_tokens, "[" + added("2147483648", R"("<a>")") + "]", "added_tokens[0].id: 2147483648 is above"},
      {&TinyTokenizer::added_tokens, R"([{"id":262}])", "added_tokens[0]: content is missing"},
  });
}

TEST_CASE("sections that would change ids unseen are refused", "[tokenizer]") {
  std::string whole = TinyTokenizer().json();
  whole.replace(whole.find(R"("padding":null)"), 14, R"("padding":{})");
  CHECK_THAT(refusal_of_text(whole), ContainsSubstring("padding: is not supported"));
  CHECK_THAT(refusal_of_text(R"({"surprise":1})"), ContainsSubstring("surprise is not supported"));
}

}  // namespace redproof::tests
