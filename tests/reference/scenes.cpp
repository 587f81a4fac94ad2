#include "reference/scenes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <splatwright/core/error.h>
#include <splatwright/core/rng.h>
#include "reference/project.h"

namespace splat::reference {
namespace {

constexpr size_t kSplats = 150;           // of most scenes; a software device pays for each splat in each pixel of its tiles
constexpr int kWidth = 68, kHeight = 52;  // no multiples of a tile's size

/// How the splats of a scene look; sizes are standard deviations in pixels at the splat's own depth.
struct Look {
    double opacityLow = 0.05, opacityHigh = 0.95;
    double sizeLow = 1, sizeHigh = 5;
    double stretch = 2;  ///< longest axis over shortest, at most
};

constexpr Look kOpaque{.opacityLow = 0.9, .opacityHigh = 0.998};
constexpr Look kTranslucent{.opacityLow = 0.02, .opacityHigh = 0.3, .sizeLow = 2, .sizeHigh = 8};
constexpr Look kElongated{.opacityLow = 0.2, .opacityHigh = 0.9, .sizeLow = 1.5, .sizeHigh = 3, .stretch = 20};

/// Where splat centres may lie, in pixels.
struct Region {
    glm::dvec2 low{0}, high{0};
};

Region imageWith(const Camera& camera, double overscan) {
    const glm::dvec2 size(camera.width, camera.height);
    return {.low = -overscan * size, .high = (1 + overscan) * size};
}

Camera makeCamera(int width, int height, bool rotated) {
    const double focal = 1.1 * std::max(width, height);
    Camera camera{.width = width, .height = height, .fx = focal, .fy = 1.07 * focal, .cx = 0.46 * width, .cy = 0.53 * height};
    if (rotated) camera.rotation = rotationMatrix(glm::normalize(glm::dvec4(0.9, 0.2, -0.35, 0.1)));
    camera.translation = -camera.rotation * glm::dvec3(0.7, -0.4, 0.3);
    return camera;
}

/// Depths in random order, no two closer than half of (high - low) / count.
std::vector<double> separatedDepths(size_t count, double low, double high, Rng& rng) {
    std::vector<double> depths(count);
    for (size_t i = 0; i < count; ++i)
        depths[i] = low + (high - low) * (static_cast<double>(i) + rng.uniform(0.25, 0.75)) / static_cast<double>(count);
    for (size_t i = count; i > 1; --i) std::swap(depths[i - 1], depths[rng.below(i)]);
    return depths;
}

glm::dvec3 pointInView(const Camera& camera, const Region& region, double depth, Rng& rng) {
    const double u = rng.uniform(region.low.x, region.high.x), v = rng.uniform(region.low.y, region.high.y);
    return {(u - camera.cx) / camera.fx * depth, (v - camera.cy) / camera.fy * depth, depth};
}

void setColour(Gaussians& gaussians, size_t i, Rng& rng) {
    const size_t coefficients = shCoefficients(gaussians.shDegree);
    for (size_t k = 0; k < coefficients; ++k)
        for (int channel = 0; channel < 3; ++channel) {
            const double value = k == 0 ? rng.uniform(-1.9, 2.5) : 0.2 * rng.normal();
            gaussians.sh[i * coefficients + k][channel] = static_cast<float>(value);
        }
}

void setSplat(Gaussians& gaussians, size_t i, const Camera& camera, const glm::dvec3& cameraPoint, const Look& look, Rng& rng) {
    gaussians.means[i] = glm::transpose(camera.rotation) * (cameraPoint - camera.translation);
    const double size = rng.uniform(look.sizeLow, look.sizeHigh) * std::abs(cameraPoint.z) / camera.fx;
    for (int k = 0; k < 3; ++k) {
        const double ratio = std::pow(look.stretch, rng.uniform(-0.5, 0.5));
        gaussians.logScales[i][k] = static_cast<float>(std::log(size * ratio));
        gaussians.rotations[i][k] = static_cast<float>(rng.normal());
    }
    gaussians.rotations[i].w = static_cast<float>(rng.normal());
    const double opacity = rng.uniform(look.opacityLow, look.opacityHigh);
    gaussians.logitOpacities[i] = static_cast<float>(std::log(opacity / (1 - opacity)));
    setColour(gaussians, i, rng);
}

Scene emptyScene(size_t count, const Camera& camera, int shDegree) {
    Scene scene;
    scene.camera = camera;
    scene.gaussians.resize(count, shDegree);
    return scene;
}

Scene plainScene(const Look& look, double overscan, Rng& rng, int shDegree) {
    Scene scene = emptyScene(kSplats, makeCamera(kWidth, kHeight, true), shDegree);
    const auto depths = separatedDepths(kSplats, 2, 6, rng);
    for (size_t i = 0; i < depths.size(); ++i)
        setSplat(scene.gaussians, i, scene.camera, pointInView(scene.camera, imageWith(scene.camera, overscan), depths[i], rng), look, rng);
    return scene;
}

Scene opaque(Rng& rng, int shDegree) { return plainScene(kOpaque, 0.1, rng, shDegree); }
Scene translucent(Rng& rng, int shDegree) { return plainScene(kTranslucent, 0.1, rng, shDegree); }
Scene elongated(Rng& rng, int shDegree) { return plainScene(kElongated, 0.1, rng, shDegree); }
Scene offScreen(Rng& rng, int shDegree) { return plainScene({.sizeLow = 3, .sizeHigh = 12, .stretch = 4}, 1.0, rng, shDegree); }

/// A third in view, a third behind the camera, a third between the camera and the near plane.
Scene behindCamera(Rng& rng, int shDegree) {
    constexpr size_t kEach = 60;
    Scene scene = emptyScene(3 * kEach, makeCamera(kWidth, kHeight, true), shDegree);
    const auto ahead = separatedDepths(kEach, 2, 6, rng), behind = separatedDepths(kEach, -6, -0.1, rng);
    const auto tooNear = separatedDepths(kEach, 0.1 * kNear, 0.9 * kNear, rng);
    for (size_t i = 0; i < scene.gaussians.count(); ++i) {
        const double depth = std::array{ahead[i / 3], behind[i / 3], tooNear[i / 3]}[i % 3];
        setSplat(scene.gaussians, i, scene.camera, pointInView(scene.camera, imageWith(scene.camera, 0.1), depth, rng), {}, rng);
    }
    return scene;
}

/// Groups of five, spread through the list, whose depths are the same bits: without rotation the depth is mean.z + translation.z,
/// whatever x and y are.
Scene equalDepths(Rng& rng, int shDegree) {
    Scene scene = emptyScene(kSplats, makeCamera(kWidth, kHeight, false), shDegree);
    const auto depths = separatedDepths(30, 2, 6, rng);
    for (size_t i = 0; i < kSplats; ++i)
        setSplat(scene.gaussians, i, scene.camera, pointInView(scene.camera, imageWith(scene.camera, 0.1), depths[i % 30], rng), {}, rng);
    return scene;
}

/// All centres in the second tile of the first row; faint, so that a pixel blends hundreds before it is full.
Scene crowdedTile(Rng& rng, int shDegree) {
    Scene scene = emptyScene(800, makeCamera(48, 32, true), shDegree);
    const Look faint{.opacityLow = 0.01, .opacityHigh = 0.06, .sizeLow = 1.5, .sizeHigh = 4};
    const auto depths = separatedDepths(800, 2, 6, rng);
    for (size_t i = 0; i < depths.size(); ++i)
        setSplat(scene.gaussians, i, scene.camera, pointInView(scene.camera, {{17, 1}, {31, 15}}, depths[i], rng), faint, rng);
    return scene;
}

Scene mixedOf(size_t count, const Camera& camera, Rng& rng, int shDegree) {
    constexpr std::array kLooks{kOpaque, kTranslucent, kElongated};
    Scene scene = emptyScene(count, camera, shDegree);
    const auto depths = separatedDepths(count, 2, 6, rng);
    for (size_t i = 0; i < count; ++i)
        setSplat(scene.gaussians, i, camera, pointInView(camera, imageWith(camera, 0.3), depths[i], rng), kLooks[i % 3], rng);
    return scene;
}

Scene mixed(Rng& rng, int shDegree) { return mixedOf(kSplats, makeCamera(kWidth, kHeight, true), rng, shDegree); }
Scene tinyImage(Rng& rng, int shDegree) { return mixedOf(8, makeCamera(1, 1, true), rng, shDegree); }

struct Row {
    std::string_view name;
    Scene (*make)(Rng&, int shDegree);
};
constexpr std::array kScenes{Row{"opaque", opaque},
                             Row{"translucent", translucent},
                             Row{"elongated", elongated},
                             Row{"offScreen", offScreen},
                             Row{"behindCamera", behindCamera},
                             Row{"equalDepths", equalDepths},
                             Row{"crowdedTile", crowdedTile},
                             Row{"mixed", mixed},
                             Row{"tinyImage", tinyImage}};

}  // namespace

std::vector<std::string> sceneNames() {
    std::vector<std::string> names;
    for (const Row& row : kScenes) names.emplace_back(row.name);
    return names;
}

Scene makeScene(std::string_view name, uint64_t seed, int shDegree) {
    const auto* row = std::find_if(kScenes.begin(), kScenes.end(), [&](const Row& r) { return r.name == name; });
    SPLAT_CHECK(row != kScenes.end(), "there is no scene '{}'", name);
    Rng rng(seed);
    Scene scene = row->make(rng, shDegree);
    scene.name = name;
    return scene;
}

Scene makeMixedScene(size_t count, int width, int height, uint64_t seed, int shDegree) {
    Rng rng(seed);
    Scene scene = mixedOf(count, makeCamera(width, height, true), rng, shDegree);
    scene.name = "mixed";
    return scene;
}

}  // namespace splat::reference
