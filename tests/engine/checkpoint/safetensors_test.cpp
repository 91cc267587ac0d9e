#include "engine/checkpoint/safetensors.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/catch.h"
#include "tests/engine/checkpoint/fixture.h"

namespace redproof::tests {
namespace {

using engine::Checkpoint;
using engine::DType;
using engine::TensorView;

std::vector<float> floats_of(const TensorView& tensor) {
  std::vector<float> values(static_cast<std::size_t>(tensor.shape.at(0)));
  std::memcpy(values.data(), tensor.data, values.size() * sizeof(float));
  return values;
}

// What opening a directory with this one file says, from the file's name on.
std::string refusal_of_file(const std::string& bytes) {
  TemporaryFolder const folder;
  folder.write("model.safetensors", bytes);
  std::string const message = refusal_of([&] { Checkpoint::open(folder.path()); });
  std::size_t const at = message.find("model.safetensors: ");
  return at == std::string::npos ? message : message.substr(at);
}

std::string refusal_of_header(const std::string& header, const std::string& data) { return refusal_of_file(with_header(header, data)); }

std::string entry(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return R"({"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}";
}

std::string index_of(const std::string& weight_map) { return R"({"metadata": {"total_size": 8}, "weight_map": {)" + weight_map + "}}"; }

std::string refusal_of_shards(const std::string& weight_map) {
  TemporaryFolder const folder;
  folder.write("model.safetensors.index.json", index_of(weight_map));
  folder.write("one.safetensors", safetensors({f32_scalar("a", 1)}));
  folder.write("two.safetensors", safetensors({f32_scalar("b", 2)}));
  folder.write("three.safetensors", safetensors({f32_scalar("a", 3)}));
  return refusal_of([&] { Checkpoint::open(folder.path()); });
}

}  // namespace

TEST_CASE("tensors of three dtypes are read from one file", "[safetensors]") {
  TemporaryFolder const folder;
  folder.write("model.safetensors", safetensors({{"w", "F32", {3}, f32_bytes({1.5F, -2.0F, 3.25F})},
                                                 {"b", "BF16", {1, 2}, bf16_bytes({1.0F, -1.0F})},
                                                 {"h", "F16", {2}, u16_bytes({0x3C00, 0xC000})},
                                                 {"empty", "F32", {0, 4}, ""}}));
  CHECK(Checkpoint::has_weights(folder.path()));
  Checkpoint const checkpoint = Checkpoint::open(folder.path());
  CHECK(checkpoint.names() == std::vector<std::string>{"b", "empty", "h", "w"});
  CHECK(floats_of(checkpoint.at("w")) == std::vector<float>{1.5F, -2.0F, 3.25F});
  CHECK(checkpoint.at("b").dtype == DType::bf16);
  CHECK(checkpoint.at("b").shape == std::vector<std::int64_t>{1, 2});
  CHECK(checkpoint.at("h").dtype == DType::f16);
  CHECK(checkpoint.at("empty").shape == std::vector<std::int64_t>{0, 4});
  CHECK(checkpoint.at("w").file == (folder.path() / "model.safetensors").string());
  CHECK(checkpoint.find("absent") == nullptr);
  CHECK(refusal_of([&] { checkpoint.at("absent"); }) == folder.path().string() + ": tensor absent: missing");
}

TEST_CASE("a tensor that is not aligned in its file is aligned in memory", "[safetensors]") {
  for (std::size_t blanks = 0; blanks < 8; ++blanks) {
    TemporaryFolder const folder;
    std::string const header = R"({"w":)" + entry("F32", "[2]", "[0,8]") + R"(,"b":)" + entry("BF16", "[1]", "[8,10]") + "}";
    folder.write("model.safetensors", with_header(header + std::string(blanks, ' '), f32_bytes({0.5F, 7.0F}) + bf16_bytes({2.0F})));
    Checkpoint const checkpoint = Checkpoint::open(folder.path());
    CHECK(reinterpret_cast<std::uintptr_t>(checkpoint.at("w").data) % alignof(float) == 0);
    CHECK(reinterpret_cast<std::uintptr_t>(checkpoint.at("b").data) % alignof(std::uint16_t) == 0);
    CHECK(floats_of(checkpoint.at("w")) == std::vector<float>{0.5F, 7.0F});
    CHECK(std::memcmp(checkpoint.at("b").data, "\x00\x40", 2) == 0);
  }
}

