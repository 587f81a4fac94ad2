// Models in blocks: reading and writing them gives what reading and writing the whole gives, and no more is in memory than some of them.
#include <splatwright/scene/formats/splat_blocks.h>

#include <limits>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/formats/ply.h>
#include "expect_same.h"
#include "format_samples.h"
#include "peak_memory.h"

namespace splat {
namespace {

using namespace test;
namespace fs = std::filesystem;

/// Blocks of other sizes than those of files, one of them without splats.
class UnevenBlocks : public SplatBlocks {
public:
    explicit UnevenBlocks(const Gaussians& gaussians)
        : SplatBlocks(formOf(gaussians), countsOf(gaussians.count())), gaussians_(gaussians) {}
    void visit(size_t block, const Body& body) const override { body(gaussians_, start(block), start(block + 1)); }

private:
    static std::vector<size_t> countsOf(size_t count) { return {count / 3, 0, count - count / 3 - count / 5, count / 5}; }

    const Gaussians& gaussians_;
};

/// Splats with a column of extras and normals.
Gaussians withExtras(size_t count, int degree) {
    Gaussians g = randomSplats(count, degree);
    for (const char* name : {"nx", "ny", "nz", "label"}) g.extras.push_back({name, PlyType::float32, {}});
    g.resize(count, degree);
    for (ExtraColumn& column : g.extras)
        if (!column.values.empty()) column.values.back() = std::byte{0x40};
    return g;
}

/// The first writer of a format that is read in blocks, and a path with its extension.
fs::path writtenBy(const SplatFormat& format, const Scratch& scratch, const Gaussians& g) {
    const fs::path path = scratch.path() / (std::string("a") + format.extension);
    format.writers.front().write(path, g);
    return path;
}

TEST(SplatBlocks, OfAFileAreTheWholeFile) {
    const Scratch scratch;
    size_t formats = 0;
    for (const SplatFormat* format : splatFormats()) {
        if (!format->open) continue;
        ++formats;
        for (const size_t count : {1U, 4095U, 4096U, 4097U, 9000U}) {
            SCOPED_TRACE(fmt::format("{} splats as {}", count, format->name));
            const fs::path path = writtenBy(*format, scratch, withExtras(count, 2));
            const auto blocks = openSplats(path);
            ASSERT_TRUE(blocks);
            EXPECT_EQ(blocks->count(), count);
            EXPECT_EQ(blocks->blocks(), (count + 4095) / 4096);
            expectSame(readBlocks(*blocks), readSplats(path));
        }
    }
    EXPECT_EQ(formats, 5U) << "PLY, compressed PLY, .splat, SOG, SPZ";
}

TEST(SplatBlocks, OfSamplesAreTheWholeFile) {
    const Scratch scratch;
    for (const SplatFormat* format : splatFormats()) {
        if (!format->open) continue;
        for (const SplatSample& sample : kSplatSamples.at(format->name)()) {
            SCOPED_TRACE(fmt::format("{}: {}", format->name, sample.name));
            const fs::path path = scratch.write(std::string("a") + format->extension, sample.content);
            const auto blocks = format->open(path);
            ASSERT_TRUE(blocks);
            expectSame(readBlocks(*blocks), format->read(path));
        }
    }
}

TEST(SplatBlocks, AreWrittenAsTheWholeIs) {
    const Scratch scratch;
    for (const SplatWriter* writer : splatWriters()) {
        if (!writer->writeBlocks) continue;
        for (const size_t count : {1U, 7U, 9000U})
            for (const int degree : {0, 3}) {
                SCOPED_TRACE(fmt::format("{} splats of degree {} as {}", count, degree, writer->name));
                const Gaussians g = withExtras(count, degree);
                writer->write(scratch.path() / "whole", g);
                writer->writeBlocks(scratch.path() / "blocks", UnevenBlocks(g));
                EXPECT_EQ(readFile(scratch.path() / "blocks"), readFile(scratch.path() / "whole"));
            }
    }
}

TEST(SplatBlocks, OfAFileAreWrittenAsTheWholeIs) {
    const Scratch scratch;
    const fs::path in = scratch.path() / "a.ply";
    writePly(in, withExtras(9000, 1));
    const Gaussians g = readSplats(in);
    for (const SplatWriter* writer : splatWriters()) {
        if (!writer->writeBlocks) continue;
        SCOPED_TRACE(writer->name);
        writer->write(scratch.path() / "whole", g);
        writer->writeBlocks(scratch.path() / "blocks", *openSplats(in));
        EXPECT_TRUE(readFile(scratch.path() / "blocks") == readFile(scratch.path() / "whole"));
    }
}

TEST(SplatBlocks, AFileThatIsReadAsAWholeHasNone) {
    const Scratch scratch;
    writePlyAscii(scratch.path() / "a.ply", randomSplats(5, 1));
    EXPECT_FALSE(openSplats(scratch.path() / "a.ply"));
}

TEST(SplatBlocks, NormalsAreExtrasUnlessAllAreZero) {
    const Scratch scratch;
    const fs::path path = scratch.path() / "a.ply";
    Gaussians g = randomSplats(9000, 0);
    writePly(path, g);
    EXPECT_TRUE(openSplats(path)->form().extras.empty());
    for (const char* name : {"nx", "ny", "nz"}) g.extras.push_back({name, PlyType::float32, std::vector<std::byte>(4 * g.count())});
    g.extras[1].values[size_t{4} * 8999] = std::byte{1};
    writePly(path, g);
    EXPECT_EQ(openSplats(path)->form().extras.size(), 3U);
    expectSame(readBlocks(*openSplats(path)), g);
}

TEST(SplatBlocks, ErrorsCountSplatsFromTheFilesBeginning) {
    const Scratch scratch;
    Gaussians g = randomSplats(9000, 1);
    g.logScales[5000].y = std::numeric_limits<float>::quiet_NaN();
    for (const SplatWriter* writer : splatWriters()) {
        if (!writer->writeBlocks || std::string_view(writer->name).starts_with("ply")) continue;
        const fs::path path = scratch.path() / "none";
        expectInputError([&] { writer->writeBlocks(path, UnevenBlocks(g)); }, {path.string(), "scale of splat 5000 is infinite or NaN"});
        expectInputError([&] { writer->writeBlocks(path, UnevenBlocks(randomSplats(0, 1))); }, {path.string(), "found no splats"});
        EXPECT_FALSE(fs::exists(path));
    }
    writePly(scratch.path() / "a.ply", g);
    expectInputError([&] { readBlocks(*openSplats(scratch.path() / "a.ply")); }, {"property scale_1 of row 5000 is nan"});
    g.logScales[5000].y = 0;
    writeSplats(scratch.path() / "a.splat", g);
    std::string records = readTextFile(scratch.path() / "a.splat");
    records.replace(32 * 6000 + 4, 4, "\xff\xff\xff\xff");
    expectInputError([&] { readBlocks(*openSplats(scratch.write("a.splat", records))); }, {"a.splat", "position of splat 6000"});
}

/// 150,000 splats of degree 3 are 35 MB.
TEST(SplatBlocks, AreNotInMemoryAllAtOnce) {
    const Scratch scratch;
    for (const char* name : {"a.ply", "a.compressed.ply", "a.spz"}) {
        const fs::path in = scratch.path() / name;
        writeSplats(in, randomSplats(150'000, 3));
        for (const char* to : {"ply", "glb", "spz"}) {
            const uint64_t blocks = peakOf([&] { splatWriterByName(to).writeBlocks(scratch.path() / "out", *openSplats(in)); });
            const uint64_t whole = peakOf([&] { splatWriterByName(to).write(scratch.path() / "out", readSplats(in)); });
            EXPECT_GT(whole, 30U << 20U) << name << " to " << to;
            EXPECT_LT(static_cast<double>(blocks), 0.6 * static_cast<double>(whole)) << name << " to " << to;
        }
    }
}

}  // namespace
}  // namespace splat
