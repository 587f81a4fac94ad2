#include "train/trained_numbers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include <splatwright/scene/gaussians/attributes.h>
#include "train/packed_moments.h"

namespace splat {

namespace {

/// Words of a Gaussian's plane, or of its moments.
using Words = std::span<const uint32_t>;

/// One number for each word of an attribute's planes, by `numberOf(words, index)`; the planes of a Gaussian one after the other.
template <class NumberOf>
std::vector<double> numbersAt(std::span<const CheckpointSection> sections, std::string_view name, const AttributeRow& row, size_t stride,
                              size_t gaussians, const NumberOf& numberOf) {
    const auto section = std::ranges::find(sections, name, &CheckpointSection::name);
    if (section == sections.end() || section->bytes.size() != row.planes * gaussians * stride * sizeof(uint32_t))
        throw Error("section '{}' is missing or has another size", name);
    std::vector<uint32_t> words(section->bytes.size() / sizeof(uint32_t));
    std::memcpy(words.data(), section->bytes.data(), section->bytes.size());
    std::vector<double> numbers;
    for (size_t i = 0; i < gaussians; ++i)
        for (size_t plane = 0; plane < row.planes; ++plane)
            for (size_t k = 0; k < row.words; ++k)
                numbers.push_back(numberOf(Words(words).subspan((plane * gaussians + i) * stride, stride), k));
    return numbers;
}

double floatAt(Words words, size_t index) { return static_cast<double>(std::bit_cast<float>(words[index])); }

/// The moments of a plane's k-th number: all first ones are before all second ones, unless both are packed into one word.
UnpackedMoments momentsAt(const AttributeRow& row, Words words, size_t k) {
    if (row.momentWords == row.words) return unpackMoments(words[k]);
    return {floatAt(words, k), floatAt(words, row.words + k)};
}

}  // namespace

TrainedNumbers numbersIn(std::span<const CheckpointSection> sections, size_t gaussians) {
    TrainedNumbers numbers;
    for (const reference::ParameterClass c : reference::kParameterClasses) {
        const auto row = std::ranges::find(kAttributes, nameOf(c), &AttributeRow::section);
        if (row == std::end(kAttributes)) throw Error("the table has no attribute '{}'", nameOf(c));
        const auto moments = [&](double UnpackedMoments::*which) {
            return numbersAt(sections, row->moments, *row, row->momentWords, gaussians,
                             [&](Words words, size_t k) { return momentsAt(*row, words, k).*which; });
        };
        numbers.parameters[reference::indexOf(c)] = numbersAt(sections, row->section, *row, row->words, gaussians, floatAt);
        numbers.first[reference::indexOf(c)] = moments(&UnpackedMoments::first);
        numbers.second[reference::indexOf(c)] = moments(&UnpackedMoments::second);
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

bool hasPackedMoments(reference::ParameterClass c) { return c == reference::ParameterClass::shRest; }

void expectClose(const reference::Numbers& found, const reference::Numbers& expected, double tolerance, const char* what) {
    for (const reference::ParameterClass c : reference::kParameterClasses) {
        const double error = relativeError(found[reference::indexOf(c)], expected[reference::indexOf(c)]);
        EXPECT_LE(error, hasPackedMoments(c) ? std::max(tolerance, kPackedTolerance) : tolerance) << what << " of " << nameOf(c);
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
