#!/usr/bin/env python3
"""Builds the tests as programs for Windows and runs them under Wine, on this machine's Vulkan driver.

usage: test.py [--quick] [ENTRY...]

  ENTRY     folders of tests/ such as core or train, or cli.paths, package.zip; default: all
  --quick   core, gpu and cli.paths alone, as .ci/windows

Ends with the numbers of tests that passed, failed, were skipped and are left out, with the reasons; exit code 1 where any failed.
Where a tool is missing or the libraries' sources are out of reach, it says so and ends with code 2: then nothing was tested.
"""
import argparse
import collections
import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build/windows"
RESULTS = BUILD / "results"
NOT_RUN = 2  # exit code
QUICK = ["core", "gpu", "cli.paths"]
TOOLS = {"x86_64-w64-mingw32-g++-posix": "g++-mingw-w64-x86-64-posix", "x86_64-w64-mingw32-windres": "mingw-w64-tools", "nasm": "nasm",
         "wine": "wine", "Xvfb": "xvfb", "ninja": "ninja-build"}


def refuse(reason):
    print(f"The tests for Windows were NOT RUN: {reason}", file=sys.stderr)
    raise SystemExit(NOT_RUN)


def require_tools():
    missing = sorted({package for tool, package in TOOLS.items() if not shutil.which(tool)})
    if missing:
        refuse(f"{' '.join(missing)} missing; ./bootstrap.sh deps windows installs them on Debian 12")


def require_libraries():
    status = subprocess.run([ROOT / "cmake/windows/libraries.py"], check=False).returncode
    if status == NOT_RUN:
        refuse("the libraries cannot be built without their sources")
    if status != 0:
        sys.exit("the libraries cannot be built")


def run(*command):
    subprocess.run([str(word) for word in command], cwd=ROOT, check=True)


def build(names):
    """What entries need, all of them without names; those that are no folders need the program alone."""
    require_libraries()
    run("cmake", "--preset", "windows", "-DSPLAT_TESTS=ON")
    targets = ["splatwright", *(f"test_{name}" for name in names if "." not in name)] if names else ["all"]
    run("cmake", "--build", BUILD, "--parallel", os.cpu_count(), "--target", *targets)


@contextlib.contextmanager
def own_display():
    """An X server for all of Wine: its desktop keeps the display, or none, that it begins with, and without one there is no Vulkan."""
    readable, writable = os.pipe()
    command = ["Xvfb", "-displayfd", str(writable), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[writable]) as server:
        os.close(writable)
        with open(readable, encoding="ascii") as number:
            os.environ["DISPLAY"] = f":{number.readline().strip()}"
        try:
            yield
        finally:
            server.terminate()


@contextlib.contextmanager
def started_wine():
    """Makes Wine's folder, a minute that no test has. What Wine has started ends with it: whoever reads our output would wait for it."""
    wine = ROOT / "cmake/windows/wine.sh"
    try:
        if subprocess.run(["timeout", "300", wine, "wineboot", "-i"], check=False).returncode != 0:
            refuse("Wine does not start here")
        yield
    finally:
        subprocess.run(["timeout", "60", wine, "wineboot", "-k"], check=False)


def run_entries(names):
    """Returns ctest's word for how each entry ended (run: passed, fail, notrun: skipped) by its name."""
    shutil.rmtree(RESULTS, ignore_errors=True)
    RESULTS.mkdir()
    choice = ["-R", f"^({'|'.join(names)})$".replace(".", "[.]")] if names else []
    subprocess.run(["ctest", "--test-dir", BUILD, "--output-on-failure", "--parallel", str(os.cpu_count()),
                    "--output-junit", RESULTS / "entries.xml", *choice], check=False)
    entries = xml.parse(RESULTS / "entries.xml").getroot()
    return {entry.get("name"): entry.get("status") for entry in entries.iter("testcase")}


class Counts:
    def __init__(self):
        self.passed, self.failed, self.skipped = 0, [], collections.defaultdict(list)

    def add_tests(self, file):
        """What GoogleTest wrote of an executable."""
        for test in xml.parse(file).getroot().iter("testcase"):
            name = f"{test.get('classname')}.{test.get('name')}"
            if test.find("failure") is not None:
                self.failed.append(name)
            elif (skip := test.find("skipped")) is not None:
                self.skipped[skip.get("message").splitlines()[-1]].append(name)
            elif test.get("status") == "run":
                self.passed += 1

    def add_entry(self, name, status):
        """An executable that wrote nothing has crashed or took too long; scripts, whose names have a dot, are one test."""
        file = RESULTS / f"{name}.xml"
        if file.exists():
            self.add_tests(file)
        elif "." not in name:
            self.failed.append(f"{name} (wrote no results)")
        elif status == "run":
            self.passed += 1
        elif status == "notrun":
            self.skipped["the script says why"].append(name)
        if status == "fail" and not self.failed:
            self.failed.append(f"{name} (did not end by itself)")


def summarise(entries, quick):
    rows = {name: Counts() for name in sorted(entries)}
    for name, counts in rows.items():
        counts.add_entry(name, entries[name])
    print("\nTests as programs for Windows under Wine:\n\n| entry | passed | failed | skipped |\n|---|---:|---:|---:|")
    for name, counts in rows.items():
        print(f"| {name} | {counts.passed} | {len(counts.failed)} | {sum(map(len, counts.skipped.values()))} |")
    print_names("Skipped", [(reason, tests) for counts in rows.values() for reason, tests in counts.skipped.items()])
    if not quick:
        left_out = collections.defaultdict(list)
        for line in (BUILD / "left_out.txt").read_text(encoding="utf-8").splitlines():
            what, _, reason = line.partition(": ")
            left_out[reason].append(what)
        print_names("Left out (tests/windows/left_out.cmake)", left_out.items())
    failed = [f"{name}: {test}" for name, counts in rows.items() for test in counts.failed]
    print_names("FAILED", [("", failed)] if failed else [])
    print(f"\n{sum(counts.passed for counts in rows.values())} passed, {len(failed)} failed")
    return bool(failed)


def print_names(title, reasons):
    if reasons:
        print(f"\n{title}:")
    for reason, names in reasons:
        print(f"  {reason}{': ' if reason else ''}{', '.join(names)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("entries", nargs="*", metavar="ENTRY")
    arguments = parser.parse_args()
    require_tools()
    names = QUICK if arguments.quick else arguments.entries
    build(names)
    with own_display(), started_wine():
        entries = run_entries(names)
    if not entries:
        sys.exit("no entry of ctest was run")
    sys.exit(summarise(entries, arguments.quick))


if __name__ == "__main__":
    main()
