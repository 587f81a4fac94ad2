#!/usr/bin/env bash
# Builds the harnesses and gives every reader so many inputs, as many readers at a time as there are cores. A slow reader ends after its time; each
# line says how many inputs it was. LibRaw 0.20 aborts for some damaged raw files (LibRaw::parseHassyModel), which ends fuzz_raw.
# usage: tests/fuzz/long.sh [INPUTS FOR EACH, 1000000 by default [SECONDS FOR EACH AT MOST, 3600 by default]]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export inputs=${1:-1000000} seconds=${2:-3600} build=build/asan-fuzz

# Fuzzes with the harness $1 and prints a line about it.
fuzz() {
    local name work ran
    name=$(basename "$1") work=$build/fuzz/long/$name
    mkdir -p "$work"
    if ! tests/fuzz/run.sh "$1" "$build/fuzz/seeds/${name#fuzz_}" "$work" -runs="$inputs" -max_total_time="$seconds" -max_len=65536 \
        >"$work/log" 2>&1; then
        echo "$name: FAILED, see $work"
        return 1
    fi
    ran=$(awk '/^stat::number_of_executed_units:/ { print $2 }' "$work/log")
    if ((ran >= inputs)); then
        echo "$name: $ran inputs, nothing found"
    else
        echo "$name: only $ran of $inputs inputs in $seconds s, nothing found"
    fi
}
export -f fuzz

cmake --preset asan-fuzz
cmake --build --preset asan-fuzz --parallel "$(nproc)"
"$build/bin/make_seeds" "$build/fuzz/seeds"
printf '%s\n' "$build"/bin/fuzz_* | xargs -P "$(nproc)" -I{} bash -c 'fuzz {}'
