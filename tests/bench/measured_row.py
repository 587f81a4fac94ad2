#!/usr/bin/env python3
"""Prints a row of the README's "Measured": mean and spread (largest minus smallest) over runs of `train` that differ in their seed.

usage: measured_row.py RUN...    (folders with metrics.json)
"""
import json
import pathlib
import sys

# Heading, decimals, and the figure of one metrics.json.
COLUMNS = [
    ("PSNR", 2, lambda m: m["psnr"]),
    ("worst view", 2, lambda m: min(view["psnr"] for view in m["views"])),
    ("SSIM", 4, lambda m: m["ssim"]),
    ("splats", 0, lambda m: m["splats"]),
    ("seconds", 1, lambda m: m["train_seconds"]),
    ("MiB", 0, lambda m: m["peak_device_mib"]),
]


def cell(values, decimals):
    mean, spread = sum(values) / len(values), max(values) - min(values)
    return f"{mean:,.{decimals}f} ({spread:,.{decimals}f})"


def row(runs):
    """Returns the row's cells as Markdown. Throws ValueError if settings other than the seed differ between the runs."""
    settings = [{**run["settings"], "seed": None} for run in runs]
    if any(other != settings[0] for other in settings):
        raise ValueError("the runs differ in more than their seed")
    return "| " + " | ".join(cell([figure(run) for run in runs], decimals) for _, decimals, figure in COLUMNS) + " |"


def main(folders):
    if not folders:
        sys.exit(__doc__)
    runs = [json.loads((pathlib.Path(folder) / "metrics.json").read_text(encoding="utf-8")) for folder in folders]
    print("| " + " | ".join(heading for heading, _, _ in COLUMNS) + " |")
    print(row(runs))


if __name__ == "__main__":
    main(sys.argv[1:])
