#!/usr/bin/env bash
# Runs on a machine with a GPU what continuous integration, which has software Vulkan with subgroups of 8, cannot: the kernels for subgroups of
# 32 and the transfer queue, and with them every test of the folders that use the GPU, once with all features of the device and once in each
# profile of engine/gpu/profiles.json that can be used. Ends with the kernels that no profile ran.
#
# usage: gpu_machine.sh [FOLDER]     FOLDER has the executables test_*, and splatwright if it is there; default: build/release/bin
#
# Needs bash, awk, xargs, a Vulkan driver and the executables' shared libraries; no ctest, no network. SPLAT_DEVICE chooses the device, LOGS where the
# output goes (default: a folder in /tmp), JOBS how many executables run at the same time (default: 1), PROFILES which profiles ("everything" is
# none; default: all). Without the validation layer the tests run without it. Exit code 1 if a test failed.
set -u
bin=${1:-$(dirname "${BASH_SOURCE[0]}")/../build/release/bin}
logs=${LOGS:-$(mktemp -d /tmp/splat_gpu_tests.XXXXXX)}
mkdir -p "$logs"
read -ra profiles <<<"${PROFILES:-everything no-float-atomics no-int64 no-int64-atomics no-subgroups no-size-control no-reconvergence \
no-forward-progress no-push-descriptors no-transfer-queue bare intel-xe amd-wave64 amd-rdna adreno-7xx mali-g7xx moltenvk}"
folders=(gpu primitives render view train capture)

has_validation() {
  local folder named=${VK_LAYER_PATH:-}:${VK_ADD_LAYER_PATH:-}
  for folder in ${named//:/ } {/usr,/usr/local}/share/vulkan/explicit_layer.d /etc/vulkan/explicit_layer.d \
    "${XDG_DATA_HOME:-${HOME:-}/.local/share}/vulkan/explicit_layer.d"; do
    ls "$folder"/*khronos_validation*.json >/dev/null 2>&1 && return 0
  done
  return 1
}

# Prints the names of the executables of a folder's tests: one, or one a file.
executables_of() {
  local path found=0
  for path in "$bin/test_$1" "$bin/test_$1"_*; do
    [ -x "$path" ] && { found=1; basename "$path" | sed 's/^test_//'; }
  done
  [ $found -eq 1 ] || echo "$1"
}

# Runs an executable in a profile, prints a line, and fails if a test failed.
run_test() {
  local name=$1 test=$2 log code passed skipped
  [ -x "$bin/test_$test" ] || { printf '%-18s %-28s missing\n' "$name" "$test"; return 1; }
  log=$logs/$name.$test.log
  if [ "$name" = everything ]; then unset SPLAT_PROFILE; else export SPLAT_PROFILE=$name; fi
  "$bin/test_$test" >"$log" 2>&1
  code=$?
  passed=$(awk '/^\[  PASSED  \]/ {print $4}' "$log")
  skipped=$(awk '/^\[  SKIPPED \] [0-9]+ test/ {print $4}' "$log")
  printf '%-18s %-28s %s passed, %s skipped%s\n' "$name" "$test" "${passed:-0}" "${skipped:-0}" "$([ $code -eq 0 ] || echo ", FAILED with $code: $log")"
  grep -h '^\[  FAILED  \] [^0-9]' "$log" | sort -u | sed 's/^/    /'
  return $code
}

# Prints profile and executable of each run, separated by zeros.
list_runs() {
  local profile test
  for profile in "${profiles[@]}"; do
    for test in $(for folder in "${folders[@]}"; do executables_of "$folder"; done); do
      printf '%s\0' "$profile" "$test"
    done
  done
}

has_validation || { echo "no validation layer is installed: the tests run without it"; export SPLAT_VALIDATE=0; }
[ -x "$bin/splatwright" ] && "$bin/splatwright" info
failed=0
export bin logs
export -f run_test
list_runs | xargs -0 -n 2 -P "${JOBS:-1}" bash -c 'run_test "$@"' run_test || failed=1

echo "kernels and queues that no profile ran:"
for log in "$logs"/*.gpu.log; do
  awk '/ is not run on this device/ {sub(/^(the )?(kernel )?/, ""); sub(/ is not run.*/, ""); print}' "$log" | sort -u
done | sort | uniq -c | awk -v all="${#profiles[@]}" '$1 == all {$1 = ""; print " " $0; found = 1} END {if (!found) print "  none"}'
echo "logs: $logs"
exit $failed
