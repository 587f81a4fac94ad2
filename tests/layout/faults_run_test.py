#!/usr/bin/env python3
"""Runs a copy of tests/faults/run.py in a made-up repository, with a cmake and a test that only look at the planted text.

usage: faults_run_test.py
"""
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = "int subtract(int a, int b) { return a - b; }\n"
# Builds a test that fails where the source adds, is skipped where it divides, and does not end where it shifts.
CMAKE = """#!/bin/sh
case $1 in -G) mkdir -p "$6/tests"; touch "$6/CMakeCache.txt"; cp "$4/../../release/tests/executables.json" "$6/tests"; exit;; /*) exit;; esac
source=$2/../tree/engine/a.cpp
[ -f "$source" ] || source=$2/../../engine/a.cpp
echo "$4 $(grep -o 'a . b' "$source")" >>"$LOG"
grep -q 'a @ b' "$source" && { echo "error: stray '@'"; exit 1; }
mkdir -p "$2/bin"
cat >"$2/bin/$4" <<END
#!/bin/sh
grep -q 'a < b' $source && { sleep 60 & echo \\$! >$LOG.started; wait; }
report=\\${2#--gtest_output=json:}
result=COMPLETED
grep -q 'a / b' $source && result=SKIPPED
echo '{"testsuites": [{"name": "Sizes/A", "testsuite": [{"name": "Subtracts/7", "result": "'\\$result'"}]}]}' >\\$report
! grep -q 'a + b' $source
END
chmod +x "$2/bin/$4"
"""
FAULT = """[[fault]]
name = "{name}"
file = "engine/a.cpp"
text = "a - b"
replacement = "{replacement}"
tests = ["tests/core/a_test.cpp: A.Subtracts"]
"""


def has_mounts():
    return any(subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0
               for command in (["unshare", "--mount"], ["unshare", "--user", "--map-current-user", "--keep-caps", "--mount"]))


