#include "gates/runner/network.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <grp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <string>

#include "gates/runner/process.h"
#include "tests/catch.h"
#include "tests/gates/fixture.h"
#include "tests/skip.h"

using namespace redproof::gates;
using namespace redproof::tests;

namespace {

// What a child of ours answers; -1 where it did not end by itself.
int in_child(const std::function<int()>& part) {
  pid_t const child = fork();
  if (child == 0) _exit(part());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

sockaddr_in loopback(in_port_t port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = port;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// A listening socket on a port that was free, or -1.
int listening(sockaddr_in& address) {
  int const fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  socklen_t size = sizeof address;
  address = loopback(0);
  bool const well = bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0 && listen(fd, 1) == 0 &&
                    getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  return well ? fd : -1;
}

bool connects(const sockaddr_in& address) {
  int const fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  bool const well = connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  close(fd);
  return well;
}

// 0 where this process talks to itself and not to who listens outside.
int talks_to_itself_alone(const sockaddr_in& outside) {
  if (!leave_network()) return 1;
  if (connects(outside)) return 2;
  sockaddr_in inside = {};
  return listening(inside) >= 0 && connects(inside) ? 0 : 3;
}

}  // namespace

TEST_CASE("who has left the network talks to itself over the loopback, and to nobody else", "[network]") {
  if (!can_leave_network()) return skip_case("this kernel lets nobody leave the network");
  sockaddr_in outside = {};
  int const fd = listening(outside);
  REQUIRE(fd >= 0);
  REQUIRE(connects(outside));
  CHECK(in_child([&] { return talks_to_itself_alone(outside); }) == 0);
  CHECK(connects(outside));
  close(fd);
}

TEST_CASE("an ordinary user leaves the network too, and stays who he was", "[network]") {
  sockaddr_in outside = {};
  int const fd = listening(outside);
  REQUIRE(fd >= 0);
  Folder const folder;
  REQUIRE(chmod(folder.path().c_str(), 0777) == 0);
  std::string const file = folder / "mine";
  constexpr uid_t nobody = 65534;
  int const answer = in_child([&] {
    if (geteuid() == 0 && (setgroups(0, nullptr) != 0 || setgid(nobody) != 0 || setuid(nobody) != 0)) return 99;
    prctl(PR_SET_DUMPABLE, 1);                                             // as after an exec
    if (in_child([] { return leave_network() ? 0 : 1; }) != 0) return 99;  // root's answer is not his
    uid_t const user = geteuid();
    int const talks = talks_to_itself_alone(outside);
    if (talks != 0) return talks;
    if (geteuid() != user) return 4;
    return close(open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600)) == 0 ? 0 : 5;
  });
  close(fd);
  if (answer == 99) return skip_case("this kernel lets no ordinary user leave the network");
  CHECK(answer == 0);
  struct stat status = {};
  REQUIRE(stat(file.c_str(), &status) == 0);
  CHECK(status.st_uid == (geteuid() == 0 ? nobody : geteuid()));
}

TEST_CASE("a process has a network of its own where that is asked for, and what it starts has no other", "[network]") {
  auto spec = shell("sh -c 'readlink /proc/self/ns/net'");
  auto const open = run_process(spec);
  CHECK_FALSE(open.network_shut);
  spec.own_network = true;
  auto const shut = run_process(spec);
  CHECK(shut.network_shut == can_leave_network());
  CHECK((shut.output != open.output) == shut.network_shut);
}

TEST_CASE("what a process without a network leaves behind is killed as ever", "[network]") {
  Folder const folder;
  auto spec = shell("trap '' TERM; setsid sleep 1000 & echo $! >pid; echo >ready; while :; do wait; done");
  spec.cwd = folder.path();
  spec.own_network = true;
  spec.timeout = std::chrono::milliseconds(200);
  spec.grace = std::chrono::milliseconds(0);
  auto result = run_process(spec);
  for (; !std::filesystem::exists(folder / "ready"); result = run_process(spec)) spec.timeout *= 2;
  CHECK(result.timed_out);
  CHECK(result.signal == SIGKILL);
  CHECK(kill(std::stoi(slurp(folder / "pid")), 0) != 0);
}
