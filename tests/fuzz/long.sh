#!/usr/bin/env bash
# Builds the harnesses and fuzzes every reader for a while, as many at a time as there are cores. LibRaw 0.20 aborts for some damaged raw files
# (LibRaw::parseHassyModel), which ends fuzz_raw.
# usage: tests/fuzz/long.sh [SECONDS FOR EACH, 600 by default]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
readonly seconds=${1:-600} build=build/asan-fuzz
cmake --preset asan-fuzz
cmake --build --preset asan-fuzz --parallel "$(nproc)"
"$build/bin/make_seeds" "$build/fuzz/seeds"
failed=0
printf '%s\n' "$build"/bin/fuzz_* | xargs -P "$(nproc)" -I{} bash -c '
    name=$(basename "$1") && work=$2/fuzz/long/$name && mkdir -p "$work" &&
    { tests/fuzz/run.sh "$1" "$2/fuzz/seeds/${name#fuzz_}" "$work" -max_total_time="$3" -max_len=65536 >"$work/log" 2>&1 &&
        echo "$name: nothing found" || { echo "$name: see $work"; exit 1; }; }' _ {} "$build" "$seconds" || failed=1
exit "$failed"
