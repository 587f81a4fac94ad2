#!/usr/bin/env python3
"""Plants the faults of this folder one after the other in a copy of the source tree, and reports those that no test notices.

usage: run.py BUILD_FOLDER [--only GLOB]... [--list]

BUILD_FOLDER is a build of this tree with tests, such as build/release; copies of tree and build are kept beside it, in BUILD_FOLDER-faults.
README.md in this folder explains how.
"""
import argparse
import contextlib
import fnmatch
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import faults
from workplace import Workplace

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT = 180  # seconds for a test; a fault may make it wait for ever


class BuildError(Exception):
    pass


class Runner:
    def __init__(self, place):
        self.place = place
        self._cmake(place.build)  # tests may have come since
        self.executables = json.loads((place.build / "tests/executables.json").read_text(encoding="utf-8"))

    def executable(self, test):
        """The target that has a test, which is the name of its executable too."""
        return self.executables[test.source]["target"]

    def build(self, tests):
        self._cmake("--build", self.place.build, "--target", *sorted({self.executable(test) for test in tests}))

    @staticmethod
    def _cmake(*arguments):
        done = subprocess.run(["cmake", *arguments], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise BuildError("\n".join((done.stdout + done.stderr).splitlines()[-25:]))

    def run(self, executable, tests):
        """GoogleTest's result of these tests: None where the process crashed, failed or was stopped."""
        report = self.place.scratch / "report.json"
        report.unlink(missing_ok=True)
        command = [self.place.build / "bin" / executable, f"--gtest_filter={':'.join(test.filter() for test in tests)}",
                   f"--gtest_output=json:{report}"]
        with subprocess.Popen(command, cwd=self.place.scratch, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              start_new_session=True) as process:
            try:
                code = process.wait(LIMIT * len(tests))
            except subprocess.TimeoutExpired:
                return None
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)  # the programs that it has started too
        return json.loads(report.read_text(encoding="utf-8")) if code == 0 and report.exists() else None

    def problems_without_faults(self, chosen):
        """Named tests that do not pass, as lines: they would say nothing about a fault."""
        by_executable = {}
        for test in sorted({test for fault in chosen for test in fault.tests}, key=lambda t: t.name):
            by_executable.setdefault(self.executable(test), []).append(test)
        self.build([test for tests in by_executable.values() for test in tests])
        found = []
        for executable, tests in by_executable.items():
            result = self.run(executable, tests)
            if result is None:
                failing = [test.name for test in tests if self.run(executable, [test]) is None]
                found.append(f"{executable}: without a fault, {', '.join(failing) or 'the named tests together'} fails or does not end")
                continue
            ran = {(suite["name"].rpartition("/")[2], case["name"].partition("/")[0])
                   for suite in result["testsuites"] for case in suite["testsuite"] if case["result"] == "COMPLETED"}
            found += [f"{executable}: {test.name} was not run, or skipped" for test in tests if test.base() not in ran]
        return found

    def kill(self, fault):
        """Plants a fault and returns the named tests that still pass."""
        with self.place.planted(fault):
            self.build(fault.tests)
            return [test.name for test in fault.tests if self.run(self.executable(test), [test]) is not None]


def arguments():
    parser = argparse.ArgumentParser(description="Plants faults, one after the other, and reports those that no test notices.")
    parser.add_argument("build", type=pathlib.Path, metavar="BUILD_FOLDER")
    parser.add_argument("--only", action="append", metavar="GLOB", help="only faults of this area or with a name like this; repeatable")
    parser.add_argument("--list", action="store_true", help="list the faults and their tests instead")
    parser.add_argument("--placed", action="store_true", help=argparse.SUPPRESS)  # Workplace.enter() has been here
    return parser.parse_args()


def work(runner, chosen):
    """Returns the faults that survived, and those that could not be tried."""
    survived, broken = [], []
    for number, fault in enumerate(chosen, 1):
        start = time.monotonic()
        try:
            passing = runner.kill(fault)
            verdict = f"SURVIVED: passes {', '.join(passing)}" if passing else f"killed by {', '.join(test.name for test in fault.tests)}"
            survived += [fault] if passing else []
        except (BuildError, ValueError) as problem:
            verdict = f"CANNOT BE TRIED: {problem}"
            broken.append(fault)
        print(f"[{number}/{len(chosen)}] {fault.area}: {fault.name}: {verdict} ({time.monotonic() - start:.0f} s)", flush=True)
    return survived, broken


def main():
    options = arguments()
    globs = options.only or ["*"]
    chosen = [fault for fault in faults.read(ROOT / "tests/faults")
              if any(fnmatch.fnmatch(fault.area, glob) or fnmatch.fnmatch(fault.name, glob) for glob in globs)]
    if not chosen:
        sys.exit(f"no fault is called {' or '.join(globs)}: --list shows them")
    if options.list:
        for fault in chosen:
            print(f"{fault.area}: {fault.name} ({fault.file}; {', '.join(test.name for test in fault.tests)})")
        return
    place = Workplace(ROOT, options.build.resolve(), options.placed)
    place.enter(__file__, [f"--only={glob}" for glob in globs])
    runner = Runner(place)
    # Neighbours share what has to be built again.
    chosen.sort(key=lambda fault: (sorted(runner.executable(test) for test in fault.tests), fault.file))
    start = time.monotonic()
    if problems := runner.problems_without_faults(chosen):
        sys.exit("\n".join(problems))
    survived, broken = work(runner, chosen)
    print(f"{len(chosen) - len(survived) - len(broken)} of {len(chosen)} faults killed, {len(survived)} survived, {len(broken)} could not be"
          f" tried; {(time.monotonic() - start) / 60:.0f} min")
    sys.exit(bool(survived or broken))


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
    except BuildError as problem:
        sys.exit(f"the tree does not build without a fault:\n{problem}")
