#!/usr/bin/env python3
"""Turns one kernel's reflection JSON and SPIR-V into kernels/<name>.h (argument struct) and kernels/<name>.cpp (layout checks, embedded code).

usage: generate_kernel.py NAME SOURCE DIRECTORY SLANG_VERSION
The directory holds NAME.json and NAME.spv; the header is only touched when it changes, so that editing a shader's body recompiles one file.
"""
import json
import pathlib
import struct
import sys

SCALARS = {"uint32": "uint32_t", "int32": "int32_t", "float32": "float", "bool": "uint32_t"}
VECTORS = {"uint32": "glm::uvec", "int32": "glm::ivec", "float32": "glm::vec"}
MAX_BUFFERS, MAX_PUSH_BYTES = 32, 128


def fail(message):
    sys.exit(f"generate_kernel.py: {message}")


def cpp_type(kernel, parameter):
    kind = parameter["type"]["kind"]
    if kind == "scalar":
        return SCALARS[parameter["type"]["scalarType"]]
    if kind == "vector":
        scalar = parameter["type"]["elementType"]["scalarType"]
        return f"{VECTORS[scalar]}{parameter['type']['elementCount']}"
    return fail(f"{kernel}: constant '{parameter['name']}' is a {kind}, expected a scalar or a vector")


def element_stride(buffer):
    return next(s["value"] for s in buffer["type"]["resultType"]["sizes"] if s["kind"] == "uniform")


def capabilities(words):
    """OpCapability operands; they come first in a module."""
    found, at = [], 5
    while at < len(words) and words[at] & 0xFFFF == 17:
        found.append(words[at + 1])
        at += words[at] >> 16
    return found


def without_source_language(words):
    """OpSource's language set to Unknown: validation layers of 2023 do not know Slang's number yet and reject the module."""
    words, at = list(words), 5
    while at < len(words):
        opcode, length = words[at] & 0xFFFF, words[at] >> 16
        if opcode == 3:
            words[at + 1] = 0
        at += length
    return words


