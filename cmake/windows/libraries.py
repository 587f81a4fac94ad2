#!/usr/bin/env python3
"""Builds the libraries of the program for Windows, once, on Debian.

usage: libraries.py [--download] [FOLDER]

  --download   fetches what is not built yet, and builds nothing

sources.toml beside this file lists them. Their sources come from Debian's mirror, as apt is set up here, and must have the listed hashes; they are built
with the toolchain file beside this file and installed, statically, in FOLDER/prefix (default: build/windows-libraries). What is there already stays, unless its
row or the toolchain file has changed. Needs cmake, ninja, nasm and mingw-w64; needs no root. Ends with code 2 where the mirror is out of reach, within two
minutes where it is silent.
"""
import argparse
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
OUT_OF_REACH = 2  # exit code
SOURCES = "deb-src http://deb.debian.org/debian bookworm main\ndeb-src http://deb.debian.org/debian-security bookworm-security main\n"


class Mirror:
    """Downloads sources with apt, in folders of its own, so that the machine's lists stay as they are."""

    def __init__(self, folder):
        self.folder = folder
        self.ready = False

    def _apt(self, *arguments):
        options = {"Dir::Etc::sourcelist": self.folder / "sources.list", "Dir::Etc::sourceparts": "/dev/null",
                   "Dir::State::lists": self.folder / "lists", "Dir::Cache": self.folder / "cache", "APT::Sandbox::User": "",
                   "APT::Update::Error-Mode": "any", "Acquire::Retries": 1, "Acquire::http::Timeout": 10}
        words = [f"-o{key}={value}" for key, value in options.items()]
        if subprocess.run(["apt-get", "-q", *words, *arguments], cwd=self.folder, check=False, stdout=subprocess.DEVNULL).returncode != 0:
            print(f"libraries.py: apt-get {arguments[0]} failed: Debian's sources are out of reach", file=sys.stderr)
            raise SystemExit(OUT_OF_REACH)

    def download(self, package, file):
        """The path of a source package's archive of the upstream files."""
        path = self.folder / file
        if path.exists():
            return path
        if not self.ready:
            for name in ("lists/partial", "cache/archives/partial"):
                (self.folder / name).mkdir(parents=True, exist_ok=True)
            (self.folder / "sources.list").write_text(SOURCES, encoding="utf-8")
            self._apt("update")
            self.ready = True
        self._apt("source", "--download-only", "--tar-only", package)
        return path


def require_hash(path, expected):
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != expected:
        path.unlink()
        sys.exit(f"{path.name}: has the SHA-256 {found}, expected {expected}; it was removed")


def unpack(archive, folder):
    """Unpacks an archive whose files lie in one folder; returns that folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    subprocess.run(["tar", "xf", archive, "-C", folder], check=True)
    inner = list(folder.iterdir())
    if len(inner) != 1:
        sys.exit(f"{archive.name}: has {len(inner)} folders, expected one")
    return inner[0]


def stamp_of(library):
    """Tells whether a library would be built as it was."""
    text = repr(sorted(library.items())) + (HERE / "toolchain.cmake").read_text(encoding="utf-8")
    if "build" in library:
        text += (HERE / library["build"]).read_text(encoding="utf-8")
    return hashlib.sha256(text.encode()).hexdigest()


def is_built(library, built):
    stamp = built / library["package"]
    return stamp.exists() and stamp.read_text(encoding="utf-8") == stamp_of(library)


def build(library, source, prefix):
    if "build" in library:
        shutil.copy(HERE / library["build"], source / "CMakeLists.txt")
    work = source / "build-for-windows"
    subprocess.run(["cmake", "-S", source / library.get("folder", "."), "-B", work, "-G", "Ninja", f"-DCMAKE_TOOLCHAIN_FILE={HERE / 'toolchain.cmake'}",
                    "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_SHARED_LIBS=OFF", f"-DCMAKE_INSTALL_PREFIX={prefix}",
                    *library.get("options", [])], check=True)
    subprocess.run(["cmake", "--build", work, "--parallel", os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count()))], check=True)
    subprocess.run(["cmake", "--install", work], check=True)


def keep_licences(library, source, prefix):
    folder = prefix / "licences" / library["package"]
    folder.mkdir(parents=True, exist_ok=True)
    for name in library["licence"]:
        shutil.copy(source / name, folder)


def copy_headers(headers, prefix):
    for package in headers["licences"]:
        folder = prefix / "licences" / package
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(f"/usr/share/doc/{package}/copyright", folder)
    for name in headers["names"]:
        source, target = pathlib.Path("/usr/include") / name, prefix / "include" / name
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)  # a new time would have everything built again


def archives_of(libraries, mirror):
    """Downloads what is not there yet; pairs of a library and its archive."""
    for library in libraries:
        archive = mirror.download(library["package"], library["file"])
        require_hash(archive, library["sha256"])
        yield library, archive


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--download", action="store_true")
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT / "build/windows-libraries", metavar="FOLDER")
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    content = tomllib.loads((HERE / "sources.toml").read_text(encoding="utf-8"))
    prefix, mirror, built = folder / "prefix", Mirror(folder / "downloads"), folder / "built"
    for path in (prefix, mirror.folder, built):
        path.mkdir(parents=True, exist_ok=True)
    missing = [library for library in content["library"] if not is_built(library, built)]
    archives = list(archives_of(missing, mirror))
    if arguments.download:
        return
    copy_headers(content["headers"], prefix)
    for library, archive in archives:
        source = unpack(archive, folder / "sources" / library["package"])
        build(library, source, prefix)
        keep_licences(library, source, prefix)
        (built / library["package"]).write_text(stamp_of(library), encoding="utf-8")
        print(f"{library['package']}: built", flush=True)


if __name__ == "__main__":
    main()
