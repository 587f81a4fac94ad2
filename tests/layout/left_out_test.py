#!/usr/bin/env python3
"""Checks that what tests/windows/left_out.cmake leaves out on Windows is still there, once, each for a reason.

usage: left_out_test.py
"""
import collections
import pathlib
import re
import sys
import unittest

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "faults"))
from faults import TEST  # noqa: E402

LIST = (TESTS / "windows/left_out.cmake").read_text(encoding="utf-8")
CALL = re.compile(r'^splat_leave_out\("([^"]*)"\s+([^()]*)\)', re.MULTILINE)


def calls():
    """Pairs of a reason and what is left out for it."""
    return [(reason, what.split()) for reason, what in CALL.findall(LIST)]


def tests_of(path):
    return {f"{suite}.{name}" for suite, name in TEST.findall(path.read_text(encoding="utf-8"))}


class LeftOut(unittest.TestCase):
    def setUp(self):
        self.whole = [path for _, names in calls() for name in names if name.endswith(".cpp") for path in TESTS.glob(name)]
        self.single = [name for _, names in calls() for name in names if not name.endswith(".cpp")]

    def test_each_call_is_read(self):
        self.assertEqual(len(calls()), len(re.findall(r"^splat_leave_out\(", LIST, re.MULTILINE)))
        for reason, names in calls():
            self.assertTrue(reason and names, (reason, names))

    def test_sources_are_there_once(self):
        for _, names in calls():
            for name in names:
                self.assertTrue(not name.endswith(".cpp") or list(TESTS.glob(name)), f"tests/{name} is missing")
        self.assertEqual([path.name for path, count in collections.Counter(self.whole).items() if count > 1], [])

    def test_single_tests_are_there_and_not_left_out_with_their_source(self):
        left = {test for path in self.whole for test in tests_of(path)}
        others = {test for path in TESTS.glob("*/*_test.cpp") for test in tests_of(path)} - left
        for name in self.single:
            pattern = re.compile(name.rpartition("/")[2].replace(".", "[.]").replace("*", ".*"))
            self.assertTrue(any(pattern.fullmatch(test) for test in others), f"{name} is no test that would run on Windows")
        self.assertEqual([name for name, count in collections.Counter(self.single).items() if count > 1], [])


if __name__ == "__main__":
    unittest.main()
