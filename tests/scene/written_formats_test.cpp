// What every writer keeps: files are read again and compared, attribute by attribute, with the bounds of format_bounds.h.
#include <numbers>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/rng.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/formats/page/page_viewer.h>
#include <splatwright/scene/formats/quantised.h>
#include "format_bounds.h"
#include "scratch.h"

namespace splat {
namespace {

using namespace test;
namespace fs = std::filesystem;

constexpr float kExtent = 10;

/// Splats with different places, colours within 0..1 and coefficients within -1..1.
Gaussians someSplats(size_t count, int degree, uint32_t seed = 1) {
    Rng rng(seed);
    const auto within = [&](float low, float high) { return low + (high - low) * static_cast<float>(rng.uniform()); };
    Gaussians g;
    g.resize(count, degree);
    for (size_t i = 0; i < count; ++i) {
        g.means[i] = {within(0, kExtent), within(-kExtent, 0), within(5, 5 + kExtent)};
        g.rotations[i] = glm::vec4(within(-1, 1), within(-1, 1), within(-1, 1), within(0.1f, 1)) * within(0.5f, 2);
        g.logScales[i] = {within(-7, 1), within(-7, 1), within(-7, 1)};
        g.logitOpacities[i] = within(-5, 5);
    }
    const size_t coefficients = shCoefficients(degree);
    for (size_t k = 0; k < g.sh.size(); ++k) {
        const bool constant = k % coefficients == 0;
        const glm::vec3 value{within(0, 1), within(0, 1), within(0, 1)};
        g.sh[k] = constant ? dcOfColour(value) : 2.0f * value - 1.0f;
    }
    return g;
}

double degreesBetween(glm::vec4 a, glm::vec4 b) {
    const glm::dvec4 p = glm::normalize(glm::dvec4(a)), q = glm::normalize(glm::dvec4(b));
    const double sine = std::min(glm::length(p - q), glm::length(p + q)) / 2;
    return 4 * std::asin(std::min(1.0, sine)) * 180 / std::numbers::pi;
}

double largest(glm::vec3 v) { return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}); }

/// Index of the expected splat for each found one: writers may change the order.
std::vector<size_t> matches(const Gaussians& found, const Gaussians& expected) {
    std::vector<size_t> nearest(found.count());
    for (size_t i = 0; i < found.count(); ++i) {
        float best = std::numeric_limits<float>::max();
        for (size_t k = 0; k < expected.count(); ++k) {
            const float distance = glm::distance(found.means[i], expected.means[k]);
            if (distance < best) best = distance, nearest[i] = k;
        }
    }
    return nearest;
}

/// The largest difference of each attribute.
FormatBounds differences(const Gaussians& found, const Gaussians& expected) {
    FormatBounds worst;
    const size_t coefficients = shCoefficients(found.shDegree), all = shCoefficients(expected.shDegree);
    const auto raise = [](double& value, double by) { value = std::max(value, by); };
    const std::vector<size_t> match = matches(found, expected);
    for (size_t i = 0; i < found.count(); ++i) {
        const size_t k = match[i];
        raise(worst.position, largest(found.means[i] - expected.means[k]) / kExtent);
        raise(worst.rotation, degreesBetween(found.rotations[i], expected.rotations[k]));
        raise(worst.logScale, largest(found.logScales[i] - expected.logScales[k]));
        raise(worst.opacity, std::abs(opacityOfLogit(found.logitOpacities[i]) - opacityOfLogit(expected.logitOpacities[k])));
        raise(worst.colour, largest(colourOfDc(found.sh[i * coefficients]) - colourOfDc(expected.sh[k * all])));
        for (size_t c = 1; c < coefficients; ++c) raise(worst.sh, largest(found.sh[i * coefficients + c] - expected.sh[k * all + c]));
    }
    std::vector<size_t> each = match;
    std::ranges::sort(each);
    EXPECT_EQ(std::ranges::unique(each).size(), 0u) << "two splats became one";
    return worst;
}

void expectWithin(const FormatBounds& worst, const FormatBounds& bounds) {
    constexpr double kFloat = 1e-6;  // of what is exact but for 32-bit floats
    EXPECT_LE(worst.position, bounds.position + kFloat);
    EXPECT_LE(worst.rotation, bounds.rotation + 2e-4);
    EXPECT_LE(worst.logScale, bounds.logScale + kFloat);
    EXPECT_LE(worst.opacity, bounds.opacity + kFloat);
    EXPECT_LE(worst.colour, bounds.colour + kFloat);
    EXPECT_LE(worst.sh, bounds.sh + kFloat);
}

class EveryWriter : public testing::TestWithParam<const SplatWriter*> {
protected:
    void SetUp() override {
        ASSERT_TRUE(kFormatBounds.contains(GetParam()->name)) << "add this writer's bounds to kFormatBounds";
        if (extension() == ".html" && pageViewer().empty())
            GTEST_SKIP() << "built without the viewer of pages: ./bootstrap.sh deps downloads it";
    }

    const FormatBounds& bounds() const { return kFormatBounds.at(GetParam()->name); }
    /// Reads what was written by the content alone, or by the extension where a format has no signature.
    Gaussians again(const Gaussians& gaussians) const {
        const fs::path path = scratch.path() / ("model" + extension());
        GetParam()->write(path, gaussians);
        return readSplats(path);
    }
    std::string extension() const {
        for (const SplatFormat* format : splatFormats())
            for (const SplatWriter& writer : format->writers)
                if (&writer == GetParam()) return format->extension;
        return "";
    }

