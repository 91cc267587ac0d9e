#include "gates/runner/descendants.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace redproof::gates {

namespace {

// As getdents64(2) lays it out.
struct DirectoryEntry {
  std::uint64_t inode;
  std::int64_t offset;
  unsigned short length;
  unsigned char type;
  char name[1];
};

// The parent of the process /proc/NAME, or -1. Line: `pid (comm) state ppid ...`, where comm may hold anything, so it ends at the last ')'.
pid_t parent_of(const char* name) {
  char path[64] = "/proc/";
  if (std::strlen(name) > 20) return -1;
  std::strcat(path, name);
  std::strcat(path, "/stat");
  int const fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  char line[512];
  ssize_t const size = read(fd, line, sizeof line - 1);
  close(fd);
  if (size <= 0) return -1;
  line[size] = '\0';
  char const* at = std::strrchr(line, ')');
  if (at == nullptr || std::strlen(at) < 5) return -1;
  pid_t parent = 0;
  for (at += 4; *at >= '0' && *at <= '9'; ++at) parent = parent * 10 + (*at - '0');
  return parent;
}

pid_t number(const char* name) {
  pid_t value = 0;
  for (; *name != '\0'; ++name) {
    if (*name < '0' || *name > '9') return -1;
    value = value * 10 + (*name - '0');
  }
  return value;
}

}  // namespace

void kill_children() {
  int const proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (proc < 0) return;
  alignas(DirectoryEntry) char block[8192];
  pid_t const self = getpid();
  for (long size = syscall(SYS_getdents64, proc, block, sizeof block); size > 0;
       size = syscall(SYS_getdents64, proc, block, sizeof block)) {
    for (long at = 0; at < size;) {
      auto const* entry = reinterpret_cast<const DirectoryEntry*>(block + at);
      char const* name = block + at + offsetof(DirectoryEntry, name);
      pid_t const pid = number(name);
      if (pid > 0 && parent_of(name) == self) kill(pid, SIGKILL);
      at += entry->length;
    }
  }
  close(proc);
}

}  // namespace redproof::gates
