#!/usr/bin/env python3
"""Opens the page of `view --serve` in headless Chromium, acts there, and compares what it shows with what the viewer saves.

usage: serve.py SPLATWRIGHT CACHE [OUT.png]

OUT.png keeps a screenshot of the page. Exit code 77 if this machine has no Chromium, cannot have the packages, or if the program was built without the web
server.
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import packages

SKIPPED = 77
LIMIT = 120  # seconds until the viewer has printed its address, or has ended
LEAST_PSNR = 30  # dB between the page and the viewer's own screenshot: JPEG, and the times in the panel GPU change
LEAST_MOVED = 0.01  # of the picture
REFUSED = 403


class Viewer:
    """The viewer as a process, whose settings and outputs are in a folder."""

    def __init__(self, splatwright, folder, *arguments):
        self.errors = (folder / "errors").open("w+", encoding="utf-8")
        self.process = subprocess.Popen([splatwright, "view", "--serve", "0", *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=self.errors, text=True,
                                        env=dict(os.environ, XDG_CONFIG_HOME=str(folder)))
        self.url = self.process.stdout.readline().strip()
        if not self.url:
            self.process.wait(LIMIT)
            said = (folder / "errors").read_text(encoding="utf-8")
            if "built without" in said or "made without libcivetweb-dev" in said:
                raise packages.Unavailable("built without the web server (libcivetweb-dev)")
            raise RuntimeError(said)

    def end(self, how):
        """Exit code, and the seconds until it came."""
        begin = time.monotonic()
        self.process.send_signal(how)
        return self.process.wait(LIMIT), time.monotonic() - begin

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.errors.close()


def act(folder, script, chromium, *arguments):
    return json.loads(browser.run("node", folder / "serve.mjs", script, chromium, str(LEAST_MOVED), *arguments))


def faults(result):
    if result["errors"]:
        yield f"errors: {result['errors']}"
    for name, psnr in result["psnr"].items():
        if psnr < LEAST_PSNR:
            yield f"{name}: the page and the viewer's screenshot have {psnr:.1f} dB, expected at least {LEAST_PSNR}"
    for act_name, moved in result["moved"].items():
        if moved < LEAST_MOVED:
            yield f"{act_name} changes the picture by {moved:.4f}, expected at least {LEAST_MOVED}"
    for act_name, moved in result["still"].items():
        if moved >= LEAST_MOVED:
            yield f"{act_name} changes the picture by {moved:.4f}, expected less than {LEAST_MOVED}"
    yield from (f"{what}: found {found}, expected {expected}" for what, (found, expected) in result["values"].items() if found != expected)


def check_ending(ending, expected):
    code, seconds = ending
    if code != expected:
        yield f"the viewer ended with code {code}, expected {expected}"
    if seconds > 15:
        yield f"the viewer took {seconds:.0f} s to end"


def look(splatwright, folder, chromium, out):
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        for file in ("scene.ply", "second scene.ply"):
            table.write_ply(scratch / file, browser.coloured_block())
        shot = out or scratch / "shot.png"
        with Viewer(splatwright, scratch, "scene.ply") as viewer:
            result = act(folder, "look", chromium, viewer.url, scratch, shot)
            wrong = [*faults(result), *check_ending(viewer.end(signal.SIGTERM), 128 + signal.SIGTERM)]
        recent = scratch / "splatwright" / "recent"
        if "second scene.ply" not in (recent.read_text(encoding="utf-8") if recent.exists() else ""):
            wrong.append("the file whose name was typed and pasted in the dialog is not open")
        said = (scratch / "errors").read_text(encoding="utf-8")
        if "disconnected: message" not in said:
            wrong.append(f"the log has no reason for the connection that was closed: {said}")
    return result, wrong


def train(splatwright, folder, chromium):
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        browser.run(splatwright, "synth", scratch / "data", "--views", "6", "--size", "64x48", "-q")
        with Viewer(splatwright, scratch, "data", "--train") as viewer:
            result = act(folder, "train", chromium, viewer.url)
            return result, [*faults(result), *check_ending(viewer.end(signal.SIGINT), 128 + signal.SIGINT)]


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    try:
        chromium_here, installed = packages.browser_here(), packages.install(pathlib.Path(sys.argv[2]).resolve())
        packages.use(installed)
        import browser  # pylint: disable=wrong-import-position
        import splat_table as table  # pylint: disable=wrong-import-position

        program = pathlib.Path(sys.argv[1]).resolve()
        looked, bad = look(program, installed, chromium_here, pathlib.Path(sys.argv[3]).resolve() if len(sys.argv) == 4 else None)
        trained, bad_too = train(program, installed, chromium_here)
        sys.exit(browser.verdict({"look": looked, "train": trained}, bad + bad_too, "the page shows and controls the viewer"))
    except packages.Unavailable as missing:
        print(f"Skipped: {missing}")
        sys.exit(SKIPPED)