    const Scratch scratch;
};

TEST_P(EveryWriter, KeepsEveryAttributeWithinItsBounds) {
    for (const size_t count : {1u, 2u, 255u, 256u, 257u, 700u})
        for (int degree = 0; degree <= kMaxShDegree; ++degree) {
            SCOPED_TRACE(fmt::format("{} splats of degree {}", count, degree));
            const Gaussians gaussians = someSplats(count, degree);
            const Gaussians found = again(gaussians);
            ASSERT_EQ(found.count(), count);
            EXPECT_EQ(found.shDegree, std::min(degree, bounds().shDegree));
            expectWithin(differences(found, gaussians), bounds());
        }
}

TEST_P(EveryWriter, SaysWhetherTheSplatsAreAntialiased) {
    for (const bool antialiased : {false, true}) {
        Gaussians gaussians = someSplats(5, 1);
        gaussians.antialiased = antialiased;
        EXPECT_EQ(again(gaussians).antialiased, antialiased && bounds().antialiased);
    }
}

TEST_P(EveryWriter, TakesTheEndsOfOpacityScaleAndColour) {
    Gaussians gaussians = someSplats(6, 3);
    gaussians.logitOpacities = {-100, -20, 20, 100, 0, 0};
    gaussians.logScales[4] = glm::vec3(-100);
    gaussians.logScales[5] = glm::vec3(100, 0, -100);
    for (size_t k = 0; k < 32; ++k) gaussians.sh[k] = glm::vec3(k % 2 ? 1e6f : -1e6f);
    const Gaussians found = again(gaussians);
    ASSERT_EQ(found.count(), 6u);
    EXPECT_NO_THROW(requireFinite("found", found));
    const std::vector<size_t> match = matches(found, gaussians);
    for (size_t i = 0; i < found.count(); ++i)
        EXPECT_NEAR(opacityOfLogit(found.logitOpacities[i]), opacityOfLogit(gaussians.logitOpacities[match[i]]), 0.004);
}

TEST_P(EveryWriter, WritesTheSameBytesAgain) {
    const Gaussians gaussians = someSplats(300, 3);
    const fs::path folders[] = {scratch.path() / "a", scratch.path() / "b"};  // a page has its file's name in it
    for (const fs::path& folder : folders) {
        fs::create_directory(folder);
        GetParam()->write(folder / "model", gaussians);
    }
    EXPECT_EQ(readFile(folders[0] / "model"), readFile(folders[1] / "model"));
}

TEST_P(EveryWriter, AFileThatCannotBeWrittenIsNamedAndAnOldOneStays) {
    const fs::path missing = scratch.path() / "none" / "a";
    try {
        GetParam()->write(missing, someSplats(3, 0));
        ADD_FAILURE() << "expected an error";
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find(missing.string()), std::string::npos) << e.what();
    }
    const fs::path old = scratch.write("old", "content");
    Gaussians bad = someSplats(3, 0);
    bad.means[1].y = std::numeric_limits<float>::quiet_NaN();
    if (bounds().anyFloat) return;
    expectInputError([&] { GetParam()->write(old, bad); }, {old.string(), "position of splat 1"});
    expectInputError([&] { GetParam()->write(old, someSplats(0, 0)); }, {old.string(), "no splats"});
    EXPECT_EQ(fs::file_size(old), 7u);
}

/// A writer as part of a test's name.
std::string writerName(const testing::TestParamInfo<const SplatWriter*>& writer) {
    std::string name = writer.param->name;
    std::ranges::replace_if(
        name, [](char c) { return !std::isalnum(c); }, '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Writers, EveryWriter, testing::ValuesIn(splatWriters()), writerName);

TEST(Writers, HaveNamesOfTheirOwnAndAnExtensionEach) {
    std::vector<std::string_view> names;
    for (const SplatWriter* writer : splatWriters()) names.emplace_back(writer->name);
    std::ranges::sort(names);
    EXPECT_TRUE(std::ranges::unique(names).empty());
    for (const SplatFormat* format : splatFormats()) {
        const fs::path path = std::string("a") + format->extension;
        if (format->writers.empty())
            expectInputError([&] { splatWriterOf(path); }, {path.string(), format->name, "only read", "PLY (*.ply)"});
        else
            EXPECT_EQ(&splatWriterOf(path), &format->writers.front());
    }
    expectInputError([] { splatWriterOf("a.doc"); }, {"a.doc", "no splat file", "PLY (*.ply)"});
}

TEST(Writers, HaveTheirBoundsInTheReadme) {
    const std::string page = readTextFile(fs::path(SPLAT_SHADERS).parent_path() / "engine/scene/formats/README.md");
    for (const auto& [name, b] : kFormatBounds) {
        const std::string sh = b.shDegree > 0 ? fmt::format(" {} ", b.sh) : " ";
        const std::string row = fmt::format("| `{}` | {} | {} | {:g} | {} | {} |{}| {} | {} |\n", name, b.position, b.rotation, b.logScale,
                                            b.opacity, b.colour, sh, b.shDegree, b.antialiased ? "kept" : "lost");
        EXPECT_NE(page.find(row), std::string::npos) << "expected the row " << row;
    }
}

}  // namespace
}  // namespace splat
