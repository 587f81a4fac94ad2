#include <algorithm>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include <splatwright/core/file.h>
#include <splatwright/core/memory.h>
#include <splatwright/scene/files/byte_order.h>
#include <splatwright/scene/files/text_writer.h>
#include <splatwright/scene/formats/ply.h>
#include <splatwright/scene/formats/ply_header.h>
#include <splatwright/scene/formats/ply_layout.h>

namespace splat {
namespace {

constexpr size_t kPositionFloats = rowOf(Attribute::means).words;

/// Columns of normals that a model does not have, but other programs expect.
size_t zeroNormals(const Gaussians& form) {
    const bool carried = std::ranges::any_of(kPlyNormals, [&](const char* name) { return columnOf(form.extras, name); });
    return carried ? 0 : kPlyNormals.size();
}

/// The properties of a file's rows.
class Layout {
public:
    Layout(const Gaussians& form, size_t count) : form_(form), count_(count), names_(plyProperties(form.shDegree)) {
        names_.insert(names_.begin() + kPositionFloats, kPlyNormals.begin(), kPlyNormals.begin() + static_cast<int>(zeroNormals(form)));
    }

    std::string header(const char* encoding) const {
        std::string text = fmt::format("ply\nformat {} 1.0\n", encoding);
        if (form_.antialiased) text += fmt::format("comment {}\n", kAntialiasedComment);
        text += fmt::format("element vertex {}\n", count_);
        for (const std::string& name : names_) text += fmt::format("property float {}\n", name);
        for (const ExtraColumn& column : form_.extras) text += fmt::format("property {} {}\n", nameOf(column.type), column.name);
        return text + "end_header\n";
    }

    /// Numbers of a row before the extras, all of which are floats.
    size_t floats() const { return names_.size(); }
    size_t stride() const {
        size_t bytes = floats() * sizeof(float);
        for (const ExtraColumn& column : form_.extras) bytes += bytesOf(column.type);
        return bytes;
    }

private:
    const Gaussians& form_;
    size_t count_;
    std::vector<std::string> names_;
};

/// Appends number i of a column.
template <bool kSwapped>
std::byte* putExtra(const ExtraColumn& column, size_t i, std::byte* to) {
    return visitType(column.type, [&](auto number) {
        std::memcpy(&number, &column.values[i * sizeof number], sizeof number);
        if (kSwapped) number = byteSwapped(number);
        std::memcpy(to, &number, sizeof number);
        return to + sizeof number;
    });
}

/// Rows of the splats [first, end).
template <bool kSwapped>
UnfilledBytes rowsOf(const Gaussians& splats, size_t first, size_t end, const Layout& layout) {
    const PlyRowsInMemory<const float> memory(splats, zeroNormals(splats));
    std::vector<float> floats(layout.floats());
    UnfilledBytes rows((end - first) * layout.stride());
    std::byte* to = rows.span().data();
    for (size_t i = first; i < end; ++i) {
        memory.load(i, floats.data());
        if (kSwapped) std::ranges::transform(floats, floats.begin(), byteSwapped<float>);
        std::memcpy(to, floats.data(), floats.size() * sizeof(float));
        to += floats.size() * sizeof(float);
        for (const ExtraColumn& column : splats.extras) to = putExtra<kSwapped>(column, i, to);
    }
    return rows;
}

template <bool kSwapped>
void writeBinary(const std::filesystem::path& path, const SplatBlocks& blocks) {
    const Layout layout(blocks.form(), blocks.count());
    const std::string head = layout.header(kSwapped ? "binary_big_endian" : "binary_little_endian");
    AtomicFile file(path);
    file.write(std::as_bytes(std::span(head)));
    file.writeParts(blocks.count() * layout.stride(), blocks.blocks(), [&](size_t block, const AtomicFile::Put& put) {
        blocks.visit(block, [&](const Gaussians& splats, size_t first, size_t end) {
            put(blocks.start(block) * layout.stride(), rowsOf<kSwapped>(splats, first, end, layout).span());
        });
    });
    file.commit();
}

std::string textOf(const Gaussians& splats, size_t first, size_t end, const Layout& layout) {
    const PlyRowsInMemory<const float> memory(splats, zeroNormals(splats));
    std::string text;
    std::vector<float> floats(layout.floats());
    for (size_t i = first; i < end; ++i) {
        memory.load(i, floats.data());
        for (const float number : floats) putNumber(text, number), text += ' ';
        for (const ExtraColumn& column : splats.extras) {
            visitType(column.type, [&](auto number) {
                std::memcpy(&number, &column.values[i * sizeof number], sizeof number);
                putNumber(text, number), text += ' ';
            });
        }
        text.back() = '\n';
    }
    return text;
}

}  // namespace

void writePly(const std::filesystem::path& path, const Gaussians& gaussians) {
    checkSizes(gaussians);
    writePlyBlocks(path, BlocksInMemory(gaussians));
}

void writePlyBlocks(const std::filesystem::path& path, const SplatBlocks& blocks) { writeBinary<false>(path, blocks); }

void writePlyBigEndian(const std::filesystem::path& path, const Gaussians& gaussians) {
    checkSizes(gaussians);
    writePlyBigEndianBlocks(path, BlocksInMemory(gaussians));
}

void writePlyBigEndianBlocks(const std::filesystem::path& path, const SplatBlocks& blocks) { writeBinary<true>(path, blocks); }

void writePlyAscii(const std::filesystem::path& path, const Gaussians& gaussians) {
    checkSizes(gaussians);
    const Layout layout(gaussians, gaussians.count());
    const std::string head = layout.header("ascii");
    AtomicFile file(path);
    file.write(std::as_bytes(std::span(head)));
    writeText(file, gaussians.count(), [&](size_t first, size_t end) { return textOf(gaussians, first, end, layout); });
    file.commit();
}

}  // namespace splat
