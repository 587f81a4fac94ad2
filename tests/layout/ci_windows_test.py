#!/usr/bin/env python3
"""Runs copies of .ci/windows and .ci/run with made-up commands: what cannot be had is said and fails nothing, what fails does.

usage: ci_windows_test.py
"""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from made_command import write_command

CI = pathlib.Path(__file__).resolve().parents[2] / ".ci"
SKIPPED = "NOT BUILT and its tests were NOT RUN"


class CiWindows(unittest.TestCase):
    def outcome_of(self, packages=0, tests=0, sources=0):
        """Exit code and output where these are the exit codes of bootstrap.sh, test.py and libraries.py."""
        with tempfile.TemporaryDirectory() as scratch:
            root = pathlib.Path(scratch)
            write_command(root / "bootstrap.sh", f'echo "packages: $*"; exit {packages}')
            write_command(root / "cmake/windows/libraries.py", f'echo "sources: $*"; exit {sources}')
            write_command(root / "cmake/windows/test.py", f'echo "tests: $*"; exit {tests}')
            (root / ".ci").mkdir()
            shutil.copy(CI / "windows", root / ".ci")
            done = subprocess.run([root / ".ci/windows"], capture_output=True, text=True, check=False)
            return done.returncode, done.stdout

    def test_runs_a_selection(self):
        code, said = self.outcome_of()
        self.assertEqual(code, 0)
        self.assertIn("sources: --download\npackages: deps windows\ntests: --quick\n", said)
        self.assertNotIn(SKIPPED, said)

    def test_says_what_cannot_be_had_and_succeeds(self):
        for missing in ({"sources": 2}, {"packages": 1}, {"tests": 2}):
            code, said = self.outcome_of(**missing)
            self.assertEqual(code, 0)
            self.assertIn(SKIPPED, said)
            self.assertEqual("tests:" in said, "tests" in missing)

    def test_fails_with_the_build_or_a_test(self):
        for failing in ({"sources": 1}, {"tests": 1}):
            code, said = self.outcome_of(**failing)
            self.assertEqual(code, 1)
            self.assertNotIn(SKIPPED, said)


class CiRun(unittest.TestCase):
    def outcome_of(self, windows=0, tests=0):
        """Exit code and output where these are the exit codes of .ci/windows and of `bootstrap.sh test`."""
        with tempfile.TemporaryDirectory() as scratch:
            root = pathlib.Path(scratch)
            write_command(root / "bootstrap.sh", f'[[ $1 == deps ]] || {{ echo "summary"; exit {tests}; }}')
            write_command(root / "bin/cmake", "")
            write_command(root / ".ci/check_changes.py", "")
            write_command(root / ".ci/windows", f'echo "windows"; exit {windows}')
            shutil.copy(CI / "run", root / ".ci")
            path = f"{root / 'bin'}:{os.environ['PATH']}"
            done = subprocess.run([root / ".ci/run"], env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False)
            return done.returncode, done.stdout

    def test_ends_with_the_summary_of_the_tests(self):
        for outcomes in ({}, {"windows": 1}, {"tests": 8}):
            self.assertEqual(self.outcome_of(**outcomes)[1], "windows\nsummary\n")

    def test_fails_where_either_fails(self):
        self.assertEqual(self.outcome_of()[0], 0)
        self.assertEqual(self.outcome_of(windows=1)[0], 1)
        self.assertEqual(self.outcome_of(tests=8)[0], 8)
        self.assertNotEqual(self.outcome_of(windows=1, tests=8)[0], 0)


if __name__ == "__main__":
    unittest.main()
