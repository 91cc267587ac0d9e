#include "gates/runner/supervisor.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <ctime>

#include "gates/runner/confinement.h"
#include "gates/runner/descendants.h"
#include "gates/runner/network.h"

namespace redproof::gates {

namespace {

constexpr std::uint64_t cpu_grace_s = 1;
constexpr int sweep_limit_ms = 10000;  // a process that cannot be killed (a wedged device) must not hold us for ever

struct StartFailure {
  StartStage stage;
  std::int32_t error;
};

std::int64_t now_ms() {
  timespec time = {};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1000000;
}

void close_range_of(unsigned first, unsigned last) {
  if (first > last || syscall(SYS_close_range, first, last, 0U) == 0) return;
  rlimit limit = {};
  getrlimit(RLIMIT_NOFILE, &limit);
  auto const end = static_cast<unsigned>(std::min<rlim_t>(limit.rlim_cur, 65536));
  for (unsigned fd = first; fd <= last && fd < end; ++fd) close(static_cast<int>(fd));
}

// Closes what other threads had open: their pipes would never reach their end while we hold a copy.
void keep_only(int* fds, int count) {
  std::sort(fds, fds + count);
  unsigned first = STDERR_FILENO + 1;
  for (int i = 0; i < count; ++i) {
    if (fds[i] < 0) continue;
    auto const kept = static_cast<unsigned>(fds[i]);
    if (kept > first) close_range_of(first, kept - 1);
    first = kept + 1;
  }
  close_range_of(first, UINT_MAX);
}

void ignore_signals() {
  struct sigaction action = {};
  action.sa_handler = SIG_IGN;
  for (int const signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP}) sigaction(signal, &action, nullptr);
}

void restore_signals() {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) sigaction(signal, &action, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

// A lower limit of the user's stays: raising it is forbidden, or against the user's will.
bool limit(int resource, std::uint64_t bytes) {
  auto const which = static_cast<__rlimit_resource_t>(resource);
  rlimit value = {};
  if (getrlimit(which, &value) != 0) return false;
  value.rlim_cur = std::min<rlim_t>(value.rlim_cur, bytes);
  value.rlim_max = std::min<rlim_t>(value.rlim_max, bytes);
  return setrlimit(which, &value) == 0;
}

// SIGXCPU at the limit, and SIGKILL a little later for who does not end of it.
bool limit_cpu(std::uint64_t seconds) {
  rlimit value = {};
  if (getrlimit(RLIMIT_CPU, &value) != 0) return false;
  value.rlim_cur = std::min<rlim_t>(value.rlim_cur, seconds);
  value.rlim_max = std::min<rlim_t>(value.rlim_max, seconds + cpu_grace_s);
  return setrlimit(RLIMIT_CPU, &value) == 0;
}

bool set_limits(const SupervisionPlan& plan) {
  if (!limit(RLIMIT_CORE, 0)) return false;
  if (plan.file_size_limit_bytes != 0 && !limit(RLIMIT_FSIZE, plan.file_size_limit_bytes)) return false;
  if (plan.open_files_limit != 0 && !limit(RLIMIT_NOFILE, plan.open_files_limit)) return false;
  if (plan.cpu_limit_s != 0 && !limit_cpu(plan.cpu_limit_s)) return false;
  return plan.memory_limit_bytes == 0 || limit(RLIMIT_DATA, plan.memory_limit_bytes);
}

[[noreturn]] void fail_start(int failure_fd, StartStage stage) {
  StartFailure const failure = {stage, errno};
  ssize_t const written = write(failure_fd, &failure, sizeof failure);
  _exit(written == sizeof failure ? 127 : 126);
}

[[noreturn]] void become_program(const SupervisionPlan& plan, int failure_fd) {
  setsid();  // no terminal, a group of its own
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  dup2(plan.null_fd, STDIN_FILENO);
  dup2(plan.output_fd, STDOUT_FILENO);
  dup2(plan.output_fd, STDERR_FILENO);
  if (plan.cwd != nullptr && chdir(plan.cwd) != 0) fail_start(failure_fd, StartStage::cwd);
  if (!set_limits(plan)) fail_start(failure_fd, StartStage::limits);
  if (plan.landlock_fd >= 0 && !enter_confinement(plan.landlock_fd)) fail_start(failure_fd, StartStage::confinement);
  restore_signals();
  execve(plan.program, plan.argv, plan.environment);  // every other descriptor is close-on-exec
  fail_start(failure_fd, StartStage::execute);
}

std::int64_t milliseconds(const timeval& time) { return std::int64_t{time.tv_sec} * 1000 + time.tv_usec / 1000; }

// Reaps whatever has ended. True once the program itself has.
bool reap(pid_t program, SupervisionReport& report) {
  bool ended = false;
  int status = 0;
  rusage usage = {};
  for (pid_t pid = wait4(-1, &status, WNOHANG, &usage); pid > 0; pid = wait4(-1, &status, WNOHANG, &usage)) {
    if (pid != program) continue;
    ended = true;
    report.wait_status = status;
    report.peak_rss_kib = usage.ru_maxrss;
    report.cpu_ms = milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime);
  }
  return ended;
}

// Passes signals on and waits; SIGKILL follows when the grace is over or our parent is gone.
void wait_for(pid_t program, const SupervisionPlan& plan, int child_fd, SupervisionReport& report) {
  pollfd waits[2] = {{child_fd, POLLIN, 0}, {plan.control_fd, POLLIN, 0}};
  std::int64_t deadline = -1;
  while (!reap(program, report)) {
    int const wait_ms = deadline < 0 ? -1 : static_cast<int>(std::clamp<std::int64_t>(deadline - now_ms(), 5, 60000));
    poll(waits, 2, wait_ms);
    signalfd_siginfo child = {};
    if ((waits[0].revents & POLLIN) != 0 && read(child_fd, &child, sizeof child) < 0) waits[0].revents = 0;
    unsigned char signal = 0;
    if (waits[1].revents != 0) {
      if (read(plan.control_fd, &signal, 1) == 1) {
        kill(-program, signal);
        if (deadline < 0) deadline = now_ms() + plan.grace_ms;
      } else {
        deadline = now_ms();
        waits[1].fd = -1;
      }
    }
    if (deadline >= 0 && now_ms() >= deadline) {
      report.killed_by_us = 1;
      kill(-program, SIGKILL);
      kill_children();
      report.wait_status = SIGKILL;  // what is told where even that does not end it
      if (now_ms() >= deadline + sweep_limit_ms) return;
    }
  }
}

// Kills what the program left behind: its group, and every orphan that fell to us, until none is there.
int sweep(pid_t program) {
  int strays = 0;
  kill(-program, SIGKILL);
  std::int64_t const deadline = now_ms() + sweep_limit_ms;
  while (now_ms() < deadline) {
    int status = 0;
    pid_t const pid = waitpid(-1, &status, WNOHANG);
    if (pid < 0 && errno != EINTR) break;
    if (pid > 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) ++strays;
    if (pid != 0) continue;
    kill_children();
    poll(nullptr, 0, 1);
  }
  return strays;
}

[[noreturn]] void finish(const SupervisionPlan& plan, const SupervisionReport& report) {
  ssize_t const written = write(plan.report_fd, &report, sizeof report);
  _exit(written == sizeof report ? 0 : 1);
}

void start_and_wait(const SupervisionPlan& plan, int child_fd, SupervisionReport& report) {
  int failure_pipe[2];
  if (pipe2(failure_pipe, O_CLOEXEC) != 0) {
    report.failed_stage = StartStage::fork;
    report.failed_errno = errno;
    return;
  }
  // What it does until it executes are system calls alone: no page has to be copied for that.
  pid_t const program = vfork();
  if (program == 0) become_program(plan, failure_pipe[1]);
  if (program < 0) {
    report.failed_stage = StartStage::fork;
    report.failed_errno = errno;
    return;
  }
  close(failure_pipe[1]);
  close(plan.output_fd);
  StartFailure failure = {StartStage::none, 0};
  if (read(failure_pipe[0], &failure, sizeof failure) == sizeof failure) {
    report.failed_stage = failure.stage;
    report.failed_errno = failure.error;
  }
  wait_for(program, plan, child_fd, report);
  report.strays = sweep(program);
}

}  // namespace

void detach(int null_fd) {
  setsid();
  ignore_signals();
  for (int const stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(null_fd, stream);
}

void supervise(const SupervisionPlan& plan) {
  detach(plan.null_fd);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  int kept[] = {plan.null_fd, plan.output_fd, plan.report_fd, plan.control_fd, plan.landlock_fd};
  keep_only(kept, 5);
  sigset_t child_signal;
  sigemptyset(&child_signal);
  sigaddset(&child_signal, SIGCHLD);
  sigprocmask(SIG_SETMASK, &child_signal, nullptr);
  int const child_fd = signalfd(-1, &child_signal, SFD_NONBLOCK | SFD_CLOEXEC);
  SupervisionReport report;
  report.network_shut = plan.own_network && leave_network() ? 1 : 0;
  start_and_wait(plan, child_fd, report);
  finish(plan, report);
}

}  // namespace redproof::gates
