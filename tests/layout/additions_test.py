#!/usr/bin/env python3
"""What an addition touches: a row of a table (SPLAT_TABLE) is a file that defines it and its name in the table, and a setting is one line.

usage: additions_test.py [ROOT]
"""
import pathlib
import re
import sys
import tempfile
import unittest

TABLE = re.compile(r"SPLAT_TABLE\((\w+), (\w+), ([\w,\s]+)\);")
SETTING = re.compile(r"\bsetting\(\s*&(\w+),\s*\"(\w+)\"")
# Tables that must be there: kinds of models and their training, strategies, step parts, loss terms, splat formats, datasets, gradient accumulation,
# commands, panels of the viewer.
TABLES = {"ModelKindRow", "TrainedKindRow", "DensifierRow", "StepPartRow", "LossRow", "SplatFormat", "DatasetFormat", "AccumulationRow", "Command", "Panel"}
# Where a value that blending carries is named.
CARRIED = ("shaders/shared/frame.h", "engine/render/forward.h", "shaders/lib/model/carried_value.slang")
# Settings with an option of their own are in the table of options too; the viewer's pictures have settings of their own.
OPTIONS = "app/commands/train/train_options.cpp"
ELSEWHERE = (OPTIONS + ":", "engine/view/")
SOURCES = {".h", ".cpp", ".slang"}
ROOT = pathlib.Path(__file__).resolve().parents[2]


def sources(root):
    """Text of every source by its path below the root, line comments taken out."""
    found = {}
    for folder in ("engine", "app", "shaders"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SOURCES:
                found[path.relative_to(root).as_posix()] = re.sub(r"//.*", "", path.read_text())
    return found


def tables(texts):
    """(file, type of row, names of rows) of every table."""
    for file, text in texts.items():
        for row, _, names in TABLE.findall(text):
            if row != "Row":
                yield file, row, re.findall(r"\w+", names)


def lines_with(texts, word):
    pattern = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
    return [f"{file}:{n}" for file, text in texts.items() for n, line in enumerate(text.splitlines(), 1) if pattern.search(line)]


def row_faults(texts):
    for file, row, names in tables(texts):
        for name in names:
            at = lines_with(texts, name)
            others = [line for line in at if not line.startswith(file + ":")]
            if len(at) != 2 or len(others) != 1:
                yield f"{row} {name} is named in {', '.join(at)}; expected: where it is defined and once in {file}"


def setting_faults(texts):
    """Settings of training that are described twice, or named in another place; words that say other things too are left out."""
    described = [(file, name) for file, text in texts.items() if file.startswith("engine/train/") for _, name in SETTING.findall(text)]
    if not described:
        yield "no setting was found"
    for file, name in described:
        if "_" not in name:
            continue
        at = [line for line in lines_with(texts, f'"{name}"') if not line.startswith(ELSEWHERE)]
        if len(at) != 1:
            yield f"setting {name} is named in {', '.join(at)}; expected: once in {file}"


def carried_faults(texts):
    """Values that blending carries, which are named in another place than the constant, the host's name for it, and the case in shaders."""
    values = [name for name in re.findall(r"\b(kCarries\w+) =", texts.get(CARRIED[0], "")) if name != "kCarriesNothing"]
    if not values:
        yield f"no carried value was found in {CARRIED[0]}"
    for name in values:
        at = lines_with(texts, name)
        if sorted(line.rsplit(":", 1)[0] for line in at) != sorted(CARRIED):
            yield f"carried value {name} is named in {', '.join(at)}; expected: once in each of {', '.join(CARRIED)}"


def faults(root):
    texts = sources(root)
    missing = TABLES - {row for _, row, _ in tables(texts)}
    return [f"there is no table of {row}" for row in sorted(missing)] + list(row_faults(texts)) + list(setting_faults(texts)) + list(carried_faults(texts))


class CheckTheChecker(unittest.TestCase):
    TABLE = "SPLAT_TABLE(Command, kCommands, kOne, kTwo);\n"
    ROW = "extern const Command kOne{};\n"

    def found(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            texts = sources(pathlib.Path(folder))
            return list(row_faults(texts)) + list(setting_faults(texts)) + list(carried_faults(texts))

    def check(self, files, faults):
        rows = {"app/table.cpp": self.TABLE, "app/one.cpp": self.ROW, "app/two.cpp": "extern const Command kTwo{};\n",
                "engine/train/a.h": 'double a = setting(&a, "a_b", 1, {});\n',
                "shaders/shared/frame.h": "uint kCarriesNothing = 0;\nuint kCarriesDepth = 1;\n",
                "engine/render/forward.h": "depth = shared::kCarriesDepth,\n",
                "shaders/lib/model/carried_value.slang": "if (kCarried == kCarriesDepth) return depth;\n"}
        self.assertEqual(len(self.found(rows | files)), faults, self.found(rows | files))

    def test_a_file_and_a_name_are_right(self):
        self.check({}, 0)

    def test_a_comment_does_no_harm(self):
        self.check({"engine/b.cpp": "// as kOne does\n"}, 0)

    def test_another_mention_is_a_fault(self):
        self.check({"app/other.cpp": "if (&row == &kOne) {}\n"}, 1)
        self.check({"app/table.cpp": self.TABLE + "const auto* first = &kOne;\n"}, 1)

    def test_a_row_in_the_file_of_the_table_is_a_fault(self):
        self.check({"app/table.cpp": self.ROW + self.TABLE, "app/one.cpp": ""}, 1)

    def test_a_setting_that_is_named_elsewhere_is_a_fault(self):
        self.check({"engine/train/b.cpp": 'if (name == "a_b") {}\n'}, 1)
        self.check({"engine/train/a.h": 'double a = setting(&a, "a_b", 1, {});\nconst char* kA = "a_b";\n'}, 1)
        self.check({OPTIONS: 'NamedOption{"a_b", "--a"}\n'}, 0)

    def test_a_carried_value_that_is_named_elsewhere_or_has_no_case_is_a_fault(self):
        self.check({"shaders/lib/blend/forward.slang": "if (kCarried == kCarriesDepth) {}\n"}, 1)
        self.check({"shaders/lib/model/carried_value.slang": ""}, 1)
        self.check({"shaders/shared/frame.h": ""}, 1)

    def test_over_two_lines(self):
        self.check({"app/table.cpp": "SPLAT_TABLE(Command, kCommands, kOne,\n            kTwo);\n",
                    "engine/train/a.h": 'double a =\n    setting(&a, "a_b",\n 1, {});\n'}, 0)


if __name__ == "__main__":
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
    result = unittest.TextTestRunner().run(unittest.defaultTestLoader.loadTestsFromTestCase(CheckTheChecker))
    problems = faults(root)
    print("\n".join(problems))
    sys.exit(bool(problems) or not result.wasSuccessful())
