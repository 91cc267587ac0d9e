#include "engine/checkpoint/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <set>

#include "engine/checkpoint/file_exists.h"
#include "engine/checkpoint/mapped_file.h"
#include "engine/checkpoint/printable.h"
#include "engine/checkpoint/safetensors_header.h"
#include "engine/types/error.h"

namespace redproof::engine {
namespace {

constexpr const char* single_name = "model.safetensors";
constexpr const char* index_name = "model.safetensors.index.json";

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& why) {
  throw Refusal(fmt::format("{}: {}", printable(file.string()), why));
}

std::optional<DType> readable_dtype(const std::string& name) {
  if (name == "F32") return DType::f32;
  if (name == "BF16") return DType::bf16;
  if (name == "F16") return DType::f16;
  return std::nullopt;
}

std::size_t alignment_of(DType dtype) { return dtype == DType::f32 ? alignof(float) : alignof(std::uint16_t); }

bool is_below(const std::filesystem::path& file, const std::filesystem::path& root) {
  auto const [at_root, at_file] = std::mismatch(root.begin(), root.end(), file.begin(), file.end());
  return at_root == root.end() && at_file != file.end();
}

// Hugging Face's hub cache keeps the files of REPO/snapshots/COMMIT as links into REPO/blobs: that folder belongs to the checkpoint too.
bool is_hub_blob(const std::filesystem::path& file, const std::filesystem::path& root) {
  auto const snapshots = root.parent_path();
  return snapshots.filename() == "snapshots" && is_below(file, snapshots.parent_path() / "blobs");
}

// No weight file may lie outside the checkpoint, whether its name is the usual one or comes from the index.
std::filesystem::path without_way_out(const std::filesystem::path& dir, const std::filesystem::path& name) {
  std::error_code error;
  auto const root = std::filesystem::canonical(dir, error);
  auto const file = std::filesystem::canonical(dir / name, error);
  if (error) refuse(dir / name, is_dangling(dir / name) ? dangling : "no such file");
  if (!is_below(file, root) && !is_hub_blob(file, root)) refuse(dir / name, "a link out of the directory");
  return dir / name;
}

// A shard's name comes from the index, which is untrusted: it may not leave the directory, neither by ".." nor by a link.
std::filesystem::path shard_file(const std::filesystem::path& dir, const std::string& name) {
  std::filesystem::path const index = dir / index_name;
  std::filesystem::path const shard(name);
  if (name.empty() || name.find('\0') != std::string::npos || shard.is_absolute()) {
    refuse(index, fmt::format("weight_map: \"{}\" is not a relative file name", printable(name)));
  }
  for (const auto& part : shard) {
    if (part == "..") refuse(index, fmt::format("weight_map: \"{}\" leaves the directory", printable(name)));
  }
  return without_way_out(dir, shard);
}

std::set<std::string> shard_names(const std::map<std::string, std::string>& weight_map) {
  std::set<std::string> names;
  for (auto const& [tensor, shard] : weight_map) names.insert(shard);
  return names;
}

}  // namespace

// A mapped file, with aligned copies of the tensors that are not aligned in it.
struct Checkpoint::Mapping {
  std::shared_ptr<const MappedFile> file;
  std::vector<std::unique_ptr<std::byte[]>> copies;

  const void* place(const HeaderTensor& tensor, std::size_t alignment) {
    const std::byte* const source = file->bytes().data() + tensor.begin;
    if (reinterpret_cast<std::uintptr_t>(source) % alignment == 0) return source;
    std::size_t const size = tensor.end - tensor.begin;
    copies.push_back(std::make_unique<std::byte[]>(size));
    std::memcpy(copies.back().get(), source, size);
    return copies.back().get();
  }
};

void Checkpoint::add_file(const std::filesystem::path& file) {
  auto mapping = std::make_shared<Mapping>(Mapping{MappedFile::open(file), {}});
  for (const HeaderTensor& tensor : read_safetensors_header(mapping->file->bytes(), file.string())) {
    if (file_of_.contains(tensor.name)) {
      refuse(file, fmt::format("tensor {}: also in {}", printable(tensor.name), printable(file_of_.at(tensor.name))));
    }
    file_of_.emplace(tensor.name, file.string());
    std::optional<DType> const dtype = readable_dtype(tensor.dtype);
    if (dtype) {
      const void* const data = mapping->place(tensor, alignment_of(*dtype));
      tensors_.emplace(tensor.name, TensorView{data, *dtype, tensor.shape, file.string()});
    } else {
      unreadable_dtype_.emplace(tensor.name, tensor.dtype);
    }
  }
  mappings_.push_back(std::move(mapping));
}

void Checkpoint::add_shards(const std::filesystem::path& dir) {
  std::filesystem::path const index = dir / index_name;
  auto const weight_map = read_safetensors_index(index.string());
  for (const std::string& name : shard_names(weight_map)) add_file(shard_file(dir, name));
  for (auto const& [tensor, shard] : weight_map) {
    auto const found = file_of_.find(tensor);
    if (found == file_of_.end() || found->second != (dir / shard).string()) {
      refuse(index, fmt::format("weight_map: tensor {} is not in {}", printable(tensor), printable(shard)));
    }
  }
}

Checkpoint Checkpoint::open(const std::filesystem::path& dir) {
  Checkpoint checkpoint;
  checkpoint.dir_ = dir.string();
  if (file_exists(dir / single_name)) {
    checkpoint.add_file(without_way_out(dir, single_name));
  } else if (file_exists(dir / index_name)) {
    checkpoint.add_shards(dir);
  } else {
    refuse(dir, fmt::format("neither {} nor {}", single_name, index_name));
  }
  return checkpoint;
}

bool Checkpoint::has_weights(const std::filesystem::path& dir) { return file_exists(dir / single_name) || file_exists(dir / index_name); }

const TensorView* Checkpoint::find(const std::string& name) const {
  auto const found = tensors_.find(name);
  if (found != tensors_.end()) return &found->second;
  auto const unreadable = unreadable_dtype_.find(name);
  if (unreadable == unreadable_dtype_.end()) return nullptr;
  refuse(file_of_.at(name), fmt::format("tensor {}: dtype {} is not read (read: BF16, F16, F32)", printable(name), unreadable->second));
}

const TensorView& Checkpoint::at(const std::string& name) const {
  const TensorView* const tensor = find(name);
  if (tensor == nullptr) refuse(dir_, fmt::format("tensor {}: missing", printable(name)));
  return *tensor;
}

std::vector<std::string> Checkpoint::names() const {
  std::vector<std::string> names;
  for (auto const& [name, tensor] : tensors_) names.push_back(name);
  return names;
}

}  // namespace redproof::engine
