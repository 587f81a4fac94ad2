// Levels of detail on disk: what is written is read, by any part, and lists that lie are refused.
#include <splatwright/scene/formats/sog/streamed_sog_writer.h>

#include <numeric>

#include <splatwright/core/file.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/gaussians/selected.h>
#include "format_bounds.h"
#include "splat_samples.h"
#include "streamed_sog_samples.h"

namespace splat {
namespace {

using namespace test;
namespace fs = std::filesystem;

constexpr uint32_t kLevels = 3;
constexpr size_t kNodes = 7, kPerNode = 20, kPerFile = 50;

struct Written {
    std::vector<std::vector<Gaussians>> nodes;  ///< by node and level
    uint64_t bytes = 0;
};

/// Node n has 20, 10, 5 splats around (10 n, 0, 0), and the last none in the coarsest level.
Written write(const fs::path& path, int degree = 1) {
    Written written;
    StreamedSogWriter writer(path, kLevels, {}, kPerFile);
    for (size_t n = 0; n < kNodes; ++n) {
        std::vector<Gaussians> levels;
        for (uint32_t level = 0; level < kLevels; ++level) {
            Gaussians g = randomSplats(n + 1 == kNodes && level == 2 ? 0 : kPerNode >> level, degree);
            for (glm::vec3& mean : g.means) mean.x += 10 * static_cast<float>(n);
            levels.push_back(g);
        }
        const auto at = static_cast<float>(n);
        DetailNode node{.low = {10 * at - 3, -3, -3},
                        .high = {10 * at + 5, 5, 5},
                        .coreLow = {10 * at, 0, 0},
                        .coreHigh = {10 * at + 1, 2, 3},
                        .levels = {},
                        .errors = {0, at, at + 1},
                        .differences = {0, 0.5f, 1}};
        for (uint32_t level = 0; level < kLevels; ++level) node.levels.push_back(writer.append(level, levels[level]));
        writer.add(std::move(node));
        written.nodes.push_back(std::move(levels));
    }
    writer.finish();
    written.bytes = writer.bytes();
    return written;
}

/// Positions within what a SOG of this size rounds to.
void expectPlaces(const Gaussians& found, const Gaussians& expected) {
    ASSERT_EQ(found.count(), expected.count());
    for (size_t i = 0; i < found.count(); ++i) EXPECT_LT(glm::distance(found.means[i], expected.means[i]), 0.02f) << i;
}

TEST(StreamedSog, EveryPartIsWhereTheListSays) {
    const Scratch scratch;
    for (const char* name : {"folder/lod-meta.json", "scene.ssog"}) {
        SCOPED_TRACE(name);
        fs::create_directory(scratch.path() / "folder");
        const fs::path path = scratch.path() / name;
        const Written written = write(path);
        const StreamedSog scene(path);
        EXPECT_EQ(scene.levels(), kLevels);
        ASSERT_EQ(scene.nodes().size(), kNodes);
        EXPECT_EQ(scene.files(),
                  4u + 2u + 1u);  // 140 splats in files of at most 50, of whole nodes: 40, 40, 40, 20; then 50 and 20; then 30
        EXPECT_EQ(scene.count(0), kNodes * 20);
        EXPECT_EQ(scene.count(1), kNodes * 10);
        EXPECT_EQ(scene.count(2), (kNodes - 1) * 5);
        for (size_t n = 0; n < kNodes; ++n) {
            const DetailNode& node = scene.nodes()[n];
            const auto at = static_cast<float>(n);
            EXPECT_EQ(node.low, glm::vec3(10 * at - 3, -3, -3));
            EXPECT_EQ(node.high, glm::vec3(10 * at + 5, 5, 5));
            EXPECT_EQ(node.coreLow, glm::vec3(10 * at, 0, 0));
            EXPECT_EQ(node.coreHigh, glm::vec3(10 * at + 1, 2, 3));
            EXPECT_EQ(node.errors, (std::vector<float>{0, at, at + 1}));
            EXPECT_EQ(node.differences, (std::vector<float>{0, 0.5f, 1}));
            for (uint32_t level = 0; level < kLevels; ++level) {
                const SplatRange& range = node.levels[level];
                std::vector<uint32_t> indices(range.count);
                std::iota(indices.begin(), indices.end(), range.first);
                if (range.count > 0) expectPlaces(selected(scene.readFile(range.file), indices), written.nodes[n][level]);
            }
        }
    }
}

TEST(StreamedSog, AReaderOfSplatsTakesTheFinestLevel) {
    const Scratch scratch;
    fs::create_directory(scratch.path() / "folder");
    const Written written = write(scratch.path() / "folder/lod-meta.json", 2);
    write(scratch.path() / "scene.ssog", 2);
    Gaussians all;
    all.resize(0, 2);
    for (const auto& levels : written.nodes) append(all, levels[0]);
    for (const char* name : {"folder/lod-meta.json", "folder", "scene.ssog"}) {
        const Gaussians read = readSplats(scratch.path() / name);
        EXPECT_EQ(read.shDegree, 2);
        expectPlaces(read, all);
    }
}

/// What the fuzzers of lists and archives begin with.
TEST(StreamedSog, ASampleHasLevelsInSeveralFiles) {
    const Scratch scratch;
    const fs::path path = scratch.path() / "scene.ssog";
    writeStreamedSample(path, 1);
    const StreamedSog scene(path);
    EXPECT_EQ(scene.files(), 4u);
    EXPECT_EQ(scene.readLevel(0).count(), 15u);
    EXPECT_EQ(scene.count(1), 5u);
}

TEST(StreamedSog, TheListGoesFirstAndComesLast) {
    const Scratch scratch;
    const fs::path path = scratch.path() / "lod-meta.json";
    write(path);
    const StreamedSogWriter again(path, kLevels);
    EXPECT_FALSE(fs::exists(path)) << "a list of files that are about to be replaced";
}

/// A list of one file of five splats, and changes of it.
class StreamedSogList : public testing::Test {
protected:
    StreamedSogList() {
        StreamedSogWriter writer(path_, 2);
        writer.add({.low = glm::vec3(-3),
                    .high = glm::vec3(5),
                    .coreLow = glm::vec3(-1),
                    .coreHigh = glm::vec3(1),
                    .levels = {writer.append(0, randomSplats(5, 0)), writer.append(1, randomSplats(2, 0))},
                    .errors = {0, 1},
                    .differences = {}});
        writer.finish();
        list_ = readTextFile(path_);
    }
    void expectRefused(const std::string& from, const std::string& to, std::vector<std::string> parts) const {
        SCOPED_TRACE(to);
        std::string changed = list_;
        const size_t at = changed.find(from);
        ASSERT_NE(at, std::string::npos) << from;
        writeFileAtomically(path_, changed.replace(at, from.size(), to));
        parts.push_back(path_.string());
        expectInputError([&] { StreamedSog(path_).readLevel(0); }, parts);
    }

