#!/usr/bin/env python3
"""Checks that the program for Windows writes the same bytes as the one for Linux, on the same driver: a dataset, a deterministic training, pictures of
its splats, and every format of splats.

usage: same_bytes.py LINUX-PROGRAM WINDOWS-PROGRAM...    (the program, or what runs it and the program)

Ends with code 77, which ctest counts as skipped, where the program for Linux has not been built.
"""
import pathlib
import subprocess
import sys
import tempfile

FORMATS = ["a.ply", "a.compressed.ply", "a.splat", "a.spz", "a.sog", "a.glb"]
# Times, names of folders and versions of programs differ.
COMPARED = {".ply", ".png", ".txt", ".splat", ".spz", ".sog", ".glb"}


def run(program, *words):
    done = subprocess.run([*map(str, program), *map(str, words), "-q"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{words[0]}: exit code {done.returncode}\n{done.stdout[-1000:]}{done.stderr[-2000:]}")


def write_everything(program, folder):
    data, out = folder / "data", folder / "run"
    run(program, "synth", data, "--views", 6, "--size", "64x48")
    run(program, "train", data, "-o", out, "--deterministic", "--steps", 30, "--set", "init=random", "--set", "init_count=2000")
    run(program, "render", out / "splats.ply", "--data", data, "-o", folder / "pictures")
    for name in FORMATS:
        run(program, "convert", out / "splats.ply", folder / name)


def files_in(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.suffix in COMPARED}


def difference_of(a, b):
    if len(a) != len(b):
        return f"{len(a)} and {len(b)} bytes"
    different = [i for i, (x, y) in enumerate(zip(a, b)) if x != y]
    return f"{len(different)} of {len(a)} bytes, the first at {different[0]}"


def main():
    linux, windows = sys.argv[1:2], sys.argv[2:]
    if not pathlib.Path(linux[0]).exists():
        print(f"Skipped: {linux[0]} has not been built")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as top:
        found = []
        for name, program in (("linux", linux), ("windows", windows)):
            folder = pathlib.Path(top, name)
            folder.mkdir()
            write_everything(program, folder)
            found.append(files_in(folder))
        ours, theirs = found
        if ours.keys() != theirs.keys() or "run/splats.ply" not in ours:
            sys.exit(f"the files differ: {sorted(ours.keys() ^ theirs.keys())}")
        different = {name: difference_of(ours[name], theirs[name]) for name in ours if ours[name] != theirs[name]}
        if different:
            sys.exit("\n".join(f"{name}: differs in {how}" for name, how in different.items()))
        print(f"{len(ours)} files have the same bytes")


if __name__ == "__main__":
    main()
