#include <splatwright/scene/formats/formats.h>

#include <set>

#include "format_samples.h"

namespace splat {
namespace {

using namespace test;
namespace fs = std::filesystem;

/// Every row of the table is a parameter: a new row needs samples, and gets all of these tests for them.
class EveryFormat : public testing::TestWithParam<const SplatFormat*> {
protected:
    void SetUp() override { ASSERT_TRUE(kSplatSamples.contains(GetParam()->name)) << "add samples of this row to kSplatSamples"; }

    static std::vector<SplatSample> samples() { return kSplatSamples.at(GetParam()->name)(); }
    static std::string fileName() { return fmt::format("a{}", GetParam()->extension); }

    const Scratch scratch;
};

bool isFinite(glm::vec3 v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

/// Reads a file that may be damaged: what is taken for a model must be one.
void readSound(const fs::path& path) {
    const Gaussians g = readSplats(path);
    const size_t coefficients = shCoefficients(g.shDegree);
    ASSERT_EQ(g.sh.size(), g.count() * coefficients);
    for (size_t i = 0; i < g.count(); ++i) {
        EXPECT_TRUE(isFinite(g.means[i]) && isFinite(g.logScales[i]) && std::isfinite(g.logitOpacities[i])) << path;
        EXPECT_GT(glm::length(g.rotations[i]), 0) << path;
    }
    for (const glm::vec3& coefficient : g.sh) EXPECT_TRUE(isFinite(coefficient)) << path;
}

TEST_P(EveryFormat, ReadsWhatTheBytesSay) {
    for (const SplatSample& sample : samples()) {
        SCOPED_TRACE(sample.name);
        expectNear(readSplats(scratch.write(fileName(), sample.content)), sample.expected, sample.steps);
    }
}

TEST_P(EveryFormat, IsKnownByItsStartOrElseByItsName) {
    const SplatSample sample = samples().front();
    EXPECT_EQ(readSplats(scratch.write("A MODEL" + fileName().substr(1), sample.content)).count(), 1u);
    std::string shouted = fileName();
    for (char& c : shouted) c = static_cast<char>(std::toupper(c));
    EXPECT_EQ(readSplats(scratch.write(shouted, sample.content)).count(), 1u);
    if (!GetParam()->recognises) return;
    EXPECT_EQ(readSplats(scratch.write("model", sample.content)).count(), 1u);
    for (const SplatFormat* other : splatFormats()) {
        expectNear(readSplats(scratch.write(std::string("b") + other->extension, sample.content)), sample.expected, sample.steps);
    }
}

TEST_P(EveryFormat, EveryPrefixIsRefused) {
    expectEveryPrefixToFail(scratch, fileName(), samples().front().content, [](const fs::path& path) { readSplats(path); });
}

TEST_P(EveryFormat, DamagedBytesAreAnErrorOrAModel) { expectDamageToBeHarmless(scratch, fileName(), samples().front().content, readSound); }

TEST_P(EveryFormat, AMissingFileAndAFolderAreNamed) {
    expectInputError([&] { readSplats(scratch.path() / fileName()); }, {fileName(), "cannot be read"});
    fs::create_directory(scratch.path() / fileName());
    expectInputError([&] { readSplats(scratch.path() / fileName()); }, {fileName(), "cannot be read"});
}

INSTANTIATE_TEST_SUITE_P(Rows, EveryFormat, testing::ValuesIn(splatFormats().begin(), splatFormats().end()), rowName);

TEST(Formats, NamesAndExtensionsTellTheRowsApart) {
    std::set<std::string> names, extensions;
    for (const SplatFormat* format : splatFormats()) {
        EXPECT_TRUE(names.insert(format->name).second) << format->name;
        EXPECT_TRUE(extensions.insert(format->extension).second) << format->extension;
        EXPECT_TRUE(std::string_view(format->extension).starts_with('.')) << format->extension;
        EXPECT_NE(splatFormatNames().find(format->name), std::string::npos);
    }
}

TEST(Formats, AnUnknownFileListsTheKnownOnes) {
    const Scratch scratch;
    for (const char* content : {"", "GIF89a", "solid cube"}) {
        const std::string message = inputErrorOf([&] { readSplats(scratch.write("cat.gif", content)); });
        EXPECT_NE(message.find("cat.gif"), std::string::npos) << message;
        for (const SplatFormat* format : splatFormats()) {
            EXPECT_NE(message.find(fmt::format("{} (*{})", format->name, format->extension)), std::string::npos) << message;
        }
    }
}

}  // namespace
}  // namespace splat
