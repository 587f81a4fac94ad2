#!/usr/bin/env python3
"""Writes the file that engine/train/evaluate/lpips_weights.py makes of state dicts with known values, without PyTorch.

usage: write_lpips_weights.py NETWORK OUT

Value i of the file's tensor t is (i mod 251) / 1024 + t, which a float32 holds exactly.
"""
import array
import importlib.util
import math
import pathlib
import sys

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "engine/train/evaluate/lpips_weights.py"
# torchvision's convolutions: index among the features, output and input channels, window.
CONVOLUTIONS = {
    "vgg16": [(0, 64, 3, 3), (2, 64, 64, 3), (5, 128, 64, 3), (7, 128, 128, 3), (10, 256, 128, 3), (12, 256, 256, 3), (14, 256, 256, 3),
              (17, 512, 256, 3), (19, 512, 512, 3), (21, 512, 512, 3), (24, 512, 512, 3), (26, 512, 512, 3), (28, 512, 512, 3)],
    "alexnet": [(0, 64, 3, 11), (3, 192, 64, 5), (6, 384, 192, 3), (8, 256, 384, 3), (10, 256, 256, 3)],
}
HEADS = {"vgg16": [2, 7, 14, 21, 28], "alexnet": [0, 3, 6, 8, 10]}  # indices of the convolutions whose features are compared


def converter():
    spec = importlib.util.spec_from_file_location("lpips_weights", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def numbered(tensor_type, shape, number):
    count = math.prod(shape)
    period = array.array("f", (i / 1024 + number for i in range(251)))
    return tensor_type(shape, (period * (count // len(period) + 1))[:count])


def state_dicts(network, tensor_type):
    backbone, heads, number = {}, {}, 0
    for index, outputs, inputs, window in CONVOLUTIONS[network]:
        backbone[f"features.{index}.weight"] = numbered(tensor_type, (outputs, inputs, window, window), number)
        backbone[f"features.{index}.bias"] = numbered(tensor_type, (outputs,), number + 1)
        number += 2
        if index in HEADS[network]:
            heads[f"lin{len(heads)}.model.1.weight"] = numbered(tensor_type, (1, outputs, 1, 1), number)
            number += 1
    return backbone, heads


def main(network, out):
    lpips_weights = converter()
    backbone, heads = state_dicts(network, lpips_weights.Tensor)
    tensors = lpips_weights.tensors_of(network, backbone, heads, "backbone", "heads")
    pathlib.Path(out).write_bytes(lpips_weights.encoded(network, tensors))


if __name__ == "__main__":
    main(*sys.argv[1:])