class Kernel:
    def __init__(self, name, source, directory, slang):
        self.name, self.source, self.slang = name, source, slang
        reflection = json.loads((directory / f"{name}.json").read_text())
        code = (directory / f"{name}.spv").read_bytes()
        self.words = without_source_language(struct.unpack(f"<{len(code) // 4}I", code))
        entry = next(e for e in reflection["entryPoints"] if e["name"] == name)
        self.group = entry["threadGroupSize"]
        # [SubgroupSize(n)] of shaders/lib/subgroup.slang
        self.subgroup = next((a["arguments"][0] for a in entry.get("userAttribs", []) if a["name"] == "SubgroupSize"), 0)
        used = {b["name"] for b in entry["bindings"] if b["binding"].get("used")}
        parameters = [p for p in reflection["parameters"] if p["name"] in used]
        self.buffers = [p for p in parameters if p["binding"]["kind"] == "descriptorTableSlot"]
        self.specialization = [p for p in parameters if p["binding"]["kind"] == "specializationConstant"]
        self.constants = [p for p in entry.get("parameters", []) if p.get("binding", {}).get("kind") == "uniform"]
        self.push_bytes = max((c["binding"]["offset"] + c["binding"]["size"] for c in self.constants), default=0)
        self.check()

    def check(self):
        if len(self.buffers) > MAX_BUFFERS:
            fail(f"{self.name}: {len(self.buffers)} storage buffers, at most {MAX_BUFFERS}")
        if self.push_bytes > MAX_PUSH_BYTES:
            fail(f"{self.name}: {self.push_bytes} bytes of constants, at most {MAX_PUSH_BYTES}")
        for b in self.buffers:
            if b["type"].get("baseShape") != "structuredBuffer":
                fail(f"{self.name}: '{b['name']}' is not a structured buffer")

    def header(self):
        lines = ["#pragma once", "// Generated from shaders/ by cmake/generate_kernel.py.", '#include "gpu/kernel.h"', "",
                 "namespace splat::kernels {", "", f"/// {self.source}: groups of {' x '.join(map(str, self.group))}.",
                 f"struct {self.name} {{"]
        for b in self.buffers:
            access = "written" if b["type"].get("access") == "readWrite" else "read"
            lines.append(f"    gpu::BufferSlice {b['name']};  ///< {access}, {element_stride(b)} bytes an element")
        for c in self.constants:
            lines.append(f"    {cpp_type(self.name, c)} {c['name']}{{}};")
        for s in self.specialization:
            lines.append(f"    uint32_t {s['name']}{{}};  ///< specialization constant")
        lines += ["", "    static const gpu::KernelInfo& info();", "    gpu::KernelArguments pack() const;", "};", "",
                  "}  // namespace splat::kernels", ""]
        return "\n".join(lines)

    def layout_checks(self):
        checked, lines = set(), []
        for b in self.buffers:
            element = b["type"]["resultType"]
            if element["kind"] != "struct" or element["name"] in checked:
                continue
            checked.add(element["name"])
            name = f"splat::shared::{element['name']}"
            lines.append(f"static_assert(sizeof({name}) == {element_stride(b)});")
            for f in element["fields"]:
                lines.append(f"static_assert(offsetof({name}, {f['name']}) == {f['binding']['offset']});")
        return lines

    def implementation(self):
        lines = [f'#include "kernels/{self.name}.h"', "", "#include <cstddef>", "#include <cstring>", ""]
        checks = self.layout_checks()
        if checks:
            lines += ['#include "shared/structs.h"', ""] + checks + [""]
        lines += ["namespace splat::kernels {", "", "namespace {", ""]
        rows = [", ".join(f"0x{w:x}" for w in self.words[i:i + 16]) for i in range(0, len(self.words), 16)]
        lines += ["constexpr uint32_t code[] = {"] + [f"    {row}," for row in rows] + ["};", ""]
        lines += [f"constexpr uint32_t capabilities[] = {{{', '.join(map(str, capabilities(self.words)))}}};"]
        if self.buffers:
            bindings = ", ".join('{"%s", %d, %s, %d}' % (
                b["name"], b["binding"]["index"], "true" if b["type"].get("access") == "readWrite" else "false", element_stride(b))
                for b in self.buffers)
            lines.append(f"constexpr gpu::KernelBinding bindings[] = {{{bindings}}};")
        if self.specialization:
            ids = ", ".join(str(s["binding"]["index"]) for s in self.specialization)
            lines.append(f"constexpr uint32_t specializationIds[] = {{{ids}}};")
        x, y, z = self.group
        lines += ["", "}  // namespace", "", f"const gpu::KernelInfo& {self.name}::info() {{",
                  "    static const gpu::KernelInfo info{", f'        .name = "{self.name}", .slang = "{self.slang}", .code = code,',
                  "        .capabilities = capabilities,",
                  f"        .bindings = {'bindings' if self.buffers else '{}'},",
                  f"        .specializationIds = {'specializationIds' if self.specialization else '{}'},",
                  f"        .groupSize = {{{x}, {y}, {z}}}, .subgroupSize = {self.subgroup}, .pushBytes = {self.push_bytes}}};", "    return info;", "}", "",
                  f"gpu::KernelArguments {self.name}::pack() const {{", "    gpu::KernelArguments a{.info = &info()};"]
        lines += [f"    a.buffers[{i}] = {b['name']};" for i, b in enumerate(self.buffers)]
        lines += [f"    std::memcpy(a.push.data() + {c['binding']['offset']}, &{c['name']}, {c['binding']['size']});" for c in self.constants]
        lines += [f"    a.specialization[{i}] = {s['name']};" for i, s in enumerate(self.specialization)]
        lines += ["    return a;", "}", "", "}  // namespace splat::kernels", ""]
        return "\n".join(lines)


def write_if_changed(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main():
    name, source, directory, slang = sys.argv[1:5]
    directory = pathlib.Path(directory)
    kernel = Kernel(name, "/".join(pathlib.Path(source).parts[-3:]), directory, slang)
    write_if_changed(directory / f"{name}.h", kernel.header())
    write_if_changed(directory / f"{name}.cpp", kernel.implementation())


if __name__ == "__main__":
    main()
