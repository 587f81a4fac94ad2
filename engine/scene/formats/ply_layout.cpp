#include <splatwright/scene/formats/ply_layout.h>

namespace splat {

std::vector<std::string> plyProperties(int shDegree) {
    std::vector<std::string> names;
    for (const AttributeRow& row : kAttributes)
        for (uint32_t word = 0; word < row.words; ++word)
            for (uint32_t plane = 0; plane < planesAt(row, shDegree); ++plane) names.push_back(plyProperty(row, shDegree, plane, word));
    return names;
}

}  // namespace splat
