#include "engine/checkpoint/mapped_file.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "engine/checkpoint/printable.h"
#include "engine/checkpoint/regular_file.h"
#include "engine/checkpoint/shrink_watch.h"
#include "engine/types/error.h"

namespace redproof::engine {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& why) {
  throw Refusal(fmt::format("{}: {}", printable(file.string()), why));
}

}  // namespace

std::shared_ptr<const MappedFile> MappedFile::open(const std::filesystem::path& file) {
  RegularFile const source(file);
  if (source.size() == 0) refuse(file, "empty");
  void* const start = ::mmap(nullptr, source.size(), PROT_READ, MAP_PRIVATE, source.descriptor(), 0);
  if (start == MAP_FAILED) refuse(file, std::strerror(errno));
  std::span const bytes(static_cast<const std::byte*>(start), source.size());
  return std::shared_ptr<const MappedFile>(new MappedFile(bytes, watch_mapping(bytes, file.string())));
}

MappedFile::~MappedFile() {
  unwatch_mapping(watch_);
  ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace redproof::engine
