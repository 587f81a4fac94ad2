#include "train/trained_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include <splatwright/scene/attributes.h>

namespace splat {

namespace {

/// Reads the words of an attribute at `first` of each record of `stride` floats; the planes of a Gaussian one after the other.
std::vector<double> numbersAt(std::span<const CheckpointSection> sections, std::string_view name, const AttributeRow& row, size_t stride,
                              size_t first, size_t gaussians) {
    const auto section = std::ranges::find(sections, name, &CheckpointSection::name);
    if (section == sections.end() || section->bytes.size() != row.planes * gaussians * stride * sizeof(float))
        throw Error("section '{}' is missing or has another size", name);
    std::vector<float> floats(section->bytes.size() / sizeof(float));
    std::memcpy(floats.data(), section->bytes.data(), section->bytes.size());
    std::vector<double> numbers;
    for (size_t i = 0; i < gaussians; ++i)
        for (size_t plane = 0; plane < row.planes; ++plane)
            for (size_t k = 0; k < row.words; ++k)
                numbers.push_back(static_cast<double>(floats[(plane * gaussians + i) * stride + first + k]));
    return numbers;
}

}  // namespace

TrainedNumbers numbersIn(std::span<const CheckpointSection> sections, size_t gaussians) {
    TrainedNumbers numbers;
    for (const reference::ParameterClass c : reference::kParameterClasses) {
        const auto row = std::ranges::find(kAttributes, nameOf(c), &AttributeRow::section);
        if (row == std::end(kAttributes)) throw Error("the table has no attribute '{}'", nameOf(c));
        numbers.parameters[reference::indexOf(c)] = numbersAt(sections, row->section, *row, row->words, 0, gaussians);
        numbers.first[reference::indexOf(c)] = numbersAt(sections, row->moments, *row, 2 * row->words, 0, gaussians);
        numbers.second[reference::indexOf(c)] = numbersAt(sections, row->moments, *row, 2 * row->words, row->words, gaussians);
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