TEST_CASE("a checkpoint outlives the folder it was opened from", "[safetensors]") {
  Checkpoint const checkpoint = [] {
    TemporaryFolder const folder;
    folder.write("model.safetensors", safetensors({{"w", "F32", {1}, f32_bytes({4.0F})}}));
    return Checkpoint::open(folder.path());
  }();
  CHECK(floats_of(checkpoint.at("w")) == std::vector<float>{4.0F});
}

TEST_CASE("a tensor of a dtype that nobody reads is refused only when it is asked for", "[safetensors]") {
  TemporaryFolder const folder;
  folder.write("model.safetensors",
               safetensors({{"q", "F8_E4M3", {3}, "abc"}, {"p", "F4", {4}, "ab"}, {"w", "F32", {1}, f32_bytes({4.0F})}}));
  Checkpoint const checkpoint = Checkpoint::open(folder.path());
  CHECK(checkpoint.names() == std::vector<std::string>{"w"});
  std::string const message = refusal_of([&] { checkpoint.find("q"); });
  CHECK(message == (folder.path() / "model.safetensors").string() + ": tensor q: dtype F8_E4M3 is not read (read: BF16, F16, F32)");
  CHECK(refusal_of([&] { checkpoint.at("p"); }).find("tensor p: dtype F4 is not read") != std::string::npos);
}

TEST_CASE("a header whose length lies is refused", "[safetensors]") {
  std::string const honest = safetensors({f32_scalar("a", 1)});
  CHECK(refusal_of_file("") == "model.safetensors: empty");
  CHECK(refusal_of_file("1234567") == "model.safetensors: header: shorter than its length field");
  CHECK(starts(refusal_of_file(honest.substr(0, 40)), "model.safetensors: header: length"));
  std::string lying = honest;
  lying[3] = '\x01';  // 16 MiB
  CHECK(starts(refusal_of_file(lying), "model.safetensors: header: length 16777"));
  lying[7] = '\x7f';
  CHECK(refusal_of_file(lying).find("is over 67108864 bytes") != std::string::npos);
  CHECK(starts(refusal_of_file(std::string(8, '\xff')), "model.safetensors: header: length 18446744073709551615 is over"));
  CHECK(starts(refusal_of_file(with_header("", "")), "model.safetensors: header: not JSON"));
  std::string longer_by_one = with_header("{}", "");
  longer_by_one[0] = 3;
  CHECK(refusal_of_file(longer_by_one) == "model.safetensors: header: length 3 is past the end of a file of 10 bytes");
}

TEST_CASE("a truncated file is refused with the tensor that is cut", "[safetensors]") {
  std::string const honest = safetensors({f32_scalar("a", 1), f32_scalar("b", 2)});
  CHECK(refusal_of_file(honest.substr(0, honest.size() - 1)) ==
        "model.safetensors: tensor b: data_offsets: end 8 is past the 7 bytes of data");
  CHECK(refusal_of_file(honest + "x") == "model.safetensors: 1 bytes after the last tensor");
}

