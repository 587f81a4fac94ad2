#!/usr/bin/env python3
"""Runs a copy of bootstrap.sh on a made-up system, whose commands write down how they are called, and checks what is installed and built.

usage: bootstrap_test.py
"""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from made_command import write_command

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Nothing is installed, every package can be had, and slangc is in place.
STUBS = {
    "dpkg-query": "exit 1",
    "apt-cache": 'printf "Candidate: 1.0\\n"',
    "apt-get": 'echo "apt-get $*" >>"$CALLS"',
    "sudo": '"$@"',
    "cmake": 'echo "cmake $*" >>"$CALLS"',
    "ctest": 'echo "ctest $*" >>"$CALLS"',
    "splatwright": """echo "splatwright $*" >>"$CALLS"
if [[ $1 == info ]]; then echo '{"devices": [{"type": "cpu", "used": true}]}'; fi""",
}
ONLY_FOR_TESTS = ["libgtest-dev", "libx11-dev", "xvfb", "xauth", "vulkan-validationlayers", "librenderdoc-dev", "renderdoc", "python3-renderdoc",
                  "clang-format-16", "clang-tidy-16", "colmap", "ffmpeg"]


class Bootstrap(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        shutil.copy(ROOT / "bootstrap.sh", self.root)
        for name, text in STUBS.items():
            folder = "build/release/bin" if name == "splatwright" else "bin"
            write_command(self.root / folder / name, text)

    def run_script(self, *arguments, code=0, system=os.environ["PATH"]):
        """Runs the script, which ends with this code, and returns its output and the calls that it made. `system`: where its commands are."""
        calls = self.root / "calls"
        calls.write_text("", encoding="utf-8")
        environment = {**os.environ, "CALLS": str(calls), "PATH": f"{self.root / 'bin'}:{system}"}
        done = subprocess.run([self.root / "bootstrap.sh", *arguments], env=environment, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout, calls.read_text(encoding="utf-8").splitlines()

    def installed(self, calls):
        return {word for call in calls if call.startswith("apt-get") and " install " in call for word in call.split()}

    def test_only_the_tests_install_what_only_tests_need(self):
        for command in ["deps"], ["build"], ["demo"]:
            installed = self.installed(self.run_script(*command)[1])
            self.assertIn("libvulkan-dev", installed, command)
            self.assertEqual(installed & set(ONLY_FOR_TESTS), set(), command)
        for command in ["deps", "test"], ["test"]:
            self.assertLessEqual({"libvulkan-dev", *ONLY_FOR_TESTS}, self.installed(self.run_script(*command)[1]), command)

    def test_what_windows_needs_is_installed_when_it_is_asked_for(self):
        packages = {"g++-mingw-w64-x86-64-posix", "mingw-w64-tools", "nasm", "wine", "xvfb"}
        self.assertLessEqual({"libvulkan-dev", *packages}, self.installed(self.run_script("deps", "windows")[1]))
        for command in ["deps"], ["deps", "test"]:
            self.assertNotIn("wine", self.installed(self.run_script(*command)[1]))
        self.assertEqual(self.run_script("deps", "windows", "test", code=1)[1], [])

    def test_homebrew_installs_where_there_is_no_apt(self):
        (self.root / "bin/apt-get").unlink()
        without_apt = self.root / "system"
        without_apt.mkdir()
        for command in pathlib.Path("/usr/bin").iterdir():
            if not command.name.startswith("apt"):
                (without_apt / command.name).symlink_to(command)
        write_command(self.root / "bin/brew", 'echo "brew $*" >>"$CALLS"')
        for arguments, tests in (["deps"], False), (["deps", "test"], True):
            calls = self.run_script(*arguments, system=without_apt)[1]
            installed = {word for call in calls if call.startswith("brew install") for word in call.split()}
            self.assertLessEqual({"molten-vk", "vulkan-volk", "shader-slang", "cli11"}, installed)
            self.assertEqual("googletest" in installed, tests)

    def test_only_the_tests_are_built_and_run_by_test(self):
        for command in "build", "demo":
            calls = self.run_script(command)[1]
            self.assertIn("cmake --preset release -DSPLAT_TESTS=OFF", calls)
            self.assertTrue(any(call.startswith("cmake --build") and call.endswith("--target splatwright splat_documents splat_engine") for call in calls), calls)
            self.assertFalse(any(call.startswith("ctest") for call in calls), calls)
        calls = self.run_script("test", "-R", "Forward")[1]
        self.assertIn("cmake --preset release -DSPLAT_TESTS=ON", calls)
        self.assertFalse(any("--target" in call for call in calls), calls)
        self.assertTrue(calls[-1].startswith("ctest") and calls[-1].endswith("-R Forward"), calls)

    def test_a_build_folder_with_tests_keeps_them(self):
        (self.root / "build/release/CMakeCache.txt").write_text("", encoding="utf-8")
        self.assertIn("cmake --preset release", self.run_script("build")[1])

    def test_try_configures_once_and_hands_on_what_to_run(self):
        (self.root / "tests").mkdir()
        (self.root / "tests/try_tests.py").write_text('import os, sys\nprint("try", *sys.argv[1:], file=open(os.environ["CALLS"], "a"))\n', encoding="utf-8")
        calls = self.run_script("try", "train", "Mcmc.*")[1]
        self.assertIn("cmake --preset release -DSPLAT_TESTS=ON", calls)
        self.assertFalse(any(call.startswith(("cmake --build", "ctest")) for call in calls), calls)
        self.assertEqual(calls[-1], "try build/release train Mcmc.*")
        (self.root / "build/release/tests").mkdir()
        (self.root / "build/release/tests/executables.json").write_text("{}", encoding="utf-8")
        self.assertEqual(self.run_script("try", "train")[1], ["try build/release train"])

    def test_the_summary_of_ctest_is_the_last(self):
        write_command(self.root / "bin/ctest", 'printf "1/2 Test\\n\\n50%% tests passed, 1 tests failed out of 2\\n\\nTotal Test time (real) = 1 sec\\n"\n'
                      'printf "\\nSlowest tests:\\n  9.0 s  a\\nSkipped tests, and why:\\n  b\\n"\nexit 8')
        output = self.run_script("test", "-R", "a", code=8)[0]
        self.assertIn("1/2 Test\n", output)
        self.assertLess(output.index("Skipped tests"), output.index("50% tests passed, 1 tests failed out of 2"))
        self.assertTrue(output.rstrip().splitlines()[-1].startswith("Total Test time"), output)

    def test_every_sweep_of_test_all_runs_even_if_one_fails(self):
        write_command(self.root / "bin/ctest", 'echo "ctest $*" >>"$CALLS"\nexit 8')
        (self.root / "tests/faults").mkdir(parents=True)
        (self.root / "tests/faults/run.py").write_text('import os, sys\nprint("faults", *sys.argv[1:], file=open(os.environ["CALLS"], "a"))\n',
                                                       encoding="utf-8")
        write_command(self.root / "tests/fuzz/long.sh", 'echo "long.sh $*" >>"$CALLS"')
        output, calls = self.run_script("test-all", "30", code=1)
        self.assertTrue(calls[-3].startswith("ctest") and calls[-3].endswith("-C All"), calls)
        self.assertEqual(calls[-2:], ["faults build/release", "long.sh 1000000 30"])
        self.assertIn("passed: every planted fault", output)
        self.assertIn("FAILED: every test", output)

    def test_fuzzing_says_how_many_inputs_each_reader_got(self):
        for script in "long.sh", "run.sh":
            write_command(self.root / "tests/fuzz" / script, (ROOT / "tests/fuzz" / script).read_text(encoding="utf-8"))
        programs = self.root / "build/asan-fuzz/bin"
        write_command(programs / "make_seeds", 'for name in bad fast slow; do mkdir -p "$1/$name" && touch "$1/$name/0"; done')
        for name, executed, code in [("bad", 40, 1), ("fast", 1000, 0), ("slow", 40, 0)]:
            write_command(programs / f"fuzz_{name}", f'echo "{name} $*" >>"$CALLS"\necho "stat::number_of_executed_units: {executed}"\nexit {code}')
        environment = {**os.environ, "CALLS": str(self.root / "calls"), "PATH": f"{self.root / 'bin'}:{os.environ['PATH']}"}
        done = subprocess.run([self.root / "tests/fuzz/long.sh", "1000", "7"], env=environment, capture_output=True, text=True, check=False)
        self.assertEqual(sorted(done.stdout.splitlines()),
                         ["fuzz_bad: FAILED, see build/asan-fuzz/fuzz/long/fuzz_bad", "fuzz_fast: 1000 inputs, nothing found",
                          "fuzz_slow: only 40 of 1000 inputs in 7 s, nothing found"], done.stderr)
        self.assertNotEqual(done.returncode, 0)
        calls = (self.root / "calls").read_text(encoding="utf-8")
        self.assertEqual(calls.count("-runs=1000 -max_total_time=7 "), 3, calls)

    def test_the_demonstration_ends_with_two_commands_that_can_be_typed(self):
        output, calls = self.run_script("demo")
        words = [call.split()[1] for call in calls if call.startswith("splatwright")]
        self.assertEqual(words, ["info", "synth", "train", "eval", "render"])
        last = [line.strip() for line in output.splitlines()[-2:]]
        self.assertEqual(last[0], "build/release/bin/splatwright view build/demo/run/splats.ply")
        self.assertTrue(last[1].startswith("build/release/bin/splatwright train "), last)


if __name__ == "__main__":
    unittest.main()
