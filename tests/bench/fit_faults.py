#!/usr/bin/env python3
"""Measures what each fault of the playground's 2D demo costs, in dB and in milliseconds per step, by runs of `splatwright fit`.

usage: fit_faults.py SPLATWRIGHT OUT PICTURE... [--seeds 42,1,2] [--steps N] [--splats N]

Needs the program and Python only. Prints a table per picture and writes OUT/fit_faults.json. Runs that are complete in OUT are kept, so an interrupted
command may be repeated; use another OUT for another build.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys

PUBLISHED, CORRECTED, BEST = "published", "corrected", "best"
STAGES = ("blend", "blend backward", "update")  # in which the faults are


def assignments(settings):
    return [word for name, value in settings.items() for word in ("--set", f"{name}={str(value).lower()}")]


def faults_of(published, corrected):
    """Names of the settings that are on in the published demo and off in the corrected one."""
    return [name for name, value in published["settings"].items() if value is True and corrected["settings"][name] is False]


def variants_of(faults, demo):
    """Name and arguments of `fit` for the runs beyond the published and the corrected demo, whose blobs and steps all of them have."""
    size = ["--splats", str(demo["settings"]["max_splats"]), "--steps", str(demo["settings"]["steps"])]
    rows = {}
    for fault in faults:
        rows[f"corrected, with {fault}"] = ["--preset", "demo", *assignments({fault: True})]
        rows[f"published, without {fault}"] = ["--preset", "demo-published", *assignments({fault: False})]
    rows["corrected, the engine's kernels"] = ["--preset", "demo", *assignments({"demo_kernels": False})]
    rows[BEST] = ["--preset", "best", *size]
    return rows


class Runs:
    """Runs of one picture, kept by name and seed."""

    def __init__(self, program, out, picture, options):
        self.program, self.out, self.picture, self.options = program, out / picture.stem, picture, options

    def run(self, name, arguments, seed):
        """The run's metrics.json."""
        folder = self.out / name.replace(", ", "-").replace(" ", "-").replace("'", "") / f"seed-{seed}"
        done = folder / "metrics.json"
        if not done.is_file():
            command = [self.program, "fit", self.picture, "-o", folder, "-q", "--force", "--seed", str(seed), *arguments]
            for option, value in (("--steps", self.options.steps), ("--splats", self.options.splats)):
                if value and option not in arguments:
                    command += [option, str(value)]
            subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)
        return json.loads(done.read_text(encoding="utf-8"))

    def all(self):
        """Runs by name, one per seed."""
        runs = {}
        for seed in self.options.seeds:
            published = self.run(PUBLISHED, ["--preset", "demo-published"], seed)
            corrected = self.run(CORRECTED, ["--preset", "demo"], seed)
            runs.setdefault(PUBLISHED, []).append(published)
            runs.setdefault(CORRECTED, []).append(corrected)
            for name, arguments in variants_of(faults_of(published, corrected), corrected).items():
                runs.setdefault(name, []).append(self.run(name, arguments, seed))
        return runs


def figures(run):
    """PSNR and milliseconds, as a row has them: per step by the clock, then per stage by the GPU."""
    return [run["psnr"], 1000 * run["train_seconds"] / run["steps"], *(run["stages"].get(stage, 0) for stage in STAGES)]


def cell(values, decimals, sign=""):
    text = f"{statistics.mean(values):{sign}.{decimals}f}"
    return f"{text} ({statistics.stdev(values):.{decimals}f})" if len(values) > 1 else text


def base_of(name):
    """The row from which another one differs."""
    return PUBLISHED if name.startswith(PUBLISHED) else CORRECTED


def table(runs):
    """Markdown: mean and standard deviation over seeds, and the change against the row's base, paired by seed."""
    heads = ["", "PSNR, dB", "change, dB", "ms per step", "change, ms", *(f"{stage}, ms" for stage in STAGES)]
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for name, own in runs.items():
        own, base = [figures(run) for run in own], [figures(run) for run in runs[base_of(name)]]
        changes = [[a[k] - b[k] for a, b in zip(own, base)] for k in (0, 1)]
        columns = list(zip(*own))
        cells = [name, cell(columns[0], 2), cell(changes[0], 2, "+"), cell(columns[1], 3), cell(changes[1], 3, "+")]
        if name == base_of(name):
            cells[2] = cells[4] = ""
        lines.append("| " + " | ".join(cells + [cell(column, 3) for column in columns[2:]]) + " |")
    return "\n".join(lines)


def report(runs):
    """What fit_faults.json has of a picture."""
    return {name: [{"seed": run["settings"]["seed"], "steps": run["steps"], "psnr": run["psnr"], "train_seconds": run["train_seconds"],
                    "stages": run["stages"], "device": run["device"], "version": run["version"]} for run in own] for name, own in runs.items()}


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("pictures", type=pathlib.Path, nargs="+")
    parser.add_argument("--seeds", type=lambda text: [int(word) for word in text.split(",")], default=[42, 1, 2])
    parser.add_argument("--steps", type=int, help="instead of the presets'")
    parser.add_argument("--splats", type=int, help="instead of the presets'")
    options = parser.parse_args(arguments)
    found = {}
    for picture in options.pictures:
        runs = Runs(options.program.resolve(), options.out, picture, options).all()
        found[picture.name] = report(runs)
        device = runs[CORRECTED][0]["device"]
        print(f"{picture.name}, seeds {', '.join(map(str, options.seeds))}, {device}\n\n{table(runs)}\n", flush=True)
        (options.out / "fit_faults.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
