#include "sog_samples.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <splatwright/core/input_file.h>
#include <splatwright/core/rng.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/formats/quantised.h>
#include <splatwright/scene/formats/sog/sog.h>
#include "scratch.h"

namespace splat {
namespace {

using namespace test;
namespace fs = std::filesystem;

const SplatWriter& writer(std::string_view name) {
    for (const SplatWriter* row : splatWriters())
        if (row->name == name) return *row;
    throw std::logic_error("no such writer");
}

TEST(SogWriter, TheListStandsForTheFolder) {
    EXPECT_EQ(&splatWriterOf("a.sog"), &writer("sog"));
    EXPECT_EQ(&splatWriterOf("folder/meta.json"), &writer("sog-folder"));
    expectInputError([] { splatWriterOf("folder/other.json"); }, {"other.json", "no splat file"});
}

TEST(SogWriter, AFolderHoldsTheFilesOfTheArchive) {
    const Scratch scratch;
    const Gaussians splats = randomSplats(300, 2);
    writeSplats(scratch.path() / "meta.json", splats);
    writeSplats(scratch.path() / "a.sog", splats);
    const std::vector<std::byte> archive = readFile(scratch.path() / "a.sog");
    const ZipReader zip(scratch.path(), archive);
    size_t files = 0;
    for (const fs::directory_entry& file : fs::directory_iterator(scratch.path())) {
        if (file.path().filename() == "a.sog") continue;
        EXPECT_EQ(readFile(file.path()), zip.read(file.path().filename().string())) << file.path();
        ++files;
    }
    EXPECT_EQ(files, 8u);
    EXPECT_EQ(readSplats(scratch.path()).sh, readSplats(scratch.path() / "a.sog").sh);
}

TEST(SogWriter, AFolderThatCannotBeWrittenStaysAsItWas) {
    const Scratch scratch;
    writeSplats(scratch.path() / "meta.json", randomSplats(300, 2));
    const std::vector<std::byte> before = readFile(scratch.path() / "means_l.webp"), meta = readFile(scratch.path() / "meta.json");
    fs::remove(scratch.path() / "shN_labels.webp");
    fs::create_directory(scratch.path() / "shN_labels.webp");
    expectInputError([&] { writeSplats(scratch.path() / "meta.json", randomSplats(200, 2)); }, {"shN_labels.webp", "is a folder"});
    EXPECT_EQ(readFile(scratch.path() / "means_l.webp"), before);
    EXPECT_EQ(readFile(scratch.path() / "meta.json"), meta);
    size_t files = 0;
    for ([[maybe_unused]] const fs::directory_entry& file : fs::directory_iterator(scratch.path())) ++files;
    EXPECT_EQ(files, 8u) << "a temporary file was left";
}

/// Readers look up the coordinates of more splats than an axis has steps.
TEST(SogWriter, ManySplatsKeepTheirCoordinates) {
    const Scratch scratch;
    Gaussians splats = randomSplats(70'000, 0);
    for (glm::vec3& mean : splats.means) mean *= glm::vec3(1, 0.5f, 0.7f);  // no axis has the range of another
    writeSplats(scratch.path() / "a.sog", splats);
    const Gaussians found = readSplats(scratch.path() / "a.sog");
    ASSERT_EQ(found.count(), splats.count());
    for (int axis = 0; axis < 3; ++axis) {
        const auto sorted = [axis](const Gaussians& g) {
            std::vector<float> coordinates;
            for (const glm::vec3& mean : g.means) coordinates.push_back(mean[axis]);
            std::ranges::sort(coordinates);
            return coordinates;
        };
        const std::vector<float> expected = sorted(splats), read = sorted(found);
        for (size_t i = 0; i < read.size(); ++i) ASSERT_NEAR(read[i], expected[i], 4e-5f * (expected.back() - expected.front()));
    }
}

TEST(SogWriter, SplatsThatNoOpacityShowsTakeOnlyTheBytesOfTheirPositions) {
    const Scratch scratch;
    Gaussians splats = randomSplats(2000, 0);
    for (size_t i = 0; i < 2000; ++i) splats.means[i] = glm::vec3(static_cast<float>(i), 0, 0);
    const auto bytesWith = [&](float opacity) {
        std::ranges::fill(splats.logitOpacities, logitOfOpacity(opacity));
        writeSplats(scratch.path() / "a.sog", splats);
        return std::filesystem::file_size(scratch.path() / "a.sog");
    };
    EXPECT_GT(bytesWith(1.01f / 255), bytesWith(1.0f / 255) + size_t{9} * 1850) << "colours, scales and rotations";
    std::ranges::fill(splats.logitOpacities, logitOfOpacity(1.0f / 255));
    splats.logitOpacities[77] = logitOfOpacity(1.01f / 255);
    writeSplats(scratch.path() / "a.sog", splats);
    const Gaussians found = readSplats(scratch.path() / "a.sog");
    for (size_t i = 0; i < 2000; ++i) {
        const auto k = static_cast<size_t>(std::lround(found.means[i].x));
        EXPECT_TRUE(k != 77 || glm::distance(found.sh[i], splats.sh[k]) < 0.02f);
        EXPECT_TRUE(k != 77 || glm::distance(found.logScales[i], splats.logScales[k]) < 0.1f);
        EXPECT_TRUE(k != 77 || std::abs(glm::dot(found.rotations[i], glm::normalize(splats.rotations[k]))) > 0.999f);
        EXPECT_NEAR(opacityOfLogit(found.logitOpacities[i]), k == 77 ? 1.0f / 255 : 0.25f / 255, 1e-6f) << k;
    }
}

/// The scales of the splats that are `chosen`, in order: files have splats in another.
template <class Chosen>
std::vector<float> sortedScales(const Gaussians& g, const Chosen& chosen) {
    std::vector<float> scales;
    for (size_t i = 0; i < g.count(); ++i)
        if (chosen(g, i)) scales.insert(scales.end(), {g.logScales[i].x, g.logScales[i].y, g.logScales[i].z});
    std::ranges::sort(scales);
    return scales;
}

/// Sum of what a file changes of them; infinite if it has another number of such splats.
template <class Chosen>
double scaleError(const Gaussians& written, const Gaussians& read, const Chosen& chosen) {
    const std::vector<float> expected = sortedScales(written, chosen), found = sortedScales(read, chosen);
    if (found.size() != expected.size()) return INFINITY;
    return std::transform_reduce(expected.begin(), expected.end(), found.begin(), 0.0, std::plus<>(),
                                 [](double a, double b) { return std::abs(a - b); });
}

/// 40 of 20,000 splats are a hundred times as large. If each splat counted alike, 19 of 256 scales would be theirs, and rounding would change
/// a logarithm by 0.02 in the mean.
TEST(SogWriter, ScalesOfLargeSplatsAreFine) {
    const Scratch scratch;
    Gaussians splats = randomSplats(20'000, 0);
    Rng rng(1);
    for (size_t i = 0; i < splats.count(); ++i) {
        const bool large = i % 500 == 0;
        for (int axis = 0; axis < 3; ++axis)
            splats.logScales[i][axis] = static_cast<float>(large ? rng.uniform(0, 1.5) : std::min(-4 + 0.5 * rng.normal(), -2.0));
        splats.logitOpacities[i] = 3;
    }
    writeSplats(scratch.path() / "a.sog", splats);
    const auto isLarge = [](const Gaussians& g, size_t i) { return g.logScales[i].x > -1; };
    const Gaussians read = readSplats(scratch.path() / "a.sog");
    ASSERT_EQ(sortedScales(read, isLarge).size(), 120u);
    EXPECT_LT(scaleError(splats, read, isLarge) / 120, 0.012);
}

/// Half of the splats are opaque, the others are four times as large in each direction and hardly seen.
TEST(SogWriter, ScalesOfOpaqueSplatsAreFinerThanThoseOfFog) {
    const Scratch scratch;
    Gaussians splats = randomSplats(20'000, 0);
    Rng rng(2);
    for (size_t i = 0; i < splats.count(); ++i) {
        const bool fog = i % 2 == 0;
        for (int axis = 0; axis < 3; ++axis) splats.logScales[i][axis] = static_cast<float>(rng.uniform(0, 0.5) - (fog ? 1 : 2.4));
        splats.logitOpacities[i] = fog ? -5 : 5;
    }
    writeSplats(scratch.path() / "a.sog", splats);
    const Gaussians read = readSplats(scratch.path() / "a.sog");
    const auto errorOf = [&](bool fog) {
        return scaleError(splats, read, [fog](const Gaussians& g, size_t i) { return fog == (g.logitOpacities[i] < 0); });
    };
    EXPECT_LT(errorOf(false), 0.6 * errorOf(true));
}

TEST(SogWriter, APaletteIsSharedByMoreSplatsThanItHasEntries) {
    const Scratch scratch;
    Gaussians splats = randomSplats(9000, 3);
    for (size_t i = 0; i < 9000; ++i)
        for (size_t k = 1; k < 16; ++k)
            splats.sh[16 * i + k] = 0.3f * glm::sin(splats.means[i] * (0.3f + 0.1f * static_cast<float>(k)) + static_cast<float>(k));
    writeSplats(scratch.path() / "a.sog", splats);
    const std::vector<std::byte> archive = readFile(scratch.path() / "a.sog");
    const ZipReader zip(scratch.path(), archive);
    const glm::ivec2 palette = losslessWebpSize("palette", zip.read("shN_centroids.webp"));
    EXPECT_EQ(palette.x, 64 * 15);
    EXPECT_LE(palette.y, 8192 / 64);
    EXPECT_GT(palette.y, 7500 / 64);
    const Gaussians found = readSplats(scratch.path() / "a.sog");
    double error = 0;
    for (size_t i = 0; i < 9000; ++i) {
        for (size_t k = 1; k < 16; ++k) {
            const glm::vec3 exact = 0.3f * glm::sin(found.means[i] * (0.3f + 0.1f * static_cast<float>(k)) + static_cast<float>(k));
            const glm::vec3 difference = found.sh[16 * i + k] - exact;
            error += static_cast<double>(glm::dot(difference, difference));
        }
    }
    EXPECT_LT(std::sqrt(error / (9000 * 45)), 0.011);  // of values whose root mean square is 0.2
}

/// A fifth of the splats cover most of the pictures, a fifth are as large and hardly opaque, and the rest are small.
TEST(SogWriter, EntriesOfTheirOwnGoToSplatsThatShowMost) {
    constexpr size_t kSplats = 3000, kMost = 2048, kDimensions = 9;
    Gaussians splats = randomSplats(kSplats, 1);
    Rng rng(3);
    for (size_t i = 0; i < kSplats; ++i) {
        splats.logScales[i] = glm::vec3(i % 5 < 2 ? -1.0f : -5.0f);
        splats.logitOpacities[i] = i % 5 == 1 ? -4.0f : 2.0f;
        for (size_t k = 1; k < 4; ++k) splats.sh[4 * i + k] = glm::vec3(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1));
    }
    const VectorClusters palette = sogPalette("a.sog", splats);
    const size_t entries = palette.centroids.size() / kDimensions;
    EXPECT_LE(entries, kMost);
    std::vector<std::array<double, kDimensions>> sums(entries);
    std::vector<size_t> members(entries);
    std::array<double, 5> errors{};
    for (size_t i = 0; i < kSplats; ++i) {
        const uint32_t label = palette.labels[i];
        ASSERT_LT(label, entries);
        ++members[label];
        for (size_t d = 0; d < kDimensions; ++d) {
            const double value = static_cast<double>(splats.sh[4 * i + 1 + d / 3][static_cast<int>(d % 3)]);
            sums[label][d] += value;
            errors[i % 5] += std::pow(value - static_cast<double>(palette.centroids[label * kDimensions + d]), 2);
        }
    }
    EXPECT_LT(errors[0], 0.05 * errors[1]);
    EXPECT_LT(errors[1], 2 * errors[2]);
    for (size_t g = 0; g < entries; ++g) {
        ASSERT_GT(members[g], 0u) << g;
        for (size_t d = 0; d < kDimensions; ++d)
            ASSERT_NEAR(sums[g][d] / static_cast<double>(members[g]), static_cast<double>(palette.centroids[g * kDimensions + d]), 1e-5);
    }
}

/// As many as the palette has entries, shared by more splats.
TEST(SogWriter, CoefficientsOfAPaletteStayAsTheyAre) {
    const Scratch scratch;
    Gaussians splats = randomSplats(3000, 1);
    const auto vectorOf = [](size_t i) { return glm::vec3(i % 16, i / 16 % 16, i % 2048 / 256) / 16.0f; };
    for (size_t i = 0; i < 3000; ++i) {
        splats.means[i] = glm::vec3(static_cast<float>(i), 0, 0);
        for (size_t k = 1; k < 4; ++k) splats.sh[4 * i + k] = vectorOf(i);
    }
    writeSplats(scratch.path() / "a.sog", splats);
    const Gaussians found = readSplats(scratch.path() / "a.sog");
    for (size_t i = 0; i < 3000; ++i)
        for (size_t k = 1; k < 4; ++k) ASSERT_EQ(found.sh[4 * i + k], vectorOf(static_cast<size_t>(std::lround(found.means[i].x))));
}

TEST(SogWriter, WhatTheReaderWouldTakeForABombIsRefused) {
    const Scratch scratch;
    Gaussians splats = randomSplats(1, 0);
    splats.resize(300'000, 0);
    const fs::path path = scratch.path() / "a.sog";
    expectInputError([&] { writeSplats(path, splats); }, {path.string(), "found 300000 splats", "expected at most 262144"});
    EXPECT_FALSE(fs::exists(path));
}

/// The last splats of the image's last row, and pixels that stand for none.
TEST(SogWriter, EveryCountFillsItsImages) {
    const Scratch scratch;
    for (const size_t count : {1u, 15u, 16u, 17u, 1023u, 1024u, 1025u}) {
        writeSplats(scratch.path() / "a.sog", randomSplats(count, 1));
        EXPECT_EQ(readSplats(scratch.path() / "a.sog").count(), count);
    }
}

}  // namespace
}  // namespace splat
