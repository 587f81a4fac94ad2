#!/usr/bin/env python3
"""Prints why tests were skipped, after ctest's own summary, which only names them (CTEST_CUSTOM_POST_TEST in tests/CMakeLists.txt).

usage: report_skips.py FOLDER     build/Testing/Temporary, where ctest writes its log
"""
import pathlib
import re
import sys

SHOWN = 2  # tests of each reason, so that ctest's summary stays within sight


def log_of(folder):
    """ctest has not renamed the log yet when it calls this."""
    for name in ("LastTest.log.tmp", "LastTest.log"):
        if (folder / name).exists():
            return (folder / name).read_text(errors="replace")
    return ""


def reasons(text):
    """(test, reason) of every test that GoogleTest says was skipped; in a process with many, with the one's own name."""
    for section in re.split(r"^\d+/\d+ Testing: ", text, flags=re.MULTILINE)[1:]:
        name, running, lines = section.partition("\n")[0], "", section.splitlines()
        many = section.count("[ RUN      ]") > 1
        for i, line in enumerate(lines):
            if line.startswith("[ RUN      ]"):
                running = line.split("]", 1)[1].strip()
            if re.search(r":\d+: Skipped$", line):
                reason = lines[i + 1].strip() if i + 1 < len(lines) else ""
                yield (f"{name}: {running}" if many else name), reason


def main():
    by_reason = {}
    for test, reason in reasons(log_of(pathlib.Path(sys.argv[1]))):
        by_reason.setdefault(reason, []).append(test)
    if not by_reason:
        return
    print("\nSkipped tests, and why:")
    for reason, tests in by_reason.items():
        more = f" and {len(tests) - SHOWN} more" if len(tests) > SHOWN else ""
        print(f"  {reason}: {', '.join(tests[:SHOWN])}{more}")


if __name__ == "__main__":
    main()
