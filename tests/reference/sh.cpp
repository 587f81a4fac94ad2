#include "reference/sh.h"

namespace splat::reference {
namespace {

constexpr double kC0 = 0.28209479177387814;
constexpr double kC1 = 0.4886025119029199;
constexpr std::array<double, 5> kC2{1.0925484305920792, -1.0925484305920792, 0.31539156525252005, -1.0925484305920792, 0.5462742152960396};
constexpr std::array<double, 7> kC3{-0.5900435899266435, 2.890611442640554, -0.4570457994644658, 0.3731763325901154,
                                    -0.4570457994644658, 1.445305721320277, -0.5900435899266435};

}  // namespace

std::array<double, kMaxShCoefficients> shBasis(const glm::dvec3& direction) {
    const double x = direction.x, y = direction.y, z = direction.z;
    const double xx = x * x, yy = y * y, zz = z * z;
    return {kC0,
            -kC1 * y,
            kC1 * z,
            -kC1 * x,
            kC2[0] * x * y,
            kC2[1] * y * z,
            kC2[2] * (2 * zz - xx - yy),
            kC2[3] * x * z,
            kC2[4] * (xx - yy),
            kC3[0] * y * (3 * xx - yy),
            kC3[1] * x * y * z,
            kC3[2] * y * (4 * zz - xx - yy),
            kC3[3] * z * (2 * zz - 3 * xx - 3 * yy),
            kC3[4] * x * (4 * zz - xx - yy),
            kC3[5] * z * (xx - yy),
            kC3[6] * x * (xx - 3 * yy)};
}

std::array<glm::dvec3, kMaxShCoefficients> shBasisGradient(const glm::dvec3& direction) {
    const double x = direction.x, y = direction.y, z = direction.z;
    const double xx = x * x, yy = y * y, zz = z * z;
    return {glm::dvec3(0),
            kC1 * glm::dvec3(0, -1, 0),
            kC1 * glm::dvec3(0, 0, 1),
            kC1 * glm::dvec3(-1, 0, 0),
            kC2[0] * glm::dvec3(y, x, 0),
            kC2[1] * glm::dvec3(0, z, y),
            kC2[2] * glm::dvec3(-2 * x, -2 * y, 4 * z),
            kC2[3] * glm::dvec3(z, 0, x),
            kC2[4] * glm::dvec3(2 * x, -2 * y, 0),
            kC3[0] * glm::dvec3(6 * x * y, 3 * xx - 3 * yy, 0),
            kC3[1] * glm::dvec3(y * z, x * z, x * y),
            kC3[2] * glm::dvec3(-2 * x * y, 4 * zz - xx - 3 * yy, 8 * y * z),
            kC3[3] * glm::dvec3(-6 * x * z, -6 * y * z, 6 * zz - 3 * xx - 3 * yy),
            kC3[4] * glm::dvec3(4 * zz - 3 * xx - yy, -2 * x * y, 8 * x * z),
            kC3[5] * glm::dvec3(2 * x * z, -2 * y * z, xx - yy),
            kC3[6] * glm::dvec3(3 * xx - 3 * yy, -6 * x * y, 0)};
}

}  // namespace splat::reference
