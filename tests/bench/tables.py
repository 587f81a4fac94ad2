#!/usr/bin/env python3
"""Makes the tables of figures in the documents from the result files in tests/bench/results.

usage: tables.py [--check]

A table stands between `<!-- tables.py NAME -->` and `<!-- end of NAME -->`, in any README.md or PERFORMANCE.md. Below it stand the devices, builds and
seeds of its runs. --check changes nothing; exit code 1 if a table is not what the result files say, or has no place.
"""
import argparse
import json
import pathlib
import re
import statistics
import sys

import fit_faults

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "tests/bench/results"
FOLDERS = ("app", "assets", "engine", "shaders", "tests")
PLACE = re.compile(r"(<!-- tables\.py (?P<name>\w+) -->\n).*?(<!-- end of (?P=name) -->)", re.S)
NAMES = {"fox": "fox / 2"}  # trained with downscale=2
FIGURES = [("PSNR", "psnr", 2), ("worst view", "worst_view", 2), ("worst tenth", "worst_decile", 2), ("SSIM", "ssim", 4), ("splats", "splats", 0),
           ("seconds", "seconds", 1), ("MiB", "peak_mib", 0)]


def runs_of(*files):
    return [run for file in files for run in json.loads((RESULTS / f"{file}.json").read_text(encoding="utf-8"))["runs"]]


def grouped(runs, *keys):
    """The runs by the values of keys, in the order of the file."""
    groups = {}
    for run in runs:
        groups.setdefault(tuple(run[key] for key in keys), []).append(run)
    return groups


def mean_and_spread(values, decimals):
    return f"{statistics.mean(values):,.{decimals}f} ({max(values) - min(values):,.{decimals}f})"


def markdown(heads, rows):
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [heads, ["---"] * len(heads), *rows])


def origin(runs):
    """The line below a table. Throws ValueError if its runs are of different builds."""
    def names(key):
        return ", ".join(dict.fromkeys(str(run[key]) for run in runs))
    if ", " in names("version"):
        raise ValueError(f"one table mixes builds: {names('version')}")
    return f"*{names('device')}; build {names('version')}; seeds {names('seed')}.*"


def rows_of_figures(runs):
    """A row per scene and preset: mean and, in brackets, largest minus smallest over seeds."""
    rows = []
    for (scene, preset), own in grouped(runs, "scene", "preset").items():
        cells = [mean_and_spread([run["figures"][key] for run in own], decimals) for _, key, decimals in FIGURES]
        rows.append([NAMES.get(scene, scene), f"`{preset}`", *cells])
    return markdown(["scene", "preset", *(head for head, _, _ in FIGURES)], rows) + "\n\n" + origin(runs)


def columns_of_scenes(runs, memory=False):
    """A row per preset, a column per scene: mean (standard deviation) of PSNR over seeds / mean of the worst tenth of views, and memory."""
    scenes = list(dict.fromkeys(run["scene"] for run in runs))
    groups = grouped(runs, "preset", "scene")
    rows = []
    for preset in dict.fromkeys(run["preset"] for run in runs):
        rows.append([preset])
        for scene in scenes:
            figures = [run["figures"] for run in groups[preset, scene]]
            psnr, worst = ([f[key] for f in figures] for key in ("psnr", "worst_decile"))
            rows[-1].append(f"{fit_faults.cell(psnr, 2)} / {statistics.mean(worst):.2f}")
            if memory:
                rows[-1][-1] += f", {max(f['peak_mib'] for f in figures):.0f} MiB"
    return markdown(["", *(NAMES.get(scene, scene) for scene in scenes)], rows) + "\n\n" + origin(runs)


