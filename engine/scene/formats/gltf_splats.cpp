#include <splatwright/scene/formats/gltf_splats.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <splatwright/core/error.h>
#include <splatwright/core/log.h>
#include <splatwright/core/names.h>
#include <splatwright/core/threads.h>
#include <splatwright/scene/formats/gltf_accessor.h>
#include <splatwright/scene/formats/gltf_spz.h>
#include <splatwright/scene/formats/quantised.h>
#include <splatwright/scene/images/srgb_curve.h>

namespace splat {
namespace {

using enum GltfType;
constexpr size_t kSlice = 4096;  // splats per thread and step
constexpr GltfEncoding kFloatOnly[] = {{f32}};
constexpr GltfEncoding kPositionEncodings[] = {{f32}, {i8},        {i8, true}, {u8},       {u8, true},
                                               {i16}, {i16, true}, {u16},      {u16, true}};  // quantised meshes
constexpr GltfEncoding kRotationEncodings[] = {{f32}, {i8, true}, {i16, true}};
constexpr GltfEncoding kScaleEncodings[] = {{f32}, {u8}, {u8, true}, {u16}, {u16, true}};
constexpr GltfEncoding kOpacityEncodings[] = {{f32}, {u8, true}, {u16, true}};

std::string attributeName(const std::string& name) { return fmt::format("{}:{}", kGltfSplatting, name); }

std::string shName(int degree, size_t coefficient) { return attributeName(fmt::format("SH_DEGREE_{}_COEF_{}", degree, coefficient)); }

/// The highest degree that has a coefficient. Throws InputError unless it and those below, from the first on, have all of them.
int shDegreeOf(const GltfObject& attributes, int first) {
    const auto has = [&](int degree, size_t k) { return attributes.has(shName(degree, k).c_str()); };
    const auto coefficients = [](int degree) { return static_cast<size_t>(2 * degree + 1); };
    int highest = 0;
    for (int degree = 1; degree <= kMaxShDegree; ++degree)
        for (size_t k = 0; k < coefficients(degree); ++k)
            if (has(degree, k)) highest = degree;
    for (int degree = first; degree <= highest; ++degree)
        for (size_t k = 0; k < coefficients(degree); ++k)
            if (!has(degree, k)) throw InputError("{}: {} is missing", attributes.where(), shName(degree, k));
    if (has(kMaxShDegree + 1, 0)) spdlog::warn("{}: SH of degree {}, read up to {}", attributes.where(), kMaxShDegree + 1, kMaxShDegree);
    return highest;
}

/// Warns of a way to draw that is not ours, as the extension asks to fall back.
void expectWay(const GltfObject& extension, const char* key, const char* usual) {
    const std::string found = extension.text(key, usual);
    if (found != usual) spdlog::warn("{}: {} is '{}', read as '{}'", extension.where(), key, shortened(escapedName(found), 80), usual);
}

bool isLinearLight(const GltfObject& extension) {
    const std::string found = extension.text("colorSpace");
    if (found == "srgb_rec709_display") return false;
    if (found != "lin_rec709_display") {
        throw InputError("{}: colorSpace is '{}', expected srgb_rec709_display or lin_rec709_display", extension.where(),
                         shortened(escapedName(found), 80));
    }
    return true;
}

void refuseCompression(const GltfObject& extension) {
    if (!extension.has("extensions")) return;
    const GltfObject extensions = extension.object("extensions");
    for (const auto& [name, ignored] : extensions.value().items()) {
        if (name.find("compression") == std::string::npos || name == kGltfSpz || name == kGltfSpzUnversioned) continue;
        throw InputError("{}: found {}, which is not read, expected SPZ or attributes that are not compressed", extensions.where(),
                         shortened(escapedName(name), 80));
    }
}

/// An accessor with as many items as there are splats.
GltfAccessor accessorOf(const GltfFile& file, const GltfSplats& splats, const GltfAttribute& attribute) {
    const size_t index = splats.primitive.object("attributes").whole(attribute.name);
    if (const size_t count = GltfAccessor::countOf(file, index); count != splats.count) {
        throw InputError("{}: {} has {} items, expected {} as POSITION has", splats.primitive.where(), attribute.name, count, splats.count);
    }
    return {file, index, attribute};
}

/// The value of splat i. Throws InputError if a number of it is not in the range; numbers that are not finite are left to others.
template <class Value>
Value readWithin(const GltfSplats& splats, const std::string& attribute, const GltfAccessor& accessor, size_t i, float low, float high) {
    const Value value = accessor.at<Value>(i);
    for (int c = 0; c < value.length(); ++c) {
        if (!(value[c] < low || value[c] > high)) continue;
        throw InputError("{}: {} of splat {} is {}, expected {} to {}", splats.primitive.where(), attribute, i, value[c], low, high);
    }
    return value;
}

/// Zero and one, whose logits are infinite, become the middle of what rounds to them.
float logitOf(double opacity, GltfEncoding encoding) {
    const double step = encoding.type == u8 ? 1.0 / 255 : encoding.type == u16 ? 1.0 / 65535 : 0x1p-24;
    const double least = encoding.type == f32 ? double{std::numeric_limits<float>::min()} : step / 4;
    const double inside = std::clamp(opacity, least, 1 - step / 4);
    return static_cast<float>(std::log(inside) - std::log1p(-inside));
}

/// Colours in sRGB for those in linear light: the constant colour exactly, view-dependent ones to first order around it.
void lightToSrgb(glm::vec3* sh, size_t coefficients) {
    const glm::vec3 light = colourOfDc(sh[0]);
    glm::vec3 colour(0), slope(0);
    for (int c = 0; c < 3; ++c) {
        constexpr float kStep = 1.0f / 1024;
        colour[c] = srgbOfLight(light[c]);
        slope[c] = (srgbOfLight(light[c] + kStep) - srgbOfLight(light[c] - kStep)) / (2 * kStep);
    }
    sh[0] = dcOfColour(colour);
    for (size_t k = 1; k < coefficients; ++k) sh[k] *= slope;
}

Gaussians readAttributes(const GltfFile& file, const GltfSplats& splats) {
    const std::array names{attributeName("ROTATION"), attributeName("SCALE"), attributeName("OPACITY")};
    const GltfAccessor positions = accessorOf(file, splats, {"POSITION", 3, kPositionEncodings});
    const GltfAccessor rotations = accessorOf(file, splats, {names[0].c_str(), 4, kRotationEncodings});
    const GltfAccessor scales = accessorOf(file, splats, {names[1].c_str(), 3, kScaleEncodings});
    const GltfAccessor opacities = accessorOf(file, splats, {names[2].c_str(), 1, kOpacityEncodings});
    std::vector<GltfAccessor> sh;
    for (int degree = 0; degree <= splats.shDegree; ++degree)
        for (size_t k = 0; k < static_cast<size_t>(2 * degree + 1); ++k) {
            const std::string name = shName(degree, k);
            sh.push_back(accessorOf(file, splats, {name.c_str(), 3, kFloatOnly}));
        }
    Gaussians gaussians;
    gaussians.resize(splats.count, splats.shDegree);
    gaussians.antialiased = splats.antialiased;
    parallelEach(splats.count, kSlice, [&](size_t i) {
        const glm::vec4 xyzw = rotations.at<glm::vec4>(i);
        gaussians.means[i] = positions.at<glm::vec3>(i);
        gaussians.rotations[i] = unitRotation({xyzw.w, xyzw.x, xyzw.y, xyzw.z});
        gaussians.logScales[i] = logOfScale(readWithin<glm::vec3>(splats, names[1], scales, i, 0, std::numeric_limits<float>::infinity()));
        gaussians.logitOpacities[i] = logitOf(readWithin<glm::vec1>(splats, names[2], opacities, i, 0, 1).x, opacities.encoding());
        glm::vec3* coefficients = &gaussians.sh[i * sh.size()];
        for (size_t k = 0; k < sh.size(); ++k) coefficients[k] = sh[k].at<glm::vec3>(i);
    });
    return gaussians;
}

}  // namespace

bool isGltfSplats(const GltfObject& primitive) { return primitive.has("extensions") && primitive.object("extensions").has(kGltfSplatting); }

GltfSplats gltfSplats(const GltfFile& file, const GltfObject& primitive) {
    constexpr size_t kPoints = 0, kTriangles = 4;
    const GltfObject extension = primitive.object("extensions").object(kGltfSplatting);
    if (const size_t mode = primitive.whole("mode", kTriangles); mode != kPoints) {
        throw InputError("{}: mode is {}, expected {} (points)", primitive.where(), mode, kPoints);
    }
    refuseCompression(extension);
    const std::optional<size_t> spz = gltfSpzView(extension);
    const bool hasKernel = extension.has("kernel");
    if (!hasKernel && !spz) throw InputError("{}: kernel is missing", extension.where());
    expectWay(extension, "kernel", "ellipse");
    expectWay(extension, "projection", "perspective");
    expectWay(extension, "sortingMethod", "cameraDistance");
    const GltfObject attributes = primitive.object("attributes");
    const bool antialiased =
        primitive.has("extras") && primitive.value()["extras"].is_object() && primitive.object("extras").flag(kGltfAntialiased);
    return {.primitive = primitive,
            .count = GltfAccessor::countOf(file, attributes.whole("POSITION")),
            .shDegree = shDegreeOf(attributes, spz ? 1 : 0),
            .linearLight = (extension.has("colorSpace") || !spz) && isLinearLight(extension),
            .antialiased = antialiased,
            .spz = spz ? std::optional(GltfSplats::Spz{.view = *spz, .isInItsFrame = hasKernel}) : std::nullopt};
}

Gaussians readGltfSplats(const GltfFile& file, const GltfSplats& splats) {
    Gaussians gaussians = splats.spz ? readGltfSpz(file, splats) : readAttributes(file, splats);
    const size_t coefficients = shCoefficients(gaussians.shDegree);
    if (splats.linearLight)
        parallelEach(gaussians.count(), kSlice, [&](size_t i) { lightToSrgb(&gaussians.sh[i * coefficients], coefficients); });
    return gaussians;
}

}  // namespace splat
