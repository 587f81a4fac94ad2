#!/usr/bin/env python3
"""Enforces which folder includes which: core <- gpu <- primitives <- render <- train <- app, core <- scene <- render,
render <- view <- app, render <- convert <- app, scene <- prepare <- app, train <- explain <- app, and train <- api; and within a layer that has rooms, the rooms' order.

usage: include_direction_test.py [ROOT]

Checks the source tree at ROOT (default: the one this file is in) after checking the checker on made-up trees.
"""
import pathlib
import re
import sys
import tempfile
import unittest

# Folder -> the folders it leans on directly; what those lean on is allowed too.
ARROWS = {
    "core": [],
    "gpu": ["core"],
    "scene": ["core"],
    "prepare": ["scene"],
    "convert": ["render"],
    "primitives": ["gpu"],
    "render": ["primitives", "scene"],
    "view": ["render"],
    "train": ["render"],
    "explain": ["train"],
    "api": ["train"],
    "app": ["convert", "explain", "prepare", "view"],
}
# Folders within a layer: each may include those before it. Every file of the layer is in one of them.
ROOMS = {
    "app/viewer": ["files", "window", "remote", "widgets", "scene", "viewer", "actions", "script", "panels", "main"],
    "engine/scene": ["files", "cameras", "images", "gaussians", "clusters", "formats", "pictures", "datasets", "photographs", "synth"],
    "engine/train": ["settings", "checkpoint", "loss", "model", "densify", "parts", "step", "evaluate", "watch", "presets", "session", "kinds",
                     "suite", "bench"],
}
# First component of an include -> the folder it counts as. Generated argument structs need gpu/kernel.h.
ENGINE = [folder for folder in ARROWS if folder != "app"]
QUOTED = {"commands": "app", "documents": "app", "viewer": "app", "kernels": "gpu"}
PREFIX = "splatwright/"  # of the engine's headers, which are always included with angle brackets
PUBLIC = "engine/api/include/"  # headers of programs that use the library: <splatwright/NAME.h>, without a folder
SHARED = "shared"  # structs and constants that shaders read too; they include nothing else, so that anyone may include them

# Headers of the outside world that one folder keeps to itself; systems differ in these, and in the functions of PLATFORM_CALLS.
PRIVATE_HEADERS = [
    (re.compile(r"^(dirent|fcntl)\.h$"), "engine/core/platform/"),  # mingw-w64 has them too
    (re.compile(r"^((sys|arpa|asm|linux|net|netinet)/|(dlfcn|elf|grp|link|malloc|poll|pthread|pwd|sched|signal|spawn|termios|unistd|utime)"
                r"\.h$|csignal$)"), "engine/core/platform/posix/"),
    (re.compile(r"(?i)^(windows|winsock2?|ws2tcpip|io|direct|process|psapi|processthreadsapi|shellapi|shlobj|fileapi|winbase)\.h$"),
     "engine/core/platform/windows/"),
    (re.compile(r"(volk|vk_mem_alloc)\.h$|(vulkan|vk_video)/"), "engine/gpu/"),
    (re.compile(r"GLFW/|(imgui|imgui_\w+|implot|imstb_\w+|ImGuizmo|portable_file_dialogs)\.h$|(imgui|implot)/"), "app/viewer/"),
    (re.compile(r"^(civetweb|CivetServer)\.h$"), "app/viewer/remote/"),
]

# Functions of one system that C's own headers have as well.
PLATFORM_CALLS = re.compile(r"(?<![\w.:>])(?:::)?(_?popen|_?pclose|_?isatty|_?fileno|mkdtemp|mkstemp|setenv|unsetenv|_?putenv|getpid|clock_gettime|gmtime_r|localtime_r"
                            r"|strsignal|fork|_wfopen|_w?getenv)\s*\(")
PLATFORM = "engine/core/platform/"

STANDARD = re.compile(r"[a-z_]+$")  # of C++: C's have an ending
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')
SOURCES = {".h", ".hpp", ".inl", ".cpp", ".cc", ".c"}
ROOT = pathlib.Path(__file__).resolve().parents[2]


def reachable(folder):
    """The folder itself and everything its arrows lead to."""
    found = {folder}
    for below in ARROWS[folder]:
        found |= reachable(below)
    return found


