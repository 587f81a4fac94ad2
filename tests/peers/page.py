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

SKIPPED = 77
LEAST_MOVED = 0.02  # of the picture


def camera_of(page):
    """The page's first camera, whose world is turned by half a turn about z, as our camera files have it."""
    scene = re.search(r'id="sse-bootstrap">(.*?)</script>', page.read_text(encoding="utf-8"), re.DOTALL)[1]
    camera = json.loads(scene)["settings"]["cameras"][0]["initial"]
    eye, target = (np.array(camera[key]) * table.TO_GLTF for key in ("position", "target"))
    return browser.look_at(eye, target, camera["fov"])


def faults(result):
    yield from browser.faults(result)
    if result["requests"]:
        yield f"the page asked for {result['requests']}"
    for act, moved in result["moved"].items():
        if moved < LEAST_MOVED:
            yield f"{act} changes the picture by {moved:.4f}, expected at least {LEAST_MOVED}"


def compare(splatwright, folder, chromium, out):
    with tempfile.TemporaryDirectory() as scratch:
        scene, page = (pathlib.Path(scratch) / name for name in ("scene.ply", "a <page>.html"))
        table.write_ply(scene, browser.coloured_block())
        write_page(splatwright, scene, page)
        render = browser.our_render(splatwright, scene, camera_of(page), pathlib.Path(scratch))
        shot = out or pathlib.Path(scratch) / "shot.png"
        result = json.loads(browser.run("node", folder / "page.mjs", chromium, page, render, shot))
        if out:
            shutil.copy(render, out.with_name(out.stem + "_render.png"))
    return browser.verdict(result, list(faults(result)), "the page shows what we render")


def write_page(splatwright, scene, page):
    done = subprocess.run([splatwright, "convert", scene, page], capture_output=True, text=True, check=False)
    if "this build has no viewer for pages" in done.stderr:
        raise packages.Unavailable("built without the viewer of pages (./bootstrap.sh deps downloads it)")
    if done.returncode != 0:
        raise RuntimeError(done.stderr)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    try:
        chromium_here, installed = packages.browser_here(), packages.install(pathlib.Path(sys.argv[2]).resolve())
        packages.use(installed)
        import numpy as np  # pylint: disable=wrong-import-position
        import browser  # pylint: disable=wrong-import-position
        import splat_table as table  # pylint: disable=wrong-import-position

        sys.exit(compare(pathlib.Path(sys.argv[1]).resolve(), installed, chromium_here, pathlib.Path(sys.argv[3]) if len(sys.argv) == 4 else None))
    except packages.Unavailable as missing:
        print(f"Skipped: {missing}")
        sys.exit(SKIPPED)
