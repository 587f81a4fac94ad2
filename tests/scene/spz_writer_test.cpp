#include "spz_samples.h"

#include <splatwright/core/input_file.h>
#include <splatwright/scene/files/gzip.h>
#include <splatwright/scene/files/zstd.h>
#include <splatwright/scene/formats/formats.h>
#include "scratch.h"

namespace splat {
namespace {

using namespace test;

const SplatWriter& writer(std::string_view name) {
    const auto writers = splatWriters();
    return **std::ranges::find_if(writers, [&](const SplatWriter* w) { return w->name == name; });
}

std::vector<std::byte> written(std::string_view name, const Gaussians& gaussians) {
    const Scratch scratch;
    writer(name).write(scratch.path() / "a.spz", gaussians);
    return readFile(scratch.path() / "a.spz");
}

/// The bytes in the gzip member.
std::string inflated(std::span<const std::byte> file) {
    GzipReader reader("a.spz", file);
    return textOf(reader.readRest(size_t{1} << 28u));
}

Gaussians oneSplat(int degree) {
    Gaussians g;
    g.resize(1, degree);
    g.means[0] = {1, 2, -0.5f};
    g.rotations[0] = {0.4f, 0.4f, 0.8f, -0.2f};
    g.logScales[0] = {0, 1, -1};
    g.logitOpacities[0] = -std::log(4.0f);  // 0.2
    g.sh[0] = glm::vec3(0.5f, -0.5f, -0.3f) / 0.15f;
    return g;
}

std::string header(uint8_t version, uint8_t degree, uint8_t bits, uint8_t flags) {
    return Bytes()
        .put(std::array{'N', 'G', 'S', 'P'})
        .put(uint32_t{version})
        .put(uint32_t{1})
        .put(std::array<uint8_t, 4>{degree, bits, flags})
        .content();
}

const std::string kMiddle = Bytes().put(std::array<uint8_t, 7>{51, 255, 0, 51, 160, 176, 144}).content();

TEST(SpzWriter, WritesVersion1ByHand) {
    Gaussians g = oneSplat(0);
    g.rotations[0] = {0, 2, 0, 0};
    const std::string halves = Bytes().put(uint16_t{0x3c00}).put(uint16_t{0xc000}).put(uint16_t{0x3800}).content();
    const std::string content = inflated(written("spz-v1", g));
    EXPECT_EQ(content.substr(0, content.size() - 3), header(1, 0, 0, 0) + halves + kMiddle);
    EXPECT_EQ(content[content.size() - 3], '\xff');
}

TEST(SpzWriter, WritesVersion3ByHand) {
    Gaussians g = oneSplat(1);
    g.antialiased = true;
    g.sh = {g.sh[0], {0.25f, -0.26f, 0}, {1, -1, 2}, {0.04f, 0.1f, 0}};
    const auto fixed = [](int value) { return Bytes().put(value).content().substr(0, 3); };
    // z of x, y, z, w has the largest component of the rotation, (0.4, -0.8, 0.2, 0.4) in the file's frame: y, negative, is omitted.
    const auto part = [](float q) { return static_cast<uint32_t>(std::lround(std::abs(q) * std::sqrt(2.0f) * 511)) | (q < 0 ? 512u : 0u); };
    const uint32_t word = 1u << 30u | part(-0.4f) << 20u | part(-0.2f) << 10u | part(-0.4f);
    // y and z change sign with their axes; eight steps each: 128 - 32, 128 + 33.28 -> 160, 128 | ...
    const std::string higher = Bytes().put(std::array<uint8_t, 9>{96, 160, 128, 0, 255, 0, 136, 144, 128}).content();
    EXPECT_EQ(inflated(written("spz", g)),
              header(3, 1, 12, 1) + fixed(1 << 12) + fixed(-(2 << 12)) + fixed(1 << 11) + kMiddle + Bytes().put(word).content() + higher);
}

TEST(SpzWriter, HigherDegreesKeepFourBitsOrEight) {
    Gaussians g = oneSplat(2);
    g.sh[6] = {0.3f, 0.07f, -1};  // of degree 2 and even in all axes
    const auto coefficient = [](const std::string& content) { return content.substr(content.size() - 9, 3); };
    EXPECT_EQ(coefficient(inflated(written("spz", g))), Bytes().put(std::array<uint8_t, 3>{160, 144, 0}).content());
    EXPECT_EQ(coefficient(inflated(written("spz-8bit", g))), Bytes().put(std::array<uint8_t, 3>{166, 137, 0}).content());
}

/// From 0.44 of a step up where all coefficients of a splat are less than 0.6 of one, else from 0.5.
TEST(SpzWriter, FaintCoefficientsAreRoundedUpEarlier) {
    Gaussians g = oneSplat(2);
    std::fill(g.sh.begin() + 1, g.sh.end(), glm::vec3(0));
    g.sh[3] = glm::vec3(0.45f, -0.45f, 0.43f) * 0.0625f;  // of degree 1, five bits; x changes sign
    g.sh[6] = glm::vec3(0.45f, -0.45f, 0.43f) * 0.125f;   // of degree 2, four bits
    const auto coefficients = [&] { return inflated(written("spz", g)).substr(inflated(written("spz", g)).size() - 24); };
    const auto expected = [](int step, int further) {
        std::array<uint8_t, 24> bytes;
        bytes.fill(128);
        bytes[6] = static_cast<uint8_t>(128 + step), bytes[7] = static_cast<uint8_t>(128 - step);
        bytes[15] = static_cast<uint8_t>(128 + further), bytes[16] = static_cast<uint8_t>(128 - further);
        return Bytes().put(bytes);
    };
    EXPECT_EQ(coefficients(), expected(8, 16).content());
    g.sh[8].z = 0.62f * 0.125f;
    EXPECT_EQ(coefficients(), expected(0, 0).content().substr(0, 23) + '\x90') << "one is larger";
}

TEST(SpzWriter, FractionalBitsFollowTheExtentAndTheWidthOfSplats) {
    constexpr size_t kOfHeader = 13;
    struct Case {
        float extent, width;
        int bits;
    };
    for (const auto& [extent, width, bits] : {Case{1e-3f, 1, 12},
                                              {2047.9f, 1, 12},
                                              {2048, 1, 11},
                                              {8388607, 1, 0},
                                              {1, 0.0011f, 12},  // 4.5 steps
                                              {1, 0.0009f, 13},  // 3.7 of 12 bits
                                              {1, 1e-6f, 17},    // the least that a byte can say is 4.5e-5
                                              {63.9f, 1e-6f, 17},
                                              {64, 1e-6f, 16}}) {
        Gaussians g = oneSplat(0);
        g.means[0] = {0, -extent, extent / 3};
        g.logScales[0] = {-20, 5, std::log(width)};
        EXPECT_EQ(inflated(written("spz-v2", g))[kOfHeader], bits) << extent << ", " << width;
        EXPECT_EQ(std::to_integer<int>(written("spz-v4", g)[kOfHeader]), bits) << extent << ", " << width;
        const Scratch scratch;
        writer("spz").write(scratch.path() / "a.spz", g);
        EXPECT_LE(glm::distance(readSplats(scratch.path() / "a.spz").means[0], g.means[0]), std::ldexp(0.8f, -bits)) << extent;
    }
}

/// Not of the first splat, of the largest ones, or of the longest axis.
TEST(SpzWriter, TheWidthOfSplatsIsTheMedianOfTheirMiddleAxes) {
    Gaussians g = randomSplats(5, 0);
    for (glm::vec3& mean : g.means) mean = glm::vec3(0.25f);
    const float small = std::log(0.0009f), large = 0;
    g.logScales = {{large, large, large}, {small, -9, large}, {large, small, -9}, {-9, large, small}, {-9, -9, large}};
    EXPECT_EQ(inflated(written("spz", g))[13], 13);
    g.logScales[1].y = 0;
    EXPECT_EQ(inflated(written("spz", g))[13], 13) << "still three of five";
    g.logScales[2].z = g.logScales[1].x = 0;
    EXPECT_EQ(inflated(written("spz", g))[13], 12);
}

/// Rounded to 8 bits before, as the reference does it, a thirtieth of them moves up: the mean by 0.004.
TEST(SpzWriter, CoefficientsAreTheNearestSteps) {
    Gaussians g = randomSplats(4000, 2);
    for (glm::vec3& sh : g.sh) sh *= 0.5f;
    const Scratch scratch;
    writer("spz").write(scratch.path() / "a.spz", g);
    const Gaussians found = readSplats(scratch.path() / "a.spz");
    double sum = 0, size = 0;
    for (size_t i = 0; i < g.count(); ++i)
        for (size_t k = shCoefficients(1); k < shCoefficients(2); ++k) {
            const glm::vec3 error = found.sh[i * shCoefficients(2) + k] - g.sh[i * shCoefficients(2) + k];
            sum += error.x + error.y + error.z;
            EXPECT_LE(std::max({std::abs(error.x), std::abs(error.y), std::abs(error.z)}), 0.06251f);
            ++size;
        }
    EXPECT_LT(std::abs(sum / (3 * size)), 0.001);
}

TEST(SpzWriter, TheExtentIsThatOfAllBlocks) {
    const Scratch scratch;
    Gaussians g = randomSplats(9000, 0);
    g.means.back() = glm::vec3(-1000, 500, 0);
    writer("spz").write(scratch.path() / "a.spz", g);
    EXPECT_LT(glm::distance(readSplats(scratch.path() / "a.spz").means.back(), g.means.back()), 0.001f);
}

TEST(SpzWriter, PositionsOutOfRangeAreNamedAndNothingIsWritten) {
    const Scratch scratch;
    const auto path = scratch.path() / "a.spz";
    Gaussians g = randomSplats(3, 0);
    g.means[2].z = -65505;
    expectInputError([&] { writer("spz-v1").write(path, g); },
                     {path.string(), "position of splat 2", "65505", "at most 65504", "version 1"});
    EXPECT_NO_THROW(writer("spz").write(path, g));
    std::filesystem::remove(path);
    g.means[1].x = 8388608;
    expectInputError([&] { writer("spz").write(path, g); }, {path.string(), "position of splat 1", "8388608", "at most 8388607"});
    EXPECT_FALSE(std::filesystem::exists(path));
}

/// Where w is small, the nearest three bytes are up to 11 degrees off.
TEST(SpzWriter, CoarseRotationsAreTheBestOfTheirNeighbours) {
    Gaussians g = randomSplats(4000, 0);
    const Scratch scratch;
    writer("spz-v2").write(scratch.path() / "a.spz", g);
    const Gaussians found = readSplats(scratch.path() / "a.spz");
    double sum = 0;
    for (size_t i = 0; i < g.count(); ++i) sum += 1 - std::abs(glm::dot(found.rotations[i], g.rotations[i]));
    EXPECT_LT(sum / 4000, 4e-5);  // the nearest: 9e-5
}

TEST(SpzWriter, BlocksOfGzipAreOneMemberWithTheBytesInOrder) {
    Rng rng(7);
    std::vector<std::byte> noise((size_t{5} << 19u) + 12345), repeated(noise.size());  // three blocks
    for (std::byte& byte : noise) byte = static_cast<std::byte>(rng.uniform(0, 4));
    // With a period, so that blocks start with matches of the one before.
    for (size_t i = 0; i < repeated.size(); ++i)
        repeated[i] = i < 20000 ? static_cast<std::byte>(rng.uniform(0, 256)) : repeated[i - 20000];
    for (const size_t size : {size_t{0}, size_t{1}, size_t{1} << 20u, (size_t{1} << 20u) + 1, noise.size()}) {
        for (const auto& [bytes, most] : {std::pair(&noise, size / 3), std::pair(&repeated, size / 50 + 20000)}) {
            const auto part = std::span(*bytes).first(size);
            for (const std::vector<size_t>& sections : {std::vector{size}, {size / 3, 0, size / 2, size - size / 3 - size / 2}}) {
                const std::vector<std::byte> member = packGzip(part, sections);
                EXPECT_TRUE(inflated(member) == textOf(part)) << size;  // which checks length and checksum
                EXPECT_LT(member.size(), most + 100) << size;
            }
        }
    }
}

/// Of a file of version 4, whose frames follow the table of contents.
TEST(SpzWriter, SmallBlocksAreAsShortAsZstdCanMakeThem) {
    const std::vector<std::byte> file = written("spz-v4", randomSplats(3000, 3));
    size_t frame = 32 + 6 * 16, gained = 0;
    for (size_t row = 32; row < 32 + 6 * 16; row += 16) {
        std::array<uint64_t, 2> sizes;  // compressed, not compressed
        std::memcpy(sizes.data(), &file[row], sizeof sizes);
        std::vector<std::byte> block(sizes[1]);
        unpackZstd("a.spz", std::span(file).subspan(frame, sizes[0]), block, "a block");
        EXPECT_LE(sizes[0], packZstd(block).size()) << row;
        gained += packZstdInParallel(block, 10, {}).size() - sizes[0];
        frame += sizes[0];
    }
    EXPECT_EQ(frame, file.size());
    EXPECT_GT(gained, 100u);
}

/// A block of two kinds of bytes has one code for both.
TEST(SpzWriter, SectionsOfGzipHaveCodesOfTheirOwn) {
    Rng rng(3);
    std::vector<std::byte> bytes(200'000);
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i < 100'000 ? rng.uniform(0, 16) : rng.uniform(128, 144));
    const size_t together = packGzip(bytes, std::array{bytes.size()}).size();
    const std::vector<std::byte> member = packGzip(bytes, std::array{size_t{100'000}, size_t{100'000}});
    EXPECT_LT(member.size(), 102'000) << "four bits each";
    EXPECT_GT(together, member.size() + 500);
    EXPECT_TRUE(inflated(member) == textOf(bytes));
}

}  // namespace
}  // namespace splat
