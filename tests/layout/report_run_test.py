#!/usr/bin/env python3
"""Checks what tests/report_run.py says of a made-up log of ctest.

usage: report_run_test.py
"""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from report_run import Results, report  # pylint: disable=wrong-import-position


def section(number, entry, output, seconds):
    return (f"{number}/9 Testing: {entry}\n{number}/9 Test: {entry}\nOutput:\n-----\n{output}\n<end of output>\nTest time =   {seconds} sec\n"
            "-----\nTest Passed.\n")


def passed(test, milliseconds):
    return f"[ RUN      ] {test}\n[       OK ] {test} ({milliseconds} ms)\n"


class ReportRun(unittest.TestCase):
    def test_every_failing_test_of_a_process_is_named(self):
        output = (passed("Mcmc.A", 1) + "[ RUN      ] Mcmc.B\nx.cpp:1: Failure\n[  FAILED  ] Mcmc.B, where GetParam() = 1 (2 ms)\n"
                  "[  FAILED  ] Mcmc.B, where GetParam() = 1\n")
        self.assertEqual(Results(section(1, "train.Mcmc", output, 1)).failed, ["train.Mcmc.B"])
        self.assertEqual(Results(section(1, "profile.bare.render", output, 1)).failed, ["profile.bare.render: Mcmc.B"])

    def test_the_test_in_which_a_process_ended_is_named(self):
        self.assertEqual(Results(section(1, "train.Mcmc", passed("Mcmc.A", 1) + "[ RUN      ] Mcmc.B\nSEGV", 1)).failed,
                         ["train.Mcmc.B (its process ended)"])

    def test_the_ten_slowest_are_listed_from_processes_with_many_tests_and_others(self):
        text = section(1, "train.Mcmc", "".join(passed(f"Mcmc.T{i}", 1000 * i) for i in range(1, 12)), 66) + section(2, "layout.flags", "", 30.5)
        lines = report(Results(text)).splitlines()
        self.assertEqual(lines[0], "Slowest tests:")
        self.assertEqual(lines[1].split(), ["30.5", "s", "layout.flags"])
        self.assertEqual(lines[2].split(), ["11.0", "s", "train.Mcmc.T11"])
        self.assertEqual(len(lines), 11)

    def test_skipped_tests_have_their_reasons(self):
        skipped = "[ RUN      ] Mcmc.{0}\na_test.cpp:9: Skipped\nno GPU\n[  SKIPPED ] Mcmc.{0} (0 ms)\n"
        text = report(Results(section(1, "train.Mcmc", "".join(skipped.format(name) for name in "ABC"), 1)))
        self.assertIn("  no GPU: train.Mcmc.A, train.Mcmc.B and 1 more", text)
        self.assertNotIn("failed", text)

    def test_skipped_scripts_have_their_reasons(self):
        self.assertIn("  no net: peers.formats", report(Results(section(1, "peers.formats", "Skipped: no net", 1))))


if __name__ == "__main__":
    unittest.main()
