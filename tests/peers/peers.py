#!/usr/bin/env python3
"""Exchanges files of splats with programs of others, in both directions, and compares them attribute by attribute.

usage: peers.py SPLATWRIGHT CACHE [--all]

What we write is read by a peer and compared with the original, within the bounds of engine/scene/formats/README.md; what a peer writes is read by us
and by the peer, which must see the same. Packages are installed below CACHE. Exit code 77 if this machine cannot have them. With --all every SH degree
and several counts are exchanged, else 1000 splats of degree 3.
"""
import base64
import pathlib
import re
import subprocess
import sys
import tempfile

import packages

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "engine/scene/formats/README.md"
SKIPPED = 77
# Bounds of the page are rounded; what both sides decode alike may differ in the last bits of 32-bit floats.
EXACT = {"position": 1e-6, "rotation": 2e-3, "log scale": 2e-6, "opacity": 1e-6, "colour": 1e-6, "SH": 1e-6}
# splat-transform maps the bytes of a quaternion to -1..1 at both ends, the format's own program to -1..127/128.
OTHER_BYTES = {"rotation": 1.8}
# Versions 1 and 2 of SPZ leave out w, whose error grows without bound towards zero; the page has the bound of its own random splats.
FREE_W = {"rotation": 6}
# By writer: name of the file and who reads it, with bounds where a reader's are wider.
OURS = {
    "compressed-ply": ("a.compressed.ply", {"splat-transform": {}}),
    "ply": ("a.ply", {"splat-transform": {}}),
    "sog": ("a.sog", {"splat-transform": {}}),
    "sog-folder": ("folder/meta.json", {"splat-transform": {}}),
    "streamed SOG": ("lod/lod-meta.json", {"splat-transform": {}}),  # no writer's: its name says it; the finest level keeps what `sog` keeps
    "splat": ("a.splat", {"splat-transform": OTHER_BYTES}),
    "spz": ("a.spz", {"splat-transform": {}, "spz": {}}),
    "spz-v1": ("a.spz", {"spz": FREE_W}),
    "spz-v2": ("a.spz", {"splat-transform": FREE_W, "spz": FREE_W}),
    "spz-v4": ("a.spz", {"splat-transform": {}, "spz": {}}),
    "spz-8bit": ("a.spz", {"splat-transform": {}, "spz": {}}),
    "glb": ("a.glb", {"playcanvas": {}}),
    "glb-spz": ("a.glb", {"cesium": {}}),
    "usda": ("a.usda", {"usd-core": {}}),
}
NO_READER = {
    "html": "it is for browsers: page.py",
    "ply-ascii": "splat-transform reads binary files only",
    "ply-big-endian": "splat-transform takes any binary file for a little-endian one",
}
# By peer: names of files and what the peer is told.
THEIRS = {
    "splat-transform": [("a.compressed.ply", []), ("a.ply", []), ("a.sog", []), ("folder/meta.json", []),
                        ("other_lod/lod-meta.json", ["--tag-lod", 0]), ("a.spz", ["--spz-version", 3]),
                        ("a.spz", ["--spz-version", 4]), ("a.glb", []), ("a.html", [])],
    "spz": [("a.spz", [version]) for version in (2, 3, 4)],  # what it writes as version 1, it cannot read itself
    "usd-core": [("a.usda", [])],
}


class Failure(Exception):
    pass


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, timeout=300)
    if done.returncode != 0:
        raise Failure(f"{pathlib.Path(str(command[0])).name} failed: {(done.stdout + done.stderr).strip()[-500:]}")


