// Folders, scripts and evidence for the tests of the runner.
#pragma once
#include <filesystem>
#include <string>

#include "gates/runner/catalog.h"
#include "gates/runner/evidence.h"
#include "gates/runner/process.h"
#include "gates/runner/run.h"

namespace redproof::tests {

// A fresh folder, removed when this goes.
class Folder {
 public:
  Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder();
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

void write(const std::filesystem::path& path, const std::string& text);
void write_script(const std::filesystem::path& path, const std::string& body);  // #!/bin/sh, executable
std::string slurp(const std::filesystem::path& path);
// `text` with its only `from` replaced; fails the test where there is none or more than one.
std::string replaced(const std::string& text, const std::string& from, const std::string& to);
std::string message_of(const std::function<void()>& refuses);  // of the Refusal that is thrown; "" where none is

gates::ProcessSpec shell(const std::string& script);
// A foreign gate of the subject cpu.
gates::Gate shell_gate(const std::string& id, const std::string& script);

// Evidence of the gate `id` under seed 1: one green law `law_a` on cpu/avx2 with 10 elements, floors met, nonce $REDPROOF_NONCE.
std::string green_evidence(const std::string& id);
std::string red_evidence(const std::string& id);  // 3 failures, with a worst element
// A script that leaves this evidence, where $REDPROOF_* stand for what they say, and exits.
std::string leaving(const std::string& evidence, int exit_code);
// What stands in a gate file for `id`, running sh -c SCRIPT.
std::string gate_file(const std::string& id, const std::string& script);
gates::LawEvidence green_law();
gates::LawEvidence red_law();

}  // namespace redproof::tests
