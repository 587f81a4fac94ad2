#!/usr/bin/env python3
"""Writes the ctest entries of an executable: one per test suite, whose tests share a process and so its device and its compiled kernels.

usage: list_tests.py EXECUTABLE FOLDER SCRIPT     SCRIPT is what ctest includes; an entry is FOLDER.SUITE
"""
import pathlib
import subprocess
import sys

TIMEOUT = 900  # seconds of an entry
SWEEP = "Sweep"  # begins the name of a suite that only test-all runs (ctest -C All)


def suites_in(listing):
    """Names of the suites of --gtest_list_tests, with their prefixes."""
    suites = [line.split()[0].rstrip(".") for line in listing.splitlines() if line and not line.startswith(" ") and line.split()[0].endswith(".")]
    return [suite for suite in suites if not suite.startswith("DISABLED_")]


def entry(executable, folder, suite):
    name = f"[==[{folder}.{suite}]==]"
    text = (f"add_test({name} [==[{executable}]==] [==[--gtest_filter={suite}.*]==])\n"
            f"set_tests_properties({name} PROPERTIES TIMEOUT {TIMEOUT})\n")
    return f'if(CTEST_CONFIGURATION_TYPE STREQUAL "All")\n{text}endif()\n' if suite.startswith(SWEEP) else text


def main():
    executable, folder, script = sys.argv[1:]
    listing = subprocess.run([executable, "--gtest_list_tests"], stdout=subprocess.PIPE, text=True, check=True, timeout=60).stdout
    suites = suites_in(listing)
    if not suites:
        sys.exit(f"{executable} lists no tests")
    pathlib.Path(script).write_text("".join(entry(executable, folder, suite) for suite in suites), encoding="utf-8")


if __name__ == "__main__":
    main()
