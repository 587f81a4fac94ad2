#include <splatwright/scene/cameras/lens_models.h>

#include <algorithm>
#include <cmath>

namespace splat {
namespace {

using glm::dvec2;

// Formulas of src/colmap/sensor/models.h at 5d968cf (August 2026). A model with fewer parameters than its formula leaves the rest at 0.

dvec2 tangential(dvec2 p, double p1, double p2) {
    const double r2 = glm::dot(p, p), xy = p.x * p.y;
    return {2 * p1 * xy + p2 * (r2 + 2 * p.x * p.x), 2 * p2 * xy + p1 * (r2 + 2 * p.y * p.y)};
}

/// k1, k2, p1, p2, k3, k4, k5, k6
dvec2 rational(const double* k, dvec2 p) {
    const double r2 = glm::dot(p, p);
    const double above = 1 + r2 * (k[0] + r2 * (k[1] + r2 * k[4])), below = 1 + r2 * (k[5] + r2 * (k[6] + r2 * k[7]));
    return p * (above / below) + tangential(p, k[2], k[3]);
}

/// k1, k2, k3, k4
dvec2 radial(const double* k, dvec2 p) {
    const double r2 = glm::dot(p, p);
    return p * (1 + r2 * (k[0] + r2 * (k[1] + r2 * (k[2] + r2 * k[3]))));
}

/// k1, k2, p1, p2, k3, k4, sx1, sy1
dvec2 thinPrism(const double* k, dvec2 p) {
    const std::array radials{k[0], k[1], k[4], k[5]};
    return radial(radials.data(), p) + tangential(p, k[2], k[3]) + glm::dot(p, p) * dvec2(k[6], k[7]);
}

/// k0 to k5, p0, p1, s0 to s3. Its p0 belongs to x, unlike p1 of the others.
dvec2 radialThenThinPrism(const double* k, dvec2 p) {
    const double theta2 = glm::dot(p, p);
    double factor = 0;
    for (int i = 5; i >= 0; --i) factor = theta2 * (k[i] + factor);
    const dvec2 q = p * (1 + factor);
    const double r2 = glm::dot(q, q);
    return q + tangential(q, k[7], k[6]) + r2 * dvec2(k[8] + r2 * k[9], k[10] + r2 * k[11]);
}

/// omega
dvec2 fieldOfView(const double* k, dvec2 p) {
    const double omega = k[0], r = glm::length(p), slope = 2 * std::tan(omega / 2);
    if (omega == 0) return p;
    return r * std::abs(slope) < 1e-9 ? p * (slope / omega) : p * (std::atan(r * slope) / (r * omega));
}

/// k: the straight point is the distorted one divided by 1 + k r^2.
dvec2 division(const double* k, dvec2 p) { return p * (2 / (1 + std::sqrt(1 - 4 * k[0] * glm::dot(p, p)))); }

/// alpha, beta: the extended unified camera model
dvec2 unified(const double* k, dvec2 p) { return p / (k[0] * std::sqrt(k[1] * glm::dot(p, p) + 1) + 1 - k[0]); }

using enum Projection;

constexpr std::array kModels{
    LensModel{.id = 0, .name = "SIMPLE_PINHOLE", .focals = 1},
    LensModel{.id = 1, .name = "PINHOLE", .focals = 2},
    LensModel{.id = 2, .name = "SIMPLE_RADIAL", .focals = 1, .names = {"k1"}, .distort = radial},
    LensModel{.id = 3, .name = "RADIAL", .focals = 1, .names = {"k1", "k2"}, .distort = radial},
    LensModel{.id = 4, .name = "OPENCV", .focals = 2, .names = {"k1", "k2", "p1", "p2"}, .distort = rational},
    LensModel{.id = 5, .name = "OPENCV_FISHEYE", .focals = 2, .projection = angle, .names = {"k1", "k2", "k3", "k4"}, .distort = radial},
    LensModel{.id = 6, .name = "FULL_OPENCV", .focals = 2, .names = {"k1", "k2", "p1", "p2", "k3", "k4", "k5", "k6"}, .distort = rational},
    LensModel{.id = 7, .name = "FOV", .focals = 2, .names = {"omega"}, .distort = fieldOfView},
    LensModel{.id = 8, .name = "SIMPLE_RADIAL_FISHEYE", .focals = 1, .projection = angle, .names = {"k1"}, .distort = radial},
    LensModel{.id = 9, .name = "RADIAL_FISHEYE", .focals = 1, .projection = angle, .names = {"k1", "k2"}, .distort = radial},
    LensModel{.id = 10,
              .name = "THIN_PRISM_FISHEYE",
              .focals = 2,
              .projection = angle,
              .names = {"k1", "k2", "p1", "p2", "k3", "k4", "sx1", "sy1"},
              .distort = thinPrism},
    LensModel{.id = 11,
              .name = "RAD_TAN_THIN_PRISM_FISHEYE",
              .focals = 2,
              .projection = angle,
              .names = {"k0", "k1", "k2", "k3", "k4", "k5", "p0", "p1", "s0", "s1", "s2", "s3"},
              .distort = radialThenThinPrism},
    LensModel{.id = 12, .name = "SIMPLE_DIVISION", .focals = 1, .names = {"k"}, .distort = division},
    LensModel{.id = 13, .name = "DIVISION", .focals = 2, .names = {"k"}, .distort = division},
    LensModel{.id = 14, .name = "SIMPLE_FISHEYE", .focals = 1, .projection = angle},
    LensModel{.id = 15, .name = "FISHEYE", .focals = 2, .projection = angle},
    LensModel{.id = 16, .name = "EUCM", .focals = 2, .names = {"alpha", "beta"}, .distort = unified},
    LensModel{.id = 17, .name = "EQUIRECTANGULAR", .focals = 0, .projection = panorama},
};

template <class Member, class Key>
const LensModel* find(Member member, const Key& key) {
    const auto found = std::ranges::find(kModels, key, member);
    return found == kModels.end() ? nullptr : &*found;
}

}  // namespace

extern const LensModel kPolynomialLens{
    .id = -1, .name = "OPENCV", .focals = 2, .names = {"k1", "k2", "p1", "p2", "k3", "k4"}, .distort = thinPrism};

size_t LensModel::distortions() const { return static_cast<size_t>(std::ranges::find(names, nullptr) - names.begin()); }

const LensModel* findLensModel(int id) { return find(&LensModel::id, id); }
const LensModel* findLensModel(std::string_view name) { return find(&LensModel::name, name); }

std::string lensModelNames() {
    std::string names;
    for (const LensModel& model : kModels) names.append(names.empty() ? "" : ", ").append(model.name);
    return names;
}

bool Distortion::any() const {
    return model && (model->projection != plane || std::ranges::any_of(parameters, [](double value) { return value != 0; }));
}

}  // namespace splat