TEST_CASE("a header that is no table of tensors is refused", "[safetensors]") {
  CHECK(refusal_of_header("[]", "") == "model.safetensors: header: not an object");
  CHECK(refusal_of_header(R"({"a":7})", "") == "model.safetensors: tensor a: 7 is not an object");
  CHECK(refusal_of_header(R"({"a":1,"a":2})", "") == "model.safetensors: header: key \"a\" twice in one object");
  CHECK(refusal_of_header(R"({"__metadata__":[]})", "") == "model.safetensors: header: __metadata__: not an object");
  CHECK(refusal_of_header(R"({"__metadata__":{"format":1}})", "") == "model.safetensors: header: __metadata__: 1 is not a string");
  CHECK(refusal_of_header(R"({"a\u001b[2J":7})", "") == "model.safetensors: tensor a\\x1b[2J: 7 is not an object");
}

TEST_CASE("an entry that does not hold together is refused with its tensor", "[safetensors]") {
  struct Case {
    std::string entry;
    const char* why;
  };
  for (const Case& c : {Case{R"({"shape":[1],"data_offsets":[0,4]})", "dtype: missing"},
                        Case{R"({"dtype":7,"shape":[1],"data_offsets":[0,4]})", "dtype: missing"},
                        Case{entry("F33", "[1]", "[0,4]"), "unknown dtype \"F33\""},
                        Case{R"({"dtype":"F32","data_offsets":[0,4]})", "shape: missing"},
                        Case{entry("F32", "1", "[0,4]"), "shape: missing"},
                        Case{entry("F32", "[-1]", "[0,4]"), "shape: -1 is no size"},
                        Case{entry("F32", "[1.0]", "[0,4]"), "shape: 1.0 is no size"},
                        Case{entry("F32", "[9223372036854775808]", "[0,4]"), "shape: 9223372036854775808 is no size"},
                        Case{entry("F32", "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", "[0,4]"), "shape: more than 16 dimensions"},
                        Case{R"({"dtype":"F32","shape":[1]})", "data_offsets: missing"},
                        Case{entry("F32", "[1]", "[0]"), "data_offsets: not a begin"},
                        Case{entry("F32", "[1]", "[0,4,4]"), "data_offsets: not a begin"},
                        Case{entry("F32", "[1]", "[4,0]"), "data_offsets: not a begin"},
                        Case{entry("F32", "[1]", "[-4,0]"), "data_offsets: -4 is no size"},
                        Case{entry("F32", "[1]", "[4,8]"), "data_offsets: end 8 is past the 4 bytes of data"},
                        Case{entry("F32", "[1]", "[0,9223372036854775807]"), "data_offsets: end 9223372036854775807 is past"},
                        Case{entry("F32", "[2]", "[0,4]"), "shape [2] of F32 is not its 4 bytes"},
                        Case{entry("BF16", "[1]", "[0,4]"), "shape [1] of BF16 is not its 4 bytes"},
                        Case{entry("F32", "[4611686018427387904,4]", "[0,4]"), "shape [4611686018427387904,4] of F32 is not"},
                        Case{entry("F32", "[4294967296,4294967296]", "[0,0]"), "shape [4294967296,4294967296] of F32 is not"},
                        Case{entry("F4", "[1]", "[0,1]"), "shape [1] of F4 is not"}}) {
    INFO(c.entry);
    CHECK(starts(refusal_of_header("{\"a\":" + c.entry + "}", "1234"), std::string("model.safetensors: tensor a: ") + c.why));
  }
}

TEST_CASE("tensors neither overlap nor leave gaps", "[safetensors]") {
  auto const pair = [](const char* a, const char* b) {
    return R"({"a":)" + entry("F32", "[1]", a) + R"(,"b":)" + entry("F32", "[1]", b) + "}";
  };
  CHECK(refusal_of_header(pair("[0,4]", "[4,8]"), "12345678") == "nothing was refused");
  CHECK(refusal_of_header(pair("[4,8]", "[0,4]"), "12345678") == "nothing was refused");
  CHECK(refusal_of_header(pair("[0,4]", "[0,4]"), "1234") == "model.safetensors: tensor b: data_offsets: overlaps the tensor before it");
  CHECK(refusal_of_header(pair("[0,4]", "[2,6]"), "123456") == "model.safetensors: tensor b: data_offsets: overlaps the tensor before it");
  CHECK(refusal_of_header(pair("[0,4]", "[5,9]"), "123456789") == "model.safetensors: tensor b: data_offsets: a gap of 1 bytes before it");
  CHECK(refusal_of_header(pair("[1,5]", "[5,9]"), "123456789") == "model.safetensors: tensor a: data_offsets: a gap of 1 bytes before it");
}

TEST_CASE("shards are read through the index", "[safetensors]") {
  TemporaryFolder const folder;
  folder.write("model.safetensors.index.json", index_of(R"("a": "sub/one.safetensors", "b": "two.safetensors")"));
  folder.write("sub/one.safetensors", safetensors({{"a", "F32", {1}, f32_bytes({1.0F})}}));
  folder.write("two.safetensors", safetensors({{"b", "F32", {1}, f32_bytes({2.0F})}, {"unlisted", "F32", {1}, f32_bytes({3.0F})}}));
  CHECK(Checkpoint::has_weights(folder.path()));
  Checkpoint const checkpoint = Checkpoint::open(folder.path());
  CHECK(floats_of(checkpoint.at("a")) == std::vector<float>{1.0F});
  CHECK(floats_of(checkpoint.at("b")) == std::vector<float>{2.0F});
  CHECK(floats_of(checkpoint.at("unlisted")) == std::vector<float>{3.0F});
}

TEST_CASE("one file outranks an index beside it", "[safetensors]") {
  TemporaryFolder const folder;
  folder.write("model.safetensors", safetensors({{"a", "F32", {1}, f32_bytes({1.0F})}}));
  folder.write("model.safetensors.index.json", "not JSON");
  CHECK(Checkpoint::open(folder.path()).names() == std::vector<std::string>{"a"});
}

TEST_CASE("an index that lies is refused", "[safetensors]") {
  CHECK(refusal_of_shards(R"("a": "one.safetensors", "b": "two.safetensors")") == "nothing was refused");
  CHECK(refusal_of_shards(R"("b": "one.safetensors")").find("weight_map: tensor b is not in one.safetensors") != std::string::npos);
  for (const char* const crossed :
       {R"("a": "two.safetensors", "b": "one.safetensors")", R"("b": "one.safetensors", "a": "two.safetensors")"}) {
    CHECK(refusal_of_shards(crossed).find("weight_map: tensor a is not in two.safetensors") != std::string::npos);
  }
  CHECK(refusal_of_shards(R"("a": "one.safetensors", "b": "one.safetensors")").find("tensor b is not in one.safetensors") !=
        std::string::npos);
  CHECK(refusal_of_shards(R"("a": "one.safetensors", "b": "three.safetensors")").find("three.safetensors: tensor a: also in ") !=
        std::string::npos);
  CHECK(refusal_of_shards(R"("a": "absent.safetensors")").find("absent.safetensors: no such file") != std::string::npos);
  CHECK(refusal_of_shards(R"("a": 7)").find("weight_map: a: 7 is not a string") != std::string::npos);
}

TEST_CASE("a shard's name may not leave the directory", "[safetensors]") {
  for (const char* const name : {"../one.safetensors", "sub/../../one.safetensors", "/etc/hostname", "", "..", "a\\u0000b"}) {
    std::string const message = refusal_of_shards(std::string("\"a\": \"") + name + "\"");
    INFO(message);
    CHECK(message.find("model.safetensors.index.json: weight_map: \"") != std::string::npos);
  }
}

TEST_CASE("a shard that is a link out of the directory is refused, one inside is read", "[safetensors]") {
  TemporaryFolder const outside;
  TemporaryFolder const folder;
  outside.write("out.safetensors", safetensors({f32_scalar("a", 1)}));
  folder.write("in.safetensors", safetensors({f32_scalar("a", 1)}));
  folder.write("model.safetensors.index.json", index_of(R"("a": "link.safetensors")"));
  std::filesystem::create_symlink(outside.path() / "out.safetensors", folder.path() / "link.safetensors");
  CHECK(refusal_of([&] { Checkpoint::open(folder.path()); }).find("link.safetensors: a link out of the directory") != std::string::npos);
  std::filesystem::remove(folder.path() / "link.safetensors");
  std::filesystem::create_symlink("in.safetensors", folder.path() / "link.safetensors");
  CHECK(Checkpoint::open(folder.path()).names() == std::vector<std::string>{"a"});
}

TEST_CASE("one weight file is held to the shards' rule: a link inside is read, one out of the directory refused", "[safetensors]") {
  TemporaryFolder const outside;
  TemporaryFolder const folder;
  outside.write("out.safetensors", safetensors({f32_scalar("a", 1)}));
  folder.write("in.safetensors", safetensors({f32_scalar("a", 1)}));
  auto const link = folder.path() / "model.safetensors";
  std::filesystem::create_symlink(outside.path() / "out.safetensors", link);
  CHECK(refusal_of([&] { Checkpoint::open(folder.path()); }) == link.string() + ": a link out of the directory");
  std::filesystem::remove(link);
  std::filesystem::create_symlink("in.safetensors", link);
  CHECK(Checkpoint::open(folder.path()).names() == std::vector<std::string>{"a"});
}

TEST_CASE("a folder beside the checkpoint whose name begins like its own is outside of it", "[safetensors]") {
  TemporaryFolder const folder;
  folder.write("model/readme", "");
  folder.write("model-other/model.safetensors", safetensors({f32_scalar("a", 1)}));
  auto const link = folder.path() / "model" / "model.safetensors";
  std::filesystem::create_symlink("../model-other/model.safetensors", link);
  CHECK(refusal_of([&] { Checkpoint::open(folder.path() / "model"); }) == link.string() + ": a link out of the directory");
}

TEST_CASE("a link whose file is gone is named as one, whatever file it stands for", "[safetensors]") {
  for (std::string const name : {"model.safetensors", "model.safetensors.index.json", "link.safetensors"}) {
    TemporaryFolder const folder;
    if (name == "link.safetensors") folder.write("model.safetensors.index.json", index_of(R"("a": "link.safetensors")"));
    std::filesystem::create_symlink("../blobs/1", folder.path() / name);
    CHECK(refusal_of([&] { Checkpoint::open(folder.path()); }) == (folder.path() / name).string() + ": a link to a file that is not there");
  }
}

TEST_CASE("a hub cache's snapshot is read: its files are links into the blobs beside the snapshots, and into nothing else",
          "[safetensors]") {
  TemporaryFolder const repository;
  auto const snapshot = repository.path() / "snapshots" / "c0ffee";
  std::filesystem::create_directories(snapshot);
  std::filesystem::create_directories(repository.path() / "blobs");
  repository.write("blobs/1", safetensors({f32_scalar("a", 1)}));
  repository.write("blobs/2", index_of(R"("a": "model-00001-of-00001.safetensors")"));
  repository.write("elsewhere", safetensors({f32_scalar("a", 1)}));
  std::filesystem::create_symlink("../../blobs/2", snapshot / "model.safetensors.index.json");
  std::filesystem::create_symlink("../../blobs/1", snapshot / "model-00001-of-00001.safetensors");
  CHECK(Checkpoint::open(snapshot).names() == std::vector<std::string>{"a"});
  std::filesystem::remove(snapshot / "model-00001-of-00001.safetensors");
  std::filesystem::create_symlink("../../elsewhere", snapshot / "model-00001-of-00001.safetensors");
  CHECK(refusal_of([&] { Checkpoint::open(snapshot); }).find("a link out of the directory") != std::string::npos);
}

TEST_CASE("a NUL byte after a header's or an index's JSON is refused", "[safetensors]") {
  TemporaryFolder const folder;
  folder.write("model.safetensors", with_header(std::string("{}\0 ", 4), ""));
  CHECK(refusal_of([&] { Checkpoint::open(folder.path()); }).ends_with("model.safetensors: header: not JSON at byte 3"));
  std::filesystem::remove(folder.path() / "model.safetensors");
  folder.write("model.safetensors.index.json", std::string("{}\0", 3));
  CHECK(refusal_of([&] { Checkpoint::open(folder.path()); }).ends_with("model.safetensors.index.json: not JSON at byte 3"));
}

TEST_CASE("a directory without weights is refused by name", "[safetensors]") {
  TemporaryFolder const folder;
  CHECK_FALSE(Checkpoint::has_weights(folder.path()));
  CHECK(refusal_of([&] { Checkpoint::open(folder.path()); }).find("neither model.safetensors nor model.safetensors.index.json") !=
        std::string::npos);
  std::filesystem::create_directory(folder.path() / "model.safetensors");
  CHECK(refusal_of([&] { Checkpoint::open(folder.path()); }).find("not a regular file") != std::string::npos);
}

}  // namespace redproof::tests
