#!/usr/bin/env python3
"""What C++ and shaders both know is defined once, in shaders/shared, and a kernel depends only on the shared headers of its folder.

usage: shared_constants_test.py [ROOT]

Checks the source tree at ROOT (default: the one this file is in) after checking the checker on made-up trees.
"""
import pathlib
import re
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CPP_CONSTANT = re.compile(r"\bconstexpr\b[^;={(]*?\b(k[A-Z]\w*)\s*[={\[]")
SLANG_CONSTANT = re.compile(r"\bstatic const\b[^;=]*?\b(k[A-Z]\w*)\s*[=\[]")
SHARED_CONSTANT = re.compile(r"\bSPLAT_CONSTANT \w+ (k[A-Z]\w*)")
IMPORT = re.compile(r"^\s*(?:__exported )?import ([\w.]+);", re.MULTILINE)

# Folder of kernels -> the shared headers that its kernels may depend on, so that a change compiles no kernel in vain.
SHARED_OF_FOLDER = {
    "primitives": {"dispatch", "primitives"},
    "forward": {"dispatch", "frame"},
    "backward": {"dispatch", "frame"},
    "loss": {"dispatch", "frame", "training", "transients"},
    "optimize": {"dispatch", "frame", "training"},
    "densify": {"dispatch", "frame", "training"},
    "fit2d": {"dispatch", "frame", "training", "fit2d"},
    "evaluate": {"dispatch", "evaluate"},
    "explain": {"dispatch", "explain", "frame", "primitives"},
    "viewer": {"dispatch", "frame", "viewer"},
}
SHARED_OF_KERNEL = {
    "viewer/flatten_blobs.slang": {"fit2d"},  # shows a picture in training
    "viewer/bin_numbers.slang": {"quantities"},  # the histogram's
    "viewer/splat_errors.slang": {"quantities"},
    "viewer/splat_numbers.slang": {"quantities"},
    "viewer/mean_gradients.slang": {"training"},  # shows a statistic of training
    "fit2d/weigh_errors.slang": {"primitives"},  # weights of a cumulative distribution
    "forward/list_visible.slang": {"primitives"},  # a compaction
    "forward/scan_instances.slang": {"primitives"},
    "forward/order_tiles.slang": {"primitives"},  # a prefix sum over the classes
}


def without_comments(path):
    return re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))


def constants(root, folders, suffixes, pattern):
    """Names of constants and the files that define them."""
    found = {}
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in suffixes and "shared" not in path.relative_to(root).parts:
                for name in pattern.findall(without_comments(path)):
                    found.setdefault(name, path.relative_to(root).as_posix())
    return found


def defined_twice(root):
    """A message per constant that has a second definition in the other language or beside shaders/shared."""
    cpp = constants(root, ["engine", "app"], {".h", ".cpp"}, CPP_CONSTANT)
    slang = constants(root, ["shaders"], {".slang"}, SLANG_CONSTANT)
    shared = {name for header in (root / "shaders/shared").glob("*.h") for name in SHARED_CONSTANT.findall(without_comments(header))}
    messages = [f"{name} is defined in {cpp[name]} and {slang[name]}, expected once in shaders/shared" for name in sorted(cpp.keys() & slang.keys())]
    for found in (cpp, slang):
        messages += [f"{name} is defined in {found[name]} and shaders/shared" for name in sorted(found.keys() & shared)]
    return messages


def shared_headers_of(root, path, seen):
    """The shared headers that a shader depends on, through everything that it imports."""
    headers = set()
    for module in IMPORT.findall(without_comments(path)):
        if module in seen:
            continue
        seen.add(module)
        if module.startswith("shared."):
            headers.add(module.removeprefix("shared."))
        headers |= shared_headers_of(root, (root / "shaders").joinpath(*module.split(".")).with_suffix(".slang"), seen)
    return headers


def needless_dependencies(root):
    """A message per kernel file that depends on a shared header of another folder."""
    messages = []
    for folder, allowed in SHARED_OF_FOLDER.items():
        for path in sorted((root / "shaders" / folder).glob("*.slang")):
            name = f"{folder}/{path.name}"
            extra = shared_headers_of(root, path, set()) - allowed - SHARED_OF_KERNEL.get(name, set())
            messages += [f"shaders/{name} depends on shaders/shared/{header}.h" for header in sorted(extra)]
    return messages


class Checker(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.scratch.name)
        self.write("shaders/shared/frame.h", "SPLAT_CONSTANT uint kTileSize = 16;\n")
        self.write("shaders/shared/frame.slang", '#include "frame.h"\n')

    def tearDown(self):
        self.scratch.cleanup()

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8")

    def test_a_constant_of_both_languages_is_found(self):
        self.write("engine/a.cpp", "constexpr uint32_t kBlock = 256;\n")
        self.write("shaders/lib/a.slang", "static const uint kBlock = 256;\n")
        self.assertEqual(defined_twice(self.root), ["kBlock is defined in engine/a.cpp and shaders/lib/a.slang, expected once in shaders/shared"])

    def test_a_second_definition_of_a_shared_constant_is_found(self):
        self.write("engine/a.h", "inline constexpr uint32_t kTileSize{16};\n")
        self.assertEqual(defined_twice(self.root), ["kTileSize is defined in engine/a.h and shaders/shared"])

    def test_a_constant_of_one_language_is_fine(self):
        self.write("engine/a.cpp", "constexpr uint32_t kRows = 2;  // static const uint kColumns = 2;\n")
        self.write("shaders/lib/a.slang", "static const uint kColumns = 2;\n")
        self.assertEqual(defined_twice(self.root), [])

    def test_dependencies_through_imports_are_found(self):
        self.write("shaders/lib/scan/a.slang", "__exported import shared.frame;\n")
        self.write("shaders/primitives/a.slang", "import lib.scan.a;\n")
        self.write("shaders/forward/a.slang", "import lib.scan.a;\n")
        self.assertEqual(needless_dependencies(self.root), ["shaders/primitives/a.slang depends on shaders/shared/frame.h"])


class SourceTree(unittest.TestCase):
    def test_constants_are_defined_once(self):
        self.assertEqual(defined_twice(ROOT), [])

    def test_kernels_depend_on_the_shared_headers_of_their_folder(self):
        self.assertEqual(needless_dependencies(ROOT), [])


if __name__ == "__main__":
    if len(sys.argv) > 1:
        ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
