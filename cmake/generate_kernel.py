#!/usr/bin/env python3
"""Turns one kernel's reflection JSON and SPIR-V into kernels/<name>.h (argument struct) and kernels/<name>.cpp (layout checks, description).

usage: generate_kernel.py NAME SOURCE DIRECTORY SLANG_VERSION [SMALL]
SMALL names the same kernel for devices with little groupshared memory (shaders/lib/core/small.slang).
The directory holds NAME.json and NAME.spv. The C++ names the SPIR-V by a symbol that the assembler file of the folder defines, so editing the
body of a shader compiles no C++: both files are written only if they change.
"""
import json
import pathlib
import re
import struct
import sys

from groupshared import groupshared_bytes

SCALARS = {"uint32": "uint32_t", "int32": "int32_t", "float32": "float", "bool": "uint32_t"}
VECTORS = {"uint32": "glm::uvec", "int32": "glm::ivec", "float32": "glm::vec"}
MAX_BUFFERS, MAX_PUSH_BYTES = 31, 128
SHARED = pathlib.Path(__file__).resolve().parents[1] / "shaders" / "shared"


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


def resource(buffer):
    """A buffer's type; of an array of buffers that of each."""
    return buffer["type"]["elementType"] if buffer["type"]["kind"] == "array" else buffer["type"]


def buffer_count(buffer):
    return buffer["type"].get("elementCount", 1)


def element_stride(buffer):
    return next(s["value"] for s in resource(buffer)["resultType"]["sizes"] if s["kind"] == "uniform")


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


def shared_headers():
    """Which header of shaders/shared defines a struct, by the struct's name."""
    return {name: header.name for header in sorted(SHARED.glob("*.h")) for name in re.findall(r"^struct (\w+) {", header.read_text(), re.M)}


