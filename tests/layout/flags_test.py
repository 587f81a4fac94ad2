#!/usr/bin/env python3
"""No message of the engine names a command-line flag: other programs have other ways to set things. app/commands/flag_names.cpp has the flags.

usage: flags_test.py [ROOT]
"""
import pathlib
import re
import sys
import tempfile
import unittest

STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
FLAG = re.compile(r"(?<![\w-])--[a-z]")
COMMENT = re.compile(r"^\s*//.*|///<.*")
# Prints command lines of COLMAP and FFmpeg for the user to type.
EXCEPTION = "engine/scene/datasets/missing_poses.cpp"
ROOT = pathlib.Path(__file__).resolve().parents[2]


def names_a_flag(line):
    return any(FLAG.search(text) for text in STRING.findall(COMMENT.sub("", line)))


def faults(root):
    found = []
    for path in sorted((root / "engine").rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.suffix in {".h", ".cpp"} and name != EXCEPTION:
            lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
            found += [f"{name}:{number}: names a flag: {line.strip()}" for number, line in lines if names_a_flag(line)]
    return found


class CheckTheChecker(unittest.TestCase):
    def check(self, line, expected, name="engine/gpu/a.cpp"):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True)
            path.write_text(f"int a;\n{line}\n", encoding="utf-8")
            self.assertEqual(len(faults(pathlib.Path(folder))), expected, line)

    def test_flags_in_messages(self):
        for line in ('throw Error("--device: none");', 'f("of {} (--test-every)");', 'f("\\"--a");'):
            self.check(line, 1)

    def test_what_is_no_flag_of_ours(self):
        for line in ('int b = f("a"); --left;', '/// "--set", or a path', 'f("a--b", "---");', 'f("`device`: none");'):
            self.check(line, 0)
        self.check('f("colmap mapper --output");', 0, EXCEPTION)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    result = unittest.main(argv=sys.argv[:1], exit=False).result
    problems = faults(pathlib.Path(arguments[0]) if arguments else ROOT)
    print(*problems, sep="\n")
    sys.exit(1 if problems or not result.wasSuccessful() else 0)
