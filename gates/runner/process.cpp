#include "gates/runner/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include "gates/runner/command.h"
#include "gates/runner/confinement.h"
#include "gates/runner/descriptor.h"
#include "gates/runner/interrupt.h"
#include "gates/runner/network.h"
#include "gates/runner/oom_kills.h"
#include "gates/runner/output_window.h"
#include "gates/runner/refusal.h"
#include "gates/runner/spawner.h"
#include "gates/runner/supervisor.h"

namespace redproof::gates {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int poll_ms = 50;  // how late an interrupt or a timeout is noticed

struct Channels {
  Pipe output, report, control;
  Descriptor null, landlock;
};

ProcessResult not_started(int exit_code, std::string why) {
  ProcessResult result;
  result.exit_code = exit_code;
  result.start_error = std::move(why);
  return result;
}

bool open_channels(Channels& channels) {
  channels.output = make_pipe();
  channels.report = make_pipe();
  channels.control = make_pipe();
  channels.null = open_for_reading("/dev/null");
  return channels.output.write.open() && channels.report.write.open() && channels.control.write.open() && channels.null.open();
}

// Takes what is there and returns at once.
void drain(int fd, OutputWindow& window) {
  char block[65536];
  for (ssize_t size = read(fd, block, sizeof block); size > 0; size = read(fd, block, sizeof block))
    window.add(std::string_view(block, static_cast<std::size_t>(size)));
}

std::string stage_text(StartStage stage, const Command& command) {
  switch (stage) {
    case StartStage::cwd:
      return "cannot enter " + command.cwd;
    case StartStage::limits:
      return "cannot set the limits";
    case StartStage::confinement:
      return "cannot enter Landlock";
    case StartStage::execute:
      return "cannot execute " + command.program;
    default:
      return "cannot fork";
  }
}

void tell_start_failure(const SupervisionReport& report, const Command& command, ProcessResult& result) {
  bool const missing = report.failed_stage == StartStage::execute && (report.failed_errno == ENOENT || report.failed_errno == ENOTDIR);
  result.exit_code = missing ? 127 : 126;
  result.start_error = fmt::format("{}: {}", stage_text(report.failed_stage, command), std::strerror(report.failed_errno));
}

bool speaks_of_memory(const std::string& output) {
  auto const words = {"bad_alloc", "out of memory", "Out of memory", "Cannot allocate memory", "memory exhausted"};
  return std::any_of(words.begin(), words.end(), [&](const char* text) { return output.find(text) != std::string::npos; });
}

// No process has more than all cores for all of its time, so that this ends only what a clock of ours does not reach.
std::chrono::seconds cpu_limit_of(const ProcessSpec& spec) {
  if (spec.cpu_limit.count() > 0 || spec.timeout.count() <= 0) return std::max(spec.cpu_limit, std::chrono::seconds(0));
  return std::chrono::ceil<std::chrono::seconds>(spec.timeout + spec.grace) * std::max(1U, std::thread::hardware_concurrency());
}

// At the limit on processor time comes SIGXCPU, which shells tell as 128 + its number; whoever does not end of that is killed.
bool used_up_its_time(const SupervisionReport& report, const ProcessSpec& spec, const ProcessResult& result) {
  auto const limit = cpu_limit_of(spec).count();
  // The kernel's two counts of it differ, on a busy machine by more than some ticks.
  if (limit == 0 || report.cpu_ms < 750 * limit) return false;
  bool const killed = result.signal == SIGKILL && report.killed_by_us == 0;
  return killed || result.signal == SIGXCPU || result.exit_code == 128 + SIGXCPU;
}

void tell_end(const SupervisionReport& report, const ProcessSpec& spec, std::uint64_t kernel_kills, ProcessResult& result) {
  if (WIFSIGNALED(report.wait_status)) result.signal = WTERMSIG(report.wait_status);
  if (WIFEXITED(report.wait_status)) result.exit_code = WEXITSTATUS(report.wait_status);
  bool const used_up = used_up_its_time(report, spec, result);
  result.timed_out = result.timed_out || used_up;
  result.oom = !used_up && report.killed_by_us == 0 && ran_out_of_memory(spec, result, kernel_kills);
}

// One conversation with a supervisor: drains, watches the clock and the interrupt flag, until the report is there.
class Watch {
 public:
  Watch(const ProcessSpec& spec, Channels& channels) : spec_(spec), channels_(channels), window_(spec.output_limit_bytes) {
    for (int const fd : {channels_.output.read.get(), channels_.report.read.get()}) fcntl(fd, F_SETFL, O_NONBLOCK);
  }

  // False where the supervisor died without a report.
  bool wait(SupervisionReport& report, ProcessResult& result) {
    bool reported = false;
    bool ended = false;
    while (!ended) {
      pollfd waits[2] = {{channels_.report.read.get(), POLLIN, 0}, {output_ended_ ? -1 : channels_.output.read.get(), POLLIN, 0}};
      poll(waits, 2, poll_ms);
      drain(channels_.output.read.get(), window_);
      output_ended_ = output_ended_ || (waits[1].revents & (POLLIN | POLLHUP)) == POLLHUP;
      ssize_t const size = waits[0].revents == 0 ? -1 : read(channels_.report.read.get(), &report, sizeof report);
      reported = size == sizeof report;
      ended = reported || size == 0;
      if (!ended) end_when_due(result);
    }
    drain(channels_.output.read.get(), window_);
    return reported;
  }

