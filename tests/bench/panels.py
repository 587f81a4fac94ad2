#!/usr/bin/env python3
"""What panels cost per frame, while the camera moves.

usage: panels.py SPLATWRIGHT SPLATS [DATA] [--frames 200] [--size 1920x1080] [--json OUT.json]

Draws the same orbit with each panel alone, with each part of See inside, with all panels and with none, and prints milliseconds per frame: of the drawing
thread's CPU (mean), and of the GPU for the picture and for its histogram (medians). With DATA the viewer also trains on that dataset, so that panels which
need a training show one; its pictures are of SPLATS all the same.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile

PARTS = ["blend", "list", "radix", "network", "gradient", "additions", "draw"]
WARM_UP = 20  # frames before the first report
WITH_STAGES = 30  # frames after the last, with a report each: writing one takes the thread's time


def report_as(folder, name):
    return [f'report "{folder}/{name}.json"']


def hidden_training(splats, data):
    """Starts a training whose model is not drawn."""
    return [f'open "{data}"', "wait phase ready", "key T", "wait step 1", f'model "{data.name} (training)"', "visible 0", f'model "{splats.stem}"']


def script(options, titles, chosen, part, folder):
    lines = [f'panel "{title}" 0' for title in titles]
    lines += [f'panel "{title}" 1' for title in chosen]
    if part:
        lines += [f"show_inside {part}", "click 50% 50%"]
    if options.data:
        lines += hidden_training(options.splats, options.data)
    turn = ["orbit 0.5 0", "wait picture"]
    lines += WARM_UP * turn + report_as(folder, "first") + options.frames * turn + report_as(folder, "last")
    for i in range(WITH_STAGES):
        lines += turn + report_as(folder, f"stages_{i:03}")
    return "\n".join(lines) + "\n"


def play(options, text, folder):
    path = folder / "script.txt"
    path.write_text(text, encoding="utf-8")
    command = [options.splatwright, "view", options.splats, "--headless", "--script", path, "--size", options.size, "-q"]
    subprocess.run([str(word) for word in command], check=True)


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def measured(options, titles, chosen, part=None):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        play(options, script(options, titles, chosen, part, folder), folder)
        first, last = (read(folder / f"{name}.json") for name in ("first", "last"))
        reports = [read(path) for path in folder.glob("stages_*.json")]
    return {"cpu_ms": (last["cpu_ms"] - first["cpu_ms"]) / (last["frames"] - first["frames"]),
            "picture_ms": statistics.median(sum(report["picture"]["stages"].values()) for report in reports),
            "histogram_ms": statistics.median(report["histogram"]["milliseconds"] or 0 for report in reports), "frames": last["frames"] - first["frames"],
            "device": last["device"]["name"]}


def titles_of(options):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        play(options, f'report "{folder}/titles.json"\n', folder)
        return list(read(folder / "titles.json")["panels"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("splatwright", type=pathlib.Path)
    parser.add_argument("splats", type=pathlib.Path)
    parser.add_argument("data", type=pathlib.Path, nargs="?")
    parser.add_argument("--frames", type=int, default=200)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()

    titles = titles_of(options)
    cases = [("no panel", [], None), *((title, [title], None) for title in titles), *((f"See inside: {part}", ["See inside"], part) for part in PARTS),
             ("all panels", titles, None)]
    rows = {}
    print(f"{'':28} {'CPU':>8} {'picture':>8} {'histogram':>10}")
    for label, chosen, part in cases:
        row = rows[label] = measured(options, titles, chosen, part)
        print(f"{label:28} {row['cpu_ms']:8.3f} {row['picture_ms']:8.3f} {row['histogram_ms']:10.3f}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
