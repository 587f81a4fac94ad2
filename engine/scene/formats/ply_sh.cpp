#include <splatwright/scene/formats/ply_sh.h>

#include <splatwright/core/error.h>

namespace splat {

int shDegreeOf(const PlyRows& rows, const std::filesystem::path& path) {
    const size_t found = rows.countOf("f_rest_");
    for (int degree = 0; degree <= kMaxShDegree; ++degree) {
        if (found == 3 * (shCoefficients(degree) - 1)) return degree;
    }
    throw InputError("{}: found {} properties f_rest_*, expected 0, 9, 24 or 45", path.string(), found);
}

std::vector<std::string> higherNames(int degree) {
    std::vector<std::string> names;
    for (size_t i = 0; i < 3 * (shCoefficients(degree) - 1); ++i) names.push_back(fmt::format("f_rest_{}", i));
    return names;
}

void takeHigher(glm::vec3* sh, std::span<const float> values) {
    const size_t higher = values.size() / 3;
    for (size_t k = 0; k < higher; ++k) sh[k + 1] = {values[k], values[higher + k], values[2 * higher + k]};
}

}  // namespace splat
