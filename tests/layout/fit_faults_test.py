#!/usr/bin/env python3
"""tests/bench/fit_faults.py runs each variant once per seed and prints what each fault costs.

usage: fit_faults_test.py
"""
import contextlib
import io
import json
import pathlib
import tempfile
import unittest

from script_module import load

SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "bench" / "fit_faults.py"
fit_faults = load(SCRIPT)

# Writes a metrics.json as `fit` does. Its PSNR falls by 2 dB with the fault demo_a and by 1 with demo_b, whose step takes 0.5 ms more.
FAKE = '''#!/usr/bin/env -S python3 -IS
import json, pathlib, sys
words = sys.argv[1:]
assert words[0] == "fit" and "-q" in words, words
preset = words[words.index("--preset") + 1]
on = preset == "demo-published"
settings = {"demo_kernels": preset != "best", "demo_a": on, "demo_b": on, "watch": True, "max_splats": 9, "steps": 2000}
for word in words:
    if "=" in word:
        name, value = word.split("=")
        settings[name] = {"true": True, "false": False}[value]
if "--steps" in words: settings["steps"] = int(words[words.index("--steps") + 1])
settings["seed"] = int(words[words.index("--seed") + 1])
out = pathlib.Path(words[words.index("-o") + 1])
assert not out.exists(), "a run is repeated"
out.mkdir(parents=True)
(out / "arguments").write_text(" ".join(words))
psnr = 30 + settings["seed"] - 2 * settings["demo_a"] - settings["demo_b"]
seconds = settings["steps"] * (0.001 + 0.0005 * settings["demo_b"])
metrics = {"psnr": psnr, "train_seconds": seconds, "steps": settings["steps"], "settings": settings, "device": "a GPU", "version": "0",
           "stages": {"blend": 0.25, "blend backward": 0.5 + settings["demo_b"]}}
(out / "metrics.json").write_text(json.dumps(metrics))
'''


class FitFaults(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        self.program = self.path / "splatwright"
        self.program.write_text(FAKE, encoding="utf-8")
        self.program.chmod(0o755)

    def measured(self, *more):
        """Cells of the printed table by the name of their row."""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            fit_faults.main([str(self.program), str(self.path / "out"), str(self.path / "jeep.jpg"), *more])
        rows = [line.strip("|").split("|") for line in printed.getvalue().splitlines() if line.startswith("| ")]
        return {row[0].strip(): [cell.strip() for cell in row[1:]] for row in rows}

    def test_each_fault_costs_what_its_run_loses_against_the_corrected_one(self):
        rows = self.measured("--seeds", "1,3")
        self.assertEqual(rows["corrected"], ["32.00 (1.41)", "", "1.000 (0.000)", "", "0.250 (0.000)", "0.500 (0.000)", "0.000 (0.000)"])
        self.assertEqual(rows["corrected, with demo_a"][:4], ["30.00 (1.41)", "-2.00 (0.00)", "1.000 (0.000)", "+0.000 (0.000)"])
        self.assertEqual(rows["corrected, with demo_b"][1:4], ["-1.00 (0.00)", "1.500 (0.000)", "+0.500 (0.000)"])
        self.assertEqual(rows["published, without demo_a"][:2], ["31.00 (1.41)", "+2.00 (0.00)"])
        self.assertEqual(len(rows), 9, "a heading, 3 presets, 2 rows per fault, the engine's kernels")

    def test_best_has_as_many_blobs_and_steps(self):
        self.measured("--seeds", "1", "--steps", "50")
        arguments = (self.path / "out/jeep/best/seed-1/arguments").read_text()
        self.assertIn("--splats 9 --steps 50", arguments)

    def test_complete_runs_are_kept(self):
        first = self.measured("--seeds", "1")
        self.assertEqual(self.measured("--seeds", "1"), first)
        found = json.loads((self.path / "out/fit_faults.json").read_text())
        self.assertEqual(found["jeep.jpg"]["corrected"][0]["psnr"], 31)


if __name__ == "__main__":
    unittest.main()
