#include <splatwright/scene/formats/ply.h>

#include <algorithm>
#include <memory>
#include <utility>

#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/formats/ply_header.h>
#include <splatwright/scene/formats/ply_layout.h>
#include <splatwright/scene/formats/ply_sh.h>
#include <splatwright/scene/formats/quantised.h>

namespace splat {
namespace {

/// Properties of a file that has bytes or fractions for colours, instead of f_dc_*.
constexpr std::array kColours{"red", "green", "blue"};

bool hasColoursOnly(const PlyRows& rows) {
    const auto has = [&](std::string_view name) { return rows.has(std::string(name)); };
    return std::ranges::none_of(rowOf(Attribute::sh0).properties, [&](auto name) { return !name.empty() && has(name); }) &&
           std::ranges::all_of(kColours, has);
}

bool isNormal(const ExtraColumn& column) { return std::ranges::count(kPlyNormals, column.name) > 0; }

bool isZero(const ExtraColumn& column) {
    return std::ranges::all_of(column.values, [](std::byte byte) { return byte == std::byte{}; });
}

void eraseZeroNormals(std::vector<ExtraColumn>& extras) {
    if (std::ranges::all_of(extras, [&](const ExtraColumn& column) { return !isNormal(column) || isZero(column); }))
        std::erase_if(extras, isNormal);
}

/// The rows of a file, and how they become splats.
class Vertices {
public:
    explicit Vertices(const std::filesystem::path& path) : rows_(path, "vertex") {
        const int degree = shDegreeOf(rows_, path);
        properties_ = plyProperties(degree);
        coloured_ = hasColoursOnly(rows_);
        if (coloured_) std::ranges::copy(kColours, std::ranges::find(properties_, rowOf(Attribute::sh0).properties[0]));
        rows_.require(properties_);
        // Logits of 0 and 1, as programs write them that compute with bytes.
        rows_.replaceInfinite(std::string(rowOf(Attribute::logitOpacities).properties[0]), {logitOfOpacity(0), logitOfOpacity(1)});
        // Logarithms of 0: splats without thickness, as programs write surfels.
        for (const auto& scale : std::span(rowOf(Attribute::logScales).properties).first(3))
            rows_.replaceInfinite(std::string(scale), {.low = logOfScale(0)});
        colourScale_ = coloured_ ? colourScaleOf(rows_) : 1;
        form_.shDegree = degree;
        form_.antialiased = rows_.hasComment(kAntialiasedComment);
        form_.extras = rows_.columnsExcept(properties_);
    }

    const PlyRows& rows() const { return rows_; }
    const Gaussians& form() const { return form_; }

    Gaussians read() {
        Gaussians gaussians = modelOf(form_, rows_.count());
        rows_.forEach(properties_, storing(gaussians), gaussians.extras);
        return gaussians;
    }
    /// The rows [first, end), with the columns of extras that the form has.
    Gaussians read(size_t first, size_t end, const Gaussians& form) const {
        Gaussians gaussians = modelOf(form, end - first);
        rows_.forSome(first, end, properties_, storing(gaussians), gaussians.extras);
        return gaussians;
    }

private:
    PlyConversion<float>::Body storing(Gaussians& gaussians) const {
        return [this, &gaussians, memory = PlyRowsInMemory<float>(gaussians)](size_t i, std::span<const float> values) {
            memory.store(i, values.data());
            // The reference normalises a zero quaternion to the identity.
            if (gaussians.rotations[i] == glm::vec4(0)) gaussians.rotations[i] = glm::vec4(1, 0, 0, 0);
            glm::vec3& colour = gaussians.sh[i * shCoefficients(gaussians.shDegree)];
            if (coloured_) colour = dcOfColour(colourScale_ * colour);
        };
    }

    PlyRows rows_;
    std::vector<std::string> properties_;
    bool coloured_ = false;
    float colourScale_ = 1;
    Gaussians form_;
};

/// Of the whole file, without normals if all are zero.
Gaussians blockForm(const Vertices& vertices) {
    Gaussians form = vertices.form();
    std::vector<std::string> normals;
    for (const ExtraColumn& column : form.extras)
        if (isNormal(column)) normals.push_back(column.name);
    if (!normals.empty() && vertices.rows().allZero(normals)) std::erase_if(form.extras, isNormal);
    return form;
}

std::unique_ptr<SplatBlocks> openBlocks(const std::filesystem::path& path) {
    auto vertices = std::make_unique<const Vertices>(path);
    if (!vertices->rows().isBinary()) return nullptr;
    const size_t count = vertices->rows().count();
    Gaussians form = blockForm(*vertices);
    return std::make_unique<FileBlocks<Vertices>>(std::move(form), count, std::move(vertices));
}

constexpr SplatWriter kWriters[] = {
    {"ply", "lossless, 32-bit floats, little endian; every program reads it", writePly, nullptr, writePlyBlocks},
    {"ply-big-endian", "lossless, 32-bit floats, big endian", writePlyBigEndian, nullptr, writePlyBigEndianBlocks},
    {"ply-ascii", "lossless, as text; about 3 times as large", writePlyAscii}};

}  // namespace

extern const SplatFormat kPlyFormat{
    .name = "PLY",
    .extension = ".ply",
    .help = "the 3DGS layout (x, f_dc_0, scale_0, ...), lossless",
    .recognises = startsAsPly,
    .read = readPly,
    .writers = kWriters,
    .open = openBlocks,
};

Gaussians readPly(const std::filesystem::path& path) {
    Gaussians gaussians = Vertices(path).read();
    eraseZeroNormals(gaussians.extras);
    return gaussians;
}

}  // namespace splat
