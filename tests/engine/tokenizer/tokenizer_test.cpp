#include "engine/tokenizer/tokenizer.h"

#include "engine/types/error.h"
#include "tests/catch.h"
#include "tests/engine/checkpoint/fixture.h"
#include "tests/engine/tokenizer/tiny.h"

namespace redproof::tests {
namespace {

using engine::Tokenizer;
using Ids = std::vector<std::int32_t>;

Tokenizer load(const TinyTokenizer& tiny) {
  TemporaryFolder const folder;
  folder.write("tokenizer.json", tiny.json());
  return Tokenizer::load(folder.path() / "tokenizer.json");
}

const std::string end_token =
    R"([{"id":262,"content":"<end>","special":true,"normalized":false,"lstrip":false,"rstrip":false,"single_word":false}])";

}  // namespace

TEST_CASE("words are joined by rank and a space goes to the word behind it", "[tokenizer]") {
  Tokenizer const tokenizer = load({});
  CHECK(tokenizer.encode("hello world", true) == Ids{259, 260, 'o', 'r', 'l', 'd'});
  CHECK(tokenizer.encode("", true).empty());
  CHECK(tokenizer.vocab_size() == 262);
}

TEST_CASE("what is encoded decodes to itself", "[tokenizer]") {
  Tokenizer const tokenizer = load({});
  std::vector<std::string> const texts = {"hello", " a\r\n\tb  c", "caf\u00e9 \u4e16\u754c \U0001f600", std::string("n\0l\x7f", 4)};
  for (std::string const& text : texts) {
    CHECK(tokenizer.decode(tokenizer.encode(text, false), false) == text);
  }
}

TEST_CASE("a character cut in two decodes to one replacement character a part", "[tokenizer]") {
  Tokenizer const tokenizer = load({});
  Ids const face = tokenizer.encode("\U0001f600", false);
  REQUIRE(face.size() == 4);
  CHECK(tokenizer.decode({face[0], face[1], face[2]}, false) == "\ufffd");
  CHECK(tokenizer.decode({face[2], 'x', face[0], face[1]}, false) == "\ufffdx\ufffd");
}

TEST_CASE("an id that no token has decodes to nothing", "[tokenizer]") { CHECK(load({}).decode({'a', 5000, -1, 'b'}, false) == "ab"); }

TEST_CASE("text that is not UTF-8 is refused with the byte's place", "[tokenizer]") {
  Tokenizer const tokenizer = load({});
  CHECK_THAT(refusal_of([&] { tokenizer.encode("ab\xff", false); }), ContainsSubstring("byte 2 is not UTF-8"));
  CHECK_THAT(refusal_of([&] { tokenizer.encode("a\xed\xa0\x80", false); }), ContainsSubstring("byte 1 is not UTF-8"));
}

TEST_CASE("a special token is one id in text and can be left out of decoded text", "[tokenizer]") {
  TinyTokenizer tiny;
  tiny.added_tokens = end_token;
  Tokenizer const tokenizer = load(tiny);
  CHECK(tokenizer.encode("ab<end>ab", false) == Ids{261, 262, 261});
  CHECK(tokenizer.decode({261, 262, 261}, false) == "ab<end>ab");
  CHECK(tokenizer.decode({261, 262, 261}, true) == "abab");
  CHECK(tokenizer.vocab_size() == 263);
}

TEST_CASE("the post-processor's tokens stand around the text only when asked for", "[tokenizer]") {
  TinyTokenizer tiny;
  tiny.added_tokens = end_token;
  tiny.post_processor =
      R"({"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"e","type_id":0}},{"Sequence":{"id":"A","type_id":0}},{"SpecialToken":{"id":"e","type_id":0}}],"pair":[],"special_tokens":{"e":{"id":"e","ids":[262,10],"tokens":["<end>","x"]}}})";
  Tokenizer const tokenizer = load(tiny);
  CHECK(tokenizer.encode("ab", true) == Ids{262, 10, 261, 262, 10});
  CHECK(tokenizer.encode("ab", false) == Ids{261});
  CHECK(tokenizer.encode("", true) == Ids{262, 10, 262, 10});
}

TEST_CASE("a prefix space is put before text that does not begin with one", "[tokenizer]") {
  TinyTokenizer tiny;
  tiny.pre_tokenizer = R"({"type":"ByteLevel","add_prefix_space":true,"trim_offsets":true,"use_regex":true})";
  Tokenizer const tokenizer = load(tiny);
  CHECK(tokenizer.encode("w", false) == Ids{260});
  CHECK(tokenizer.encode(" w", false) == Ids{260});
}

TEST_CASE("every part that the steps in front of ByteLevel leave gets a prefix space of its own", "[tokenizer]") {
  TinyTokenizer tiny;
  tiny.added_tokens = end_token;
  auto const steps = [](const std::string& first) {
    return R"({"type":"Sequence","pretokenizers":[)" + first + R"(,{"type":"ByteLevel","add_prefix_space":true,"use_regex":true}]})";
  };
  tiny.pre_tokenizer = steps(R"({"type":"Digits","individual_digits":true})");
  CHECK(load(tiny).encode("w1", false) == Ids{260, ' ', '1'});
  CHECK(load(tiny).encode("12w", false) == Ids{' ', '1', ' ', '2', 260});
  CHECK(load(tiny).encode("1 w", false) == Ids{' ', '1', 260});
  CHECK(load(tiny).encode("w 1", false) == Ids{260, ' ', ' ', '1'});
  CHECK(load(tiny).encode("w<end>1", false) == Ids{260, 262, ' ', '1'});
  tiny.pre_tokenizer = steps(R"({"type":"Digits","individual_digits":false})");
  CHECK(load(tiny).encode("12w", false) == Ids{' ', '1', '2', 260});
  tiny.pre_tokenizer = steps(R"({"type":"Split","pattern":{"String":"-"},"behavior":"Removed","invert":false})");
  CHECK(load(tiny).encode("w-w- w", false) == Ids{260, 260, 260});
}

