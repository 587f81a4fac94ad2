#!/usr/bin/env python3
"""Builds only the executables that have the chosen tests and runs them, so that the first result comes early.

usage: try_tests.py BUILD FOLDER [FILTER]

FOLDER is one below tests/. FILTER is the name of a file of tests (`mcmc`, `mcmc_test`), a part of a test's name (`Mcmc.Dead`) or a filter of
GoogleTest (`Mcmc.*:-*Slow*`); without it, all of the folder's tests run. Files changed last come first. Prints each test as it ends and exits
with 1 if one failed.
"""
import fnmatch
import json
import os
import pathlib
import queue
import re
import subprocess
import sys
import threading
import time

TESTS = pathlib.Path(__file__).resolve().parent
TEST = re.compile(r"^(TEST|TEST_F|TEST_P)\(\s*(\w+)\s*,\s*(\w+)\s*\)", re.MULTILINE)
INSTANCE = re.compile(r"INSTANTIATE_TEST_SUITE_P\(\s*(\w*)\s*,\s*(\w+)")
END = re.compile(r"^\[ +(OK|FAILED|SKIPPED) +\] (\S+?)[,.]? .*\(\d+ ms\)$")


def names_in(text):
    """Names of a source's tests; of one with parameters, up to the parameter, which only the executable knows."""
    instances = {}
    for prefix, suite in INSTANCE.findall(text):
        instances.setdefault(suite, []).append(f"{prefix}/" if prefix else "")
    for kind, suite, name in TEST.findall(text):
        for prefix in instances.get(suite, [""]) if kind == "TEST_P" else [""]:
            yield f"{prefix}{suite}.{name}" + ("/" if kind == "TEST_P" else "")


def is_chosen(name, pattern):
    """Whether a positive pattern of GoogleTest matches the name; of one with parameters, the name with some parameter."""
    if not name.endswith("/"):
        return fnmatch.fnmatchcase(name, pattern)
    return fnmatch.fnmatchcase(name + "any", pattern) or fnmatch.fnmatchcase(name, pattern[:pattern.rfind("/") + 1])


class Choice:
    """What FILTER says: which sources, and GoogleTest's filter for them."""

    def __init__(self, text, sources):
        self.file = next((source for source in sources if text and source.stem in (text, f"{text}_test")), None)
        plain = text and not re.search(r"[*?:-]", text)
        self.filter = "*" if self.file or not text else f"*{text}*" if plain else text

    def takes(self, source):
        if self.file:
            return source == self.file
        positive = self.filter.partition("-")[0].split(":") if not self.filter.startswith("-") else ["*"]
        names = list(names_in(source.read_text(encoding="utf-8")))
        return any(is_chosen(name, pattern) for name in names for pattern in positive if pattern)


def fail(message):
    sys.exit(f"try: {message}")


def known_executables(build, folder):
    """Source and entry of executables.json for each of the folder's tests; configures again if there are new or removed ones."""
    sources = {f"tests/{path.relative_to(TESTS).as_posix()}" for path in (TESTS / folder).glob("*_test.cpp")}
    if not sources:
        folders = sorted({path.parent.name for path in TESTS.glob("*/*_test.cpp")})
        fail(f"tests/{folder} has no tests in C++; found {', '.join(folders)}")
    file = build / "tests/executables.json"
    for attempt in range(2):
        entries = {name: entry for name, entry in json.loads(file.read_text(encoding="utf-8")).items() if entry["folder"] == folder}
        if set(entries) == sources:
            return {TESTS.parent / name: entry for name, entry in entries.items()}
        if attempt == 0:
            subprocess.run(["cmake", str(build)], check=True)
    fail(f"{file} does not list the sources in tests/{folder}")


def chosen_targets(entries, choice):
    """Targets with a chosen test and their executables, what was edited last first."""
    targets = {}
    for source in sorted(filter(choice.takes, entries), key=lambda source: source.stat().st_mtime, reverse=True):
        targets.setdefault(entries[source]["target"], entries[source]["executable"])
    return targets


def batches(items):
    """1, 1, 2, 4, 8, ... of them: a first result comes early, and the rest costs few calls of the build tool."""
    done = 0
    while done < len(items):
        size = max(done, 1)
        yield items[done:done + size]
        done += size


class Run:
    """Builds in one thread and runs what is built in others."""

    def __init__(self, build, targets, choice):
        self.build, self.targets, self.filter = build, targets, choice.filter
        self.workers = os.cpu_count() or 1
        self.shards = max(1, self.workers // len(targets))  # few executables share the processors among their tests
        self.ready, self.printing, self.started = queue.Queue(), threading.Lock(), time.monotonic()
        self.count, self.failed, self.first, self.is_built = {"OK": 0, "FAILED": 0, "SKIPPED": 0}, [], None, True

    def build_all(self):
        for batch in batches(list(self.targets)):
            command = ["cmake", "--build", str(self.build), "--parallel", str(self.workers), "--target", *batch]
            if subprocess.run(command, check=False).returncode != 0:
                self.is_built = False
                break
            for target in batch:
                for shard in range(self.shards):
                    self.ready.put((target, shard))
        for _ in range(self.workers):
            self.ready.put(None)

    def run_ready(self):
        while (task := self.ready.get()) is not None:
            self.run_one(*task)

    def run_one(self, target, shard):
        environment = {**os.environ, "GTEST_TOTAL_SHARDS": str(self.shards), "GTEST_SHARD_INDEX": str(shard)}
        command = [self.targets[target], f"--gtest_filter={self.filter}", "--gtest_color=no"]
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace") as process:
            has_failed, lines = False, []
            for line in process.stdout:
                lines.append(line)
                if end := END.match(line.rstrip()):
                    self.report(end[1], end[2], lines)
                    has_failed, lines = has_failed or end[1] == "FAILED", []
        if process.returncode != 0 and not has_failed:
            self.report("FAILED", f"{target} (ended with {process.returncode})", lines)

    def report(self, result, name, lines):
        """One line for a test that passed, all that it printed for another."""
        with self.printing:
            self.first = self.first or time.monotonic() - self.started
            self.count[result] += 1
            if result == "FAILED":
                self.failed.append(name)
            print("".join(lines[-1:] if result == "OK" else lines), end="", flush=True)

    def everything(self):
        threads = [threading.Thread(target=self.run_ready) for _ in range(self.workers)]
        for thread in threads:
            thread.start()
        self.build_all()
        for thread in threads:
            thread.join()

    def ends_well(self):
        """Prints the summary."""
        seconds = time.monotonic() - self.started
        if self.first:
            print(f"\n{self.count['OK']} passed, {self.count['SKIPPED']} skipped, {self.count['FAILED']} failed "
                  f"(first result after {self.first:.0f} s, all after {seconds:.0f} s)")
        elif self.is_built:
            print("no test has such a name")
        for name in self.failed:
            print(f"  failed: {name}")
        return self.is_built and self.first is not None and not self.failed


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    build, folder, text = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], "".join(sys.argv[3:])
    entries = known_executables(build, folder)
    choice = Choice(text, entries)
    targets = chosen_targets(entries, choice)
    if not targets:
        fail(f"no test in tests/{folder} has a name like {text}; its files: {', '.join(sorted(source.stem for source in entries))}")
    run = Run(build, targets, choice)
    run.everything()
    sys.exit(0 if run.ends_well() else 1)


if __name__ == "__main__":
    main()
