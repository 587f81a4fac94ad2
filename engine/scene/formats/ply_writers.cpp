#include <algorithm>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include <splatwright/core/file.h>
#include <splatwright/scene/files/byte_order.h>
#include <splatwright/scene/files/text_writer.h>
#include <splatwright/scene/formats/ply.h>
#include <splatwright/scene/formats/ply_header.h>
#include <splatwright/scene/formats/ply_layout.h>

namespace splat {
namespace {

constexpr size_t kBlockBytes = size_t{1} << 20u;  // per thread and step
constexpr size_t kPositionFloats = rowOf(Attribute::means).words;

/// A file's header, and the numbers of its rows.
class Rows {
public:
    explicit Rows(const Gaussians& gaussians) : gaussians_(gaussians), memory_(gaussians, normals()) {
        checkSizes(gaussians);
        names_ = plyProperties(gaussians.shDegree);
        names_.insert(names_.begin() + kPositionFloats, kPlyNormals.begin(), kPlyNormals.begin() + static_cast<int>(normals()));
    }

    std::string header(const char* encoding) const {
        std::string text = fmt::format("ply\nformat {} 1.0\n", encoding);
        if (gaussians_.antialiased) text += fmt::format("comment {}\n", kAntialiasedComment);
        text += fmt::format("element vertex {}\n", count());
        for (const std::string& name : names_) text += fmt::format("property float {}\n", name);
        for (const ExtraColumn& column : extras()) text += fmt::format("property {} {}\n", nameOf(column.type), column.name);
        return text + "end_header\n";
    }

    size_t count() const { return gaussians_.count(); }
    /// Numbers of a row before the extras, all of which are floats.
    size_t floats() const { return names_.size(); }
    const std::vector<ExtraColumn>& extras() const { return gaussians_.extras; }
    size_t stride() const {
        size_t bytes = floats() * sizeof(float);
        for (const ExtraColumn& column : extras()) bytes += bytesOf(column.type);
        return bytes;
    }
    void load(size_t i, std::span<float> row) const { memory_.load(i, row.data()); }

private:
    size_t normals() const {
        const bool carried = std::ranges::any_of(kPlyNormals, [&](const char* name) { return columnOf(gaussians_.extras, name); });
        return carried ? 0 : kPlyNormals.size();
    }

    const Gaussians& gaussians_;
    PlyRowsInMemory<const float> memory_;
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

template <bool kSwapped>
void writeBinary(const std::filesystem::path& path, const Gaussians& gaussians) {
    const Rows rows(gaussians);
    const std::string head = rows.header(kSwapped ? "binary_big_endian" : "binary_little_endian");
    const size_t stride = rows.stride();
    AtomicFile file(path);
    file.write(std::as_bytes(std::span(head)));
    file.writeBlocks(rows.count() * stride, std::max<size_t>(1, kBlockBytes / stride) * stride,
                     [&](size_t offset, std::span<std::byte> block) {
                         std::vector<float> floats(rows.floats());
                         std::byte* to = block.data();
                         for (size_t i = offset / stride; i < (offset + block.size()) / stride; ++i) {
                             rows.load(i, floats);
                             if (kSwapped) std::ranges::transform(floats, floats.begin(), byteSwapped<float>);
                             std::memcpy(to, floats.data(), floats.size() * sizeof(float));
                             to += floats.size() * sizeof(float);
                             for (const ExtraColumn& column : rows.extras()) to = putExtra<kSwapped>(column, i, to);
                         }
                     });
    file.commit();
}

std::string textOf(const Rows& rows, size_t first, size_t end) {
    std::string text;
    std::vector<float> floats(rows.floats());
    for (size_t i = first; i < end; ++i) {
        rows.load(i, floats);
        for (const float number : floats) putNumber(text, number), text += ' ';
        for (const ExtraColumn& column : rows.extras()) {
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

void writePly(const std::filesystem::path& path, const Gaussians& gaussians) { writeBinary<false>(path, gaussians); }

void writePlyBigEndian(const std::filesystem::path& path, const Gaussians& gaussians) { writeBinary<true>(path, gaussians); }

void writePlyAscii(const std::filesystem::path& path, const Gaussians& gaussians) {
    const Rows rows(gaussians);
    const std::string head = rows.header("ascii");
    AtomicFile file(path);
    file.write(std::as_bytes(std::span(head)));
    writeText(file, rows.count(), [&](size_t first, size_t end) { return textOf(rows, first, end); });
    file.commit();
}

}  // namespace splat