  const OutputWindow& window() const { return window_; }

 private:
  void end_when_due(ProcessResult& result) {
    if (result.timed_out || result.interrupted) return;
    bool const late = spec_.timeout.count() > 0 && Clock::now() - start_ >= spec_.timeout;
    result.interrupted = interrupted();
    result.timed_out = !result.interrupted && late;
    if (!result.interrupted && !result.timed_out) return;
    unsigned char const signal = result.interrupted ? SIGINT : SIGTERM;
    if (write(channels_.control.write.get(), &signal, 1) != 1) channels_.control.write.close();
  }

  const ProcessSpec& spec_;
  Channels& channels_;
  OutputWindow window_;
  bool output_ended_ = false;
  Clock::time_point start_ = Clock::now();
};

SupervisionPlan plan_of(const ProcessSpec& spec, const Command& command, const Channels& channels) {
  SupervisionPlan plan;
  plan.program = command.program.c_str();
  plan.cwd = command.cwd.empty() ? nullptr : command.cwd.c_str();
  plan.null_fd = channels.null.get();
  plan.output_fd = channels.output.write.get();
  plan.report_fd = channels.report.write.get();
  plan.control_fd = channels.control.read.get();
  plan.landlock_fd = channels.landlock.get();
  plan.memory_limit_bytes = spec.memory_limit_bytes;
  plan.file_size_limit_bytes = spec.file_size_limit_bytes;
  plan.open_files_limit = spec.open_files_limit;
  plan.cpu_limit_s = static_cast<std::uint64_t>(cpu_limit_of(spec).count());
  plan.own_network = spec.own_network && can_leave_network();
  plan.grace_ms = static_cast<int>(std::clamp<std::int64_t>(spec.grace.count(), 0, 600000));
  return plan;
}

// A child of ours, or of the spawner's, which reaps it: then the answer is 0. Below 0 where there is none.
pid_t start_supervisor(const SupervisionPlan& plan) {
  if (spawn_supervisor(plan)) return 0;
  pid_t const supervisor = fork();
  if (supervisor == 0) supervise(plan);
  return supervisor;
}

void reap(pid_t supervisor) {
  while (supervisor > 0 && waitpid(supervisor, nullptr, 0) < 0 && errno == EINTR) {
  }
}

ProcessResult supervised(const ProcessSpec& spec, const Command& command, Channels& channels) {
  auto const argv = pointers(spec.argv);
  auto const environment = pointers(command.environment);
  SupervisionPlan plan = plan_of(spec, command, channels);
  plan.argv = argv.data();
  plan.environment = environment.data();
  std::uint64_t const kills_before = oom_kills();
  auto const start = Clock::now();
  pid_t const supervisor = start_supervisor(plan);
  if (supervisor < 0) return not_started(126, fmt::format("cannot fork: {}", std::strerror(errno)));
  for (auto* end : {&channels.output.write, &channels.report.write, &channels.control.read}) end->close();
  ProcessResult result;
  result.landlock_applied = channels.landlock.open();
  SupervisionReport report;
  Watch watch(spec, channels);
  bool const reported = watch.wait(report, result);
  channels.control.write.close();
  reap(supervisor);
  result.wall_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  result.output = watch.window().text();
  result.output_bytes = watch.window().total_bytes();
  result.truncated = watch.window().truncated();
  if (!reported) {
    result.start_error = "the supervising process died";
    return result;
  }
  result.strays = report.strays;
  result.network_shut = report.network_shut != 0;
  result.peak_rss_bytes = static_cast<std::uint64_t>(report.peak_rss_kib) * 1024;
  if (report.failed_stage != StartStage::none)
    tell_start_failure(report, command, result);
  else
    tell_end(report, spec, oom_kills() - kills_before, result);
  return result;
}

}  // namespace

bool ran_out_of_memory(const ProcessSpec& spec, const ProcessResult& result, std::uint64_t kernel_kills) {
  if (result.signal == SIGKILL) return kernel_kills != 0;
  return spec.memory_limit_bytes != 0 && result.exit_code != 0 && speaks_of_memory(result.output);
}

ProcessResult run_process(const ProcessSpec& spec) {
  if (interrupted()) {
    ProcessResult result;
    result.interrupted = true;
    return result;
  }
  Command const command = resolve_command(spec);
  if (command.program.empty()) {
    std::string const name = spec.argv.empty() ? std::string() : spec.argv[0];
    return not_started(command.missing_code, fmt::format("{}: {}", name.empty() ? "(no program)" : name,
                                                         command.missing_code == 126 ? "not executable" : "not found in PATH"));
  }
  Channels channels;
  if (!open_channels(channels)) return not_started(126, fmt::format("cannot open pipes: {}", std::strerror(errno)));
  try {
    if (!spec.writable_roots.empty()) channels.landlock = write_only_below(spec.writable_roots);
  } catch (const Refusal& refusal) {
    return not_started(126, refusal.what());
  }
  return supervised(spec, command, channels);
}

}  // namespace redproof::gates
