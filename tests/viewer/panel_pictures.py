#!/usr/bin/env python3
"""Makes pictures of all panels and dialogs of the viewer in three sizes, for somebody to look at: texts must not overlap or be cut.

usage: panel_pictures.py OUT [--program COMMAND] [--size WIDTHxHEIGHT@SCALE]... [NAME...]

Each size has an Xvfb and a window of its own. NAME chooses among the pictures (`inside_radix`; all). COMMAND may be several words, such as
"cmake/windows/wine.sh build/windows/bin/splatwright.exe". OUT gets a folder per size.
"""
import argparse
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIZES = ["960x640@1", "1920x1080@1", "3840x2160@2"]
PARTS = {"blend": 5, "list": 9, "radix": 70, "network": 9, "gradient": 3, "additions": 3, "draw": 4}  # with a step of each

CLOSE_DIALOG = "key Escape\nwait frames 3\n"
CLOSE_SIDE = 'panel GPU 0\npanel "Splats at a pixel" 0\n'
PANELS = {name.lower().replace(" ", "_"): f'panel "{name}" 1\n' for name in
          ("Models", "Selection", "Render", "Camera", "Histogram", "Training", "Training images", "GPU", "Splats at a pixel", "Log")}

# Name, and the lines of a script that lead to it, one after the other in the same viewer.
PICTURES = {
    "welcome": "",
    "open_dialog": "key Ctrl+O\n",
    "help": CLOSE_DIALOG + "help\n",
    "prepare_dialog": "help\nquestions 1\ntry open {photographs}\nquestions 0\n",
    "dataset": CLOSE_DIALOG + "train_set steps 60\nopen {data}\nwait phase ready\ntrain\nwait phase finished\nevaluate\nwait evaluation\nview {view}\n"
               "wait picture\nclick 50% 50%\nwait picture\n",
    **PANELS,
    "save_dialog": "key Ctrl+S\n",
    "question": CLOSE_DIALOG + "duplicate\nselect_opacity 0 1\nkey Delete\nquestions 1\nkey Ctrl+W\n",
    "message": CLOSE_DIALOG + "questions 0\nundo\nselect_none\ntry open {missing}\nmessage\n",
    "timeline": CLOSE_DIALOG + "panel Timeline 1\nadd_key\norbit 30 10\nadd_key\n",
    "compare": "panel Timeline 0\npanel Log 0\nview {view}\npanel Compare 1\ncompare ground_truth\ncompare_layout flip\nwait picture\nwait scores\n",
    "inside_of_all": "compare nothing\npanel Compare 0\n" + CLOSE_SIDE + 'panel "See inside" 1\nwait picture\nclick 50% 50%\nwait picture\n',
    **{f"inside_{part}": f"show_inside {part} {step}\n" for part, step in PARTS.items()},
}


def made(command, *words):
    done = subprocess.run([*command, *map(str, words)], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")


def script_of(names, out, data):
    """All lines, because each picture starts where the last one ended; screenshots of those that are asked for."""
    view = next(path.name for path in sorted((data / "images").iterdir()))
    places = {"data": data, "photographs": data / "images", "missing": out / ("a name that is too long for one line " * 4) / "missing.ply", "view": view}
    lines = []
    for name, text in PICTURES.items():
        lines.append(re.sub(r"{(\w+)}", lambda found: f'"{places[found[1]]}"', text))
        if name in names:
            lines.append(f'wait frames 4\nscreenshot_panels "{out / name}.png"\n')
    return "".join(lines)


def draw(command, size, names, out, data):
    extent, scale = size.split("@")
    folder = out / size
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / "script.txt"
    script.write_text(script_of(names, folder, data), encoding="utf-8")
    screen = ["xvfb-run", "-a", "-s", f"-screen 0 {extent}x24"]
    made(screen + command, "view", "--script", script, "--size", extent, "--ui-scale", scale)
    print(f"{folder}: {len(names)} pictures")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--program", default=str(ROOT / "build/release/bin/splatwright"))
    parser.add_argument("--size", action="append", default=[])
    parser.add_argument("names", nargs="*", metavar="NAME", choices=[[], *PICTURES])
    options = parser.parse_args()
    command, out = shlex.split(options.program), options.out.resolve()
    data = out / "data"
    if not data.exists():
        out.mkdir(parents=True, exist_ok=True)
        made(command, "synth", data, "--views", 9, "--size", "64x48", "--seed", 3)
    for size in options.size or SIZES:
        draw(command, size, options.names or list(PICTURES), out, data)


if __name__ == "__main__":
    main()
