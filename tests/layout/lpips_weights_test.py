#!/usr/bin/env python3
"""engine/train/evaluate/lpips_weights.py writes the documented file and refuses state dicts that do not fit.

usage: lpips_weights_test.py

tests/train/lpips_weights_test.cpp checks that the engine reads what it writes.
"""
import array
import importlib.util
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

from script_module import load

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "engine/train/evaluate/lpips_weights.py"
lpips_weights = load(SCRIPT)
Tensor = lpips_weights.Tensor


class Converter(unittest.TestCase):
    """A network of two convolutions, of which the second has a head."""

    def setUp(self):
        self.networks = lpips_weights.NETWORKS
        lpips_weights.NETWORKS = {"tiny": lpips_weights.Network([0, 3], [1])}
        self.backbone = {
            "features.0.weight": Tensor((2, 1, 1, 1), [1, 2]), "features.0.bias": Tensor((2,), [3, 4]),
            "features.3.weight": Tensor((1, 2, 1, 1), [5, 6]), "features.3.bias": Tensor((1,), [7]),
            "classifier.0.weight": Tensor((1, 1), [99]),
        }
        self.heads = {"lin0.model.1.weight": Tensor((1, 1, 1, 1), [-0.5])}

    def tearDown(self):
        lpips_weights.NETWORKS = self.networks

    def tensors(self):
        return list(lpips_weights.tensors_of("tiny", self.backbone, self.heads, "b.pth", "h.pth"))

    def test_the_file_is_as_documented(self):
        def tensor(name, shape, values):
            return name + b"\0" + struct.pack("<4I", *shape) + struct.pack(f"<{len(values)}f", *values)

        content = b"tiny\0" + tensor(b"conv1.weight", (2, 1, 1, 1), [1, 2]) + tensor(b"conv1.bias", (2, 1, 1, 1), [3, 4])
        content += tensor(b"conv2.weight", (1, 2, 1, 1), [5, 6]) + tensor(b"conv2.bias", (1, 1, 1, 1), [7])
        content += tensor(b"conv2.head", (1, 1, 1, 1), [-0.5])
        prefix = b"SPLATLPS" + struct.pack("<IIQ", 1, zlib.crc32(content), len(content))
        self.assertEqual(lpips_weights.encoded("tiny", self.tensors()), prefix + content)

    def expect_refusal(self, *parts):
        with self.assertRaises(ValueError) as refused:
            self.tensors()
        for part in parts:
            self.assertIn(part, str(refused.exception))

    def test_a_missing_tensor_is_refused(self):
        for state, path in ((self.backbone, "b.pth"), (self.heads, "h.pth")):
            for key in [key for key in state if not key.startswith("classifier")]:
                tensor = state.pop(key)
                self.expect_refusal(path, key, "missing")
                state[key] = tensor

    def test_heads_of_another_network_are_refused(self):
        self.heads["lin0.model.1.weight"] = Tensor((1, 2, 1, 1), [1, 2])
        self.expect_refusal("h.pth", "lin0.model.1.weight", "(1, 2, 1, 1)", "(1, 1, 1, 1)")

    def test_values_that_do_not_fill_the_shape_are_refused(self):
        self.backbone["features.3.weight"] = Tensor((1, 2, 1, 1), [5])
        self.expect_refusal("b.pth", "features.3.weight", "1 values", "2")


class CommandLine(unittest.TestCase):
    def run_with(self, *arguments):
        return subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True, check=False)

    def test_wrong_usage_prints_the_usage(self):
        for arguments in ((), ("resnet", "a", "b", "c")):
            done = self.run_with(*arguments)
            self.assertEqual(done.returncode, 1)
            self.assertIn("usage: lpips_weights.py vgg16|alexnet", done.stderr)

    @unittest.skipUnless(importlib.util.find_spec("torch"), "PyTorch is not installed")
    def test_a_file_of_pytorch_is_loaded(self):
        import torch

        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "a.pth"
            torch.save({"features.0.weight": torch.tensor([[1.5, 2.5]]), "classifier.0.weight": torch.zeros(3)}, path)
            self.assertEqual(lpips_weights.load(path), {"features.0.weight": Tensor((1, 2), array.array("f", [1.5, 2.5]))})
            done = self.run_with("vgg16", path, path, folder + "/out")
            self.assertEqual(done.returncode, 1)
            self.assertIn("features.0.bias", done.stderr)


if __name__ == "__main__":
    unittest.main()