def faults_of_fit():
    """Rows of whole demos, with PSNR and milliseconds per step, then one per fault, with the changes that it makes alone and beside all others."""
    pictures = json.loads((RESULTS / "fit_faults.json").read_text(encoding="utf-8"))

    def figures(runs, name):
        """PSNR of each seed, and milliseconds per step."""
        return list(zip(*(fit_faults.figures(run)[:2] for run in runs[name])))

    def change(runs, name, base, figure):
        return statistics.mean(a - b for a, b in zip(figures(runs, name)[figure], figures(runs, base)[figure]))

    rows = []
    for name in ("published", "corrected", "corrected, the engine's kernels", "best"):
        rows.append([name, *(fit_faults.cell(figures(runs, name)[0], 2) for runs in pictures.values()), "", "",
                     *(f"{statistics.mean(figures(runs, name)[1]):.3f}" for runs in pictures.values())])
    for fault in (name.removeprefix("corrected, with ") for name in next(iter(pictures.values())) if name.startswith("corrected, with ")):
        alone, others = f"corrected, with {fault}", f"published, without {fault}"
        rows.append([f"`{fault}`", *(f"{change(runs, alone, 'corrected', 0):+.2f}" for runs in pictures.values()),
                     *(f"{-change(runs, others, 'published', 0):+.2f}" for runs in pictures.values()),
                     *(f"{change(runs, alone, 'corrected', 1):+.3f}" for runs in pictures.values())])
    heads = [f"{head}: {picture}" for head in ("alone, dB", "all others, dB", "alone, ms") for picture in pictures]
    return markdown(["", *heads], rows) + "\n\n" + origin([run for runs in pictures.values() for own in runs.values() for run in own])


def conversions():
    """A row per conversion: median seconds of both programs, how many times as long splat-transform takes, and our bytes as a share of its."""
    result = json.loads((RESULTS / "conversions.json").read_text(encoding="utf-8"))
    rows = []
    for row in result["conversions"]:
        ours, theirs = (statistics.median(row[who]["seconds"]) for who in ("ours", "theirs"))
        rows.append([f"{row['from']} to {row['to']}", f"{ours:.3f}", f"{theirs:.3f}", f"{theirs / ours:.1f}",
                     f"{100 * row['ours']['bytes'] / row['theirs']['bytes']:.1f} %"])
    heads = ["", "seconds", result["peer"], "times as long", "our bytes, of its"]
    return markdown(heads, rows) + f"\n\n*{result['splats']:,} splats of degree 3; {result['device']}; build {result['version']}.*"


def compression():
    """A row per sample: for each format, our bytes as a share of splat-transform's, and the PSNR of both."""
    result = json.loads((RESULTS / "compression.json").read_text(encoding="utf-8"))
    formats = list(dict.fromkeys(row["format"] for row in result["rows"]))

    def cells(row):
        ours, theirs = row["ours"], row["theirs"]
        decibels = " / ".join("exact" if who["psnr"] is None else f"{who['psnr']:.2f}" for who in (ours, theirs))
        return [f"{100 * ours['bytes'] / theirs['bytes']:.1f} %", decibels]

    rows = []
    for (sample,), own in grouped(result["rows"], "sample").items():
        by_format = {row["format"]: cells(row) for row in own}
        rows.append([f"{sample}, {own[0]['splats']:,}, degree {own[0]['degree']}", *(cell for name in formats for cell in by_format.get(name, ["", ""]))])
    heads = ["", *(head for name in formats for head in (f"{name}: our bytes, of its", "PSNR, ours / its"))]
    return markdown(heads, rows) + f"\n\n*{result['peer']}; build {result['version']}.*"


TABLES = {
    "quality": lambda: rows_of_figures(runs_of("quality")),
    "few": lambda: rows_of_figures(runs_of("few")),
    "caps": lambda: columns_of_scenes(runs_of("caps")),
    "colour_changes": lambda: columns_of_scenes(runs_of("colour_changes")),
    "mcmc": lambda: columns_of_scenes(runs_of("mcmc"), memory=True),
    "fit_faults": faults_of_fit,
    "compression": compression,
    "conversions": conversions,
}


def documents():
    yield ROOT / "README.md"
    for folder in FOLDERS:
        for name in ("README.md", "PERFORMANCE.md"):
            yield from sorted((ROOT / folder).rglob(name))


def filled(text, placed):
    """The text with its tables made anew; adds their names to `placed`. Throws KeyError for a name that is no table."""
    def table(match):
        placed.append(match["name"])
        return f"{match[1]}{TABLES[match['name']]()}\n{match[3]}"
    return PLACE.sub(table, text)


def update(check):
    """Makes all tables anew, or with `check` only compares them. Returns what is wrong, a line each."""
    placed, problems = [], []
    for document in documents():
        text = document.read_text(encoding="utf-8")
        made = filled(text, placed)
        if made == text:
            continue
        if check:
            problems.append(f"{document}: a table is not what tests/bench/results says; run tests/bench/tables.py")
        else:
            document.write_text(made, encoding="utf-8")
    return problems + [f"table {name} has no place in a document" for name in TABLES if name not in placed]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    problems = update(parser.parse_args().check)
    sys.exit("\n".join(problems) if problems else 0)


if __name__ == "__main__":
    main()
