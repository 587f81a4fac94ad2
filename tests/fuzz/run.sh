#!/usr/bin/env bash
# Fuzzes one reader; anything it finds stays in WORK.
# usage: run.sh HARNESS SEEDS WORK [OPTION OF LIBFUZZER...]
set -euo pipefail
harness=$1 seeds=$2 work=$3
shift 3
rm -rf "$work/corpus"
mkdir -p "$work/corpus"
[[ -n $(ls "$seeds") ]] # a harness without seeds tests little
# LibRaw asks malloc() for impossible sizes and takes its null for an answer; operator new ends the harness nevertheless.
export ASAN_OPTIONS=allocator_may_return_null=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}
# LibRaw's threads would wait for each other longer than they decode a picture of a few pixels.
export OMP_NUM_THREADS=1
# Memory bombs are findings: no input of this size may take 512 MiB at once or 2 GiB in all, or 20 seconds.
exec "$harness" -seed=1 -malloc_limit_mb=512 -rss_limit_mb=2048 -timeout=20 -artifact_prefix="$work/" -print_final_stats=1 "$@" \
    "$work/corpus" "$seeds"
