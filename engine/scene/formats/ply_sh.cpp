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

float colourScaleOf(const PlyRows& rows) {
    switch (rows.typeOf("red")) {
        case PlyType::float32:
        case PlyType::float64: return 1;
        case PlyType::uint16: return 1.0f / 65535;
        default: return 1.0f / 255;
    }
}

}  // namespace splat
