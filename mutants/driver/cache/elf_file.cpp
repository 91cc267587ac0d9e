#include "mutants/driver/cache/elf_file.h"

#include <elf.h>

#include <bit>
#include <cstring>
#include <fstream>

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

template <typename Part>
bool read_at(std::ifstream& stream, std::uint64_t place, Part& part) {
  stream.seekg(static_cast<std::streamoff>(place));
  return static_cast<bool>(stream.read(reinterpret_cast<char*>(&part), sizeof part));
}

template <typename Header, typename Segment>
bool has_dynamic_segment(std::ifstream& stream) {
  Header header{};
  if (!read_at(stream, 0, header)) return true;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Segment segment{};
    if (!read_at(stream, header.e_phoff + std::uint64_t{i} * header.e_phentsize, segment)) return true;
    if (segment.p_type == PT_DYNAMIC) return true;
  }
  return false;
}

}  // namespace

bool loads_libraries(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  unsigned char start[EI_NIDENT] = {};
  if (!read_at(stream, 0, start) || std::memcmp(start, ELFMAG, SELFMAG) != 0) return false;
  constexpr int native = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
  if (start[EI_DATA] != native) return true;
  if (start[EI_CLASS] == ELFCLASS64) return has_dynamic_segment<Elf64_Ehdr, Elf64_Phdr>(stream);
  if (start[EI_CLASS] == ELFCLASS32) return has_dynamic_segment<Elf32_Ehdr, Elf32_Phdr>(stream);
  return true;
}

}  // namespace redproof::mutants
