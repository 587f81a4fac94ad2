#!/usr/bin/env python3
"""Every document that a comment or another document cites, and every file that a document links to or names by its path, is in the repository, so that a
reader outside can open it.

usage: citations_test.py
"""
import pathlib
import re
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ["app", "assets", "cmake", "engine", "shaders", "tests"]
TEXTS = {".cpp", ".h", ".md", ".py", ".sh", ".slang", ".txt", ".cmake"}
# A path that ends in .md; neither an address on the web nor part of one.
CITATION = re.compile(r"(?<![\w/:.-])((?:[\w.-]+/)+[\w-]+\.md)\b")

# The target of a Markdown link within the repository, without its heading.
LINK = re.compile(r"\]\((?![a-z]+:)([^()\s#]+)[^()\s]*\)")

# A source in backticks; NAME and FOLDER in capitals stand for any.
SOURCE = re.compile(r"`((?:[\w-]+/)+[\w-]+\.(?:h|cpp|slang|py|sh|toml))`")


def texts_of(root):
    found = [path for path in root.iterdir() if path.is_file()]
    for folder in FOLDERS:
        found += (root / folder).rglob("*")
    return [path for path in found if path.suffix in TEXTS and path.is_file()]


def offences(root):
    """Returns "file:line: cites X" for each citation of a document that is neither below the root nor beside the file, and for each link to nowhere."""
    wrong = []
    for path in texts_of(root):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            for cited in CITATION.findall(line):
                if not (root / cited).is_file() and not (path.parent / cited).is_file():
                    wrong.append(f"{path.relative_to(root)}:{number}: cites {cited}")
            for linked in LINK.findall(line) if path.suffix == ".md" else []:
                if not (path.parent / linked).exists():
                    wrong.append(f"{path.relative_to(root)}:{number}: links to {linked}")
            for named in SOURCE.findall(line) if path.suffix == ".md" else []:
                if not re.search("[A-Z]{4}", named) and not any((base / named).is_file() for base in (root, root / "engine", path.parent)):
                    wrong.append(f"{path.relative_to(root)}:{number}: names {named}")
    return wrong


class Citations(unittest.TestCase):
    NOTES = "notes.md"

    def test_all_can_be_opened(self):
        self.assertEqual(offences(ROOT), [])

    def test_a_missing_one_is_found(self):
        with tempfile.TemporaryDirectory() as scratch:
            root = pathlib.Path(scratch)
            (root / "engine").mkdir()
            (root / "engine" / self.NOTES).write_text(f"see engine/{self.NOTES} and https://example.org/a/b.md\n", encoding="utf-8")
            (root / "engine/a.h").write_text(f"// as in papers/{self.NOTES}\n", encoding="utf-8")
            self.assertEqual(offences(root), [f"engine/a.h:1: cites papers/{self.NOTES}"])

    def test_a_link_to_nowhere_is_found(self):
        with tempfile.TemporaryDirectory() as scratch:
            root = pathlib.Path(scratch)
            (root / "engine").mkdir()
            (root / "engine/a.h").write_text("// [moved](b.h)\n", encoding="utf-8")
            (root / "README.md").write_text("[a](engine/a.h#top), [b](engine/b.h), [c](#here), [d](https://example.org/e)\n", encoding="utf-8")
            self.assertEqual(offences(root), ["README.md:1: links to engine/b.h"])

    def test_a_source_that_is_gone_is_found(self):
        with tempfile.TemporaryDirectory() as scratch:
            root = pathlib.Path(scratch)
            (root / "engine/gpu").mkdir(parents=True)
            (root / "engine/gpu/a.h").touch()
            (root / "engine/README.md").write_text("`gpu/a.h`, `engine/gpu/a.h`, `gpu/b.h`, `gpu/NAME.h`\n", encoding="utf-8")
            self.assertEqual(offences(root), ["engine/README.md:1: names gpu/b.h"])


if __name__ == "__main__":
    unittest.main()