class RunFaults(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name) / "tree"
        self.tools = pathlib.Path(scratch.name) / "tools"
        self.log = pathlib.Path(scratch.name) / "log"
        self.tools.mkdir()
        self.tool("cmake", CMAKE)
        self.build = self.root / "build/release"
        for name, text in {"engine/a.cpp": SOURCE, "tests/core/a_test.cpp": "TEST_P(A, Subtracts) {}\n", ".gitignore": "/build/\n",
                           "build/release/CMakeCache.txt": "", "build/release/bin/old": "x",
                           "build/release/tests/executables.json": '{"tests/core/a_test.cpp": {"folder": "core", "target": "test_a"}}'}.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text, encoding="utf-8")
        (self.root / "tests/faults").mkdir()
        for script in (ROOT / "tests/faults").glob("*.py"):
            shutil.copy(script, self.root / "tests/faults")
        subprocess.run(["git", "init", "--quiet", self.root], check=True)

    def tool(self, name, text):
        (self.tools / name).write_text(text, encoding="utf-8")
        (self.tools / name).chmod(0o755)

    def faults(self, **replacements):
        self.log.write_text("", encoding="utf-8")
        (self.root / "tests/faults/core.toml").write_text(
            "".join(FAULT.format(name=name, replacement=text) for name, text in replacements.items()), encoding="utf-8")

    def start(self, *arguments):
        environment = {**os.environ, "PATH": f"{self.tools}:{os.environ['PATH']}", "LOG": str(self.log), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.Popen([self.root / "tests/faults/run.py", self.build, *arguments], env=environment, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, start_new_session=True)

    def state(self):
        """Content and time of every file of the user's tree and build."""
        return {path: (path.read_bytes(), path.stat().st_mtime_ns)
                for folder in ("engine", "tests", "build/release") for path in (self.root / folder).rglob("*") if path.is_file()}

    def run_faults(self, *arguments, code):
        """Output of a run with this exit code, which must not have changed the user's tree, nor its build."""
        before = self.state()
        done = self.start(*arguments)
        output = done.communicate(timeout=60)[0]
        self.assertEqual(done.returncode, code, output)
        self.assertEqual(self.state(), before)
        return output

    def in_every_place(self, check):
        """Runs the check with mounts where the system permits them, and with a tree that is built from nothing."""
        if has_mounts():
            check()
        shutil.rmtree(self.root / "build/release-faults", ignore_errors=True)
        self.tool("unshare", "#!/bin/sh\nexit 1\n")
        check()

    def test_faults_are_killed_or_survive(self):
        def check():
            self.faults(adds="a + b", multiplies="a * b")
            output = self.run_faults(code=1)
            self.assertIn("core: adds: killed by A.Subtracts", output)
            self.assertIn("core: multiplies: SURVIVED: passes A.Subtracts", output)
            self.assertIn("1 of 2 faults killed, 1 survived, 0 could not be tried", output)
            self.assertEqual(self.log.read_text(encoding="utf-8").splitlines(), ["test_a a - b", "test_a a + b", "test_a a * b"])
            self.assertIn("1 of 1 faults killed", self.run_faults("--only", "adds", "--only=none", code=0))
        self.in_every_place(check)

    def test_a_fault_that_does_not_compile_is_no_kill(self):
        self.faults(strays="a @ b", adds="a + b")
        output = self.run_faults(code=1)
        self.assertIn("strays: CANNOT BE TRIED: error: stray '@'", output)
        self.assertIn("1 of 2 faults killed, 0 survived, 1 could not be tried", output)

    def test_tests_that_fail_or_do_not_run_without_a_fault_say_nothing(self):
        self.faults(multiplies="a * b")
        for operator, expected in {"+": "without a fault, A.Subtracts fails or does not end", "/": "A.Subtracts was not run, or skipped", "@": "does not build without"}.items():
            text = SOURCE.replace("-", operator)
            (self.root / "engine/a.cpp").write_text(text, encoding="utf-8")
            (self.root / "tests/faults/core.toml").write_text(FAULT.format(name="x", replacement="a * b").replace("a - b", f"a {operator} b"),
                                                              encoding="utf-8")
            self.assertIn(expected, self.run_faults(code=1))

    def test_an_edit_between_two_runs_is_copied(self):
        def check():
            (self.root / "engine/a.cpp").write_text(SOURCE, encoding="utf-8")
            self.faults(adds="a + b")
            self.run_faults(code=0)
            (self.root / "engine/a.cpp").write_text(SOURCE.replace("subtract", "minus"), encoding="utf-8")
            (self.root / "engine/b.cpp").write_text("", encoding="utf-8")
            self.run_faults(code=0)
            copy = self.root / "build/release-faults/tree/engine"
            self.assertIn("minus", (copy / "a.cpp").read_text(encoding="utf-8"))
            (self.root / "engine/b.cpp").unlink()
            self.run_faults(code=0)
            self.assertFalse((copy / "b.cpp").exists())
        self.in_every_place(check)

    def test_an_interruption_leaves_everything_as_it_is(self):
        def check():
            self.faults(shifts="a < b")
            before = self.state()
            run = self.start()
            started = self.log.with_name("log.started")
            while not started.exists() or not started.read_text(encoding="utf-8"):
                time.sleep(0.05)
            self.assertIn("already", self.run_other())
            os.killpg(run.pid, signal.SIGINT)
            run.communicate(timeout=30)
            self.assertEqual(run.returncode, 130)
            state = subprocess.run(["ps", "-o", "stat=", "-p", started.read_text(encoding="utf-8").strip()], stdout=subprocess.PIPE, text=True,
                                   check=False)
            self.assertIn(state.stdout.strip()[:1], ["", "Z"])  # gone, or nobody's
            started.unlink()
            self.assertEqual(self.state(), before)
            self.assertEqual((self.root / "build/release-faults/tree/engine/a.cpp").read_text(encoding="utf-8"), SOURCE)
        self.in_every_place(check)

    def run_other(self):
        other = self.start()
        output = other.communicate(timeout=30)[0]
        self.assertEqual(other.returncode, 1, output)
        return output

    def test_lists_and_refuses_names_that_are_not_there(self):
        self.faults(adds="a + b")
        self.assertIn("core: adds (engine/a.cpp; A.Subtracts)", self.run_faults("--list", code=0))
        self.assertIn("no fault is called none", self.run_faults("--only", "none", code=1))


if __name__ == "__main__":
    unittest.main()
