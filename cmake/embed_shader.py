#!/usr/bin/env python3
"""Writes SPIR-V that is no kernel as a C++ function that returns its words.

usage: embed_shader.py NAME SPV CPP
"""
import pathlib
import struct
import sys

from generate_kernel import without_source_language, write_if_changed


def main():
    name, spv, cpp = sys.argv[1:4]
    code = pathlib.Path(spv).read_bytes()
    words = without_source_language(struct.unpack(f"<{len(code) // 4}I", code))
    rows = [", ".join(f"0x{w:x}" for w in words[i:i + 16]) for i in range(0, len(words), 16)]
    lines = ["// Generated from shaders/ by cmake/embed_shader.py.", "#include <cstdint>", "#include <span>", "", "namespace splat::gpu {", "",
             f"std::span<const uint32_t> {name}() {{", "    static constexpr uint32_t code[] = {"]
    lines += [f"        {row}," for row in rows] + ["    };", "    return code;", "}", "", "}  // namespace splat::gpu", ""]
    write_if_changed(pathlib.Path(cpp), "\n".join(lines))


if __name__ == "__main__":
    main()
