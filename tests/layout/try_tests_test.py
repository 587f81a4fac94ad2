#!/usr/bin/env python3
"""Runs a copy of tests/try_tests.py on a made-up tree, whose build tool and executables write down how they are called.

usage: try_tests_test.py
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from made_command import write_command

SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "try_tests.py"
SOURCES = {
    "mcmc": "TEST(Mcmc, MovesTheDead) {\nTEST_F(Noise, IsSmall) {\n",
    "losses": "TEST_P(Loss, HasGradients) {\nINSTANTIATE_TEST_SUITE_P(Every, Loss, testing::ValuesIn(rows));\n",
    "growth": "TEST(Growth, Ends) {\n",
}
# As GoogleTest prints: one test of its own name passes.
PASSES = 'echo "$(basename "$0") $*" >>"$CALLS"\necho "[       OK ] $(basename "$0").Passes (3 ms)"'


class TryTests(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        self.calls = self.root / "calls"
        (self.root / "tests/train").mkdir(parents=True)
        shutil.copy(SCRIPT, self.root / "tests")
        for age, (name, text) in enumerate(SOURCES.items()):
            self.write_source(name, text, age)
            write_command(self.executable(name), PASSES)
        self.list_executables(SOURCES)
        write_command(self.root / "bin/cmake", 'echo "cmake $*" >>"$CALLS"')

    def write_source(self, name, text, age):
        path = self.root / f"tests/train/{name}_test.cpp"
        path.write_text(text, encoding="utf-8")
        os.utime(path, (1000 - age, 1000 - age))

    def executable(self, name):
        return self.root / f"build/bin/test_train_{name}"

    def list_executables(self, names):
        entries = {f"tests/train/{name}_test.cpp": {"folder": "train", "target": f"test_train_{name}", "executable": str(self.executable(name))}
                   for name in names}
        (self.root / "build/tests").mkdir(parents=True, exist_ok=True)
        (self.root / "build/tests/executables.json").write_text(json.dumps(entries), encoding="utf-8")

    def attempt(self, *arguments, code=0):
        """Runs the script; returns its output, the targets of each build and the calls of executables."""
        self.calls.write_text("", encoding="utf-8")
        environment = {**os.environ, "CALLS": str(self.calls), "PATH": f"{self.root / 'bin'}:{os.environ['PATH']}"}
        done = subprocess.run([sys.executable, self.root / "tests/try_tests.py", "build", *arguments], cwd=self.root, env=environment,
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        calls = [line.split() for line in self.calls.read_text(encoding="utf-8").splitlines()]
        builds = [call[call.index("--target") + 1:] for call in calls if call[0] == "cmake" and "--target" in call]
        return done.stdout + done.stderr, builds, [call for call in calls if call[0] != "cmake"]

    def test_only_executables_with_a_chosen_test_are_built_and_run(self):
        for text, name in {"mcmc": "mcmc", "mcmc_test": "mcmc", "MovesTheD": "mcmc", "Noise.*:-*Slow": "mcmc", "Loss.Has": "losses",
                           "Every/Loss.HasGradients/depth": "losses", "Growth.Ends": "growth"}.items():
            builds, runs = self.attempt("train", text)[1:]
            self.assertEqual(builds, [[f"test_train_{name}"]], text)
            self.assertEqual({run[0] for run in runs}, {f"test_train_{name}"}, text)

    def test_a_part_of_a_name_becomes_a_filter_and_a_file_takes_all(self):
        self.assertIn("--gtest_filter=*MovesTheD*", self.attempt("train", "MovesTheD")[2][0])
        self.assertIn("--gtest_filter=Noise.*:-*Slow", self.attempt("train", "Noise.*:-*Slow")[2][0])
        self.assertIn("--gtest_filter=*", self.attempt("train", "mcmc")[2][0])

    def test_what_was_edited_last_comes_first(self):
        self.write_source("growth", SOURCES["growth"], -1)
        self.assertEqual(self.attempt("train")[1], [["test_train_growth"], ["test_train_mcmc"], ["test_train_losses"]])

    def test_results_come_before_the_last_build(self):
        write_command(self.root / "bin/cmake", 'echo "cmake $*" >>"$CALLS"\n'
                      'for ((i = 0; i < 1000; i++)); do if [[ $* != *losses* ]] || grep -q "^test_train_mcmc" "$CALLS"; then exit; fi; sleep 0.01; done\nexit 1')
        output = self.attempt("train")[0]
        self.assertIn("test_train_losses.Passes", output)
        self.assertIn("first result after", output)

    def test_a_failure_is_shown_whole_and_named_at_the_end(self):
        write_command(self.executable("mcmc"), 'echo "mcmc_test.cpp:7: Failure"\necho "[  FAILED  ] Mcmc.MovesTheDead, where 1 (3 ms)"\n'
                      'echo "[  FAILED  ] Mcmc.MovesTheDead, where 1"\nexit 1')
        output = self.attempt("train", code=1)[0]
        self.assertIn("mcmc_test.cpp:7: Failure", output)
        self.assertTrue(output.endswith("  failed: Mcmc.MovesTheDead\n"), output)

    def test_a_crash_is_a_failure(self):
        write_command(self.executable("mcmc"), 'echo "[       OK ] Mcmc.A (3 ms)"\necho "[ RUN      ] Mcmc.MovesTheDead"\nkill -SEGV $$')
        output = self.attempt("train", "mcmc", code=1)[0]
        self.assertIn("[ RUN      ] Mcmc.MovesTheDead", output)
        self.assertIn("failed: test_train_mcmc (ended with -11)", output)

    def test_what_does_not_build_is_a_failure(self):
        write_command(self.root / "bin/cmake", "exit 1")
        self.attempt("train", "mcmc", code=1)

    def test_names_of_nothing_are_refused_with_what_there_is(self):
        self.assertIn("found train", self.attempt("trian", code=1)[0])
        self.assertIn("growth_test, losses_test, mcmc_test", self.attempt("train", "Mcmcc", code=1)[0])
        write_command(self.executable("mcmc"), "exit 0")
        self.assertIn("no test has such a name", self.attempt("train", "mcmc", code=1)[0])

    def test_a_new_file_is_configured_first(self):
        self.list_executables(["mcmc", "losses"])
        self.assertIn("does not list the sources", self.attempt("train", "growth", code=1)[0])
        self.assertIn("cmake", self.calls.read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
