#include "train/trained_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

namespace splat {

namespace {

/// Where the numbers of a class lie: `width` floats for each Gaussian and plane, in the moments' section 2 * width.
struct ClassRow {
    reference::ParameterClass parameterClass;
    const char* section;
    const char* moments;
    size_t width, planes;
};

using enum reference::ParameterClass;
constexpr ClassRow kClassRows[] = {{means, "means", "mean_moments", 3, 1},
                                   {rotations, "rotations", "rotation_moments", 4, 1},
                                   {logScales, "log_scales", "log_scale_moments", 3, 1},
                                   {logitOpacities, "logit_opacities", "logit_opacity_moments", 1, 1},
                                   {sh0, "sh0", "sh0_moments", 3, 1},
                                   {shRest, "sh_rest", "sh_rest_moments", 3, 15}};

/// Reads `width` floats at `first` of each record of `stride` floats; the planes of a Gaussian one after the other.
std::vector<double> numbersAt(std::span<const CheckpointSection> sections, const char* name, const ClassRow& row, size_t stride,
                              size_t first, size_t gaussians) {
    const auto section = std::ranges::find(sections, name, &CheckpointSection::name);
    if (section == sections.end() || section->bytes.size() != row.planes * gaussians * stride * sizeof(float))
        throw Error("section '{}' is missing or has another size", name);
    std::vector<float> floats(section->bytes.size() / sizeof(float));
    std::memcpy(floats.data(), section->bytes.data(), section->bytes.size());
    std::vector<double> numbers;
    for (size_t i = 0; i < gaussians; ++i)
        for (size_t plane = 0; plane < row.planes; ++plane)
            for (size_t k = 0; k < row.width; ++k)
                numbers.push_back(static_cast<double>(floats[(plane * gaussians + i) * stride + first + k]));
    return numbers;
}

}  // namespace

TrainedNumbers numbersIn(std::span<const CheckpointSection> sections, size_t gaussians) {
    TrainedNumbers numbers;
    for (const ClassRow& row : kClassRows) {
        const size_t c = reference::indexOf(row.parameterClass);
        numbers.parameters[c] = numbersAt(sections, row.section, row, row.width, 0, gaussians);
        numbers.first[c] = numbersAt(sections, row.moments, row, 2 * row.width, 0, gaussians);
        numbers.second[c] = numbersAt(sections, row.moments, row, 2 * row.width, row.width, gaussians);
    }
    return numbers;
}

double relativeError(std::span<const double> found, std::span<const double> expected) {
    EXPECT_EQ(found.size(), expected.size());
    double difference = 0, norm = 0;
    for (size_t i = 0; i < std::min(found.size(), expected.size()); ++i) {
        difference += (found[i] - expected[i]) * (found[i] - expected[i]);
        norm += expected[i] * expected[i];
    }
    return norm > 0 ? std::sqrt(difference / norm) : std::sqrt(difference);
}

reference::Numbers difference(const reference::Numbers& after, const reference::Numbers& before) {
    reference::Numbers result = after;
    for (size_t c = 0; c < result.size(); ++c)
        for (size_t i = 0; i < result[c].size(); ++i) result[c][i] -= before[c][i];
    return result;
}

void expectClose(const reference::Numbers& found, const reference::Numbers& expected, double tolerance, const char* what) {
    for (const reference::ParameterClass c : reference::kParameterClasses) {
        const double error = relativeError(found[reference::indexOf(c)], expected[reference::indexOf(c)]);
        EXPECT_LE(error, tolerance) << what << " of " << nameOf(c);
        testing::Test::RecordProperty(std::string(what) + " of " + std::string(nameOf(c)), std::to_string(error));
    }
}

void expectSameBytes(std::span<const CheckpointSection> found, std::span<const CheckpointSection> expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].name, expected[i].name);
        EXPECT_TRUE(found[i].bytes == expected[i].bytes) << found[i].name << " differs";
    }
}

}  // namespace splat
