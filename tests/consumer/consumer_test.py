#!/usr/bin/env python3
"""Installs the engine, moves the installed tree, and builds and runs the programs of this folder against it.

usage: consumer_test.py BUILD PROGRAM
BUILD is the build folder and PROGRAM the built splatwright, which makes the dataset. The environment's CXX, CXXFLAGS and
CMAKE_CXX_COMPILER_LAUNCHER count.
"""
import os
import pathlib
import re
import resource
import shlex
import shutil
import subprocess
import sys
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent
SOURCE = FOLDER.parents[1]
BUILD, PROGRAM = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
PICTURE_SIZE = (32, 24)
COMPILER = shlex.split(os.environ.get("CXX", "c++")) + shlex.split(os.environ.get("CXXFLAGS", ""))
HEADERS = ["device.h", "error.h", "log.h", "render.h", "scene.h", "train.h"]  # all that a program may include


def run(*command, fails=False, folder=None, **environment):
    """Runs a command, in a folder if wanted, that must succeed (or fail), and returns what it printed."""
    done = subprocess.run([str(word) for word in command], env={**os.environ, **environment}, capture_output=True, text=True, check=False, cwd=folder)
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

    def shown_in(self, document):
        """The C++ that a document shows."""
        blocks = (SOURCE / document).read_text(encoding="utf-8").split("```cpp\n")[1:]
        self.assertTrue(blocks, document)
        return [block.split("```")[0] for block in blocks]

    def test_documents_show_parts_of_the_programs(self):
        programs = [path.read_text(encoding="utf-8") for path in FOLDER.glob("*.cpp")]
        for document in "README.md", "engine/api/README.md":
            for shown in self.shown_in(document):
                self.assertTrue(any(shown in program for program in programs), f"{document}:\n{shown}")

    def test_programs_are_short(self):
        for path in FOLDER.glob("*.cpp"):
            self.assertLessEqual(len(path.read_text(encoding="utf-8").splitlines()), 60, path)

    def test_the_installed_tree_names_no_folder_of_the_build(self):
        files = [path for path in self.prefix.rglob("*") if path.is_file() and path.suffix != ".a"]
        self.assertGreater(len(files), len(HEADERS))
        for path in files:
            for folder in SOURCE, BUILD, self.root:
                self.assertNotIn(str(folder), path.read_text(encoding="utf-8"), path)

    def test_the_public_headers_are_installed_and_nothing_else(self):
        include = self.prefix / "include"
        self.assertEqual({path.relative_to(include).as_posix() for path in include.rglob("*") if path.is_file()},
                         {f"splatwright/{name}" for name in HEADERS})

    def test_all_headers_together_compile_within_five_seconds(self):
        source = (FOLDER / "all_headers.cpp").read_text(encoding="utf-8")
        self.assertEqual(re.findall(r"#include <splatwright/(.+)>", source), HEADERS)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run(*COMPILER, "-std=c++20", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wsign-conversion", "-Werror",
            f"-I{self.prefix / 'include'}", "-c", FOLDER / "all_headers.cpp", "-o", self.root / "all_headers.o")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime  # of a processor, whatever else the machine does
        self.assertLess(seconds, 5)
        print(f"all public headers: {seconds:.2f} s")

    def test_programs_that_find_the_package_train_and_render(self):
        self.configure("package", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run("cmake", "--build", self.root / "package")
        data, out = self.root / "data", self.root / "out"
        out.mkdir()
        run(PROGRAM, "synth", data, "--views", "8", "--size", "x".join(map(str, PICTURE_SIZE)))
        output = run(self.root / "package/train", data, out, "mcmc", "steps=20", "deterministic=true")
        self.assertEqual([line.split(",")[0] for line in output.splitlines() if line.startswith("step")], ["step 10 of 20", "step 20 of 20"])
        self.assertEqual(png_size(out / "picture.png"), PICTURE_SIZE)
        seen = run(self.root / "package/render_path", out / "splats.ply", "3").splitlines()
        self.assertEqual([line.split()[0] for line in seen], ["brightness"] * 3)
        self.assertTrue(all(0 < float(line.split()[1]) < 1 for line in seen), seen)
        self.assertIn("No such file", run(self.root / "package/render_path", out / "nothing.ply", "3", fails=True))
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

    def test_only_the_library_s_own_names_are_global(self):
        [archive] = self.prefix.rglob("libsplatwright.a")
        symbols = [line.split() for line in run("nm", "--defined-only", "--extern-only", archive).splitlines() if len(line.split()) == 3]
        self.assertIn("_ZN11splatwright11listDevicesEv", [name for _, _, name in symbols])
        self.assertEqual([name for _, _, name in symbols if "11splatwright" not in name], [])

    def test_a_program_may_have_vulkan_and_names_of_its_own(self):
        flags = self.pkg_config_flags()
        run(*COMPILER, FOLDER / "beside_vulkan.cpp", *flags, "-lvulkan", "-o", self.root / "beside")
        numbers = re.fullmatch(r"(\d+) devices, (\d+) for the library, 1 splat\n", run(self.root / "beside", folder=self.root))
        self.assertGreater(int(numbers[1]), 0)
        self.assertEqual(numbers[1], numbers[2])

    def pkg_config_flags(self):
        [description] = self.prefix.rglob("splatwright.pc")
        return run("pkg-config", "--static", "--cflags", "--libs", "splatwright", PKG_CONFIG_PATH=str(description.parent)).split()

    def test_a_program_that_asks_pkg_config_is_linked(self):
        flags = self.pkg_config_flags()
        launcher = [word for word in os.environ.get("CMAKE_CXX_COMPILER_LAUNCHER", "").split(";") if word]
        program = self.root / "train.o"
        run(*launcher, *COMPILER, *flags, "-c", FOLDER / "train.cpp", "-o", program)
        run(*COMPILER, program, *flags, "-o", self.root / "linked")
        self.assertIn("usage: train", run(self.root / "linked", fails=True))

    def test_a_project_with_the_source_as_a_folder_gets_the_engine_alone(self):
        self.configure("folder", f"-DSPLATWRIGHT_FOLDER={SOURCE}", "-DCMAKE_DISABLE_FIND_PACKAGE_glfw3=ON", "-DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON")
        ninja = ["ninja", "-C", self.root / "folder", "-t"]
        targets = run(*ninja, "targets", "all")
        self.assertIn("libsplatwright.a", targets)
        for other in "splatwright/app/", "test_":
            self.assertNotIn(other, targets)
        commands = run(*ninja, "commands", "train")
        self.assertNotIn("-Werror", commands)
        # Its own file compiles with what the engine's target brings along; linking would take the whole engine.
        [compiles_it] = [line for line in commands.splitlines() if line.endswith("/consumer/train.cpp")]
        run("sh", "-c", f"cd {shlex.quote(str(self.root / 'folder'))} && {compiles_it}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
