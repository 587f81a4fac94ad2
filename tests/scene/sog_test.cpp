#include "sog_samples.h"

#include <splatwright/scene/files/zip.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/formats/sog/sog.h>
#include "encoders.h"
#include "peak_memory.h"
#include "scratch.h"

namespace splat {
namespace {

using namespace test;
namespace fs = std::filesystem;

/// Replaces the first occurrence; fails if there is none.
std::string with(std::string text, const std::string& from, const std::string& to) {
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

struct Sog : testing::Test {
    const Gaussians splats = randomSplats(5, 2);
    const SogEncoder encoder{splats, 2};
    SogFiles files = encoder.files();
    const Scratch scratch;

    Gaussians readArchive() const { return readSplats(scratch.write("a.sog", storedZip(files))); }
    /// Writes the files to a folder and returns it.
    fs::path folder() const {
        for (const auto& [name, content] : files) scratch.write("model/" + name, content);
        return scratch.path() / "model";
    }
    void expectRefused(std::vector<std::string> parts) const {
        parts.emplace_back("a.sog");
        expectInputError([&] { readArchive(); }, parts);
    }
    void replaceInMeta(const std::string& from, const std::string& to) { files["meta.json"] = with(files["meta.json"], from, to); }
};

TEST_F(Sog, AFolderAndItsListAreTheModel) {
    const fs::path path = folder();
    expectNear(readSplats(path), splats, encoder.steps());
    expectNear(readSplats(path / "meta.json"), splats, encoder.steps());
    fs::rename(path / "meta.json", path / "other name");
    expectNear(readSplats(path / "other name"), splats, encoder.steps());
    expectInputError([&] { readSplats(path); }, {path.string(), "cannot be read", "is a directory"});
}

TEST_F(Sog, AFolderWithoutAnImageNamesIt) {
    const fs::path path = folder();
    fs::remove(path / "quats.webp");
    expectInputError([&] { readSplats(path); }, {(path / "quats.webp").string(), "cannot be read"});
}

TEST_F(Sog, Version1OfEveryDegree) {
    for (int degree = 0; degree <= kMaxShDegree; ++degree) {
        SCOPED_TRACE(degree);
        const SplatSample sample = sogSample(70, 1, degree);
        expectNear(readSplats(scratch.write("a.sog", sample.content)), sample.expected, sample.steps);
    }
}

TEST_F(Sog, SaysWhetherTheSplatsAreAntialiased) {
    EXPECT_FALSE(readArchive().antialiased);
    replaceInMeta(R"("version":2)", R"("version":2,"model":"antialiased")");
    EXPECT_TRUE(readArchive().antialiased);
}

TEST_F(Sog, NamesThatLeadOutOfTheFolderAreRefused) {
    scratch.write("secret.webp", files["quats.webp"]);
    for (const char* name : {"../secret.webp", "a/../../secret.webp", "/etc/passwd", "a\\\\b", "", "a\\u0000b", "c:/a", "a/"}) {
        SCOPED_TRACE(name);
        files = encoder.files();
        replaceInMeta("\"quats.webp\"", fmt::format("\"{}\"", name));
        expectRefused({"meta.json: quats: files is", "expected names of files below its own folder"});
        expectInputError([&] { readSplats(folder()); }, {"expected names of files below its own folder"});
    }
    files = encoder.files();
    replaceInMeta("\"quats.webp\"", "\"deeper/q..webp\"");
    files["deeper/q..webp"] = files["quats.webp"];
    fs::create_directories(folder() / "deeper");
    EXPECT_NO_THROW(readArchive());
}

TEST_F(Sog, WhatTheListLacksOrSaysWronglyIsNamed) {
    struct Case {
        std::string from, to;
        std::vector<std::string> parts;
    };
    for (const Case& c :
         {Case{R"("version":2)", R"("version":3)", {"version is 3", "expected 2"}},
          Case{R"("count":5)", R"("count":0)", {"count is 0", "expected a whole number, 1 to 268402689"}},
          Case{R"("count":5)", R"("count":4.5)", {"count is 4.5"}}, Case{R"("count":5)", R"("number":5)", {"has no count"}},
          Case{R"("mins":[-2,)", R"("mins":[)", {"means: mins is [-2,-2], expected a list of 3"}},
          Case{R"("mins":[-2,)", R"("mins":[null,)", {"means: mins is null, expected finite numbers"}},
          Case{R"("mins":[-2,)", R"("mins":[1e300,)", {"means: mins is 1e+300, expected finite numbers"}},
          Case{R"("mins":[-2,)", R"("mins":[-900,)", {"position of splat 0 is infinite"}},
          Case{R"("codebook":[)", R"("codebook":[0,)", {"scales: codebook is", "expected a list of 256"}},
          Case{R"("codebook":[)", R"("codebook":["a)", {"a.sog", "meta.json"}}, Case{R"("quats":{)", R"("quats":[{)", {"meta.json"}},
          Case{R"("bands":2)", R"("bands":4)", {"shN: bands is 4, expected a whole number, 1 to 3"}},
          Case{R"("bands":2)", R"("bands":3)", {"shN_centroids.webp: 512x1 pixels, expected a width of 960"}},
          Case{R"("count":5,"bands")", R"("count":65,"bands")", {"shN_centroids.webp", "2 to 1024 rows for 65 entries"}},
          Case{R"("count":5,"bands")", R"("count":4,"bands")", {"label of splat 4 is 4, expected at most 3"}}}) {
        SCOPED_TRACE(c.to);
        files = encoder.files();
        replaceInMeta(c.from, c.to);
        expectRefused(c.parts);
    }
    files["meta.json"] = "[]";
    expectRefused({"meta.json: found [], expected an object"});
    files.erase("meta.json");
    expectRefused({"the zip archive has no file 'meta.json'"});
}

TEST_F(Sog, AFirstEntryThatIsNoNumberContinuesTheOthers) {
    replaceInMeta(R"("codebook":[-12.8)", R"("codebook":[null)");
    EXPECT_EQ(readArchive().count(), 5u);
    Image8 black(4, 4, 4);
    files["scales.webp"] = losslessWebp(black);
    EXPECT_NEAR(readArchive().logScales[0].x, -12.7f + (-12.7f - 12.7f) / 255, 1e-5);
}

TEST_F(Sog, ImagesMustHaveAPixelPerSplatAndNotManyMore) {
    files["scales.webp"] = losslessWebp(Image8(2, 2, 4));
    expectRefused({"scales.webp: 2x2 pixels, expected 5 to", "one per splat"});
    files["scales.webp"] = plainWebp(16383, 16383);
    EXPECT_LT(peakOf([&] { expectRefused({"scales.webp: 16383x16383 pixels, expected 5 to", "one per splat"}); }), uint64_t{8} << 20U);
    files["scales.webp"] = encodeWebp(Image8(4, 4, 4), false);
    expectRefused({"scales.webp: lossy WebP, expected a lossless still picture"});
    files["scales.webp"] = "RIFF";
    expectRefused({"scales.webp: damaged or truncated WebP header"});
}

TEST_F(Sog, ACountThatTheFilesCannotHoldTakesNoMemory) {
    replaceInMeta(R"("count":5)", R"("count":268000000)");
    for (auto& [name, content] : files)
        if (name != "meta.json" && name != "shN_centroids.webp") content = plainWebp(16383, 16383);
    EXPECT_LT(peakOf([&] {
                  expectRefused({"the number of splats is 268000000, expected at most 262144", "bytes in total"});
              }),
              uint64_t{8} << 20U);
}

/// The archive with other sizes of one file, which is said to be deflated, in both of its headers.
std::string claiming(std::string archive, const std::string& name, uint32_t compressed, uint32_t size) {
    for (const auto& [signature, header, method] : {std::tuple(0x04034b50u, 30, 8), std::tuple(0x02014b50u, 46, 10)}) {
        const std::string start = Bytes().put(signature).content();
        for (size_t at = archive.find(start); at != std::string::npos; at = archive.find(start, at + 1)) {
            if (archive.substr(at + static_cast<size_t>(header), name.size()) != name) continue;
            const auto methodAt = at + static_cast<size_t>(method);
            archive[methodAt] = 8;
            archive.replace(methodAt + 10, 8, Bytes().put(compressed).put(size).content());
        }
    }
    return archive;
}

/// Deflate makes a thousandth of zeros.
TEST_F(Sog, AFileOfTheArchiveThatGrowsOutOfAllProportionIsRefused) {
    const std::string zeros(size_t{64} << 20U, '\0');
    std::string deflated(size_t{1} << 20U, '\0');
    auto size = static_cast<uLongf>(deflated.size());
    ASSERT_EQ(compress(reinterpret_cast<Bytef*>(deflated.data()), &size, reinterpret_cast<const Bytef*>(zeros.data()),
                       static_cast<uLong>(zeros.size())),
              Z_OK);
    files["quats.webp"] = deflated.substr(2, size - 6);  // without zlib's head and checksum
    const auto real = static_cast<uint32_t>(size - 6);
    for (const uint32_t compressed : {real, 500'000'000u}) {
        const fs::path path = scratch.write("a.sog", claiming(storedZip(files), "quats.webp", compressed, 64U << 20U));
        EXPECT_LT(
            peakOf([&] {
                expectInputError([&] { readSplats(path); }, {"a.sog", "'quats.webp' has 67108864 bytes from", "expected at most 1048576"});
            }),
            uint64_t{8} << 20U);
    }
}

TEST_F(Sog, AFileThatDiffersFromItsChecksumIsRefused) {
    std::string archive = storedZip(files);
    const size_t at = archive.find("RIFF");
    archive[at + 30] = static_cast<char>(archive[at + 30] ^ 1);
    expectInputError([&] { readSplats(scratch.write("a.sog", archive)); }, {"a.sog", "means_l.webp' in the zip archive is damaged", "CRC"});
}

TEST_F(Sog, AnUnknownRotationIsNone) {
    Image8 pixels(4, 4, 4);
    std::ranges::fill(pixels.pixels, uint8_t{100});
    files["quats.webp"] = losslessWebp(pixels);
    for (const glm::vec4& rotation : readArchive().rotations) EXPECT_EQ(rotation, glm::vec4(1, 0, 0, 0));
}

TEST(Zip, ArchivesHoldWhatWasPackedWhateverTheTime) {
    const auto bytes = [](std::string_view text) {
        const auto all = std::as_bytes(std::span(text));
        return std::vector<std::byte>(all.begin(), all.end());
    };
    const std::vector<ZipEntry> entries{{"a", bytes("content")}, {"empty", {}}, {"folder/b", bytes(std::string(100'000, 'x'))}};
    const std::vector<std::byte> archive = packZip(entries);
    const fs::path path = "archive";
    const ZipReader reader(path, archive);
    for (const ZipEntry& entry : entries) EXPECT_EQ(reader.read(entry.name), entry.bytes) << entry.name;
    expectInputError([&] { reader.read("b"); }, {"archive", "no file 'b'"});
    EXPECT_EQ(archive.size(), 100'007 + 3 * (30 + 46) + 2 * (1 + 5 + 8) + 22);
    // Time and date of the first local header: midnight of the format's first day.
    EXPECT_EQ(std::to_integer<int>(archive[10]) | std::to_integer<int>(archive[11]) << 8, 0);
    EXPECT_EQ(std::to_integer<int>(archive[12]) | std::to_integer<int>(archive[13]) << 8, 0x21);
}

}  // namespace
}  // namespace splat
