#pragma once
#include <cstddef>
#include <filesystem>
#include <string>

namespace redproof::engine {

// A regular file, open for reading while the object lives. Opening waits for nobody: a named pipe, a device, a socket or a directory is
// refused, by name, as "not a regular file".
class RegularFile {
 public:
  explicit RegularFile(const std::filesystem::path& file);
  ~RegularFile();
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;

  int descriptor() const { return descriptor_; }
  std::size_t size() const { return size_; }  // bytes, as the file was opened
  std::string read() const;                   // the whole file; Refusal where it is no longer as long

 private:
  std::filesystem::path file_;
  int descriptor_;
  std::size_t size_;
};

}  // namespace redproof::engine
