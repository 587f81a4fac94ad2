"""What pages and CesiumJS are compared by: a scene in which no turn or mirror looks the same, a camera, and our render. Needs packages.install()."""
import json
import pathlib
import subprocess

import numpy as np

import splat_table as table

WIDTH, HEIGHT = 640, 480  # as in the scripts
# Others blend in 8 bits and cut splats off elsewhere. A picture upside down or mirrored differs by 0.1 and more.
MOST_DIFFERENCE, MOST_COVERAGE = 0.02, 0.03


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, timeout=900)
    if done.returncode != 0:
        raise RuntimeError(f"{pathlib.Path(str(command[0])).name}: {(done.stdout + done.stderr).strip()[-800:]}")
    return done.stdout


def coloured_block():
    """Opaque splats in a block of three different sides around (1, 2, 3), coloured by their places."""
    splats = table.made_splats(6000, 1)
    places = splats.positions / table.EXTENT - [0, -1, 0.5]
    splats.positions[:] = (places - 0.5) * [4, 2, 1] + [1, 2, 3]
    splats.sh[:] = 0
    splats.sh[:, 0] = (places - 0.5) / table.SH_BAND_0
    splats.log_scales[:], splats.logits[:] = -2.5, 3
    return splats


def look_at(eye, target, fov):
    """Camera in the frame of our files, whose y is down; fov in degrees along the picture's width."""
    forward = (target - eye) / np.linalg.norm(target - eye)
    right = np.cross([0, 1, 0], forward)
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(forward, right), forward])
    world_to_camera = np.vstack([np.column_stack([rotation, -rotation @ eye]), [0, 0, 0, 1]])
    focal = WIDTH / 2 / np.tan(np.radians(fov) / 2)
    return {"width": WIDTH, "height": HEIGHT, "fl_x": focal, "fl_y": focal, "cx": WIDTH / 2, "cy": HEIGHT / 2,
            "world_to_camera": world_to_camera.tolist(), "name": "page"}


def our_render(splatwright, scene, camera, folder):
    file = folder / "camera.json"
    file.write_text(json.dumps(camera), encoding="utf-8")
    run(splatwright, "render", scene, "--camera", file, "-o", folder)
    return folder / f"{camera['name']}.png"


def verdict(result, wrong, good):
    """Prints what was found, and what is wrong with it. Returns the exit code."""
    print(json.dumps(result, indent=2))
    print("\n".join(wrong) or good)
    return 1 if wrong else 0


def faults(result):
    """Of a screenshot beside our render."""
    covered = result["render"]["covered"]
    if result["errors"]:
        yield f"errors: {result['errors']}"
    if result["render"]["difference"] > MOST_DIFFERENCE:
        yield f"pixels differ from our render by {result['render']['difference']:.3f} on average, expected at most {MOST_DIFFERENCE}"
    if abs(covered[0] - covered[1]) > MOST_COVERAGE or covered[1] < 0.1:
        yield f"splats cover {covered[0]:.3f} of the page and {covered[1]:.3f} of our render"
