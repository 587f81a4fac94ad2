#!/usr/bin/env python3
"""The pictures in documents are those that assets/make_pictures.py makes, are small, and say which build they show.

usage: pictures_test.py
"""
import pathlib
import re
import tempfile
import unittest

from script_module import load

ROOT = pathlib.Path(__file__).resolve().parents[2]
PICTURE = re.compile(r"!\[[^\]]*\]\((?:\.\./)*assets/([\w/]+)\.png\)")
# Measured on one GPU, with a setting that spoils the picture on purpose.
MEASURED = {"fit2d/lost_blobs"}


MAKER = load(ROOT / "assets/make_pictures.py")


def shown():
    """Name, and line after the next, of each picture of each document."""
    for document in [ROOT / "README.md", *(path for folder in ("app", "assets", "engine", "shaders", "tests") for path in (ROOT / folder).rglob("README.md"))]:
        lines = document.read_text(encoding="utf-8").splitlines()
        for i, line in enumerate(lines):
            for name in PICTURE.findall(line):
                yield document, name, lines[i + 2]


class Pictures(unittest.TestCase):
    def test_each_is_made_by_the_script(self):
        self.assertEqual({name for _, name, _ in shown()} - MEASURED, set(MAKER.PICTURES))

    def test_each_names_its_build(self):
        for document, name, caption in shown():
            if name not in MEASURED:
                self.assertRegex(caption, MAKER.CAPTION, f"{document}: {name}")

    def test_each_is_small(self):
        for _, name, _ in shown():
            size = (MAKER.ASSETS / f"{name}.png").stat().st_size
            self.assertLessEqual(size, MAKER.MOST_BYTES if name not in MEASURED else 2 * MAKER.MOST_BYTES, name)

    def test_no_other_lies_in_the_folder(self):
        lying = {path.relative_to(MAKER.ASSETS).with_suffix("").as_posix() for path in MAKER.ASSETS.rglob("*.png")}
        self.assertEqual(lying, set(MAKER.PICTURES) | MEASURED)

    def test_a_new_build_replaces_the_old_one_in_captions(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "README.md").write_text("![A](assets/viewer/a.png)\n\n*A; build 0.1.0+old.*\n\n![B](assets/b.png)\n\n*B; build 0.1.0+old.*\n", encoding="utf-8")
            MAKER.write_captions("viewer/a", "0.1.0+1a2b3c4d5e6f.changed.12345678", root)
            lines = (root / "README.md").read_text(encoding="utf-8").splitlines()
            self.assertEqual([lines[2], lines[6]], ["*A; build 0.1.0+1a2b3c4d5e6f.changed.12345678.*", "*B; build 0.1.0+old.*"])


if __name__ == "__main__":
    unittest.main()
