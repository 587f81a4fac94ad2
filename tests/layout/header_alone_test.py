#!/usr/bin/env python3
"""Every header of the engine compiles alone.

usage: header_alone_test.py ROOT COMPILE...

A header that its own source includes first has been compiled alone by the build; for the others this runs the command COMPILE, a compiler with
its flags, on a file that includes nothing else. Behind a compiler cache, only headers that have changed, or include such, take their second.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]', re.MULTILINE)


def headers_of(root):
    """As they are included: the public ones without a folder."""
    public_folder = root / "engine/api/include/splatwright"
    public = (path.relative_to(public_folder) for path in public_folder.rglob("*.h"))
    engine = (path.relative_to(root / "engine") for path in (root / "engine").rglob("*.h") if public_folder not in path.parents)
    shared = (path.relative_to(root / "shaders") for path in (root / "shaders/shared").rglob("*.h"))
    return sorted(f"splatwright/{path.as_posix()}" for path in [*public, *engine, *shared])


def is_first_in_its_source(root, header):
    source = root / "engine" / pathlib.Path(header).relative_to("splatwright").with_suffix(".cpp")
    first = INCLUDE.search(source.read_text(encoding="utf-8")) if source.exists() else None
    return bool(first) and first[1] == header


def complaint(compile_command, folder, header):
    """What the compiler says of a file that includes this header alone; empty if it is content."""
    name = header.replace("/", "_")
    (folder / f"{name}.cpp").write_text(f"#include <{header}>\n", encoding="utf-8")
    # A cache takes no standard input, nor knows a file by another path: the same name from within each run's own folder.
    command = [*compile_command, "-c", f"{name}.cpp", "-o", f"{name}.o"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else f"{header} does not compile alone:\n{done.stderr}"


def complaints(root, compile_command):
    headers = [header for header in headers_of(root) if not is_first_in_its_source(root, header)]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return [text for text in pool.map(lambda header: complaint(compile_command, pathlib.Path(folder), header), headers) if text]


class CheckTheChecker(unittest.TestCase):
    COMPILE = ["c++", "-std=c++20"]

    def check(self, files):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            (root / "splatwright").symlink_to("engine")
            return complaints(root, [*self.COMPILE, "-I", folder])

    def test_a_header_that_lacks_an_include(self):
        lacking = "inline std::string a;\n"
        self.assertEqual(len(self.check({"engine/core/a.h": lacking})), 1)
        self.assertEqual(len(self.check({"engine/core/a.h": lacking, "engine/core/a.cpp": "#include <string>\n#include <splatwright/core/a.h>\n"})), 1)
        self.assertEqual(self.check({"engine/core/a.h": "#include <string>\n" + lacking}), [])

    def test_public_headers_have_no_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            public = pathlib.Path(folder) / "engine/api/include/splatwright/a.h"
            public.parent.mkdir(parents=True)
            public.write_text("")
            self.assertEqual(headers_of(pathlib.Path(folder)), ["splatwright/a.h"])

    def test_one_that_the_build_has_compiled_alone(self):
        self.assertEqual(self.check({"engine/core/a.h": "wrong\n", "engine/core/a.cpp": "#include <splatwright/core/a.h>\n"}), [])


if __name__ == "__main__":
    tests = unittest.defaultTestLoader.loadTestsFromTestCase(CheckTheChecker)
    sound = unittest.TextTestRunner().run(tests).wasSuccessful()
    problems = complaints(pathlib.Path(sys.argv[1]), sys.argv[2:])
    print("\n".join(problems))
    sys.exit(0 if sound and not problems else 1)
