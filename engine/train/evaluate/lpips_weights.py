#!/usr/bin/env python3
"""Converts the weights of LPIPS to the file that `splatwright eval --lpips` reads (layout: lpips_weights.h).

usage: lpips_weights.py vgg16|alexnet BACKBONE.pth HEADS.pth OUT

BACKBONE.pth is torchvision's state dict of the network (vgg16-397923af.pth, alexnet-owt-7be5be79.pth), HEADS.pth the linear heads of version 0.1
from the LPIPS authors (lpips/weights/v0.1/vgg.pth, alex.pth). Needs PyTorch.
"""
import array
import collections
import math
import pathlib
import struct
import sys
import zlib

MAGIC, VERSION = b"SPLATLPS", 1

Tensor = collections.namedtuple("Tensor", "shape values")  # values: floats in row-major order
# Indices of the convolutions among torchvision's `features`, and which of them, counted from 0, LPIPS compares: one head each, in this order.
Network = collections.namedtuple("Network", "convolutions compared")
NETWORKS = {
    "vgg16": Network([0, 2, 5, 7, 10, 12, 14, 17, 19, 21, 24, 26, 28], [1, 3, 6, 9, 12]),
    "alexnet": Network([0, 3, 6, 8, 10], [0, 1, 2, 3, 4]),
}


def tensor_of(state, path, key):
    if key not in state:
        raise ValueError(f"{path}: tensor '{key}' is missing, expected weights of the chosen network")
    tensor = state[key]
    if len(tensor.values) != math.prod(tensor.shape):
        raise ValueError(f"{path}: tensor '{key}' has {len(tensor.values)} values, expected the {math.prod(tensor.shape)} of its shape")
    return tensor


def tensors_of(network, backbone, heads, backbone_path, heads_path):
    """Names and tensors in the order of the file; a state dict maps keys to Tensors. Raises ValueError for one that is missing or does not fit."""
    convolutions, compared = NETWORKS[network]
    for i, index in enumerate(convolutions):
        weight = tensor_of(backbone, backbone_path, f"features.{index}.weight")
        bias = tensor_of(backbone, backbone_path, f"features.{index}.bias")
        yield f"conv{i + 1}.weight", weight
        yield f"conv{i + 1}.bias", Tensor((*bias.shape, 1, 1, 1), bias.values)
        if i in compared:
            key = f"lin{compared.index(i)}.model.1.weight"
            head, expected = tensor_of(heads, heads_path, key), (1, weight.shape[0], 1, 1)
            if tuple(head.shape) != expected:
                raise ValueError(f"{heads_path}: tensor '{key}' has shape {tuple(head.shape)}, expected {expected}")
            yield f"conv{i + 1}.head", head


def little_endian(values):
    values = array.array("f", values)
    if sys.byteorder == "big":
        values.byteswap()
    return values.tobytes()


def encoded(network, tensors):
    """The file's bytes; tensors as tensors_of() yields them."""
    parts = [network.encode() + b"\0"]
    for name, tensor in tensors:
        parts += [name.encode() + b"\0", struct.pack("<4I", *tensor.shape), little_endian(tensor.values)]
    content = b"".join(parts)
    return struct.pack("<8sIIQ", MAGIC, VERSION, zlib.crc32(content), len(content)) + content


def load(path):
    """What LPIPS uses of a state dict in a file of PyTorch: all but the classifier, which is most of VGG16."""
    import torch  # only here: the rest needs the standard library alone

    state = torch.load(path, map_location="cpu", weights_only=True)
    return {key: Tensor(tuple(t.shape), array.array("f", t.detach().float().flatten().tolist()))
            for key, t in state.items() if key.startswith(("features.", "lin"))}


def main(arguments):
    if len(arguments) != 4 or arguments[0] not in NETWORKS:
        sys.exit(__doc__)
    network, backbone, heads, out = arguments
    try:
        tensors = tensors_of(network, load(backbone), load(heads), backbone, heads)
        pathlib.Path(out).write_bytes(encoded(network, tensors))
    except ImportError:
        sys.exit("lpips_weights.py: PyTorch is missing: pip install torch")
    except (OSError, ValueError) as error:
        sys.exit(f"lpips_weights.py: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
