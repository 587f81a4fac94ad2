#!/usr/bin/env python3
"""Makes the zip for Windows and uses what is in it, from a folder whose name has blanks and other scripts.

usage: windows_zip.py BUILD
"""
import pathlib
import re
import sys
import tempfile
import tomllib
import zipfile

from packing import package, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The libraries of Windows that the program may load when it starts; vulkan-1.dll is loaded later, by name.
SYSTEM = {"advapi32", "gdi32", "kernel32", "msvcrt", "ole32", "shell32", "user32", "imm32", "ws2_32", "psapi"}
NEVER_PACKED = {"googletest"}
ELSEWHERE = {"imgui", "implot", "imguizmo", "roboto"}  # in the program, from other sources than sources.toml's


def check_names(names):
    tops = {name.split("/")[0] for name in names}
    if len(tops) != 1:
        raise RuntimeError(f"found {sorted(tops)} at the top, expected one folder")
    inside = {name.split("/", 1)[1] for name in names}
    for file in ("splatwright.exe", "README.txt", "LICENSE.txt"):
        if file not in inside:
            raise RuntimeError(f"{file} is missing")
    content = tomllib.loads((ROOT / "cmake/windows/sources.toml").read_text(encoding="utf-8"))
    wanted = {library["package"] for library in content["library"]} - NEVER_PACKED | set(content["headers"]["licences"]) | ELSEWHERE
    licensed = {name.split("/")[1] for name in inside if name.startswith("licences/") and not name.endswith("/")}
    if not wanted <= licensed:
        raise RuntimeError(f"no licence of {sorted(wanted - licensed)}")


def check_imports(program):
    imports = {name.lower() for name in re.findall(r"DLL Name: (\S+)\.dll", run("x86_64-w64-mingw32-objdump", "-p", program), re.IGNORECASE)}
    if not imports <= SYSTEM:
        raise RuntimeError(f"needs {sorted(imports - SYSTEM)}, which no Windows has")


def main():
    with tempfile.TemporaryDirectory(prefix="一 folder of Δέλτα ") as name:
        folder = pathlib.Path(name)
        with zipfile.ZipFile(package(pathlib.Path(sys.argv[1]), "splatwright-*-windows-*.zip")) as archive:
            check_names(archive.namelist())
            archive.extractall(folder)
        program = next(folder.glob("*/splatwright.exe"))
        check_imports(program)
        wine = ROOT / "cmake/windows/wine.sh"
        print(run(wine, program, "--version"))
        run(wine, program, "synth", folder / "data", "--views", "3", "--size", "32x24")
        run(wine, program, "train", folder / "data", "-o", folder / "run", "--steps", "3", "--set", "init=random", "--set", "init_count=100")
        if not (folder / "run/splats.ply").exists():
            raise RuntimeError("train wrote no splats")


if __name__ == "__main__":
    main()
