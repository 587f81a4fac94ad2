#!/usr/bin/env python3
"""Runs a copy of .ci/check_changes.py in a made-up repository, with a clang-format and a clang-tidy that refuse files with a certain word.

usage: check_changes_test.py
"""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = """#!/bin/sh
for file; do ! grep -q cmake_pch "$file/compile_commands.json" 2>/dev/null || exit 1; case $file in *.h|*.cpp) echo "{name} $file"; ! grep -q {word} "$file" || exit 1;; esac; done
"""
SETTINGS = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main"]


class CheckChanges(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name) / "tree"
        self.tools = pathlib.Path(scratch.name) / "tools"
        self.tools.mkdir()
        for name, word in ("clang-format", "crooked"), ("clang-tidy", "untidy"):
            (self.tools / f"{name}-16").write_text(TOOL.format(name=name, word=word), encoding="utf-8")
            (self.tools / f"{name}-16").chmod(0o755)
        (self.root / ".ci").mkdir(parents=True)
        shutil.copy(ROOT / ".ci/check_changes.py", self.root / ".ci")
        (self.root / "build").mkdir()
        (self.root / "build/compile_commands.json").write_text('[{"command": "c++ -include a/cmake_pch.hxx -c a.cpp"}]', encoding="utf-8")
        (self.root / ".gitignore").write_text("build/", encoding="utf-8")
        self.git("init", "--quiet")

    def git(self, *arguments):
        subprocess.run(["git", *SETTINGS, *arguments], cwd=self.root, check=True, capture_output=True)

    def commit(self, files):
        for name, text in files.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text, encoding="utf-8")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "change")

    def check(self, *base, code=0):
        """Lines about files, sorted, of a run with this exit code."""
        environment = {**os.environ, "PATH": f"{self.tools}:{os.environ['PATH']}"}
        done = subprocess.run([self.root / ".ci/check_changes.py", "build", *base], env=environment, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return sorted(line for line in done.stdout.splitlines() if line.startswith("clang-"))

    def test_only_what_the_last_commit_touches_is_checked(self):
        self.commit({"engine/old.cpp": "crooked untidy", "README.md": "crooked"})
        self.commit({"engine/new.h": "", "README.md": "crooked untidy", "other/a.cpp": "crooked"})
        self.assertEqual(self.check(), ["clang-format engine/new.h"])

    def test_either_tool_fails_the_check_and_says_where(self):
        self.commit({"README.md": ""})
        self.commit({"engine/a.cpp": "crooked"})
        self.assertIn("clang-format engine/a.cpp", self.check(code=1))
        self.commit({"engine/a.cpp": "untidy"})
        self.assertIn("clang-tidy engine/a.cpp", self.check(code=1))
        self.commit({"engine/a.cpp": ""})
        self.check()

    def test_a_branch_is_checked_from_where_it_left_main(self):
        self.commit({"README.md": ""})
        self.commit({"engine/old.cpp": "crooked"})
        self.git("update-ref", "refs/remotes/origin/main", "HEAD")
        self.assertEqual(self.check(code=1), ["clang-format engine/old.cpp"])  # main itself, from its parent
        self.commit({"app/first.cpp": "untidy"})
        self.commit({"app/second.h": ""})
        self.assertIn("clang-tidy app/first.cpp", self.check(code=1))
        self.assertEqual(self.check("HEAD~1"), ["clang-format app/second.h"])

    def test_without_a_parent_every_file_is_formatted(self):
        self.commit({"engine/a.cpp": "untidy", "tests/b.h": ""})
        self.assertEqual(self.check(), ["clang-format engine/a.cpp", "clang-format tests/b.h"])
        self.commit({"engine/a.cpp": "crooked"})
        self.git("checkout", "--quiet", "--orphan", "alone")
        self.commit({})
        self.assertIn("clang-format engine/a.cpp", self.check(code=1))

    def test_a_removed_file_is_not_checked(self):
        self.commit({"engine/a.cpp": "crooked", "engine/b.cpp": ""})
        self.git("rm", "--quiet", "engine/a.cpp")
        self.commit({"engine/b.cpp": "//"})
        self.assertEqual(self.check(), ["clang-format engine/b.cpp"])


if __name__ == "__main__":
    unittest.main()
