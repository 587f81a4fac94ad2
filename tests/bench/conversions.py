#!/usr/bin/env python3
"""Times conversions between files of splats side by side with npm's splat-transform.

usage: conversions.py SPLATWRIGHT SPLATS.ply [--rounds 5] [--only FROM-TO,...] [--folder /dev/shm] [--cache FOLDER] [--json FILE]

SPLATS.ply should be trained splats of SH degree 3 (`convert --grid` makes many of few). Inputs that are not PLY are written by splat-transform, but for SOG, which
takes it minutes on a processor and is not timed; files lie in a folder in memory, so that no disk is. The two programs take turns; a figure is the median time of a whole process. Before anything is timed, both outputs
must have all splats. Needs Node.js 20 and, once, the net (tests/peers/packages.py).
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/peers"))
import packages  # noqa: E402

# By name: the file's name and what splat-transform is told to write it.
FILES = {
    "PLY": ("a.ply", []),
    "compressed PLY": ("a.compressed.ply", []),
    "SPZ 3": ("v3.spz", ["--spz-version", "3"]),
    "SPZ 4": ("v4.spz", ["--spz-version", "4"]),
    "SOG": ("a.sog", []),
    "GLB": ("a.glb", []),
}
OUR_WRITERS = {"SPZ 4": ["--to", "spz-v4"]}
CONVERSIONS = [("PLY", "PLY"), ("PLY", "compressed PLY"), ("PLY", "SPZ 3"), ("PLY", "SPZ 4"), ("PLY", "GLB"),
               ("compressed PLY", "PLY"), ("SPZ 3", "PLY"), ("SPZ 4", "PLY"), ("SOG", "PLY")]


class Programs:
    def __init__(self, splatwright, cache):
        self.splatwright = splatwright
        self.transform = packages.install(cache) / "node_modules/@playcanvas/splat-transform"

    def ours(self, source, target, name):
        return [self.splatwright, "--quiet", "convert", source, target, "--force", *OUR_WRITERS.get(name, [])]

    def theirs(self, source, target, name):
        return ["node", self.transform / "bin/cli.mjs", "--quiet", "--overwrite", "--gpu", "cpu", *FILES[name][1], source, target]

    def count(self, path):
        """The number of splats in a file, all of which is read."""
        return json.loads(output(self.splatwright, "--quiet", "convert", "--json", path))["splats"]

    def versions(self):
        package = json.loads((self.transform / "package.json").read_text(encoding="utf-8"))
        return output(self.splatwright, "--version").split()[-1], f"splat-transform {package['version']}"


def output(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def seconds(command):
    start = time.perf_counter()
    output(*command)
    return time.perf_counter() - start


def measure(programs, source, target, folder, rounds):
    """Times of one conversion, and the bytes of what it writes."""
    out = {who: folder / who / FILES[target][0] for who in ("ours", "theirs")}
    commands = {"ours": programs.ours(source, out["ours"], target), "theirs": programs.theirs(source, out["theirs"], target)}
    for who, command in commands.items():
        out[who].parent.mkdir(exist_ok=True)
        output(*command)
    # We do not read splat-transform's GLB, whose extension names no colour space.
    counts = {who: programs.count(path) for who, path in out.items() if target != "GLB"}
    if len(set(counts.values())) > 1:
        sys.exit(f"{source} to {target}: the outputs have {counts} splats")
    row = {who: {"seconds": [], "bytes": path.stat().st_size} for who, path in out.items()}
    for _ in range(rounds):
        for who, command in commands.items():
            out[who].unlink()  # to free its memory takes as long as to fill a part of it
            row[who]["seconds"].append(round(seconds(command), 4))
    for path in out.values():
        path.unlink()
    return row


def processor():
    name = re.search(r"^model name\s*:\s*(.+)$", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE)
    return f"{name[1] if name else 'unknown processor'}, {len(os.sched_getaffinity(0))} cores"


def line(row):
    ours, theirs = (statistics.median(row[who]["seconds"]) for who in ("ours", "theirs"))
    return (f"{row['from']:>14} -> {row['to']:<14} {ours:7.3f} s, splat-transform {theirs:7.3f} s: {theirs / ours:5.1f} times; "
            f"{row['ours']['bytes']:,} and {row['theirs']['bytes']:,} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("splatwright", type=pathlib.Path)
    parser.add_argument("splats", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", type=lambda text: text.split(","), help="names of conversions, as in PLY-SOG")
    parser.add_argument("--folder", default="/dev/shm")
    parser.add_argument("--cache", type=pathlib.Path, default=ROOT / "build/peers")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    programs = Programs(options.splatwright, options.cache)
    version, peer = programs.versions()
    result = {"device": processor(), "version": version, "peer": peer, "splats": programs.count(options.splats), "conversions": []}
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder, inputs = pathlib.Path(name), {}
        for source, target in CONVERSIONS:
            if options.only and f"{source}-{target}" not in options.only:
                continue
            if source not in inputs:
                inputs[source] = folder / FILES[source][0]
                write = programs.ours if source in ("PLY", "SOG") else programs.theirs
                output(*write(options.splats, inputs[source], source))
            row = {"from": source, "to": target, **measure(programs, inputs[source], target, folder, options.rounds)}
            result["conversions"].append(row)
            print(line(row), flush=True)
    if options.json:
        rows = ",\n  ".join(json.dumps(row) for row in result.pop("conversions"))
        options.json.write_text(f"{json.dumps(result)[:-1]}, \"conversions\": [\n  {rows}\n]}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
