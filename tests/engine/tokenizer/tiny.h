#pragma once
#include <string>

namespace redproof::tests {

// A tokenizer.json by its sections, JSON text each. The vocabulary: the 256 bytes (id = byte), then "he" 256, "ll" 257, "hell" 258, "hello"
// 259, " w" 260 and "ab" 261; merges in that order, with "hell"+"o" for 259.
struct TinyTokenizer {
  TinyTokenizer();
  std::string added_tokens = "[]";
  std::string normalizer = "null";
  std::string pre_tokenizer = R"({"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":true})";
  std::string post_processor = "null";
  std::string decoder = R"({"type":"ByteLevel"})";
  std::string model_fields = R"("type":"BPE")";
  std::string vocab;  // the members of the object
  std::string merges = R"(["h e","l l","he ll","hell o",["\u0120","w"],"a b"])";
  std::string json() const;
};

}  // namespace redproof::tests
