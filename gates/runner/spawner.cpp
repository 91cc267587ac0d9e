#include "gates/runner/spawner.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "gates/runner/descriptor.h"

namespace redproof::gates {

namespace {

// What goes through the socket beside the descriptors: text, null, output, report, control and, where there is one, Landlock's.
struct Order {
  std::uint64_t text_bytes = 0, arguments = 0, variables = 0;  // the text: program, cwd, arguments and variables, each ended by a null
  std::uint64_t memory_limit_bytes = 0, file_size_limit_bytes = 0, open_files_limit = 0, cpu_limit_s = 0;
  std::int32_t grace_ms = 0, has_cwd = 0, own_network = 0;
};

constexpr std::size_t most_descriptors = 6;

union ControlBlock {
  cmsghdr head;
  std::array<char, CMSG_SPACE(most_descriptors * sizeof(int))> bytes;
};

Descriptor to_spawner;
std::mutex sending;

std::uint64_t append(std::string& text, char* const* words) {
  std::uint64_t count = 0;
  for (; words[count] != nullptr; ++count) text.append(words[count]).push_back('\0');
  return count;
}

Descriptor file_of(const std::string& text) {
  Descriptor file(memfd_create("redproof-spawner", MFD_CLOEXEC));
  for (std::size_t at = 0; file.open() && at < text.size();) {
    ssize_t const written = write(file.get(), text.data() + at, text.size() - at);
    if (written < 0) return Descriptor();
    at += static_cast<std::size_t>(written);
  }
  return file;
}

msghdr message_of(iovec& part, ControlBlock& control, std::size_t descriptors) {
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.bytes.data();
  message.msg_controllen = CMSG_SPACE(descriptors * sizeof(int));
  return message;
}

bool send(const Order& order, const std::vector<int>& descriptors) {
  Order copy = order;
  iovec part = {&copy, sizeof copy};
  ControlBlock control = {};
  msghdr const message = message_of(part, control, descriptors.size());
  cmsghdr* const head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(descriptors.size() * sizeof(int));
  std::memcpy(CMSG_DATA(head), descriptors.data(), descriptors.size() * sizeof(int));
  ssize_t sent = -1;
  do {
    sent = sendmsg(to_spawner.get(), &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent == sizeof copy;
}

// Empty where the other end is gone.
std::vector<Descriptor> receive(int socket, Order& order) {
  iovec part = {&order, sizeof order};
  ControlBlock control = {};
  msghdr message = message_of(part, control, most_descriptors);
  ssize_t const size = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  std::vector<Descriptor> descriptors;
  cmsghdr const* const head = size == sizeof order ? CMSG_FIRSTHDR(&message) : nullptr;
  if (head == nullptr || head->cmsg_type != SCM_RIGHTS) return descriptors;
  for (std::size_t at = 0; CMSG_LEN(at) < head->cmsg_len; at += sizeof(int)) {
    int fd = -1;
    std::memcpy(&fd, CMSG_DATA(head) + at, sizeof fd);
    descriptors.emplace_back(fd);
  }
  return descriptors;
}

std::vector<char*> take(char*& text, std::uint64_t count) {
  std::vector<char*> words;
  for (; count > 0; --count) {
    words.push_back(text);
    text += std::strlen(text) + 1;
  }
  return words;
}

void tell_no_fork(int report_fd) {
  SupervisionReport report;
  report.failed_stage = StartStage::fork;
  report.failed_errno = errno;
  // Where it cannot be told, the end of the pipe tells that nobody supervises.
  if (write(report_fd, &report, sizeof report) != sizeof report) return;
}

void fork_supervisor(const Order& order, const std::vector<Descriptor>& descriptors) {
  void* const memory = mmap(nullptr, order.text_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, descriptors[0].get(), 0);
  if (memory == MAP_FAILED) return tell_no_fork(descriptors[3].get());
  char* text = static_cast<char*>(memory);
  SupervisionPlan plan;
  plan.program = take(text, 1).front();
  char const* const cwd = take(text, 1).front();
  auto argv = take(text, order.arguments), environment = take(text, order.variables);
  argv.push_back(nullptr);
  environment.push_back(nullptr);
  plan.cwd = order.has_cwd != 0 ? cwd : nullptr;
  plan.argv = argv.data();
  plan.environment = environment.data();
  plan.null_fd = descriptors[1].get();
  plan.output_fd = descriptors[2].get();
  plan.report_fd = descriptors[3].get();
  plan.control_fd = descriptors[4].get();
  plan.landlock_fd = descriptors.size() == most_descriptors ? descriptors[5].get() : -1;
  plan.memory_limit_bytes = order.memory_limit_bytes;
  plan.file_size_limit_bytes = order.file_size_limit_bytes;
  plan.open_files_limit = order.open_files_limit;
  plan.cpu_limit_s = order.cpu_limit_s;
  plan.own_network = order.own_network != 0;
  plan.grace_ms = order.grace_ms;
  pid_t const supervisor = fork();
  if (supervisor == 0) supervise(plan);
  if (supervisor < 0) tell_no_fork(plan.report_fd);
  munmap(memory, order.text_bytes);
}

// Its whole life. A terminal's Ctrl-C is not for it: what it started ends in its own order.
[[noreturn]] void serve(int socket) {
  detach(open_for_reading("/dev/null").get());
  while (true) {
    Order order;
    auto const descriptors = receive(socket, order);
    if (descriptors.size() + 1 < most_descriptors) _exit(0);
    fork_supervisor(order, descriptors);
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
  }
}

}  // namespace

void start_spawner() {
  int ends[2];
  if (to_spawner.open() || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return;
  Descriptor ours(ends[0]), its(ends[1]);
  pid_t const spawner = fork();
  if (spawner < 0) return;
  if (spawner == 0) {
    ours.close();
    serve(its.get());
  }
  to_spawner = std::move(ours);
}

bool spawn_supervisor(const SupervisionPlan& plan) {
  if (!to_spawner.open()) return false;
  Order order;
  std::string text = std::string(plan.program) + '\0' + (plan.cwd == nullptr ? "" : plan.cwd) + '\0';
  order.arguments = append(text, plan.argv);
  order.variables = append(text, plan.environment);
  order.text_bytes = text.size();
  order.memory_limit_bytes = plan.memory_limit_bytes;
  order.file_size_limit_bytes = plan.file_size_limit_bytes;
  order.open_files_limit = plan.open_files_limit;
  order.cpu_limit_s = plan.cpu_limit_s;
  order.own_network = plan.own_network ? 1 : 0;
  order.grace_ms = plan.grace_ms;
  order.has_cwd = plan.cwd != nullptr;
  Descriptor const file = file_of(text);
  if (!file.open()) return false;
  std::vector<int> descriptors = {file.get(), plan.null_fd, plan.output_fd, plan.report_fd, plan.control_fd};
  if (plan.landlock_fd >= 0) descriptors.push_back(plan.landlock_fd);
  std::lock_guard const guard(sending);
  return send(order, descriptors);
}

}  // namespace redproof::gates
