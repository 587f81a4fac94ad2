#include <splatwright/scene/formats/usd/usda_transform.h>

#include <algorithm>
#include <array>
#include <utility>

#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/gtc/type_ptr.hpp>

#include <splatwright/scene/formats/axes.h>
#include <splatwright/scene/formats/usd/usda_numbers.h>
#include <splatwright/scene/gaussians/affine_transform.h>

namespace splat {
namespace {

using Numbers = std::vector<double>;

glm::dvec3 axis(int i) {
    glm::dvec3 unit(0);
    unit[i] = 1;
    return unit;
}

glm::dmat4 rotation(double degrees, int around) { return glm::rotate(glm::dmat4(1), glm::radians(degrees), axis(around)); }

template <int A, int B, int C>
glm::dmat4 rotations(const Numbers& degrees) {  // about A first
    return rotation(degrees[C], C) * rotation(degrees[B], B) * rotation(degrees[A], A);
}
template <int I>
glm::dmat4 rotationAbout(const Numbers& n) {
    return rotation(n[0], I);
}
template <int I>
glm::dmat4 translationAlong(const Numbers& n) {
    return glm::translate(glm::dmat4(1), n[0] * axis(I));
}
template <int I>
glm::dmat4 scaleAlong(const Numbers& n) {
    return glm::scale(glm::dmat4(1), 1.0 + (n[0] - 1) * axis(I));
}

/// An operation of a transform.
struct OperationRow {
    std::string_view name;
    size_t numbers;
    glm::dmat4 (*matrix)(const Numbers&);
};

constexpr std::array kOperations{
    OperationRow{"translate", 3, [](const Numbers& n) { return glm::translate(glm::dmat4(1), glm::make_vec3(n.data())); }},
    OperationRow{"translateX", 1, translationAlong<0>},
    OperationRow{"translateY", 1, translationAlong<1>},
    OperationRow{"translateZ", 1, translationAlong<2>},
    OperationRow{"scale", 3, [](const Numbers& n) { return glm::scale(glm::dmat4(1), glm::make_vec3(n.data())); }},
    OperationRow{"scaleX", 1, scaleAlong<0>},
    OperationRow{"scaleY", 1, scaleAlong<1>},
    OperationRow{"scaleZ", 1, scaleAlong<2>},
    OperationRow{"rotateX", 1, rotationAbout<0>},
    OperationRow{"rotateY", 1, rotationAbout<1>},
    OperationRow{"rotateZ", 1, rotationAbout<2>},
    OperationRow{"rotateXYZ", 3, rotations<0, 1, 2>},
    OperationRow{"rotateXZY", 3, rotations<0, 2, 1>},
    OperationRow{"rotateYXZ", 3, rotations<1, 0, 2>},
    OperationRow{"rotateYZX", 3, rotations<1, 2, 0>},
    OperationRow{"rotateZXY", 3, rotations<2, 0, 1>},
    OperationRow{"rotateZYX", 3, rotations<2, 1, 0>},
    OperationRow{"orient", 4, [](const Numbers& n) { return glm::mat4_cast(glm::normalize(glm::dquat(n[0], n[1], n[2], n[3]))); }},
    // Rows of a matrix for row vectors are columns of one for column vectors.
    OperationRow{"transform", 16, [](const Numbers& n) { return glm::make_mat4(n.data()); }},
};

constexpr std::string_view kPrefix = "xformOp:", kInverse = "!invert!", kReset = "!resetXformStack!";

/// `name`: as in the order of operations.
glm::dmat4 matrixOf(const UsdaText& text, const UsdaPrim& prim, std::string_view name) {
    const char* const place = name.data();
    const bool inverted = name.starts_with(kInverse);
    if (inverted) name.remove_prefix(kInverse.size());
    std::string_view kind = name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : std::string_view();
    kind = kind.substr(0, kind.find(':'));
    const auto row = std::ranges::find(kOperations, kind, &OperationRow::name);
    if (row == kOperations.end()) text.fail(place, "an operation such as xformOp:translate");
    std::string_view value;
    if (const UsdaProperty* fixed = propertyOf(prim.properties, name)) value = fixed->value;
    const UsdaProperty* samples = propertyOf(prim.properties, std::string(name) + ".timeSamples");
    if (value.empty() && samples) value = firstSample(text, samples->value);
    if (value.empty()) text.fail(place, "an operation that the prim has");
    const glm::dmat4 matrix = row->matrix(usdaNumbers(text, value, row->numbers));
    return inverted ? glm::inverse(matrix) : matrix;
}

}  // namespace

UsdaTransform transformOf(const UsdaText& text, const UsdaPrim& prim) {
    UsdaTransform result;
    const UsdaProperty* order = propertyOf(prim.properties, "xformOpOrder");
    if (!order || order->value == "None") return result;
    for (const std::string_view name : stringsIn(text, order->value)) {
        if (name == kReset)
            result = {.resets = true};
        else
            result.matrix = result.matrix * matrixOf(text, prim, name);
    }
    return result;
}

Gaussians placed(Gaussians gaussians, const glm::dmat4& matrix, const std::string& what) {
    const glm::dmat3 linear(matrix);
    const glm::dvec3 diagonal(linear[0][0], linear[1][1], linear[2][2]);
    const bool flips = matrix == glm::scale(glm::dmat4(1), diagonal) && glm::abs(diagonal) == glm::dvec3(1);
    if (flips) {  // to the bit
        flipAxes(gaussians, diagonal);
        return gaussians;
    }
    if (glm::determinant(linear) >= 0) return transformed(std::move(gaussians), matrix, what);
    const glm::dvec3 mirror(1, 1, -1);
    flipAxes(gaussians, mirror);
    return transformed(std::move(gaussians), glm::scale(matrix, mirror), what);
}

}  // namespace splat
