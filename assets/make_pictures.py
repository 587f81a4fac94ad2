#!/usr/bin/env python3
"""Makes the pictures of all READMEs with the present build, and writes the build's commit into their captions.

usage: assets/make_pictures.py [--program FILE] [--data FOLDER] [NAME...]

NAME chooses among the pictures ("viewer/training"; all). Those of the viewer are drawn in a window on an Xvfb of their own, as the tests' windows are, or
without a window if there is no Xvfb. FOLDER has what is not made here: splats/biker.compressed.ply (PlayCanvas's examples) and images/23.png (Kodak).
Pictures whose input is missing stay as they are. On a CPU device the scenes are smaller and are trained briefly.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
ASSETS = ROOT / "assets"
MOST_BYTES = 300 * 1024  # of a picture in the repository
CAPTION = re.compile(r"build [0-9]+\.[0-9]+\.[0-9]+\+[0-9a-z]+(\.[0-9a-z]+)*")


class Maker:
    """Runs the program in a scratch folder, once per dataset and run that several pictures share."""

    def __init__(self, program, data, scratch):
        self.program, self.data, self.scratch = program, data, scratch
        self.version = self.run("--version").strip()
        devices = json.loads(self.run("info", "--json"))["devices"]
        self.is_cpu = next(device["type"] for device in devices if device["used"]) == "cpu"
        self.made = {}

    def run(self, *words, display=False):
        command = [str(self.program), *map(str, words)]
        if display and shutil.which("xvfb-run"):
            command = ["xvfb-run", "-a", "-s", "-screen 0 1600x1200x24", *command]
        elif display:
            command.append("--headless")
        done = subprocess.run(command, cwd=self.scratch, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def once(self, name, make):
        if name not in self.made:
            self.made[name] = make()
        return self.made[name]

    def scene(self):
        """A dataset of the procedural garden."""
        views, size = (24, "160x120") if self.is_cpu else (40, "400x300")
        return self.once("scene", lambda: self.run("synth", "toys", "--views", views, "--size", size, "--seed", 3) and "toys")

    def steps(self):
        return 800 if self.is_cpu else 10000

    def view(self, script, size):
        """Runs a script of the viewer; the last line takes the screenshot."""
        path = self.scratch / "script.txt"
        path.write_text(script, encoding="utf-8")
        self.run("view", "--script", path, "--size", size, display=True)

    def input(self, name):
        path = self.data / name if self.data else None
        return path if path and path.is_file() else None


def result(maker, out):
    """One test view: ground truth, render, error map."""
    maker.run("train", maker.scene(), "-o", "result", "--steps", maker.steps(), "--test-every", 40, "-q")
    shutil.copy(maker.scratch / "result/strip.png", out)


VIEWER_SIZE = "1280x800"


def training(maker, out):
    script = f"""open {maker.scene()}
panel GPU 0
panel "Splats at a pixel" 0
preset fast
train_set steps {maker.steps()}
train
wait step {maker.steps() // 3}
evaluate
wait evaluation
wait step {maker.steps() * 2 // 3}
train
evaluate
wait evaluation
view 0008.png
key P
wait picture
screenshot_panels {out}
"""
    maker.view(script, VIEWER_SIZE)


def of_biker(draw):
    """A picture of PlayCanvas's biker, in front of whose left side the camera stands at first."""
    def make(maker, out):
        biker = maker.input("splats/biker.compressed.ply")
        if not biker:
            return "there is no splats/biker.compressed.ply"
        maker.view(f"open {biker}\norbit 50 -5\n{draw(maker, biker)}screenshot_panels {out}\n", VIEWER_SIZE)
        return None
    return make


def models(_maker, _biker):
    return """orientation_cube
panel "Splats at a pixel" 1
wait frames 2
panel Histogram 1
wait picture
click 50% 30%
wait picture
wait frames 5
"""


def inside(_maker, _biker):
    return """panel "See inside" 1
show_inside radix 1200
wait picture
click 50% 30%
wait picture
wait frames 5
"""


def comparing(maker, biker):
    maker.run("convert", biker, "fewer.ply", "--decimate", 30000, "--force", "-q")
    return """open fewer.ply
model biker
panel Compare 1
compare model fewer
compare_layout flip
wait picture
wait scores
wait frames 3
"""


def timeline(_maker, _biker):
    keys = "".join("orbit 40 0\nadd_key\n" for _ in range(7))
    return f"""panel Timeline 1
panel "Splats at a pixel" 1
wait frames 3
frame
{keys}orbit 60 30
wheel 50% 50% -3
wait picture
click 50% 50%
wait picture
wait frames 3
"""


def emerging(maker, out):
    picture = maker.input("images/23.png")
    if not picture:
        return "there is no images/23.png"
    maker.run("fit", picture, "-o", "emerging", "--set", "downscale=4", "--splats", 2500, "--steps", 1000, "--eval-at", "10,100", "-q")
    shutil.copy(maker.scratch / "emerging/strip.png", out)
    return None


# Name below assets/, how it is made. assets/fit2d/lost_blobs.png and the charts of assets/primitives are results of measurements on one GPU.
PICTURES = {
    "result": result,
    "viewer/training": training,
    "viewer/models": of_biker(models),
    "viewer/inside": of_biker(inside),
    "viewer/comparing": of_biker(comparing),
    "viewer/timeline": of_biker(timeline),
    "fit2d/emerging": emerging,
}


def write_captions(name, version, root=ROOT):
    """The caption is the line after the next below a picture; it names the build."""
    folders = (root / folder for folder in ("app", "assets", "engine", "shaders", "tests"))
    for path in [root / "README.md", *(path for folder in folders for path in folder.rglob("README.md"))]:
        lines = path.read_text(encoding="utf-8").split("\n")
        for i, line in enumerate(lines):
            if f"assets/{name}.png)" in line:
                lines[i + 2] = CAPTION.sub(f"build {version}", lines[i + 2])
        path.write_text("\n".join(lines), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/release/bin/splatwright")
    parser.add_argument("--data", type=pathlib.Path, default=ROOT.parent / "shared/data")
    parser.add_argument("names", nargs="*", metavar="NAME", choices=[[], *PICTURES])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        maker = Maker(options.program.resolve(), options.data.resolve(), scratch)
        for name in options.names or PICTURES:
            drawn = scratch / "picture.png"
            drawn.unlink(missing_ok=True)
            if problem := PICTURES[name](maker, drawn):
                print(f"{name}: not made, {problem}")
                continue
            size = os.path.getsize(drawn)
            if size > MOST_BYTES:
                sys.exit(f"{name}: {size} bytes, expected at most {MOST_BYTES}: make its window or scene smaller")
            shutil.copy(drawn, ASSETS / f"{name}.png")
            write_captions(name, maker.version)
            print(f"{name}: {size} bytes, build {maker.version}")


if __name__ == "__main__":
    main()