TEST_CASE("NFC composes before the text is split", "[tokenizer]") {
  TinyTokenizer tiny;
  CHECK(load(tiny).encode("e\u0301", false) == Ids{'e', 0xCC, 0x81});
  tiny.normalizer = R"({"type":"Sequence","normalizers":[{"type":"NFC"}]})";
  CHECK(load(tiny).encode("e\u0301", false) == Ids{0xC3, 0xA9});
}

TEST_CASE("a byte that the vocabulary lacks is dropped, or is the unknown token where one is named", "[tokenizer]") {
  TinyTokenizer tiny;
  tiny.vocab.replace(tiny.vocab.find(R"("\u007a":122,)"), 13, "");  // z
  CHECK(load(tiny).encode("azzb", false) == Ids{261});
  tiny.model_fields = R"("type":"BPE","unk_token":"hello")";
  CHECK(load(tiny).encode("azzb", false) == Ids{'a', 259, 259, 'b'});
  tiny.model_fields = R"("type":"BPE","unk_token":"hello","fuse_unk":true)";
  CHECK(load(tiny).encode("azzb", false) == Ids{'a', 259, 'b'});
  CHECK(load(tiny).encode("azzbzz", false) == Ids{'a', 259, 'b', 259});  // unknown bytes that stand apart are not fused
}

TEST_CASE("a merge that stands twice has the rank of its last place", "[tokenizer]") {
  TinyTokenizer tiny;
  tiny.vocab += R"(,"bc":262)";
  tiny.merges = R"(["a b","b c"])";
  CHECK(load(tiny).encode("abc", false) == Ids{261, 'c'});
  tiny.merges = R"(["a b","b c","a b"])";
  CHECK(load(tiny).encode("abc", false) == Ids{'a', 262});
}

TEST_CASE("a dropout of nothing is none", "[tokenizer]") {
  TinyTokenizer tiny;
  for (char const* const none : {"0", "0.0", "null"}) {
    tiny.model_fields = std::string(R"("type":"BPE","dropout":)") + none;
    CHECK(load(tiny).encode("ab hello", false) == Ids{261, ' ', 259});
  }
}

TEST_CASE("ByteLevel splits by its own pattern unless it says not to", "[tokenizer]") {
  TinyTokenizer tiny;
  tiny.vocab += R"(,"b1":262)";
  tiny.merges = R"(["b 1"])";
  auto const byte_level = [](const std::string& more) { return R"({"type":"ByteLevel","add_prefix_space":false)" + more + "}"; };
  tiny.pre_tokenizer = byte_level("");
  CHECK(load(tiny).encode("b1", false) == Ids{'b', '1'});
  tiny.pre_tokenizer = byte_level(R"(,"use_regex":true)");
  CHECK(load(tiny).encode("b1", false) == Ids{'b', '1'});
  tiny.pre_tokenizer = byte_level(R"(,"use_regex":false)");
  CHECK(load(tiny).encode("b1", false) == Ids{262});
}

TEST_CASE("a normalized added token is found in normalized text as its own normal form", "[tokenizer]") {
  TinyTokenizer tiny;
  tiny.normalizer = R"({"type":"NFC"})";
  auto const added = [](const std::string& normalized) {
    return R"([{"id":262,"content":"e\u0301","special":false,"normalized":)" + normalized +
           R"(,"lstrip":false,"rstrip":false,"single_word":false}])";
  };
  tiny.added_tokens = added("true");
  CHECK(load(tiny).encode("ae\u0301b\u00e9", false) == Ids{'a', 262, 'b', 262});
  tiny.added_tokens = added("false");
  CHECK(load(tiny).encode("ae\u0301b\u00e9", false) == Ids{'a', 262, 'b', 0xC3, 0xA9});
}

TEST_CASE("an added token decodes by bytes where its content is spelled in them, as it stands where it is not", "[tokenizer]") {
  TinyTokenizer tiny;
  auto const added = [](const std::string& id, const std::string& content) {
    return "{\"id\":" + id + R"(,"content":")" + content +
           R"(","special":false,"normalized":false,"lstrip":false,"rstrip":false,"single_word":false})";
  };
  tiny.added_tokens = "[" + added("262", R"(\u0120end)") + "," + added("263", R"(\u4e2d x)") + "]";
  CHECK(load(tiny).decode({'a', 262, 'b', 263}, false) == "a endb\u4e2d x");
}

TEST_CASE("with ignore_merges a word that is an entry is taken whole", "[tokenizer]") {
  TinyTokenizer tiny;
  tiny.merges = R"(["l l"])";
  CHECK(load(tiny).encode("hello", false) == Ids{'h', 'e', 257, 'o'});
  tiny.model_fields = R"("type":"BPE","ignore_merges":true)";
  CHECK(load(tiny).encode("hello hellos", false) == Ids{259, ' ', 'h', 'e', 257, 'o', 's'});
}

}  // namespace redproof::tests
