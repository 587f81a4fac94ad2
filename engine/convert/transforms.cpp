// Moves, turns, scales and mirrors splats.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <splatwright/convert/operation.h>
#include <splatwright/core/error.h>
#include <splatwright/scene/formats/axes.h>
#include <splatwright/scene/gaussians/model_transform.h>

namespace splat {
namespace {

Change transformBy(const ModelTransform& transform) {
    return [transform](Gaussians& gaussians, const LazyDevice&) { gaussians = transformed(std::move(gaussians), transform); };
}

Change translate(std::span<const double> by) { return transformBy({.translation = {by[0], by[1], by[2]}}); }

Change rotate(std::span<const double> degrees) {
    glm::dquat rotation(1, 0, 0, 0);
    for (int axis = 0; axis < 3; ++axis) {
        glm::dvec3 about(0);
        about[axis] = 1;
        rotation = glm::angleAxis(degrees[static_cast<size_t>(axis)] * std::numbers::pi / 180, about) * rotation;
    }
    return transformBy({.rotation = rotation});
}

Change scale(std::span<const double> factor) { return transformBy({.scale = factor[0]}); }

/// A frame by where its axes x, y and z point: R or L, U or D, F or B (right, up, forward and their opposites).
struct NamedFrame {
    std::string_view name, axes;
};
constexpr NamedFrame kFrames[] = {
    {"ply", "RDF"},     {"colmap", "RDF"}, {"opencv", "RDF"}, {"opengl", "RUB"}, {"gltf", "RUB"},    {"three", "RUB"},
    {"blender", "RFU"}, {"z-up", "RFU"},   {"unreal", "FRU"}, {"unity", "RUF"},  {"directx", "RUF"},
};

/// (right, up, forward) of an axis letter.
std::optional<glm::dvec3> directionOf(char letter) {
    switch (letter) {
        case 'R': return glm::dvec3(1, 0, 0);
        case 'L': return glm::dvec3(-1, 0, 0);
        case 'U': return glm::dvec3(0, 1, 0);
        case 'D': return glm::dvec3(0, -1, 0);
        case 'F': return glm::dvec3(0, 0, 1);
        case 'B': return glm::dvec3(0, 0, -1);
        default: return std::nullopt;
    }
}

/// Columns: where the axes point, as (right, up, forward).
glm::dmat3 axesOf(std::string_view name) {
    const auto* known = std::ranges::find(kFrames, name, &NamedFrame::name);
    const std::string_view letters = known != std::end(kFrames) ? known->axes : name;
    glm::dmat3 axes(0);
    for (size_t i = 0; letters.size() == 3 && i < 3; ++i) axes[static_cast<int>(i)] = directionOf(letters[i]).value_or(glm::dvec3(0));
    if (std::abs(glm::determinant(axes)) > 0.5) return axes;
    std::string names;
    for (const NamedFrame& frame : kFrames) names += fmt::format("{} ({}), ", frame.name, frame.axes);
    throw InputError("of which '{}' is no frame, expected {}or three letters: one each of R L, U D and F B", name, names);
}

Change changeFrame(std::string_view value) {
    const size_t comma = value.find(',');
    if (comma == std::string_view::npos) throw InputError("expected FROM,TO");
    const glm::dmat3 change = glm::transpose(axesOf(value.substr(comma + 1))) * axesOf(value.substr(0, comma));
    const bool mirrors = glm::determinant(change) < 0;
    const glm::dmat3 flip(glm::dvec3(mirrors ? -1 : 1, 0, 0), glm::dvec3(0, 1, 0), glm::dvec3(0, 0, 1));
    const ModelTransform rotation{.rotation = glm::quat_cast(change * flip)};
    return [mirrors, rotation](Gaussians& gaussians, const LazyDevice&) {
        if (mirrors) flipAxes(gaussians, {-1, 1, 1});
        gaussians = transformed(std::move(gaussians), rotation);
    };
}

}  // namespace

extern const SplatOperation kTranslateOperation{.name = "translate",
                                                .value = "X,Y,Z",
                                                .min = -1e9,
                                                .max = 1e9,
                                                .help = "Move by this much, scene units",
                                                .ofNumbers = translate,
                                                .reach = Reach::values};
extern const SplatOperation kRotateOperation{
    .name = "rotate",
    .value = "X,Y,Z",
    .min = -360,
    .max = 360,
    .help = "Turn about the origin by degrees about x, then y, then z; view-dependent colours turn with it",
    .ofNumbers = rotate,
    .reach = Reach::values};
extern const SplatOperation kScaleOperation{
    .name = "scale", .value = "X", .min = 1e-6, .max = 1e6, .help = "Scale about the origin", .ofNumbers = scale, .reach = Reach::values};
extern const SplatOperation kFrameOperation{
    .name = "frame",
    .value = "FROM,TO",
    .help =
        "Change axes: ply (x right, y down, z forward), opengl, blender, unity, unreal, or three letters such as RUB; mirrors where needed",
    .ofText = changeFrame,
    .reach = Reach::values};

}  // namespace splat