    const Scratch scratch_;
    const fs::path path_ = scratch_.path() / "lod-meta.json";
    std::string list_;
};

TEST_F(StreamedSogList, ThatLieAreRefusedByProperty) {
    expectRefused("\"version\":1", "\"version\":2", {"version is 2", "expected 1 or none"});
    expectRefused("\"lodLevels\":2", "\"lodLevels\":0", {"lodLevels is 0", "expected a whole number, 1 to 31"});
    expectRefused("\"lodLevels\":2", "\"lodLevels\":2e9", {"lodLevels is"});
    expectRefused("0_0/meta.json", "../meta.json", {"filenames is \"../meta.json\"", "below its own folder"});
    expectRefused("\"file\":0", "\"file\":2", {"file is 2", "expected a whole number, 0 to 1"});
    expectRefused("\"count\":5}", "\"count\":6}", {"0_0/meta.json has 5 splats", "expected at least 6"});
    expectRefused("\"count\":5}", "\"count\":2147483648}", {"has 5 splats", "expected at least 2147483648"});
    expectRefused("\"count\":5}", "\"count\":-1}", {"count is -1"});
    expectRefused("\"offset\":0", "\"offset\":1", {"has 5 splats", "expected at least 6"});
    expectRefused("\"pixelSizes\":[0,1]", "\"pixelSizes\":[0]", {"pixelSizes", "expected a list of 2"});
    expectRefused("\"pixelSizes\":[0,1]", "\"pixelSizes\":[0,-1]", {"pixelSizes is -1", "expected 0 and more"});
    expectRefused("\"min\":[-3", "\"min\":[null", {"min is null", "expected finite numbers"});
    expectRefused("\"tree\":{", "\"tree\":[{}],\"x\":{", {"tree: found [{}], expected an object"});
}

/// Ranges that name the same splats again and again would be as many splats as one likes.
TEST_F(StreamedSogList, RangesDoNotOverlap) {
    const size_t at = list_.find("\"tree\":") + 7;
    const std::string leaf = list_.substr(at, list_.size() - at - 1);
    expectRefused(leaf, R"({"children":[)" + leaf + "," + leaf + "]}", {"has 5 splats", "expected at least 10"});
}

/// Names that stand for one file would do the same.
TEST_F(StreamedSogList, NamesEachFileOnce) {
    const std::string files = R"(["0_0/meta.json","1_0/meta.json"])";
    expectRefused(files, R"(["0_0/meta.json","0_0/meta.json"])", {"filenames is \"0_0/meta.json\"", "expected each file once"});
    expectRefused(files, R"(["0_0/meta.json","0_0/./meta.json"])", {"filenames is \"0_0/./meta.json\"", "expected each file once"});
    expectRefused(files, R"(["0_0/meta.json","1_0/meta.json","0_0//meta.json"])", {"filenames is", "expected each file once"});
}

TEST_F(StreamedSogList, CutAnywhereIsRefused) {
    for (size_t size = 0; size < list_.size(); ++size) {
        writeFileAtomically(path_, list_.substr(0, size));
        expectInputError([&] { StreamedSog(path_).readLevel(0); }, {path_.string()});
    }
}

TEST_F(StreamedSogList, WithoutErrorsHasTheSpacingOfSplats) {
    const size_t from = list_.find(",\"pixelSizes\":[0,1]");
    writeFileAtomically(path_, std::string(list_).erase(from, 19));
    const DetailNode node = StreamedSog(path_).nodes().at(0);
    EXPECT_EQ(node.errors[0], 0);
    EXPECT_FLOAT_EQ(node.errors[1], glm::distance(node.low, node.high) / std::sqrt(2.0f));
}

}  // namespace
}  // namespace splat
