#!/usr/bin/env python3
"""Captures a training step and pictures with --capture, replays them with RenderDoc, and looks at what a person would look at.

usage: renderdoc_replay_test.py SPLATWRIGHT

Needs Python's module renderdoc (Debian: python3-renderdoc) of the version that captures, and no display.
"""
import array
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import renderdoc as rd

FORWARD = ["project", "compact", "depth sort", "emit", "tile sort", "blend"]
STEP = FORWARD + ["loss", "blend backward", "update"]
WHOLE_BUFFER = 2**64 - 1  # what RenderDoc makes of VK_WHOLE_SIZE

splatwright = ""  # the binary, from the command line


def run(*arguments, folder):
    """What the program prints."""
    done = subprocess.run([splatwright, *map(str, arguments)], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"splatwright {' '.join(map(str, arguments))} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


def succeeded(result):
    """Whether RenderDoc says so; newer versions answer with a result and a message, older ones with a number."""
    return getattr(result, "code", result) == rd.ResultCode.Succeeded


class Dispatch:
    def __init__(self, event, labels):
        self.event = event
        self.labels = labels  # the recording, the stage unless there is none, the kernel

    @property
    def kernel(self):
        return self.labels[-1]

    @property
    def stage(self):
        return self.labels[1] if len(self.labels) > 2 else ""


class Replay:
    """One capture, open for replay."""

    def __init__(self, path):
        self.file = rd.OpenCaptureFile()
        if not succeeded(self.file.OpenFile(str(path), "", None)):
            raise AssertionError(f"{path} does not open")
        result, self.controller = self.file.OpenCapture(rd.ReplayOptions(), None)
        if not succeeded(result):
            raise AssertionError(f"{path} cannot be replayed: {result}")
        self.resources = {r.resourceId: r for r in self.controller.GetResources()}
        self.structure = self.controller.GetStructuredFile()
        self.dispatches = []
        self.draws = []  # their labels
        self._walk(self.controller.GetRootActions(), [])

    def close(self):
        self.controller.Shutdown()
        self.file.Shutdown()

    def _walk(self, actions, labels):
        for action in actions:
            if action.flags & rd.ActionFlags.Dispatch:
                self.dispatches.append(Dispatch(action.eventId, labels))
            if action.flags & rd.ActionFlags.Drawcall:
                self.draws.append(labels)
            self._walk(action.children, labels + [action.GetName(self.structure)] if action.flags & rd.ActionFlags.PushMarker else labels)

    def stages(self, recording=""):
        """Names of the stages in order, a stage once; of all recordings, or of those whose name begins like this."""
        names = []
        for dispatch in self.dispatches:
            if not dispatch.labels[0].startswith(recording):
                continue
            if dispatch.stage and (not names or names[-1] != dispatch.stage):
                names.append(dispatch.stage)
        return names

    def go_to(self, dispatch):
        """To the moment after a dispatch. Answers with its kernel's entry point and its buffers: name in the shader -> descriptor."""
        self.controller.SetFrameEvent(dispatch.event, True)
        pipeline = self.controller.GetPipelineState()
        reflection = pipeline.GetShaderReflection(rd.ShaderStage.Compute)
        mapping = pipeline.GetBindpointMapping(rd.ShaderStage.Compute)
        sets = self.controller.GetVulkanPipelineState().compute.descriptorSets
        buffers = {}
        for resources, points in ((reflection.readOnlyResources, mapping.readOnlyResources),
                                  (reflection.readWriteResources, mapping.readWriteResources)):
            for resource in resources:
                point = points[resource.bindPoint]
                buffers[resource.name] = sets[point.bindset].bindings[point.bind].binds[0]
        return reflection.entryPoint, buffers

    def numbers(self, descriptor, code, count):
        """The first so many numbers of a bound buffer, by their type code in Python's array."""
        length = array.array(code).itemsize * count
        if descriptor.byteSize != WHOLE_BUFFER and length > descriptor.byteSize:
            raise AssertionError(f"{count} numbers in a buffer of {descriptor.byteSize} bytes")
        content = self.controller.GetBufferData(descriptor.resourceResourceId, descriptor.byteOffset, length)
        return array.array(code, content)


class CapturesReplay(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.scratch.name)
        run("synth", "dataset", "--views", "9", "--size", "96x64", "--quiet", folder=cls.folder)
        run("train", "dataset", "-o", "run", "--steps", "4", "--capture", "3", "--quiet", folder=cls.folder)
        run("render", "run/splats.ply", "-o", "pictures", "--orbit", "3", "--size", "100x70", "--capture", "2", "--quiet", folder=cls.folder)
        cls.viewed = json.loads(run("view", "run/splats.ply", "--headless", "--frames", "4", "--size", "100x70", "--capture", "4", "--json",
                                    "--quiet", folder=cls.folder))
        cls.captures = {
            "step": Replay(cls.folder / "run/step_3_capture.rdc"),
            "picture": Replay(cls.folder / "pictures/frame_2_capture.rdc"),
            "frame": Replay(cls.folder / cls.viewed["capture"]),
        }

    @classmethod
    def tearDownClass(cls):
        for replay in cls.captures.values():
            replay.close()
        cls.scratch.cleanup()

    def test_a_recording_says_what_it_is(self):
        for name, start in (("step", "step on view "), ("picture", "picture"), ("frame", "")):
            found = {dispatch.labels[0] for dispatch in self.captures[name].dispatches}
            self.assertEqual(len(found), 1, name)
            self.assertTrue(found.pop().startswith(start), name)

    def test_stages_stand_in_their_order(self):
        self.assertEqual(self.captures["step"].stages(), STEP)
        self.assertEqual(self.captures["picture"].stages(), FORWARD)
        self.assertEqual(self.captures["frame"].stages(), FORWARD + ["finish"])

    def test_a_step_begins_and_ends_as_one(self):
        kernels = [dispatch.kernel for dispatch in self.captures["step"].dispatches]
        self.assertEqual((kernels[0], kernels[-1]), ("begin_step", "end_step"))

    def test_every_label_is_its_kernels_name(self):
        for name, replay in self.captures.items():
            with self.subTest(capture=name):
                for dispatch in replay.dispatches:
                    entry, _ = replay.go_to(dispatch)
                    self.assertEqual(dispatch.kernel, entry, dispatch.event)

    def test_every_bound_buffer_has_a_name(self):
        for name, replay in self.captures.items():
            with self.subTest(capture=name):
                for dispatch in replay.dispatches:
                    _, buffers = replay.go_to(dispatch)
                    self.assertTrue(buffers, dispatch.kernel)
                    for member, descriptor in buffers.items():
                        resource = replay.resources[descriptor.resourceResourceId]
                        self.assertFalse(resource.autogeneratedName, f"{dispatch.kernel}.{member} is {resource.name}")

    def sorted_pairs(self, replay, stage):
        """Keys and payload as the stage's sort leaves them, and the number of pairs by the GPU's own count."""
        last = [dispatch for dispatch in replay.dispatches if dispatch.stage == stage and dispatch.kernel.startswith("sort_scatter_")][-1]
        entry, buffers = replay.go_to(last)
        count = replay.numbers(buffers["counts"], "I", 1)[0]
        keys = replay.numbers(buffers["keysOut_u16"], "H", count) if entry.endswith("_u16") else replay.numbers(buffers["keysOut"], "I", count)
        return keys, replay.numbers(buffers["payloadOut"], "I", count), count

    def test_depths_are_sorted_and_equal_ones_keep_the_order_of_the_gaussians(self):
        for name, replay in self.captures.items():
            with self.subTest(capture=name):
                keys, gaussians, count = self.sorted_pairs(replay, "depth sort")
                self.assertGreater(count, 1000)
                self.assertGreater(len(set(keys)), count // 2)
                pairs = list(zip(keys, gaussians))
                self.assertEqual(pairs, sorted(pairs))
                self.assertEqual(len(set(gaussians)), count)

    def test_tiles_are_sorted_and_each_lists_its_gaussians_front_to_back(self):
        for name, replay in self.captures.items():
            with self.subTest(capture=name):
                _, by_depth, visible = self.sorted_pairs(replay, "depth sort")
                rank = {gaussian: i for i, gaussian in enumerate(by_depth)}
                tiles, words, count = self.sorted_pairs(replay, "tile sort")
                gaussians = [word & 0xFFFFFF for word in words]  # above: masks of sub-tiles, in a step
                self.assertEqual(any(word >> 24 for word in words), name == "step")
                self.assertGreaterEqual(count, visible)
                self.assertGreater(len(set(tiles)), 10)
                pairs = [(tile, rank[gaussian]) for tile, gaussian in zip(tiles, gaussians)]
                self.assertEqual(pairs, sorted(pairs))

    def test_the_viewer_reports_what_its_frame_holds(self):
        _, _, visible = self.sorted_pairs(self.captures["frame"], "depth sort")
        _, _, instances = self.sorted_pairs(self.captures["frame"], "tile sort")
        self.assertEqual((self.viewed["visible"], self.viewed["instances"]), (visible, instances))

    def captured_by_the_viewer(self, *lines):
        """What a script of the viewer captures."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        (folder / "script.txt").write_text("\n".join([*lines, "report report.json"]) + "\n")
        run("view", "--headless", "--script", "script.txt", "--size", "320x200", "--renderdoc", "--quiet", folder=folder)
        (capture,) = folder.glob("*.rdc")
        self.assertIn(f"{capture.resolve()} is captured", json.loads((folder / "report.json").read_text())["notice"])
        replay = Replay(capture)
        self.addCleanup(replay.close)
        return replay

    def test_the_viewers_own_capture_holds_a_picture_and_the_screen(self):
        replay = self.captured_by_the_viewer(f"open {self.folder}/run/splats.ply", "wait picture", "key F12")
        self.assertEqual(replay.stages("picture"), FORWARD + ["finish"])
        self.assertTrue(replay.draws)
        self.assertEqual({labels[0] for labels in replay.draws}, {"screen"})
        _, _, count = self.sorted_pairs(replay, "depth sort")
        self.assertGreater(count, 1000)

    def test_the_viewer_captures_a_training_step(self):
        replay = self.captured_by_the_viewer(f"open {self.folder}/dataset", "wait phase ready", "key Shift+F12")
        steps = {dispatch.labels[0] for dispatch in replay.dispatches if dispatch.labels[0].startswith("step on view ")}
        self.assertEqual(len(steps), 1)
        self.assertEqual(replay.stages("step on view "), STEP)


if __name__ == "__main__":
    splatwright = str(pathlib.Path(sys.argv.pop(1)).resolve())
    rd.InitialiseReplay(rd.GlobalEnvironment(), [])
    try:
        unittest.main(verbosity=2)
    finally:
        rd.ShutdownReplay()
