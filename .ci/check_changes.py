#!/usr/bin/env python3
"""Checks the C++ files that a change touches with clang-format and clang-tidy.

usage: check_changes.py BUILD [BASE]

A change is what lies between BASE and HEAD. Without BASE that is the merge base with origin/main or, on main itself, the parent; a commit
without a known parent (the first, or the last of a shallow clone) counts as a change of every file, which is too much for clang-tidy.
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FOLDERS = ("engine/", "app/", "tests/", "shaders/shared/")
# clang-tidy takes up to 20 s per file.
MOST_TIDIED = 24


def git(*arguments):
    """What git prints; None if it fails."""
    done = subprocess.run(["git", *arguments], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def base_of_head():
    head, merge_base = git("rev-parse", "HEAD"), git("merge-base", "HEAD", "origin/main")
    return merge_base if merge_base not in (None, head) else git("rev-parse", "--verify", "--quiet", "HEAD~1")


def changed_files(base):
    """C++ files of ours that exist and differ from `base`; all of them without one."""
    names = git("diff", "--name-only", "--diff-filter=d", base, "HEAD") if base else git("ls-files")
    return [name for name in names.splitlines() if name.startswith(FOLDERS) and name.endswith((".h", ".cpp"))]


def tool(name):
    found = shutil.which(f"{name}-16") or shutil.which(name)
    return found or sys.exit(f"check_changes: {name}-16 is not installed (./bootstrap.sh deps test installs it)")


def is_formatted(files):
    """Prints what clang-format would change."""
    return not files or subprocess.run([tool("clang-format"), "--dry-run", "--Werror", *files], check=False).returncode == 0


def compile_commands_for_clang(build, folder):
    """Writes them into a folder without what only GCC knows: its precompiled headers, without which what a file lacks is found, and an option."""
    commands = pathlib.Path(build, "compile_commands.json").read_text(encoding="utf-8")
    pathlib.Path(folder, "compile_commands.json").write_text(re.sub(r" -include [^ ]*cmake_pch\.hxx| -fno-gnu-unique", "", commands), encoding="utf-8")


def is_tidy(build, file):
    """Prints clang-tidy's findings in a source and the headers of ours that it includes."""
    done = subprocess.run([tool("clang-tidy"), "-p", build, "--quiet", "--warnings-as-errors=*", file], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(done.stdout, done.stderr, sep="")
    return done.returncode == 0


def are_tidy(build, sources):
    for name in sources[MOST_TIDIED:]:
        print(f"check_changes: {name} is left out: clang-tidy checks at most {MOST_TIDIED} files")
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        compile_commands_for_clang(build, folder)
        return all(list(pool.map(lambda file: is_tidy(folder, file), sources[:MOST_TIDIED])))


def main():
    build = sys.argv[1]
    base = sys.argv[2] if len(sys.argv) > 2 else base_of_head()
    files = changed_files(base)
    # These are in another build folder's list of compile commands.
    elsewhere = ("tests/fuzz/", "tests/consumer/", "engine/core/platform/windows/")
    sources = [name for name in files if name.endswith(".cpp") and not name.startswith(elsewhere)] if base else []
    print(f"check_changes: clang-format on {len(files)} files, clang-tidy on {min(len(sources), MOST_TIDIED)}", flush=True)
    good = is_formatted(files)
    tidy = not sources or are_tidy(build, sources)
    sys.exit(0 if tidy and good else 1)


if __name__ == "__main__":
    os.chdir(pathlib.Path(__file__).resolve().parents[1])
    main()