def folder_of(path):
    """The layer that a file (relative to the root) belongs to, or None."""
    if path.parts[0] == "app":
        return "app"
    return path.parts[1] if len(path.parts) > 2 and path.parts[1] in ARROWS else None


def fault(path, quote, include):
    """What is wrong with one include of one file, or None."""
    for header, home in PRIVATE_HEADERS:
        if header.search(include):
            return None if path.as_posix().startswith(home) else f"only {home} may include it"
    folder = folder_of(path)
    if include.startswith(PREFIX):
        target, *below = include[len(PREFIX):].split("/")
        if quote == '"':
            return "a header of the engine is included with angle brackets"
        if not below:
            target = "api"
        elif path.as_posix().startswith(PUBLIC):
            return "a public header includes only the standard library and other public ones"
        if target == SHARED:
            return None
        if target not in ENGINE:
            return f"is in no folder of the engine ({', '.join(ENGINE)})"
    elif path.as_posix().startswith(PUBLIC):
        return None if quote == "<" and STANDARD.match(include) else "a public header includes only the standard library and other public ones"
    else:
        target = QUOTED.get(include.split("/")[0])
        if target is None:
            return "is not written relative to app/, or with splatwright/" if quote == '"' else None
    return None if target in reachable(folder) else f"{folder} must not depend on {target}"


def room_of(layer, path):
    """The room that a file (relative to the root) is in, or None outside the layer."""
    parts = pathlib.PurePosixPath(path).parts
    depth = len(pathlib.PurePosixPath(layer).parts)
    if "/".join(parts[:depth]) != layer:
        return None
    return parts[depth] if len(parts) > depth + 1 else ""


def room_fault(path, include):
    """What is wrong with one include between the rooms of a layer, or None."""
    target = f"engine/{include[len(PREFIX):]}" if include.startswith(PREFIX) else f"app/{include}"
    for layer, order in ROOMS.items():
        room, other = room_of(layer, path.as_posix()), room_of(layer, target)
        if room is None or other is None:
            continue
        for each in (room, other):
            if each not in order:
                return f"'{each}' is no folder of {layer} ({', '.join(order)})"
        return None if order.index(other) <= order.index(room) else f"{layer}/{room} must not depend on {other}"
    return None


def offences_of(root, path):
    relative = path.relative_to(root)
    if folder_of(relative) is None:
        return [f"{relative.as_posix()}:1: not in a folder of the engine ({', '.join(f for f in ARROWS if f != 'app')})"]
    offences = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        match = INCLUDE.match(line)
        problem = match and (fault(relative, *match.groups()) or room_fault(relative, match[2]))
        if problem:
            offences.append(f"{relative.as_posix()}:{number}: '{match[2]}': {problem}")
        call = PLATFORM_CALLS.search(line.split("//")[0])
        if call and not relative.as_posix().startswith(PLATFORM):
            offences.append(f"{relative.as_posix()}:{number}: '{call[1]}': only {PLATFORM} may call it")
    return offences


def sources_of(root):
    return sorted(p for top in ("engine", "app") for p in (root / top).rglob("*") if p.suffix in SOURCES)


def offences(root):
    """Every include that goes against the arrows, as 'file:line: ...'."""
    return [offence for path in sources_of(root) for offence in offences_of(root, path)]


def within(folder):
    """The folder, or the first room of it."""
    return "/".join([folder, *ROOMS.get(f"engine/{folder}", [])[:1]])


def spelled(path):
    """An include of a header below the root, as it is written."""
    return f"<{PREFIX}{path.removeprefix('engine/')}>" if path.startswith("engine/") else f'"{path.removeprefix("app/")}"'