def bounds_of_page():
    """Bounds by writer and attribute, and the highest degree that a writer keeps."""
    table = re.findall(r"^\| `([\w-]+)` \|(.+)\|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    bounds = {}
    for writer, cells in table:
        numbers = [cell.strip() for cell in cells.split("|")]
        bounds[writer] = {name: float(cell or 0) + EXACT[name] for name, cell in zip(EXACT, numbers)}, int(numbers[len(EXACT)])
    return bounds


class Peers:
    """The programs, which read and write by path. Splats are in the frame of a PLY."""

    def __init__(self, splatwright, folder, scratch):
        self.splatwright, self.folder, self.scratch = splatwright, folder, scratch

    def convert(self, source, target, *options):
        run(self.splatwright, "--quiet", "convert", source, target, "--force", *options)

    def transform(self, source, target, *options):
        run("node", self.folder / "node_modules/@playcanvas/splat-transform/bin/cli.mjs", "--quiet", "--overwrite", "--gpu", "cpu", source, *options, target)

    def read(self, peer, path):
        if peer == "usd-core":
            return usd.read(path)
        ply = self.scratch / "read.ply"
        if peer == "splat-transform":
            self.transform(path, ply, *(["--select-lod", 0] if path.name == "lod-meta.json" else []))
        else:
            run("node", self.folder / {"spz": "spz.mjs", "playcanvas": "gltf.mjs", "cesium": "gltf_spz.mjs"}[peer], "read", path, ply)
        splats = table.read_ply(ply)
        if peer in ("playcanvas", "cesium"):
            return table.turned(splats, table.TO_GLTF)
        return table.turned(splats) if peer == "splat-transform" and path.suffix == ".spz" else splats  # it keeps the file's frame

    def write(self, peer, splats, path, options):
        ply = self.scratch / "write.ply"
        table.write_ply(ply, table.turned(splats) if peer == "splat-transform" and path.suffix == ".spz" else splats)
        if peer == "usd-core":
            usd.write(splats, path)
        elif peer == "splat-transform":
            self.transform(ply, path, *options)
        else:
            run("node", self.folder / "spz.mjs", "write", ply, path, *options)


class Report:
    def __init__(self):
        self.failures = 0

    def line(self, subject, text, failed):
        self.failures += failed
        print(f"{'FAILED' if failed else 'ok':7} {subject:58} {text}", flush=True)

    def compare(self, subject, found, expected, bounds):
        """Prints the largest differences, with a mark where one exceeds its bound."""
        values = table.differences(found, expected)
        over = {name for name, value in values.items() if value > bounds[name]}
        text = "  ".join(f"{name} {value:.2g}{f' > {bounds[name]:.2g}' if name in over else ''}" for name, value in values.items())
        self.line(subject, text, bool(over))

    def attempt(self, subject, action, *arguments):
        try:
            action(subject, *arguments)
        except (Failure, ValueError, OSError) as error:
            self.line(subject, str(error), True)


class Exchange:
    """All exchanges of one scene."""

    def __init__(self, peers, report, splats):
        self.peers, self.report, self.splats, self.bounds = peers, report, splats, bounds_of_page()
        self.scene = peers.scratch / "scene.ply"
        table.write_ply(self.scene, splats)

    def path(self, name):
        path = self.peers.scratch / name
        path.parent.mkdir(exist_ok=True)
        return path

    def ours(self, subject, writer, name, peer, wider):
        path = self.path(name)
        self.peers.convert(self.scene, path, *(["--to", writer] if writer in self.bounds else []))
        bounds, degree = self.bounds.get(writer, self.bounds["sog"])
        found = self.peers.read(peer, path)
        if found.degree != min(degree, self.splats.degree):
            raise ValueError(f"SH degree is {found.degree}, expected {min(degree, self.splats.degree)}")
        self.report.compare(subject, found, self.splats, {**bounds, **wider})

    def theirs(self, subject, peer, name, options):
        path, ply = self.path(name), self.peers.scratch / "converted.ply"
        self.peers.write(peer, self.splats, path, options)
        self.peers.convert(path, ply)
        if path.suffix == ".html":  # of which splat-transform reads the SOG only
            data = re.search(rb"base64,([^\"]+)", path.read_bytes())[1]
            path = self.path("a.sog")
            path.write_bytes(base64.b64decode(data))
        # splat-transform writes glTF, but reads none: the original is all there is to compare with.
        expected = self.splats if path.suffix == ".glb" else self.peers.read(peer, path)
        found = table.read_ply(ply)
        if found.degree != self.splats.degree:
            raise ValueError(f"SH degree is {found.degree}, expected {self.splats.degree}")
        self.report.compare(subject, found, expected, EXACT)

    def all(self):
        for writer, (name, readers) in OURS.items():
            for peer, wider in readers.items():
                self.report.attempt(f"our {writer} read by {peer}", self.ours, writer, name, peer, wider)
        for peer, files in THEIRS.items():
            for name, options in files:
                self.report.attempt(f"{name} of {' '.join(map(str, [peer, *options]))} read by us", self.theirs, peer, name, options)
        for writer in ("glb", "glb-spz"):
            self.report.attempt(f"our {writer} by Khronos' validator", self.valid, writer)

    def valid(self, subject, writer):
        path = self.path("a.glb")
        self.peers.convert(self.scene, path, "--to", writer)
        run("node", self.peers.folder / "gltf.mjs", "validate", path)
        self.report.line(subject, "no error and no warning", False)


def check_writers(report):
    """Every writer of the page is read by a peer, or there is a reason why not."""
    for writer in bounds_of_page():
        if writer in NO_READER:
            report.line(f"our {writer}", f"read by no peer: {NO_READER[writer]}", False)
        elif writer not in OURS:
            report.line(f"our {writer}", "has no row in OURS or NO_READER (tests/peers/peers.py)", True)


def check_comparison(report):
    """A change of one splat by more than a bound is seen, whatever the attribute."""
    splats, seen = table.made_splats(100, 3), set()
    for attribute, column in (("position", "positions"), ("rotation", "rotations"), ("log scale", "log_scales"), ("opacity", "logits"), ("SH", "sh")):
        changed = table.made_splats(100, 3)
        getattr(changed, column)[7:8].flat[-1] += 0.01
        seen |= {name for name, value in table.differences(changed, splats).items() if value > EXACT[name] and name == attribute}
    changed = table.made_splats(100, 3)
    changed.sh[7, 0] += 0.01
    seen |= {name for name, value in table.differences(changed, splats).items() if value > EXACT[name]}
    report.line("a change of each attribute", "is seen" if seen == set(EXACT) else f"is seen of {seen} only", seen != set(EXACT))


def main(splatwright, cache, everything):
    report = Report()
    check_comparison(report)
    check_writers(report)
    with tempfile.TemporaryDirectory() as scratch:
        peers = Peers(splatwright, cache, pathlib.Path(scratch))
        for count, degree in [(n, d) for n in (1, 257, 1000) for d in range(4)] if everything else [(1000, 3)]:
            print(f"-- {count} splats of SH degree {degree}", flush=True)
            Exchange(peers, report, table.made_splats(count, degree)).all()
    print(f"{report.failures} exchanges failed" if report.failures else "all exchanges agree")
    return 1 if report.failures else 0


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4) or sys.argv[3:] not in ([], ["--all"]):
        sys.exit(__doc__)
    try:
        installed = packages.install(pathlib.Path(sys.argv[2]).resolve())
    except packages.Unavailable as missing:
        print(f"Skipped: {missing}")
        sys.exit(SKIPPED)
    packages.use(installed)
    import splat_table as table  # pylint: disable=wrong-import-position
    import usd  # pylint: disable=wrong-import-position

    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), installed, len(sys.argv) == 4))
