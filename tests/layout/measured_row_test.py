#!/usr/bin/env python3
"""tests/bench/measured_row.py makes the README's rows of runs.

usage: measured_row_test.py
"""
import importlib.util
import pathlib
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "bench" / "measured_row.py"
SPEC = importlib.util.spec_from_file_location("measured_row", SCRIPT)
measured_row = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(measured_row)


def run(seed, psnr, steps=30000):
    return {
        "psnr": psnr, "ssim": 0.9 + seed / 1000, "views": [{"psnr": psnr + 1}, {"psnr": psnr - 1}], "splats": 1000 * seed,
        "train_seconds": 30 + seed, "peak_device_mib": 300.4, "settings": {"seed": seed, "steps": steps},
    }


class MeasuredRow(unittest.TestCase):
    def test_each_cell_is_a_mean_and_a_spread(self):
        row = measured_row.row([run(1, 28.0), run(2, 28.5), run(3, 28.7)])
        expected = ["28.40 (0.70)", "27.40 (0.70)", "0.9020 (0.0020)", "2,000 (2,000)", "32.0 (2.0)", "300 (0)"]
        self.assertEqual(row.strip("| ").split(" | "), expected)

    def test_runs_of_other_settings_are_refused(self):
        with self.assertRaises(ValueError):
            measured_row.row([run(1, 28.0), run(2, 28.5, steps=7000)])


if __name__ == "__main__":
    unittest.main()
