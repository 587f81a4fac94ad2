#!/usr/bin/env python3
"""Checks what cmake/windows/test.py says of made-up results, and where its tools are missing.

usage: windows_tests_test.py
"""
import contextlib
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from script_module import load

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "cmake/windows/test.py"

RESULT = """<?xml version="1.0"?><testsuites><testsuite name="Files">
<testcase name="AreRead" status="run" result="completed" classname="Files"/>
<testcase name="AreKept" status="run" result="completed" classname="Files"><failure message="x"/></testcase>
<testcase name="AreLinks" status="run" result="skipped" classname="Files"><skipped message="files_test.cpp:7&#x0A;no links"/></testcase>
<testcase name="AreLeftOut" status="notrun" result="suppressed" classname="Files"/></testsuite></testsuites>"""


class Summary(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.script = load(SCRIPT)
        self.script.BUILD = self.script.RESULTS = pathlib.Path(scratch.name)
        (self.script.BUILD / "left_out.txt").write_text("core/a_test.cpp: signals\ncli/b_test.cpp: signals\n", encoding="utf-8")

    def summarise(self, entries, quick=False):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            failed = self.script.summarise(entries, quick)
        return failed, said.getvalue()

    def test_every_test_is_counted_and_every_reason_said(self):
        (self.script.RESULTS / "core.xml").write_text(RESULT, encoding="utf-8")
        failed, said = self.summarise({"core": "fail"})
        self.assertTrue(failed)
        for part in ("| core | 1 | 1 | 1 |", "no links: Files.AreLinks", "core: Files.AreKept", "signals: core/a_test.cpp, cli/b_test.cpp", "1 passed, 1 failed"):
            self.assertIn(part, said)

    def test_a_program_that_crashes_has_failed(self):
        failed, said = self.summarise({"train": "fail", "cli.paths": "run", "cli.same_bytes": "notrun"})
        self.assertTrue(failed)
        self.assertIn("train (wrote no results)", said)
        self.assertIn("| cli.paths | 1 | 0 | 0 |", said)
        self.assertIn("| cli.same_bytes | 0 | 0 | 1 |", said)

    def test_a_program_whose_results_are_elsewhere_has_failed(self):
        failed, said = self.summarise({"core": "run"})
        self.assertTrue(failed)
        self.assertIn("core (wrote no results)", said)

    def test_a_program_that_fails_after_its_tests_has_failed(self):
        (self.script.RESULTS / "core.xml").write_text(RESULT.replace('<failure message="x"/>', ""), encoding="utf-8")
        self.assertTrue(self.summarise({"core": "fail"})[0])
        self.assertFalse(self.summarise({"core": "run"})[0])


class MissingTools(unittest.TestCase):
    def test_are_named_and_nothing_passes(self):
        with tempfile.TemporaryDirectory() as empty:
            done = subprocess.run([sys.executable, SCRIPT, "--quick"], env={**os.environ, "PATH": empty}, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        for part in ("NOT RUN", "g++-mingw-w64-x86-64-posix", "wine", "./bootstrap.sh deps windows"):
            self.assertIn(part, done.stderr)


if __name__ == "__main__":
    unittest.main()
