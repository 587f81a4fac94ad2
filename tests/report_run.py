#!/usr/bin/env python3
"""Prints after ctest's own summary what it leaves out (CTEST_CUSTOM_POST_TEST in tests/CMakeLists.txt): which tests of a process failed, which
took longest, and why tests were skipped.

usage: report_run.py FOLDER     build/Testing/Temporary, where ctest writes its log
"""
import pathlib
import re
import sys

SHOWN = 2  # skipped tests of each reason, so that ctest's summary stays within sight
SLOWEST = 10
ENDED = re.compile(r"^\[ +(OK|FAILED|SKIPPED) +\] ([^\s,]+).*\((\d+) ms\)$")
SKIPPED = re.compile(r"^Skipped: (.+)$")  # what scripts print
ENTRY_TIME = re.compile(r"^Test time = +([\d.]+) sec$", re.MULTILINE)


def log_of(folder):
    """ctest has not renamed the log yet when it calls this."""
    for name in ("LastTest.log.tmp", "LastTest.log"):
        if (folder / name).exists():
            return (folder / name).read_text(errors="replace")
    return ""


def named(entry, test):
    """FOLDER.SUITE.NAME, or with what stands before the folder where an entry runs a whole executable, as those of profiles do."""
    suite, folder = test.rpartition(".")[0], entry.partition(".")[0]
    return f"{folder}.{test}" if entry == f"{folder}.{suite}" else f"{entry}: {test}"


class Results:
    """What the log says of each test."""

    def __init__(self, text):
        self.failed, self.seconds, self.skipped = [], [], {}
        for section in re.split(r"^\d+/\d+ Testing: ", text, flags=re.MULTILINE)[1:]:
            self.read_entry(section.partition("\n")[0], section)

    def read_entry(self, entry, section):
        lines, running, found = section.splitlines(), "", False
        for i, line in enumerate(lines):
            if line.startswith("[ RUN      ]"):
                running = line.split("]", 1)[1].strip()
            elif re.search(r":\d+: Skipped$", line):
                self.skipped.setdefault(lines[i + 1].strip() if i + 1 < len(lines) else "", []).append(named(entry, running))
            elif not running and (skip := SKIPPED.match(line)):
                self.skipped.setdefault(skip[1], []).append(entry)
            elif end := ENDED.match(line):
                found, running = True, ""
                self.seconds.append((int(end[3]) / 1000, named(entry, end[2])))
                if end[1] == "FAILED":
                    self.failed.append(named(entry, end[2]))
        if running:
            self.failed.append(f"{named(entry, running)} (its process ended)")
        if not found and (time := ENTRY_TIME.search(section)):
            self.seconds.append((float(time[1]), entry))


def report(results):
    """Text below ctest's summary."""
    parts = []
    if results.failed:
        parts += ["Tests that failed:", *(f"  {name}" for name in results.failed)]
    if results.seconds:
        parts.append("Slowest tests:")
        parts += [f"  {seconds:6.1f} s  {name}" for seconds, name in sorted(results.seconds, reverse=True)[:SLOWEST]]
    if results.skipped:
        parts.append("Skipped tests, and why:")
        for reason, tests in results.skipped.items():
            more = f" and {len(tests) - SHOWN} more" if len(tests) > SHOWN else ""
            parts.append(f"  {reason}: {', '.join(tests[:SHOWN])}{more}")
    return "\n".join(parts)


if __name__ == "__main__":
    print(f"\n{report(Results(log_of(pathlib.Path(sys.argv[1]))))}")
