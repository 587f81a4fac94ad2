#!/usr/bin/env python3
"""Shows a GLB with SPZ inside, as `convert` writes it, with CesiumJS in headless Chromium, and compares the picture with our own render.

usage: cesium.py SPLATWRIGHT CACHE [OUT.png]

OUT.png keeps the screenshot. Exit code 77 if this machine has no Chromium or cannot have the packages.
"""
import json
import pathlib
import shutil
import sys
import tempfile

import packages

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
EXTENSIONS = ["KHR_gaussian_splatting", "KHR_gaussian_splatting_compression_spz_2"]
FIELD_OF_VIEW = 50  # degrees


def tileset(file, centre, radius):
    """CesiumJS reads splats as content of tiles only, and takes them for such by the list's extensions. Tiles have z up."""
    x, y, z = (float(number) for number in centre)
    return {"asset": {"version": "1.1"}, "geometricError": 100, "extensionsUsed": ["3DTILES_content_gltf"],
            "extensions": {"3DTILES_content_gltf": {"extensionsUsed": EXTENSIONS, "extensionsRequired": EXTENSIONS}},
            "root": {"boundingVolume": {"sphere": [x, -z, y, radius]}, "geometricError": 0, "refine": "ADD", "content": {"uri": file}}}


def compare(splatwright, node_modules, scripts, chromium, out):
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        splats = browser.coloured_block()
        table.write_ply(folder / "scene.ply", splats)
        browser.run(splatwright, "convert", folder / "scene.ply", folder / "scene.glb", "--to", "glb-spz")
        target = np.array([1.0, 2.0, 3.0])
        eye = target + [3.0, -2.5, -5.0]
        (folder / "tileset.json").write_text(json.dumps(tileset("scene.glb", target * table.TO_GLTF, 5)), encoding="utf-8")
        view = {"eye": (eye * table.TO_GLTF).tolist(), "target": (target * table.TO_GLTF).tolist(), "fov": FIELD_OF_VIEW}
        (folder / "view.json").write_text(json.dumps(view), encoding="utf-8")
        render = browser.our_render(splatwright, folder / "scene.ply", browser.look_at(eye, target, FIELD_OF_VIEW), folder)
        shot = out or folder / "shot.png"
        result = json.loads(browser.run("node", scripts / "cesium.mjs", chromium, node_modules, folder, render, shot))
        if out:
            shutil.copy(render, out.with_name(out.stem + "_render.png"))
    return browser.verdict(result, list(browser.faults(result)), "CesiumJS shows what we render")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    try:
        cache = pathlib.Path(sys.argv[2]).resolve()
        chromium_here, installed = packages.browser_here(), packages.install(cache)
        beside = packages.install_beside(cache, HERE / "cesium")
        packages.use(installed, beside)
        import numpy as np  # pylint: disable=wrong-import-position
        import browser  # pylint: disable=wrong-import-position
        import splat_table as table  # pylint: disable=wrong-import-position

        keep = pathlib.Path(sys.argv[3]) if len(sys.argv) == 4 else None
        sys.exit(compare(pathlib.Path(sys.argv[1]).resolve(), beside / "node_modules", beside, chromium_here, keep))
    except packages.Unavailable as missing:
        print(f"Skipped: {missing}")
        sys.exit(SKIPPED)
