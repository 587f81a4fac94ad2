#!/usr/bin/env python3
"""Runs every command with inputs and outputs below a folder whose path has five scripts, blanks, and more characters than old systems take.

usage: paths_test.py PROGRAM...    (the program, or what runs it and the program)

Fails too if the program's help lists a command that is not run here.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

NAMES = ["Ελληνικά και κενά", "中文 文件夹", "кириллица", "العربية", "emoji 🙂 🚀"]
FILLER, LONG = "and a long name", 300
CONFIG = '{"steps": 4, "init": "random", "init_count": 100, "strategy": "fixed"}'


def long_folder(top):
    folder = pathlib.Path(top, *NAMES)
    while len(str(folder)) < LONG:
        folder /= FILLER
    folder.mkdir(parents=True)
    return folder


class Runs:
    """Commands in one folder, each of which must succeed and leave the files that are named."""

    def __init__(self, program, folder):
        self.program, self.folder, self.commands = program, folder, set()

    def __call__(self, *words, made=()):
        self.commands.add(words[0])
        code, said = self.outcome(words)
        if (code, said) == (1, "") and len(self.program) > 1:  # Wine did not start it, which is rare: the program says why it fails
            code, said = self.outcome(words)
        if code != 0:
            sys.exit(f"{words[0]}: exit code {code}\n{said[-2000:]}")
        for name in made:
            if not (self.folder / name).stat().st_size:
                sys.exit(f"{words[0]}: {name} is empty")
        return said

    def outcome(self, words):
        """Exit code and all output."""
        done = subprocess.run([*self.program, *map(str, words)], capture_output=True, check=False)
        return done.returncode, (done.stdout + done.stderr).decode()  # fails for what is no UTF-8

    def require_every_command(self):
        listed = set(re.findall(r"^  (\w+)", self("--help").partition("Subcommands:")[2], re.MULTILINE))
        missing = listed - self.commands
        if missing or not listed:
            sys.exit(f"commands of --help that were not run: {', '.join(sorted(missing)) or 'it lists none'}")


def main():
    with tempfile.TemporaryDirectory() as top:
        folder = long_folder(top)
        run = Runs(sys.argv[1:], folder)
        run("info", "--report", folder / "report.json", made=["report.json"])
        run("synth", folder / "data", "--views", 6, "--size", "32x24", made=["data/transforms.json", "data/images/0000.png"])
        # With or without COLMAP, which finds nothing in pictures as small as these.
        run("prepare", "--from-nerfstudio", folder / "data", "-o", folder / "copy", made=["copy/transforms.json", "copy/images/0000.png"])
        (folder / "config.json").write_text(CONFIG, encoding="utf-8")
        said = run("train", folder / "data", "-o", folder / "run", "--config", folder / "config.json", "--save", folder / "saved.spz",
                   "--test-every", 3, made=["run/splats.ply", "run/metrics.json", "run/checkpoint.splat-ckpt", "saved.spz"])
        if f"{folder / 'run'}: " not in said:
            sys.exit(f"train does not say where its files are:\n{said}")
        run("train", folder / "data", "-o", folder / "run", "--resume", folder / "run/checkpoint.splat-ckpt", "--steps", 6)
        run("eval", folder / "saved.spz", folder / "data")
        run("render", folder / "saved.spz", "--data", folder / "data", "-o", folder / "rendered", made=["rendered/0000.png"])
        run("explain", folder / "run/splats.ply", folder / "data", "--pixel", "16,12", "--html", folder / "pixel.html",
            "--json", folder / "pixel.json", made=["pixel.html", "pixel.json"])
        run("bench", "sort", "--n", 1000, "--json", folder / "bench.json", "--html", folder / "bench.html", made=["bench.json", "bench.html"])
        for name in ("a b.ply", "a b.sog", "a b.glb", "a b.splat"):
            run("convert", folder / "saved.spz", folder / name, made=[name])
        run("fit", folder / "data/images/0000.png", "-o", folder / "fit", "--steps", 3, "--splats", 20, made=["fit/fit.png"])
        # A script may have the line ends of Windows.
        script = f'open "{folder / "a b.ply"}"\r\nscreenshot "{folder / "seen.png"}"\r\n'
        (folder / "script.txt").write_bytes(script.encode())
        run("view", "--headless", "--script", folder / "script.txt", "--size", "320x200", made=["seen.png"])
        run.require_every_command()


if __name__ == "__main__":
    main()
