#!/usr/bin/env python3
"""Compares the compressed formats that we write with those of npm's splat-transform: bytes, and PSNR of renders.

usage: compression.py SPLATWRIGHT SPLATS... [--only FORMAT,...] [--cache FOLDER] [--json FILE]

SPLATS are files or folders of any format; what is written is compared with a PLY of them, in 24 views of 400x300 pixels around the splats. Renders of
both programs' files are ours, as floats, from the same cameras. Needs a Vulkan device, Node.js 20 and, once, the net (tests/peers/packages.py).
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/peers"))
import packages  # noqa: E402

# By name: the file's name and what each program is told to write it.
FORMATS = {
    "SPZ 3": ("a.spz", ["--to", "spz"], ["--spz-version", "3"]),
    "SPZ 4": ("b.spz", ["--to", "spz-v4"], ["--spz-version", "4"]),
    "compressed PLY": ("a.compressed.ply", [], []),
    "SOG": ("a.sog", [], []),
}
VIEWS, SIZE = 24, (400, 300)  # of fewer, a view in which two splats swap their depths weighs more than all rounding


def run(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


class Programs:
    def __init__(self, splatwright, cache):
        self.splatwright = splatwright
        folder = packages.install(cache)
        sys.path.insert(0, str(folder / "python"))  # flight.py needs numpy
        self.transform = folder / "node_modules/@playcanvas/splat-transform"

    def ours(self, source, target, options=()):
        run(self.splatwright, "--quiet", "convert", source, target, "--force", *options)

    def theirs(self, source, target, options=()):
        run("node", self.transform / "bin/cli.mjs", "--quiet", "--overwrite", "--gpu", "cpu", *options, source, target)

    def readable(self, file):
        """A file of theirs as we read it. Their SPZ has the axes of a PLY, not those of the format."""
        if file.suffix != ".spz":
            return file
        turned = file.with_suffix(".ply")
        self.ours(file, turned, ["--frame", "opengl,ply"])
        return turned

    def pictures(self, model, cameras, folder, options):
        """The views as one array of values from 0 to 1."""
        import numpy  # pylint: disable=import-outside-toplevel
        run(self.splatwright, "--quiet", "render", model, "--camera", cameras, "-o", folder, "--as", "npy", *options)
        return numpy.stack([numpy.load(path) for path in sorted(folder.glob("*.npy"))]).clip(0, 1)

    def versions(self):
        package = json.loads((self.transform / "package.json").read_text(encoding="utf-8"))
        return run(self.splatwright, "--version").split()[-1], f"splat-transform {package['version']}"


def cameras_around(ply):
    """On a circle around the splats' centre, at a distance at which half of them fill a picture."""
    import numpy  # pylint: disable=import-outside-toplevel
    import flight  # pylint: disable=import-outside-toplevel
    import splat_table  # pylint: disable=import-outside-toplevel
    positions = splat_table.read_ply(ply).positions
    centre = numpy.median(positions, axis=0)
    distance = 2.8 * float(numpy.median(numpy.linalg.norm(positions - centre, axis=1)))
    rise = math.radians(20)
    for i in range(VIEWS):
        angle = 2 * math.pi * i / VIEWS
        towards = numpy.array([math.cos(rise) * math.cos(angle), -math.sin(rise), math.cos(rise) * math.sin(angle)])  # y points down
        yield flight.looking(f"view_{i}", centre + distance * towards, centre, numpy.array([0.0, -1.0, 0.0]), SIZE)


def name_of(sample):
    """A file's name, or that of a SOG's folder with the one it is in."""
    return "/".join(sample.parts[-3:-1]) if sample.name == "meta.json" else sample.name


def psnr(truth, found):
    error = float(((truth - found) ** 2).mean())
    return round(-10 * math.log10(error), 2) if error > 0 else None


def measure(programs, sample, formats, folder):
    """A row per format."""
    truth = folder / "truth.ply"
    programs.ours(sample, truth)
    cameras = folder / "cameras.json"
    cameras.write_text(json.dumps(list(cameras_around(truth))), encoding="utf-8")
    summary = json.loads(run(programs.splatwright, "--quiet", "convert", "--json", truth))
    look = ["--antialiased"] if summary["antialiased"] else []  # no PLY tells splat-transform
    expected = programs.pictures(truth, cameras, folder / "truth", look)
    for name in formats:
        file, *options = FORMATS[name]
        row = {"sample": name_of(sample), "splats": summary["splats"], "degree": summary["degree"], "format": name}
        for who, own in zip(("ours", "theirs"), options):
            target = folder / who / file
            target.parent.mkdir(exist_ok=True)
            getattr(programs, who)(truth, target, own)
            model = programs.readable(target) if who == "theirs" else target
            pictures = programs.pictures(model, cameras, folder / f"{who} {file}", look)
            row[who] = {"bytes": target.stat().st_size, "psnr": psnr(expected, pictures)}
        yield row


def line(row):
    ours, theirs = row["ours"], row["theirs"]
    return (f"{row['sample']:>20} {row['format']:<14} {ours['bytes']:,} bytes, {100 * ours['bytes'] / theirs['bytes']:.1f} % of splat-transform's; "
            f"PSNR {ours['psnr']} and {theirs['psnr']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("splatwright", type=pathlib.Path)
    parser.add_argument("splats", type=pathlib.Path, nargs="+")
    parser.add_argument("--only", type=lambda text: text.split(","), default=list(FORMATS), help="names of formats, as in SPZ 3")
    parser.add_argument("--cache", type=pathlib.Path, default=ROOT / "build/peers")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    programs = Programs(options.splatwright.resolve(), options.cache)
    version, peer = programs.versions()
    rows = []
    for sample in options.splats:
        with tempfile.TemporaryDirectory() as name:
            for row in measure(programs, sample, options.only, pathlib.Path(name)):
                rows.append(row)
                print(line(row), flush=True)
    if options.json:
        head = json.dumps({"version": version, "peer": peer})
        text = ",\n  ".join(json.dumps(row) for row in rows)
        options.json.write_text(f"{head[:-1]}, \"rows\": [\n  {text}\n]}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
