# shellcheck shell=bash
# shellcheck disable=SC2154 # $out and $jobs are the caller's
# What scripts share that go through parts and end with the loudest exit code of them: `source parts.sh NAME`; $out holds the logs.
name_of_script=$1
worst=0
summary=()
trap 'printf "interrupted\n" >&2; exit 130' INT TERM

section() { printf '\n== %s\n' "$*"; }

# part NAME STATUS: remembers it for the summary; the loudest status becomes the exit code.
part() {
  local code
  if (($2 == 0)); then summary+=("$1 ok"); else summary+=("$1 exit $2"); fi
  for code in 130 9 70 1 6 5 4 2 10 7 8 12 3 11; do
    if ((worst == code)); then return; fi
    if (($2 == code)); then worst=$code; return; fi
  done
  if (($2 != 0)); then worst=70; fi
}

finish() {
  local text
  text=$(printf ', %s' "${summary[@]}")
  printf '\n%s: %s; exit %d\n' "$name_of_script" "${text:2}" "$worst"
  exit "$worst"
}

# must NAME COMMAND...: a part that the others stand on.
must() {
  local name=$1 status
  shift
  "$@" </dev/null
  status=$?
  part "$name" "$status"
  ((status == 0)) || finish
}

build_all() { cmake --preset dev >"$out/build.log" && ninja -C build/dev -j "$jobs" | tee -a "$out/build.log" | tail -n 1; }
