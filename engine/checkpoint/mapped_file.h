#pragma once
#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace redproof::engine {

// A regular file, mapped read-only while the object lives. A page that is gone when it is read, because the file shrank meanwhile, ends the
// process with one line on stderr and exit code 1.
class MappedFile {
 public:
  static std::shared_ptr<const MappedFile> open(const std::filesystem::path& file);  // Refusal: no such file, empty, not mappable
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  MappedFile(std::span<const std::byte> bytes, int watch) : bytes_(bytes), watch_(watch) {}
  std::span<const std::byte> bytes_;
  int watch_;  // below 0: unwatched
};

}  // namespace redproof::engine
