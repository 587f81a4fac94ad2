#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <splatwright/scene/gaussians/attributes.h>

namespace splat {

/// The order of the reference's files (graphdeco-inria/gaussian-splatting, save_ply): attribute by attribute, and channel by channel in an attribute.
std::vector<std::string> plyProperties(int shDegree);

/// A model's numbers as rows of such a file.
template <class Float>
class PlyRowsInMemory {
public:
    /// `gap`: floats of a row after the positions that belong to no attribute.
    template <class Model>
    explicit PlyRowsInMemory(Model& gaussians, size_t gap = 0) {
        for (size_t a = 0, first = 0; a < std::size(kAttributes); ++a) {
            const AttributeRow& row = kAttributes[a];
            const HostPlane<Float> plane = hostPlane(gaussians, row, 0);
            parts_[a] = {plane.first, plane.stride, row.words, planesAt(row, gaussians.shDegree), first};
            first += size_t{row.words} * parts_[a].planes + (a == 0 ? gap : 0);
        }
    }

    /// Copies the numbers of Gaussian i to a row.
    void load(size_t i, float* row) const {
        forEach(i, row, [](const Float& number, float& column) { column = number; });
    }
    /// Copies a row to Gaussian i.
    void store(size_t i, const float* row) const {
        forEach(i, row, [](Float& number, const float& column) { number = column; });
    }

private:
    /// On the host, the planes of one Gaussian follow one another; in a file, its words do.
    struct Part {
        Float* first;
        size_t stride, words, planes, column;
    };

    template <class Column, class Visit>
    void forEach(size_t i, Column* row, const Visit& visit) const {
        for (const Part& part : parts_) {
            Float* numbers = part.first + i * part.stride;
            part.words == 3 ? forPlanes<3>(part, numbers, row, visit) : forPlanes<0>(part, numbers, row, visit);
        }
    }

    /// `kWords`: as many as the part has, or 0. A number that the compiler knows takes half the time.
    template <size_t kWords, class Column, class Visit>
    static void forPlanes(const Part& part, Float* numbers, Column* row, const Visit& visit) {
        const size_t words = kWords > 0 ? kWords : part.words;
        for (size_t plane = 0; plane < part.planes; ++plane)
            for (size_t word = 0; word < words; ++word) visit(numbers[plane * words + word], row[part.column + word * part.planes + plane]);
    }

    std::array<Part, std::size(kAttributes)> parts_;
};

}  // namespace splat
