#!/usr/bin/env python3
"""Runs a copy of .ci/windows with made-up commands: what cannot be had is said and fails nothing, what fails does.

usage: ci_windows_test.py
"""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from made_command import write_command

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / ".ci/windows"
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
            shutil.copy(SCRIPT, root / ".ci")
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


if __name__ == "__main__":
    unittest.main()
