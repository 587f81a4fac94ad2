#!/usr/bin/env python3
"""Reads what cmake/embed_kernels.py writes back, as Microsoft's specification of object files has it: each symbol finds its kernel's code.

usage: embed_kernels_test.py
"""
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

from script_module import load

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "cmake/embed_kernels.py"
MODULES = {"a": b"\x03\x02\x23\x07", "scan_write_of_a_long_name": bytes(range(64)), "last": b"\xff" * 8}
SYMBOL_BYTES = 18
EXTERNAL = 2
READABLE, WRITABLE, INITIALIZED = 0x40000000, 0x80000000, 0x40
ALIGNMENT_SHIFT, ALIGN_4 = 20, 3  # 2^(n-1) bytes


class ObjectFile(unittest.TestCase):
    def setUp(self):
        self.bytes = load(SCRIPT).object_file(MODULES)
        self.machine, self.sections, _, self.table, self.symbol_count, optional, _ = struct.unpack_from("<HHIIIHH", self.bytes)
        self.assertEqual(optional, 0)
        self.name, _, _, self.size, self.begin, _, _, relocations, _, self.flags = struct.unpack_from("<8sIIIIIIHHI", self.bytes, 20)
        self.assertEqual(relocations, 0)

    def symbols(self):
        """Offsets in the section by name."""
        strings = self.bytes[self.table + self.symbol_count * SYMBOL_BYTES:]
        self.assertEqual(struct.unpack_from("<I", strings)[0], len(strings))
        found = {}
        for index in range(self.symbol_count):
            zeroes, name, value, section, _, storage, more = struct.unpack_from("<IIIhHBB", self.bytes, self.table + index * SYMBOL_BYTES)
            self.assertEqual((zeroes, section, storage, more), (0, 1, EXTERNAL, 0))
            found[strings[name:strings.index(b"\0", name)].decode()] = value
        return found

    def test_has_one_section_of_constants(self):
        self.assertEqual((self.machine, self.sections, self.name.rstrip(b"\0")), (0x8664, 1, b".rdata"))
        self.assertEqual(self.flags & (READABLE | WRITABLE | INITIALIZED), READABLE | INITIALIZED)
        self.assertEqual(self.flags >> ALIGNMENT_SHIFT & 0xf, ALIGN_4)
        self.assertEqual(self.begin + self.size, self.table)

    def test_symbols_enclose_each_kernel(self):
        symbols = self.symbols()
        self.assertEqual(len(symbols), 2 * len(MODULES))
        section = self.bytes[self.begin:self.begin + self.size]
        for name, code in MODULES.items():
            self.assertEqual(section[symbols[f"splat_spirv_{name}"]:symbols[f"splat_spirv_{name}_end"]], code, name)

    def test_is_made_of_the_files_that_are_named(self):
        with tempfile.TemporaryDirectory() as scratch:
            for name, code in {**MODULES, "other": b"1234"}.items():
                pathlib.Path(scratch, f"{name}.spv").write_bytes(code)
            out = pathlib.Path(scratch, "out.obj")
            subprocess.run([sys.executable, SCRIPT, out, scratch, *MODULES], check=True)
            self.assertEqual(out.read_bytes(), self.bytes)


if __name__ == "__main__":
    unittest.main()
