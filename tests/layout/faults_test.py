#!/usr/bin/env python3
"""The faults in tests/faults can still be planted, and name tests that exist: their runner (tests/faults/run.py) takes hours, this a second.

usage: faults_test.py [ROOT]
"""
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2])
sys.path.insert(0, str(ROOT / "tests/faults"))

import faults

LEAST, LEAST_OF_TRAINING = 60, 24
AREAS = {"train", "densify", "watch", "kernels", "readers", "hostile", "viewer", "prepare", "runs", "library"}
GOOD = {"name": "'it adds'", "file": "'engine/a.cpp'", "text": "'a - b'", "replacement": "'a + b'", "tests": "['tests/core/a_test.cpp: A.Subtracts']"}


class CheckTheChecker(unittest.TestCase):
    def problems(self, *rows, least=1, training=0):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in {"engine/a.cpp": "int f(int a, int b) { return a - b; }\nint g() { return 1 + 1; }\n", "README.md": "a - b",
                               "tests/core/a_test.cpp": "TEST_P(A, Subtracts) {\n}\nTEST_F(B,\n       Wraps) {\n}\n"}.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            (root / "core.toml").write_text("\n".join("[[fault]]\n" + "".join(f"{key} = {value}\n" for key, value in row.items()) for row in rows),
                                            encoding="utf-8")
            return faults.problems(root, faults.read(root), least, training)

    def test_a_fault_that_can_be_planted(self):
        self.assertEqual(self.problems(GOOD), [])
        for name in ("Sizes/A.Subtracts/257", "B.Wraps"):
            self.assertEqual(self.problems({**GOOD, "tests": f"['tests/core/a_test.cpp: {name}']"}), [])

    def test_what_cannot_be_planted(self):
        for change in ({"text": "'a * b'"}, {"text": "'1'"}, {"replacement": "'a - b'"}, {"file": "'engine/b.cpp'"}, {"file": "'README.md'"}):
            self.assertEqual(len(self.problems({**GOOD, **change})), 1, change)

    def test_tests_that_do_not_exist(self):
        for test in ("tests/core/a_test.cpp: A.Adds", "tests/core/a_test.cpp: B.Subtracts", "tests/core/b_test.cpp: A.Subtracts"):
            self.assertEqual(len(self.problems({**GOOD, "tests": f"['{test}']"})), 1, test)

    def test_too_few_and_equal_names(self):
        self.assertEqual(len(self.problems(GOOD, least=2)), 1)
        self.assertEqual(len(self.problems(GOOD, training=1)), 1)
        self.assertEqual(len(self.problems(GOOD, GOOD)), 1)

    def test_rows_with_other_keys(self):
        for row in ({**GOOD, "test": "''"}, {"name": "'x'"}, {**GOOD, "tests": "[]"}):
            with self.assertRaises(ValueError):
                self.problems(row)

    def test_the_planted_text_differs_in_one_place(self):
        fault = faults.Fault("core", "it adds", "engine/a.cpp", "a - b", "a + b", ())
        self.assertEqual(fault.planted("f = a - b;"), "f = a + b;")
        with self.assertRaises(ValueError):
            fault.planted("f = a - b; g = a - b;")

    def test_filters_take_all_parameters_or_the_named_one(self):
        self.assertEqual(faults.NamedTest("", "A.B").filter(), "A.B:A.B/*:*/A.B/*")
        self.assertEqual(faults.NamedTest("", "Sizes/A.B/257").base(), ("A", "B"))


class TheFaults(unittest.TestCase):
    def test_can_be_planted_and_name_tests(self):
        found = faults.read(ROOT / "tests/faults")
        self.assertEqual("\n".join(faults.problems(ROOT, found, LEAST, LEAST_OF_TRAINING)), "")
        self.assertLessEqual(AREAS, {fault.area for fault in found})


if __name__ == "__main__":
    unittest.main()