class Kernel:
    def __init__(self, name, source, directory, slang, small):
        self.name, self.source, self.slang, self.small = name, source, slang, small
        reflection = json.loads((directory / f"{name}.json").read_text())
        self.words = read_words(directory / f"{name}.spv")
        entry = next(e for e in reflection["entryPoints"] if e["name"] == name)
        self.group = entry["threadGroupSize"]
        # [SubgroupSize(n)] of shaders/lib/core/subgroup.slang
        self.subgroup = next((a["arguments"][0] for a in entry.get("userAttribs", []) if a["name"] == "SubgroupSize"), 0)
        used = {b["name"] for b in entry["bindings"] if b["binding"].get("used")}
        parameters = [p for p in reflection["parameters"] if p["name"] in used]
        self.buffers = [p for p in parameters if p["binding"]["kind"] == "descriptorTableSlot"]
        for b in self.buffers:
            b["name"] = self.without_variant(b["name"])
        self.specialization = [p for p in parameters if p["binding"]["kind"] == "specializationConstant"]
        self.constants = [p for p in entry.get("parameters", []) if p.get("binding", {}).get("kind") == "uniform"]
        self.push_bytes = max((c["binding"]["offset"] + c["binding"]["size"] for c in self.constants), default=0)
        self.check()

    def check(self):
        bound = sum(map(buffer_count, self.buffers))
        if bound > MAX_BUFFERS:
            fail(f"{self.name}: {bound} storage buffers, at most {MAX_BUFFERS}")
        if self.push_bytes > MAX_PUSH_BYTES:
            fail(f"{self.name}: {self.push_bytes} bytes of constants, at most {MAX_PUSH_BYTES}")
        for b in self.buffers:
            if resource(b).get("baseShape") != "structuredBuffer":
                fail(f"{self.name}: '{b['name']}' is not a structured buffer")

    def without_variant(self, name):
        """keys_u16 of a kernel NAME_u16 is its member keys: variants of a kernel have the same members."""
        variant = self.name.removesuffix("_small").rsplit("_", 1)[-1]
        return name.removesuffix(f"_{variant}")

    def header(self):
        lines = ["#pragma once", "// Generated from shaders/ by cmake/generate_kernel.py.", '#include <splatwright/gpu/kernel.h>', "",
                 "namespace splat::kernels {", "", f"/// {self.source}: groups of {' x '.join(map(str, self.group))}.",
                 f"struct {self.name} {{"]
        for b in self.buffers:
            access = "written" if resource(b).get("access") == "readWrite" else "read"
            is_array = b["type"]["kind"] == "array"
            kind = f"std::array<gpu::BufferSlice, {buffer_count(b)}>" if is_array else "gpu::BufferSlice"
            lines.append(f"    {kind} {b['name']};  ///< {access}, {element_stride(b)} bytes per element")
        for c in self.constants:
            lines.append(f"    {cpp_type(self.name, c)} {c['name']}{{}};")
        for s in self.specialization:
            lines.append(f"    uint32_t {s['name']}{{}};  ///< specialization constant")
        lines += ["", "    static const gpu::KernelInfo& info();", "    gpu::KernelArguments pack() const;"] + self.visitor()
        return "\n".join(lines + ["};", "", "}  // namespace splat::kernels", ""])

    def visitor(self):
        lines = ["    /// Calls visit(name, slices) for every member that is a buffer or an array of buffers.", "    template <class Visit>",
                 "    void forEachBuffer([[maybe_unused]] Visit&& visit) {"]
        for b in self.buffers:
            name = b["name"]
            span = name if b["type"]["kind"] == "array" else f"&{name}, 1"
            lines.append(f"        visit(\"{name}\", std::span<gpu::BufferSlice>({span}));")
        return lines + ["    }"]

    def layout_checks(self):
        checked, lines = set(), []
        for b in self.buffers:
            element = resource(b)["resultType"]
            if element["kind"] != "struct" or element["name"] in checked:
                continue
            checked.add(element["name"])
            name = f"splat::shared::{element['name']}"
            lines.append(f"static_assert(sizeof({name}) == {element_stride(b)});")
            for f in element["fields"]:
                lines.append(f"static_assert(offsetof({name}, {f['name']}) == {f['binding']['offset']});")
        return lines

    def struct_headers(self):
        """The headers of shaders/shared that define the elements of the buffers."""
        elements = [resource(b)["resultType"] for b in self.buffers]
        headers = shared_headers()
        return sorted({headers[e["name"]] for e in elements if e["kind"] == "struct"})

    def tables(self):
        """The static tables that info() refers to."""
        lines = [f"    static constexpr uint32_t capabilities[] = {{{', '.join(map(str, capabilities(self.words)))}}};"]
        if self.buffers:
            bindings = ", ".join('{"%s", %d, %s, %d, %d}' % (
                b["name"], b["binding"]["index"], "true" if resource(b).get("access") == "readWrite" else "false", element_stride(b),
                buffer_count(b)) for b in self.buffers)
            lines.append(f"    static constexpr gpu::KernelBinding bindings[] = {{{bindings}}};")
        if self.specialization:
            ids = ", ".join(str(s["binding"]["index"]) for s in self.specialization)
            lines.append(f"    static constexpr uint32_t specializationIds[] = {{{ids}}};")
            lines.append("    static_assert(std::size(specializationIds) <= gpu::kMaxSpecialization);")
        return lines

    def info(self):
        x, y, z = self.group
        code = f"splat_spirv_{self.name}"
        return [f"const gpu::KernelInfo& {self.name}::info() {{"] + self.tables() + [
            "    static const gpu::KernelInfo info{", f'        .name = "{self.name}", .slang = "{self.slang}", .code = {{{code}, {code}_end}},',
            "        .capabilities = capabilities,",
            f"        .bindings = {'bindings' if self.buffers else '{}'},",
            f"        .specializationIds = {'specializationIds' if self.specialization else '{}'},",
            f"        .groupSize = {{{x}, {y}, {z}}}, .subgroupSize = {self.subgroup}, .pushBytes = {self.push_bytes},",
            f"        .groupsharedBytes = {groupshared_bytes(self.words)}, .small = {f'&{self.small}::info()' if self.small else 'nullptr'}}};", "    return info;", "}"]

    def pack(self):
        lines = [f"gpu::KernelArguments {self.name}::pack() const {{", "    gpu::KernelArguments a{.info = &info()};"]
        members = [f"{b['name']}[{i}]" if b["type"]["kind"] == "array" else b["name"] for b in self.buffers for i in range(buffer_count(b))]
        lines += [f"    a.buffers[{i}] = {member};" for i, member in enumerate(members)]
        lines += [f"    std::memcpy(a.push.data() + {c['binding']['offset']}, &{c['name']}, {c['binding']['size']});" for c in self.constants]
        lines += [f"    a.specialization[{i}] = {s['name']};" for i, s in enumerate(self.specialization)]
        return lines + ["    return a;", "}"]

    def implementation(self):
        lines = [f'#include "kernels/{self.name}.h"', "", "#include <cstddef>", "#include <cstring>", ""]
        lines += [f"#include <splatwright/shared/{header}>" for header in self.struct_headers()]
        lines += [f'#include "kernels/{self.small}.h"'] if self.small else []
        lines += [""]
        lines += self.layout_checks() + [f'extern "C" const uint32_t splat_spirv_{self.name}[], splat_spirv_{self.name}_end[];', "",
                                         "namespace splat::kernels {", ""]
        return "\n".join(lines + self.info() + [""] + self.pack() + ["", "}  // namespace splat::kernels", ""])


def read_words(path):
    code = path.read_bytes()
    return struct.unpack(f"<{len(code) // 4}I", code)


def write_words(path, words):
    path.write_bytes(struct.pack(f"<{len(words)}I", *words))


def write_if_changed(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main():
    name, source, directory, slang, *small = sys.argv[1:]
    directory = pathlib.Path(directory)
    kernel = Kernel(name, "/".join(pathlib.Path(source).parts[-3:]), directory, slang, small[0] if small else None)
    write_words(directory / f"{name}.spv", without_source_language(kernel.words))
    write_if_changed(directory / f"{name}.h", kernel.header())
    write_if_changed(directory / f"{name}.cpp", kernel.implementation())


if __name__ == "__main__":
    main()
