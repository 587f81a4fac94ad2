#!/usr/bin/env python3
"""Writes an object file for Windows (COFF, x86-64) with the SPIR-V of kernels between symbols splat_spirv_NAME and splat_spirv_NAME_end.

usage: embed_kernels.py OBJECT FOLDER NAME...

FOLDER holds NAME.spv. Microsoft's assembler cannot include a file, and its compiler takes long for arrays; both linkers read this.
"""
import pathlib
import struct
import sys

MACHINE_AMD64, EXTERNAL = 0x8664, 2
INITIALIZED_READ_ONLY, ALIGN_4 = 0x40000040, 0x00300000
HEADER, SECTION_HEADER = "<HHIIIHH", "<8sIIIIIIHHI"
SECTION = 1  # sections count from 1


def object_file(modules):
    """The bytes of an object file with these modules, by name; their sizes are multiples of 4."""
    data, symbols, strings = b"", b"", b""
    for name, code in modules.items():
        for symbol, offset in ((f"splat_spirv_{name}", len(data)), (f"splat_spirv_{name}_end", len(data) + len(code))):
            symbols += struct.pack("<IIIhHBB", 0, 4 + len(strings), offset, SECTION, 0, EXTERNAL, 0)
            strings += symbol.encode() + b"\0"
        data += code
    begin = struct.calcsize(HEADER) + struct.calcsize(SECTION_HEADER)
    header = struct.pack(HEADER, MACHINE_AMD64, 1, 0, begin + len(data), 2 * len(modules), 0, 0)
    section = struct.pack(SECTION_HEADER, b".rdata", 0, 0, len(data), begin, 0, 0, 0, 0, INITIALIZED_READ_ONLY | ALIGN_4)
    return header + section + data + symbols + struct.pack("<I", 4 + len(strings)) + strings


def main():
    out, folder, *names = sys.argv[1:]
    modules = {name: pathlib.Path(folder, f"{name}.spv").read_bytes() for name in names}
    pathlib.Path(out).write_bytes(object_file(modules))


if __name__ == "__main__":
    main()
