#!/usr/bin/env python3
"""Flies through a streamed model in real time and looks for holes: levels of detail that come late may blur a picture, but hide no less.

usage: flight.py SPLATWRIGHT STREAMED.ssog WHOLE.ply FOLDER [--seconds 10] [--rate 60] [--size 1920x1080] [--budget N]

Both models are drawn along the same flight, in render mode alpha: the streamed one at the rate, with the levels that are there by then, and the whole
one without haste. A pixel is a hole where the streamed model hides less of the background than the whole one by more than a half. Prints one line per
second of the flight and the worst frame; exit code 1 if holes have more than 2 % of any frame's pixels, or if the mean coverage of a frame falls by as
much. FOLDER holds two floats per pixel and frame: 10 GB for 600 frames at 1920x1080. Needs numpy.
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys

import numpy

MOST = 0.02  # of a frame's pixels


def normalised(v):
    return v / numpy.linalg.norm(v)


def looking(name, eye, target, up, size):
    """A camera of --camera files: x right, y down, z forward."""
    forward = normalised(target - eye)
    right = normalised(numpy.cross(forward, up))
    rotation = numpy.array([right, numpy.cross(forward, right), forward])
    matrix = numpy.eye(4)
    matrix[:3, :3], matrix[:3, 3] = rotation, -rotation @ eye
    focal = 0.5 * min(size) / math.tan(math.radians(25))
    return {"name": name, "width": size[0], "height": size[1], "fl_x": focal, "fl_y": focal, "cx": size[0] / 2, "cy": size[1] / 2,
            "world_to_camera": matrix.tolist()}


def box_of(program, model):
    """Corners of the scene without floaters."""
    command = [program, "convert", model, "--summary", "--json"]
    columns = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["columns"]
    axes = [columns[axis] for axis in "xyz"]
    return (numpy.array([max(axis["min"], axis["mean"] - 2.5 * axis["deviation"]) for axis in axes]),
            numpy.array([min(axis["max"], axis["mean"] + 2.5 * axis["deviation"]) for axis in axes]))


def flight(box, frames, size):
    """From far above one end of the scene down between its parts, along it with a turn of the head, and out at the other end."""
    low, high = box
    extent = high - low
    along = int(numpy.argmax([extent[0], 0, extent[2]]))
    across = 2 - along
    up = numpy.array([0.0, -1.0, 0.0])  # y points down
    cameras = []
    for i in range(frames):
        t = i / max(frames - 1, 1)
        eye = (low + high) / 2
        eye[along] = low[along] + extent[along] * (1.3 * t - 0.15)
        eye[across] += 0.3 * extent[across] * math.sin(2 * math.pi * t)
        eye[1] = low[1] - extent[1] * (0.1 + 2 * max(0.0, math.cos(math.pi * min(2 * t, 1.0))))
        ahead = numpy.zeros(3)
        turn = 1.2 * math.sin(4 * math.pi * t)
        ahead[along], ahead[across], ahead[1] = math.cos(turn), math.sin(turn), 0.45
        cameras.append(looking(f"frame_{i:04}", eye, eye + ahead, up, size))
    return cameras


def render(program, model, cameras, out, *more):
    command = [program, "render", model, "--camera", cameras, "-o", out, "--mode", "alpha", "--as", "npy", *more]
    subprocess.run([str(word) for word in command], check=True)


def compare(folder, names):
    """Per frame: share of pixels that are holes, and by how much the mean coverage falls."""
    for name in names:
        streamed, whole = (numpy.load(folder / model / f"{name}.npy") for model in ("streamed", "whole"))
        yield float(numpy.mean(streamed < whole - 0.5)), float(numpy.mean(whole) - numpy.mean(streamed)), float(numpy.mean(whole))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("streamed")
    parser.add_argument("whole")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--rate", type=int, default=60)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--budget", type=int, default=0)
    options = parser.parse_args()
    size = tuple(int(side) for side in options.size.split("x"))
    cameras = flight(box_of(options.program, options.whole), options.seconds * options.rate, size)
    options.folder.mkdir(parents=True, exist_ok=True)
    path = options.folder / "flight.json"
    path.write_text(json.dumps(cameras), encoding="utf-8")
    render(options.program, options.streamed, path, options.folder / "streamed", "--live", options.rate, "--budget", options.budget)
    render(options.program, options.whole, path, options.folder / "whole")
    frames = list(compare(options.folder, [camera["name"] for camera in cameras]))
    for second in range(options.seconds):
        part = frames[second * options.rate:(second + 1) * options.rate]
        print(f"second {second + 1:2}: holes {max(f[0] for f in part):7.3%}, coverage falls by {max(f[1] for f in part):7.3%} "
              f"of {sum(f[2] for f in part) / len(part):5.1%}")
    holes, falls = max(f[0] for f in frames), max(f[1] for f in frames)
    print(f"worst of {len(frames)} frames: holes {holes:.3%}, coverage falls by {falls:.3%}, expected at most {MOST:.0%}")
    return 1 if max(holes, falls) > MOST else 0


if __name__ == "__main__":
    sys.exit(main())