class Checker(unittest.TestCase):
    def check(self, files):
        """Offences of a made-up tree: {path: text}."""
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            for path, text in files.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text, encoding="utf-8")
            return offences(root)

    def assert_refused(self, path, include, reason):
        found = self.check({path: f"#pragma once\n\n#include {include}\n"})
        self.assertEqual(len(found), 1, found)
        self.assertTrue(found[0].startswith(f"{path}:3: "), found)
        self.assertIn(reason, found[0])

    def assert_accepted(self, path, include):
        self.assertEqual(self.check({path: f"#include {include}\n"}), [])

    def test_every_pair_of_folders_follows_the_arrows(self):
        below = {
            "core": "core",
            "gpu": "core gpu",
            "scene": "core scene",
            "prepare": "core scene prepare",
            "primitives": "core gpu primitives",
            "render": "core gpu scene primitives render",
            "train": "core gpu scene primitives render train",
            "explain": "core gpu scene primitives render train explain",
            "api": "core gpu scene primitives render train api",
        }
        for folder, allowed in below.items():
            for target in below:
                with self.subTest(folder=folder, target=target):
                    if target in allowed.split():
                        self.assert_accepted(f"engine/{within(folder)}/a.h", f"<splatwright/{within(target)}/b.h>")
                    else:
                        self.assert_refused(f"engine/{within(folder)}/a.h", f"<splatwright/{within(target)}/b.h>",
                                            f"{folder} must not depend on {target}")

    def test_the_app_sees_everything_and_nothing_sees_the_app(self):
        for target in ("core", "gpu", "scene", "prepare", "primitives", "render", "train"):
            self.assert_accepted("app/commands/train/train.cpp", f"<splatwright/{target}/b.h>")
        for target in ("commands", "viewer"):
            self.assert_accepted("app/commands/train/train.cpp", f'"{target}/b.h"')
            self.assert_refused("engine/train/step/trainer.cpp", f'"{target}/b.h"', "train must not depend on app")

    def test_the_app_has_no_need_of_the_public_headers(self):
        for path in ("app/main.cpp", "engine/train/step/trainer.cpp"):
            self.assert_refused(path, "<splatwright/train.h>", "must not depend on api")
        self.assert_accepted("engine/api/train.cpp", "<splatwright/train.h>")

    def test_public_headers_include_nothing_private(self):
        header = "engine/api/include/splatwright/train.h"
        for include in ("<vector>", "<splatwright/scene.h>"):
            self.assert_accepted(header, include)
        for include in ("<splatwright/core/error.h>", "<splatwright/api/convert.h>", "<splatwright/shared/frame.h>", "<glm/glm.hpp>", "<fmt/format.h>",
                        "<spdlog/spdlog.h>", "<math.h>", "<png.h>", '"scene.h"'):
            self.assert_refused(header, include, "a public header includes only")
        self.assert_refused(header, '"splatwright/scene.h"', "with angle brackets")
        self.assert_refused(header, "<volk.h>", "only engine/gpu/")

    def test_rooms_of_a_layer_have_an_order(self):
        for layer, order in ROOMS.items():
            for i, room in enumerate(order):
                for j, other in enumerate(order):
                    include = spelled(f"{layer}/{other}/b.h")
                    if j <= i:
                        self.assert_accepted(f"{layer}/{room}/a.h", include)
                    else:
                        self.assert_refused(f"{layer}/{room}/a.h", include, f"{layer}/{room} must not depend on {other}")
            self.assert_refused(f"{layer}/{order[-1]}/a.h", spelled(f"{layer}/b.h"), "'' is no folder of")
            self.assert_refused(f"{layer}/a.h", spelled(f"{layer}/{order[0]}/b.h"), "'' is no folder of")
            self.assert_accepted("app/main.cpp", spelled(f"{layer}/{order[0]}/b.h"))

    def test_generated_kernels_count_as_gpu(self):
        self.assert_accepted("engine/primitives/scan.cpp", '"kernels/scan.h"')
        self.assert_refused("engine/scene/cameras/camera.cpp", '"kernels/scan.h"', "scene must not depend on gpu")

    def test_structs_shared_with_shaders_are_for_everyone(self):
        self.assert_accepted("engine/core/a.h", "<splatwright/shared/camera.h>")

    def test_vulkan_stays_in_gpu(self):
        for header in ("<volk.h>", '"volk.h"', "<vulkan/vulkan.h>", "<vulkan/vulkan_core.h>"):
            self.assert_accepted("engine/gpu/device.h", header)
            for path in ("engine/render/forward.cpp", "engine/core/a.h", "app/main.cpp", "app/viewer/window/window.cpp"):
                self.assert_refused(path, header, "only engine/gpu/")

    def test_systems_stay_in_their_folder_of_the_platform(self):
        for folder, other, headers in (("posix", "windows", ("<sys/stat.h>", "<unistd.h>", "<csignal>", "<dlfcn.h>", '"poll.h"')),
                                       ("windows", "posix", ("<windows.h>", "<Windows.h>", "<io.h>", "<shellapi.h>"))):
            home = f"engine/core/platform/{folder}/"
            for header in headers:
                self.assert_accepted(f"{home}file.cpp", header)
                for path in ("engine/core/file.h", "engine/core/platform/file.h", f"engine/core/platform/{other}/file.cpp", "app/main.cpp"):
                    self.assert_refused(path, header, f"only {home}")

    def test_functions_of_a_system_stay_in_the_platform(self):
        for line in ("int id = getpid();", "setenv(name, value, 1);", "FILE* pipe = popen(line.c_str(), mode);", "return ::isatty (2);"):
            self.assertEqual(self.check({"engine/core/platform/posix/a.cpp": f"{line}\n"}), [])
            found = self.check({"engine/gpu/a.cpp": f"{line}\n"})
            self.assertEqual(len(found), 1, line)
            self.assertIn("only engine/core/platform/", found[0])
        for line in ("bool isatty_ = file.isatty();", "// unlike popen()", "platform::setEnvironment(name, value);", "int refork(int);"):
            self.assertEqual(self.check({"engine/gpu/a.cpp": f"{line}\n"}), [])

    def test_windows_stay_in_the_viewer(self):
        for header in ("<GLFW/glfw3.h>", "<imgui.h>", '"imgui.h"', "<imgui_impl_vulkan.h>", "<imgui/imgui.h>", "<implot.h>", "<ImGuizmo.h>",
                       "<portable_file_dialogs.h>"):
            self.assert_accepted("app/viewer/window/window.cpp", header)
            for path in ("engine/gpu/device.cpp", "app/commands/view.cpp"):
                self.assert_refused(path, header, "only app/viewer/")

    def test_the_web_server_stays_in_one_folder(self):
        self.assert_accepted("app/viewer/remote/web_server.cpp", "<civetweb.h>")
        for path in ("engine/gpu/device.cpp", "app/commands/view.cpp", "app/viewer/viewer/viewer.cpp"):
            self.assert_refused(path, "<civetweb.h>", "only app/viewer/remote/")

    def test_no_way_around_by_spelling(self):
        self.assert_refused("engine/core/a.h", '"../train/trainer.h"', "relative to app/")
        self.assert_refused("engine/core/a.h", '"error.h"', "relative to app/")
        self.assert_refused("engine/core/a.h", '"splatwright/core/error.h"', "with angle brackets")
        self.assert_refused("engine/core/a.h", "<splatwright/train/trainer.h>", "core must not depend on train")
        self.assert_refused("engine/core/a.h", "<splatwright/util/a.h>", "in no folder")
        self.assert_refused("engine/core/a.h", "<splatwright/error.h>", "core must not depend on api")
        self.assert_refused("engine/core/a.h", "  <splatwright/gpu/device.h>", "core must not depend on gpu")
        self.assertEqual(len(self.check({"engine/core/a.h": "  #  include<splatwright/gpu/device.h> // why\n"})), 1)

    def test_the_outside_world_is_not_our_business(self):
        for header in ("<vector>", "<glm/glm.hpp>", "<png.h>", "<nlohmann/json.hpp>", "<cerrno>"):
            self.assert_accepted("engine/core/a.h", header)

    def test_unknown_folders_are_refused(self):
        self.assertIn("engine/util/a.h:1: not in a folder", self.check({"engine/util/a.h": ""})[0])
        self.assertIn("engine/a.h:1: not in a folder", self.check({"engine/a.h": ""})[0])

    def test_every_offence_is_listed(self):
        core = "#include <splatwright/gpu/a.h>\n#include <vector>\n#include <splatwright/train/a.h>\n"
        found = self.check({"engine/core/a.h": core, "app/main.cpp": "#include <volk.h>\n"})
        self.assertEqual([f.split(" ")[0] for f in found], ["app/main.cpp:1:", "engine/core/a.h:1:", "engine/core/a.h:3:"])


class Tree(unittest.TestCase):
    def test_includes_follow_the_arrows(self):
        self.assertTrue(sources_of(ROOT), f"no sources below {ROOT}")
        found = offences(ROOT)
        if found:
            self.fail("\n" + "\n".join(found))


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
