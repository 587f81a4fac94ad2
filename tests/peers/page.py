#!/usr/bin/env python3
"""Opens a page that `convert` writes in headless Chromium, without a server or the net, and compares it with our own render of the same view.

usage: page.py SPLATWRIGHT CACHE [OUT.png]

Mouse, keys and a finger must move the camera. OUT.png keeps the screenshot. Exit code 77 if this machine has no Chromium, cannot have the packages, or if
the program was built without the viewer of pages.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import packages

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
WIDTH, HEIGHT = 640, 480  # as in page.mjs
# The viewer blends in 8 bits and cuts splats off elsewhere. A picture upside down or mirrored differs by 0.1 and more.
MOST_DIFFERENCE, MOST_COVERAGE, LEAST_MOVED = 0.02, 0.03, 0.02


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, timeout=900)
    if done.returncode != 0:
        raise RuntimeError(f"{pathlib.Path(str(command[0])).name}: {(done.stdout + done.stderr).strip()[-800:]}")
    return done.stdout


def coloured_block():
    """Opaque splats in a block of three different sides, coloured by their places, so that no turn or mirror looks the same."""
    splats = table.made_splats(6000, 1)
    places = splats.positions / table.EXTENT - [0, -1, 0.5]
    splats.positions[:] = (places - 0.5) * [4, 2, 1] + [1, 2, 3]
    splats.sh[:] = 0
    splats.sh[:, 0] = (places - 0.5) / table.SH_BAND_0
    splats.log_scales[:], splats.logits[:] = -2.5, 3
    return splats


def camera_of(page):
    """The page's first camera, whose world is turned by half a turn about z, as our camera files have it."""
    scene = re.search(r'id="sse-bootstrap">(.*?)</script>', page.read_text(encoding="utf-8"), re.DOTALL)[1]
    camera = json.loads(scene)["settings"]["cameras"][0]["initial"]
    eye, target = (np.array(camera[key]) * table.TO_GLTF for key in ("position", "target"))
    forward = (target - eye) / np.linalg.norm(target - eye)
    right = np.cross([0, 1, 0], forward)
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(forward, right), forward])
    world_to_camera = np.vstack([np.column_stack([rotation, -rotation @ eye]), [0, 0, 0, 1]])
    focal = WIDTH / 2 / np.tan(np.radians(camera["fov"]) / 2)
    return {"width": WIDTH, "height": HEIGHT, "fl_x": focal, "fl_y": focal, "cx": WIDTH / 2, "cy": HEIGHT / 2,
            "world_to_camera": world_to_camera.tolist(), "name": "page"}


def faults(result):
    covered = result["render"]["covered"]
    if result["requests"]:
        yield f"the page asked for {result['requests']}"
    if result["errors"]:
        yield f"errors: {result['errors']}"
    if result["render"]["difference"] > MOST_DIFFERENCE:
        yield f"pixels differ from our render by {result['render']['difference']:.3f} on average, expected at most {MOST_DIFFERENCE}"
    if abs(covered[0] - covered[1]) > MOST_COVERAGE or covered[1] < 0.1:
        yield f"splats cover {covered[0]:.3f} of the page and {covered[1]:.3f} of our render"
    for act, moved in result["moved"].items():
        if moved < LEAST_MOVED:
            yield f"{act} changes the picture by {moved:.4f}, expected at least {LEAST_MOVED}"


def main(splatwright, folder, browser, out):
    with tempfile.TemporaryDirectory() as scratch:
        scene, page, camera = (pathlib.Path(scratch) / name for name in ("scene.ply", "a <page>.html", "camera.json"))
        table.write_ply(scene, coloured_block())
        write_page(splatwright, scene, page)
        camera.write_text(json.dumps(camera_of(page)), encoding="utf-8")
        run(splatwright, "render", scene, "--camera", camera, "-o", scratch)
        shot = out or pathlib.Path(scratch) / "shot.png"
        result = json.loads(run("node", folder / "page.mjs", browser, page, pathlib.Path(scratch) / "page.png", shot))
        if out:
            shutil.copy(pathlib.Path(scratch) / "page.png", out.with_name(out.stem + "_render.png"))
    print(json.dumps(result, indent=2))
    wrong = list(faults(result))
    print("\n".join(wrong) or "the page shows what we render")
    return 1 if wrong else 0


def write_page(splatwright, scene, page):
    done = subprocess.run([splatwright, "convert", scene, page], capture_output=True, text=True, check=False)
    if "this build has no viewer for pages" in done.stderr:
        raise packages.Unavailable("built without the viewer of pages (./bootstrap.sh deps downloads it)")
    if done.returncode != 0:
        raise RuntimeError(done.stderr)


def browser_here():
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not found:
        raise packages.Unavailable(f"found none of {', '.join(BROWSERS)}")
    return found


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    try:
        chromium, installed = browser_here(), packages.install(pathlib.Path(sys.argv[2]).resolve())
        sys.path.insert(0, str(installed / "python"))
        import numpy as np  # pylint: disable=wrong-import-position
        import splat_table as table  # pylint: disable=wrong-import-position

        for script in HERE.glob("*.mjs"):
            shutil.copy(script, installed)  # where Node.js finds the packages
        sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), installed, chromium, pathlib.Path(sys.argv[3]) if len(sys.argv) == 4 else None))
    except packages.Unavailable as missing:
        print(f"Skipped: {missing}")
        sys.exit(SKIPPED)
