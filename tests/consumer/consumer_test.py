#!/usr/bin/env python3
"""Installs the engine, moves the installed tree, and builds and runs the program of this folder against it.

usage: consumer_test.py BUILD PROGRAM
BUILD is the build folder and PROGRAM the built splatwright, which makes the dataset. The environment's CXX, CXXFLAGS and
CMAKE_CXX_COMPILER_LAUNCHER count.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent
SOURCE = FOLDER.parents[1]
BUILD, PROGRAM = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
PICTURE_SIZE = (32, 24)


def run(*command, fails=False, **environment):
    """Runs a command that must succeed (or fail) and returns what it printed."""
    done = subprocess.run([str(word) for word in command], env={**os.environ, **environment}, capture_output=True, text=True, check=False)
    if (done.returncode != 0) != fails:
        raise AssertionError(f"{shlex.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def png_size(path):
    header = path.read_bytes()[:24]
    return int.from_bytes(header[16:20], "big"), int.from_bytes(header[20:24], "big")


class Consumer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = BUILD / "consumer"  # the same at each run, so that a compiler cache knows what it compiles
        shutil.rmtree(cls.root, ignore_errors=True)
        cls.addClassCleanup(shutil.rmtree, cls.root)
        cls.prefix = cls.root / "moved"
        run("cmake", "--install", BUILD, "--prefix", cls.root / "installed", "--component", "engine")
        (cls.root / "installed").rename(cls.prefix)

    def configure(self, name, *options, fails=False):
        command = ["cmake", "-G", "Ninja", "-S", FOLDER, "-B", self.root / name, "-DCMAKE_BUILD_TYPE=Release"]
        return run(*command, *options, fails=fails)

    def test_the_readme_shows_the_middle_of_the_program(self):
        readme = (SOURCE / "README.md").read_text(encoding="utf-8")
        shown = readme.split("```cpp\n")[1].split("```")[0]
        self.assertIn(shown, (FOLDER / "main.cpp").read_text(encoding="utf-8"))

    def test_the_program_is_short(self):
        self.assertLessEqual(len((FOLDER / "main.cpp").read_text(encoding="utf-8").splitlines()), 60)

    def test_the_installed_tree_names_no_folder_of_the_build(self):
        files = [path for path in self.prefix.rglob("*") if path.is_file() and path.suffix != ".a"]
        self.assertGreater(len(files), 100)
        for path in files:
            for folder in SOURCE, BUILD, self.root:
                self.assertNotIn(str(folder), path.read_text(encoding="utf-8"), path)

    def test_every_header_of_the_engine_is_installed_once(self):
        sources = {path.relative_to(SOURCE / "engine").as_posix() for path in (SOURCE / "engine").rglob("*.h")}
        sources |= {path.relative_to(SOURCE / "shaders").as_posix() for path in (SOURCE / "shaders/shared").rglob("*.h")}
        include = self.prefix / "include"
        self.assertEqual({path.relative_to(include / "splatwright").as_posix() for path in include.rglob("*") if path.is_file()}, sources)

    def test_a_program_that_finds_the_package_trains_and_renders(self):
        self.configure("package", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run("cmake", "--build", self.root / "package")
        data, out = self.root / "data", self.root / "out"
        out.mkdir()
        run(PROGRAM, "synth", data, "--views", "8", "--size", "x".join(map(str, PICTURE_SIZE)))
        output = run(self.root / "package/consumer", data, out, "mcmc", "steps=20", "deterministic=true")
        self.assertEqual([line.split(",")[0] for line in output.splitlines() if line.startswith("step")], ["step 10", "step 20"])
        self.assertEqual(png_size(out / "picture.png"), PICTURE_SIZE)
        rendered = run(PROGRAM, "render", out / "splats.ply", "--orbit", "1", "--size", "16x16", "-o", self.root / "orbit")
        self.assertIn("1 pictures", rendered)
        run(PROGRAM, "train", data, "-o", self.root / "run", "--preset", "mcmc", "--steps", "20", "--deterministic", "-q")
        self.assertEqual((out / "splats.ply").read_bytes(), (self.root / "run/splats.ply").read_bytes())

    def test_all_that_an_install_copies_is_built_by_bootstrap(self):
        [targets] = re.findall(r"--target (.+)", (SOURCE / "bootstrap.sh").read_text(encoding="utf-8"))
        built = set(run("ninja", "-C", BUILD, "-t", "commands", *targets.split()).split())  # each command names its output
        of_a_rule = {line.rsplit(":", 1)[0] for line in run("ninja", "-C", BUILD, "-t", "targets", "all").splitlines()}
        scripts = [BUILD / "cmake_install.cmake", *(BUILD / folder / "cmake_install.cmake" for folder in ("engine", "app"))]
        copied = {name for script in scripts for name in re.findall(rf'"{re.escape(str(BUILD))}/([^"]+)"', script.read_text(encoding="utf-8"))}
        self.assertLessEqual({"libsplatwright.a", "bin/splatwright"}, copied & of_a_rule)
        self.assertEqual(copied & of_a_rule - built, set())

    def test_a_missing_library_is_named_with_its_package(self):
        output = self.configure("missing", f"-DCMAKE_PREFIX_PATH={self.prefix}", "-DCMAKE_DISABLE_FIND_PACKAGE_PNG=ON", fails=True)
        self.assertIn("Splatwright needs PNG (on Debian and Ubuntu: apt install libpng-dev)", " ".join(output.split()))

    def test_a_program_that_asks_pkg_config_is_linked(self):
        [description] = self.prefix.rglob("splatwright.pc")
        flags = run("pkg-config", "--static", "--cflags", "--libs", "splatwright", PKG_CONFIG_PATH=str(description.parent)).split()
        compiler = shlex.split(os.environ.get("CXX", "c++")) + shlex.split(os.environ.get("CXXFLAGS", ""))
        launcher = [word for word in os.environ.get("CMAKE_CXX_COMPILER_LAUNCHER", "").split(";") if word]
        program = self.root / "main.o"
        run(*launcher, *compiler, *flags, "-c", FOLDER / "main.cpp", "-o", program)
        run(*compiler, program, *flags, "-o", self.root / "linked")
        self.assertIn("usage: consumer", run(self.root / "linked", fails=True))

    def test_a_project_with_the_source_as_a_folder_gets_the_engine_alone(self):
        self.configure("folder", f"-DSPLATWRIGHT_FOLDER={SOURCE}", "-DCMAKE_DISABLE_FIND_PACKAGE_glfw3=ON", "-DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON")
        ninja = ["ninja", "-C", self.root / "folder", "-t"]
        targets = run(*ninja, "targets", "all")
        self.assertIn("libsplatwright.a", targets)
        for other in "splatwright/app/", "test_":
            self.assertNotIn(other, targets)
        commands = run(*ninja, "commands", "consumer")
        self.assertNotIn("-Werror", commands)
        # Its own file compiles with what the engine's target brings along; linking would take the whole engine.
        [compiles_main] = [line for line in commands.splitlines() if line.endswith("/main.cpp")]
        run("sh", "-c", f"cd {shlex.quote(str(self.root / 'folder'))} && {compiles_main}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
