#!/usr/bin/env python3
"""The tables of figures in the documents are those that tests/bench/tables.py makes of the result files.

usage: tables_test.py
"""
import json
import pathlib
import sys
import tempfile
import unittest

from script_module import load

SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "bench" / "tables.py"
sys.path.insert(0, str(SCRIPT.parent))  # which it imports from


def run(scene, preset, seed, psnr, **figures):
    own = {"psnr": psnr, "worst_view": psnr - 2, "worst_decile": psnr - 1, "ssim": 0.9, "splats": 1000 * seed, "seconds": 5 + seed, "peak_mib": 100 + seed}
    return {"scene": scene, "preset": preset, "seed": seed, "figures": {**own, **figures}, "device": "GPU", "version": "1+a"}


RUNS = [run("toy", "fast", 1, 20), run("toy", "fast", 3, 21), run("fox", "fast", 1, 30)]


class Repository(unittest.TestCase):
    def test_its_tables_are_those_of_the_result_files(self):
        self.assertEqual(load(SCRIPT).update(check=True), [])

    def test_every_result_file_is_in_a_table(self):
        tables = load(SCRIPT)
        made = {name: table() for name, table in tables.TABLES.items()}
        for path in tables.RESULTS.glob("*.json"):
            text = path.read_text(encoding="utf-8")
            with tempfile.TemporaryDirectory() as folder:
                tables.RESULTS = pathlib.Path(folder)
                for other in path.parent.glob("*.json"):
                    changed = text.replace('"psnr": 2', '"psnr": 1').replace('"psnr": 3', '"psnr": 1').replace('"bytes": ', '"bytes": 1')
                    (tables.RESULTS / other.name).write_text(changed if other == path else other.read_text(encoding="utf-8"), encoding="utf-8")
                self.assertNotEqual({name: table() for name, table in tables.TABLES.items()}, made, path.name)


class Tables(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.tables = load(SCRIPT)
        self.tables.ROOT = self.tables.RESULTS = self.root
        (self.root / "runs.json").write_text(json.dumps({"runs": RUNS}), encoding="utf-8")
        self.tables.TABLES = {"toy": lambda: self.tables.rows_of_figures(self.tables.runs_of("runs"))}
        self.page = self.root / "README.md"
        self.page.write_text("before\n<!-- tables.py toy -->\nold\n<!-- end of toy -->\nafter\n", encoding="utf-8")

    def test_a_row_has_mean_and_spread_over_seeds(self):
        lines = self.tables.rows_of_figures(RUNS).split("\n")
        self.assertEqual(lines[2], "| toy | `fast` | 20.50 (1.00) | 18.50 (1.00) | 19.50 (1.00) | 0.9000 (0.0000) | 2,000 (2,000) | 7.0 (2.0) | 102 (2) |")
        self.assertEqual(lines[3][:35], "| fox / 2 | `fast` | 30.00 (0.00) |")
        self.assertEqual(lines[-1], "*GPU; build 1+a; seeds 1, 3.*")

    def test_a_cell_per_scene_has_deviation_worst_tenth_and_memory(self):
        lines = self.tables.columns_of_scenes(RUNS, memory=True).split("\n")
        self.assertEqual(lines[0], "|  | toy | fox / 2 |")
        self.assertEqual(lines[2], "| fast | 20.50 (0.71) / 19.50, 103 MiB | 30.00 / 29.00, 101 MiB |")

    def test_filling_changes_the_table_alone_and_is_then_up_to_date(self):
        self.assertEqual(self.tables.update(check=False), [])
        text = self.page.read_text(encoding="utf-8")
        self.assertTrue(text.startswith("before\n<!-- tables.py toy -->\n| scene |") and text.endswith("*\n<!-- end of toy -->\nafter\n"), text)
        self.assertEqual(self.tables.update(check=True), [])

    def test_a_stale_table_is_told_and_stays(self):
        before = self.page.read_text(encoding="utf-8")
        self.assertIn("README.md", self.tables.update(check=True)[0])
        self.assertEqual(self.page.read_text(encoding="utf-8"), before)

    def test_a_table_without_a_place_is_told(self):
        self.page.write_text("nothing\n", encoding="utf-8")
        self.assertEqual(self.tables.update(check=True), ["table toy has no place in a document"])

    def test_one_table_never_mixes_builds(self):
        with self.assertRaisesRegex(ValueError, "1\\+a, 1\\+b"):
            self.tables.rows_of_figures([*RUNS, {**RUNS[0], "version": "1+b"}])


if __name__ == "__main__":
    unittest.main()
