#include "spz_samples.h"

#include <splatwright/scene/formats/formats.h>
#include "scratch.h"

namespace splat {
namespace {

using namespace test;

Gaussians readContent(const std::string& content) {
    const Scratch scratch;
    return readSplats(scratch.write("a.spz", content));
}

Gaussians read(const SpzFile& file) { return readContent(file.content()); }

void expectRefused(const std::string& content, std::vector<std::string> parts) {
    parts.emplace_back("a.spz");
    expectInputError([&] { readContent(content); }, parts);
}

std::string bytes(std::initializer_list<int> values) {
    std::string content;
    for (const int value : values) content += static_cast<char>(value);
    return content;
}

/// Opacity, colour and scale of one splat.
const std::string kMiddle = bytes({51, 255, 0, 51, 160, 176, 144});

void expectMiddle(const Gaussians& g) {
    EXPECT_NEAR(g.logitOpacities[0], std::log(0.25), 1e-6);  // 51 / 255 = 0.2
    EXPECT_LT(glm::distance(g.sh[0], glm::vec3(0.5f, -0.5f, -0.3f) / 0.15f), 1e-5);
    EXPECT_EQ(g.logScales[0], glm::vec3(0, 1, -1));
}

TEST(Spz, ReadsVersion1ByHand) {
    const std::string halves = Bytes().put(uint16_t{0x3c00}).put(uint16_t{0xc000}).put(uint16_t{0x3800}).content();
    const Gaussians g = read({.version = 1, .count = 1, .blocks = {halves, kMiddle, bytes({0, 255, 128})}});
    EXPECT_EQ(g.means[0], glm::vec3(1, 2, -0.5f));  // 1, -2, 0.5 in the file's frame
    EXPECT_LT(glm::distance(g.rotations[0], glm::normalize(glm::vec4(0, -1, -1, 0))), 0.01f);
    expectMiddle(g);
}

TEST(Spz, ReadsVersion2ByHand) {
    const std::string fixed = bytes({0x00, 0x01, 0x00, 0x80, 0xff, 0xff, 0x00, 0x00, 0x80});  // 256, -128, the least
    const Gaussians g = read({.version = 2, .count = 1, .fractionalBits = 8, .blocks = {fixed, kMiddle, bytes({204, 51, 128})}});
    EXPECT_EQ(g.means[0], glm::vec3(1, 0.5f, 32768));
    EXPECT_LT(glm::distance(g.rotations[0], glm::vec4(std::sqrt(0.28f), 0.6f, 0.6f, 0)), 0.01f);
    expectMiddle(g);
}

/// One splat a byte, all of whose attributes hold that byte; expected values are worked out in double precision from the format's description.
TEST(Spz, EveryByteOfEveryVersionIsReadToTheLastDigit) {
    for (const uint32_t version : {1u, 2u, 3u, 4u}) {
        SpzFile file{.version = version, .count = 256, .degree = 1, .blocks = std::vector<std::string>(6)};
        for (int b = 0; b < 256; ++b) {
            file.blocks[0] += std::string(version == 1 ? 6 : 9, '\0');
            file.blocks[1] += bytes({b});
            file.blocks[2] += bytes({b, b, b});
            file.blocks[3] += bytes({b, b, b});
            file.blocks[4] += version < 3 ? bytes({b, 127, 128}) : bytes({0, 0, 0, 0});
            file.blocks[5] += std::string(9, static_cast<char>(b));
        }
        const Gaussians g = read(file);
        ASSERT_EQ(g.count(), 256u);
        for (size_t b = 0; b < 256; ++b) {
            SCOPED_TRACE(testing::Message() << "version " << version << ", byte " << b);
            const auto byte = static_cast<double>(b);
            for (int k = 0; k < 3; ++k) {
                EXPECT_NEAR(g.logScales[b][k], byte / 16 - 10, 1e-6);
                EXPECT_NEAR(g.sh[4 * b][k], (byte / 255 - 0.5) / 0.15, 1e-5);
                EXPECT_NEAR(std::abs(g.sh[4 * b + 1][k]), std::abs(byte - 128) / 128, 1e-6);
            }
            if (b > 0 && b < 255) {
                EXPECT_NEAR(g.logitOpacities[b], std::log(byte / (255 - byte)), 1e-5);
            }
            if (version > 2) continue;
            const glm::dvec3 xyz(byte / 127.5 - 1, 127 / 127.5 - 1, 128 / 127.5 - 1);
            const double w = std::sqrt(std::max(0.0, 1 - glm::dot(xyz, xyz)));
            const glm::dvec4 expected = glm::normalize(glm::dvec4(w, xyz.x, -xyz.y, -xyz.z));  // y and z point the other way in a PLY
            EXPECT_LT(glm::distance(glm::dvec4(g.rotations[b]), expected), 1e-6);
        }
    }
}

TEST(Spz, ReadsVersion3ByHand) {
    // The largest is z (2 of x, y, z, w); x = -511/511, y = 100/511, w = 511/511 of the root of one half.
    const uint32_t word = 2u << 30u | (512u | 300u) << 20u | 100u << 10u | 200u;
    const Gaussians g = read({.count = 1, .blocks = {std::string(9, '\0'), kMiddle, Bytes().put(word).content()}});
    const float x = -300 / 511.0f * std::sqrt(0.5f), y = -x / 3, w = -x / 1.5f;
    EXPECT_LT(glm::distance(g.rotations[0], glm::vec4(w, x, -y, -std::sqrt(1 - x * x - y * y - w * w))), 1e-5);
    expectMiddle(g);
}

TEST(Spz, TheFlagTellsAnAntialiasedModel) {
    SpzFile file = spzFile(randomSplats(2, 0), 3, kRightUpBack);
    EXPECT_FALSE(read(file).antialiased);
    file.flags = 1;
    EXPECT_TRUE(read(file).antialiased);
}

std::string coordinateSystem(uint32_t system) { return Bytes().put(uint32_t{0xadbe0003}).put(uint32_t{4}).put(system).content(); }

/// The same model in all eight frames is one model: positions, rotations and the colour from every side.
TEST(Spz, TheExtensionTellsTheCoordinateSystem) {
    const Gaussians g = randomSplats(4, 3);
    const Steps steps = spzSample(1, 3, 3).steps;
    const std::array<std::string, 8> systems{"LDB", "RDB", "LUB", "RUB", "LDF", "RDF", "LUF", "RUF"};
    for (const uint32_t version : {3u, 4u}) {
        for (uint32_t i = 0; i < systems.size(); ++i) {
            SCOPED_TRACE(systems[i]);
            const auto sign = [&](size_t axis, char same) { return systems[i][axis] == same ? 1.0f : -1.0f; };
            SpzFile file = spzFile(g, version, {sign(0, 'R'), sign(1, 'D'), sign(2, 'F')});
            file.flags = 2;
            file.extensions = Bytes().put(uint32_t{0xdead0001}).put(uint32_t{3}).content() + "abc" + coordinateSystem(i + 1);
            expectNear(read(file), g, steps);
            file.flags = 0;  // then what is there is nobody's
            if (systems[i] == "RUB") expectNear(read(file), g, steps);
        }
    }
}

/// From the ninth on, y and z of the letters before change places.
TEST(Spz, TheExtensionTellsCoordinateSystemsWithZUpOrDown) {
    const Gaussians g = randomSplats(1, 0);
    const std::array<std::string, 8> systems{"LFD", "RFD", "LFU", "RFU", "LBD", "RBD", "LBU", "RBU"};
    for (uint32_t i = 0; i < systems.size(); ++i) {
        SCOPED_TRACE(systems[i]);
        SpzFile file = spzFile(g, 3, glm::vec3(1));
        file.flags = 2;
        file.extensions = coordinateSystem(9 + i);
        const glm::vec3 p = g.means[0];
        const glm::vec3 right = systems[i][0] == 'R' ? glm::vec3(p.x, 0, 0) : glm::vec3(-p.x, 0, 0);
        const glm::vec3 front = systems[i][1] == 'F' ? glm::vec3(0, 0, p.y) : glm::vec3(0, 0, -p.y);
        const glm::vec3 down = systems[i][2] == 'D' ? glm::vec3(0, p.z, 0) : glm::vec3(0, -p.z, 0);
        EXPECT_LT(glm::distance(read(file).means[0], right + front + down), 0.001f);
    }
}

TEST(Spz, DamagedExtensionsAreNamed) {
    SpzFile file = spzFile(randomSplats(1, 0), 3, kRightUpBack);
    file.flags = 2;
    for (const uint32_t system : {0u, 17u}) {
        file.extensions = coordinateSystem(system);
        expectRefused(file.content(), {"coordinate system", fmt::format(" is {}", system), "1 to 16"});
    }
    const std::string whole = coordinateSystem(4);
    for (size_t length = 1; length < whole.size(); ++length) {
        file.extensions = whole.substr(0, length);
        EXPECT_THROW(read(file), InputError) << length;
    }
    file.extensions = Bytes().put(uint32_t{1}).put(uint32_t{0xffffffff}).content();
    expectRefused(file.content(), {"an extension", "found 0 bytes, expected 4294967295"});
}

TEST(Spz, OfDegree4ThreeAreRead) {
    const Gaussians g = randomSplats(2, 3);
    for (const uint32_t version : {3u, 4u}) {
        SpzFile file = spzFile(g, version, kRightUpBack);
        file.degree = 4;
        for (const size_t splat : {size_t{1}, size_t{0}}) file.blocks[5].insert((splat + 1) * 45, std::string(27, '\x11'));
        expectNear(read(file), g, spzSample(1, 3, 3).steps);
    }
}

TEST(Spz, HeadersThatLieAreRefusedBeforeMemoryIsTaken) {
    SpzFile file = spzFile(randomSplats(2, 0), 3, kRightUpBack);
    file.count = 2147483647;
    expectRefused(file.content(), {"the number of splats is 2147483647, expected at most", "truncated"});
    file.count = 300;  // which deflate might hold
    expectRefused(file.content(), {"the splats", "found 40 bytes, expected 6000"});
    for (const uint32_t count : {0u, 2147483648u}) {
        file.count = count;
        expectRefused(file.content(), {fmt::format("the number of splats is {}, expected 1 to 2147483647", count)});
    }
    file = spzFile(randomSplats(2, 0), 3, kRightUpBack);
    file.extensions = std::string(size_t{5} << 20u, '\0');  // four kilobytes of file
    expectRefused(file.content(), {"too many bytes after the last property", "at most 1048576"});
}

TEST(Spz, ForeignHeadersAreNamed) {
    const SpzFile good = spzFile(randomSplats(2, 0), 3, kRightUpBack);
    SpzFile file = good;
    file.magic = "PLY!";
    expectRefused(file.content(), {"not an SPZ file in gzip", "NGSP"});
    file = good, file.degree = 5;
    expectRefused(file.content(), {"the SH degree is 5, expected 0 to 4"});
    file = good, file.fractionalBits = 25;
    expectRefused(file.content(), {"fractional bits is 25, expected 0 to 24"});
    for (const uint32_t version : {0u, 4u, 0xffffffffu}) {
        file = good, file.version = version;
        expectRefused(gzipped(file.payload()), {fmt::format("the version of SPZ in gzip is {}, expected 1 to 3", version)});
    }
    for (const uint32_t version : {0u, 3u, 5u, 0xffffffffu}) {
        file = good, file.version = version;
        expectRefused(file.plain(), {fmt::format("the version of SPZ without gzip is {}, expected 4", version)});
    }
    expectRefused("no splats at all", {"gzip stream is damaged"});
    expectRefused(gzipped("NGSP"), {"the header", "found 4 bytes, expected 16"});
}

TEST(Spz, Version4IsNamedWhereItIsDamaged) {
    const std::string good = spzFile(randomSplats(2, 0), 4, kRightUpBack).content();
    const auto with = [&](size_t offset, auto value) {
        std::string content = good;
        std::memcpy(&content[offset], &value, sizeof value);
        return content;
    };
    expectRefused(with(8, uint32_t{2147483647}), {"the number of splats is 2147483647, expected at most", "truncated"});
    expectRefused(with(8, uint32_t{3}), {"positions have 18 bytes, expected 27"});
    expectRefused(with(12, uint8_t{5}), {"the SH degree is 5, expected 0 to 4"});
    expectRefused(with(13, uint8_t{25}), {"fractional bits is 25, expected 0 to 24"});
    expectRefused(with(15, uint8_t{6}), {"the number of streams is 6, expected 5"});
    expectRefused(with(16, uint32_t{31}), {"the offset of the table of contents is 31, expected 32"});
    expectRefused(with(16, uint32_t{100000}), {"the offset of the table of contents is 100000"});
    expectRefused(with(32, uint64_t{1} << 60u), {"ends while reading positions"});
    expectRefused(with(32, uint64_t{5}), {"the zstd stream of positions is truncated"});
    expectRefused(with(32 + 16, uint64_t{40}), {"ends while reading scales"});
    expectRefused(with(32 + 5 * 16, uint8_t{0}), {"the zstd stream of positions is damaged"});
}

TEST(Spz, FramesOfVersion4ThatHoldMoreOrLessAreRefused) {
    const SpzFile good = spzFile(randomSplats(2, 0), 4, kRightUpBack);
    for (const size_t length : {5u, 7u}) {
        SpzFile file = good;
        file.blocks[3] = std::string(length, 'x');
        std::string content = file.content();
        const uint64_t claimed = 6;
        std::memcpy(&content[32 + 3 * 16 + 8], &claimed, sizeof claimed);
        expectRefused(content, {"scales"});
    }
}

TEST(Spz, EveryPrefixOfVersion4IsRefused) {
    const Scratch scratch;
    expectEveryPrefixToFail(scratch, "a.spz", spzFile(randomSplats(3, 1), 4, kRightUpBack).content(),
                            [](const std::filesystem::path& path) { readSplats(path); });
}

TEST(Spz, WrongBytesInVersion4AreAnErrorOrAModel) {
    const Scratch scratch;
    expectDamageToBeHarmless(scratch, "a.spz", spzFile(randomSplats(3, 1), 4, kRightUpBack).content(),
                             [](const std::filesystem::path& path) { EXPECT_LE(readSplats(path).count(), 3u); });
}

TEST(Spz, TheChecksumIsChecked) {
    std::string content = spzFile(randomSplats(2, 0), 3, kRightUpBack).content();
    content[content.size() - 8] ^= 1;
    expectRefused(content, {"gzip stream is damaged", "incorrect data check"});
}

/// Found by fuzzing: another library's counter of input wrapped here.
TEST(Spz, AStreamCutInItsChecksumIsRefused) {
    constexpr std::array<uint8_t, 26> kCut{0x1f, 0x8b, 8,    0,    0, 0,    0x78, 0,    0,    2, 3, 0xf3, 0x73,
                                           0x0f, 0x0e, 0x60, 0x66, 0, 0x49, 0x6c, 0x8d, 0x10, 0, 0, 0,    0x2c};
    expectRefused(std::string(kCut.begin(), kCut.end()), {"gzip stream"});
}

/// Damage under a right checksum, as a writer with a mistake makes it; gzip's own check hides it from the tests of every format.
TEST(Spz, WrongBytesInsideGzipAreAnErrorOrAModel) {
    const SpzFile file = spzFile(randomSplats(1, 1), 1, kRightUpBack);
    const std::string payload = file.payload();
    for (size_t i = 0; i < payload.size(); ++i) {
        for (const int value : {0x00, 0x01, 0x02, 0x7f, 0x80, 0xff}) {
            std::string damaged = payload;
            damaged[i] = static_cast<char>(value);
            try {
                const Gaussians g = readContent(gzipped(damaged));
                EXPECT_TRUE(g.count() == 1 && glm::length(g.rotations[0]) > 0.99f && glm::length(g.means[0]) < 1e6f) << i << " = " << value;
            } catch (const InputError&) {
            }
        }
    }
}

}  // namespace
}  // namespace splat
