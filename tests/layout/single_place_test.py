#!/usr/bin/env python3
"""Some things are done in one file only, so that their limits hold everywhere.

usage: single_place_test.py [ROOT]
"""
import pathlib
import re
import sys
import tempfile
import unittest

# What -> the pattern of doing it, and the one pair of header and source that may.
PLACES = {
    "parsing JSON (parseJson and readJson limit its depth)": (re.compile(r"[Jj]son::(sax_)?parse\("), "engine/core/parse_json."),
    "opening an input (openInput refuses what is no regular file)":
        (re.compile(r"\bifstream\s+\w*\s*[({]|\bifstream[({]|\bfopen\("), "engine/core/input_file."),
}
SOURCES = {".h", ".cpp"}
ROOT = pathlib.Path(__file__).resolve().parents[2]


def faults(root):
    """Lines of engine and app that do such a thing elsewhere."""
    found = []
    for folder in ("engine", "app"):
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix not in SOURCES:
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                for what, (pattern, home) in PLACES.items():
                    if not name.startswith(home) and pattern.search(line):
                        found.append(f"{name}:{number}: {what} belongs to {home}cpp")
    return found


class CheckTheChecker(unittest.TestCase):
    def check(self, line, expected, name="engine/scene/a.cpp"):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True)
            path.write_text(f"int a;\n{line}\n")
            self.assertEqual(len(faults(pathlib.Path(folder))), expected, line)

    def test_elsewhere(self):
        for line in ("x = json::parse(text);", "auto y = nlohmann::ordered_json::parse(t, nullptr, false);", "std::ifstream in(path);",
                     "std::ifstream in{path};", "FILE* f = fopen(name, mode);"):
            self.check(line, 1)

    def test_at_home(self):
        self.check("return Json::parse(text);", 0, "engine/core/parse_json.cpp")
        self.check("std::ifstream in(path);", 0, "engine/core/input_file.cpp")

    def test_harmless(self):
        for line in ("std::ifstream in = openInput(path);", "std::ifstream in_;", "const json root = parseJson(text, path);"):
            self.check(line, 0)


if __name__ == "__main__":
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
    result = unittest.TextTestRunner().run(unittest.defaultTestLoader.loadTestsFromTestCase(CheckTheChecker))
    problems = faults(root)
    print("\n".join(problems))
    sys.exit(bool(problems) or not result.wasSuccessful())
