#include <splatwright/scene/formats/ply.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include <splatwright/core/file.h>
#include <splatwright/core/rng.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/formats/ply_points.h>
#include <splatwright/scene/formats/quantised.h>
#include "expect_same.h"
#include "logged.h"
#include "scratch.h"

namespace splat {
namespace {

using namespace test;
namespace fs = std::filesystem;

Gaussians randomGaussians(size_t count, int degree) {
    Rng rng(count * 7 + static_cast<size_t>(degree));
    const auto number = [&] { return static_cast<float>(rng.uniform(-5, 5)); };
    const auto triple = [&] { return glm::vec3(number(), number(), number()); };
    Gaussians gaussians;
    gaussians.resize(count, degree);
    for (auto& mean : gaussians.means) mean = triple();
    for (auto& rotation : gaussians.rotations) rotation = glm::vec4(triple(), number());
    for (auto& scale : gaussians.logScales) scale = triple();
    for (auto& opacity : gaussians.logitOpacities) opacity = number();
    for (auto& coefficient : gaussians.sh) coefficient = triple();
    return gaussians;
}

void readAndDrop(const fs::path& path) { readPly(path); }

/// Degree 0, one splat, with all that the reader needs and nothing else; the numbers are told apart by their values.
struct OneSplat {
    std::string format = "ascii";
    std::string type = "float";
    std::string newline = "\n";

    std::string header(const std::string& count = "1") const {
        std::string text = "ply" + newline + "format " + format + " 1.0" + newline + "comment made by a test" + newline +
                           "element vertex " + count + newline;
        for (const char* name : {"opacity", "z", "y", "x", "rot_3", "rot_2", "rot_1", "rot_0", "f_dc_2", "f_dc_1", "f_dc_0", "scale_2",
                                 "scale_1", "scale_0"}) {
            text += "property " + type + " " + name + newline;
        }
        return text + "end_header" + newline;
    }
};

constexpr std::array<float, 14> kRow{9, 3, 2, 1, 40, 30, 20, 10, -3, -2, -1, 7, 6, 5};

void expectOneSplat(const Gaussians& g) {
    ASSERT_EQ(g.count(), 1u);
    EXPECT_EQ(g.shDegree, 0);
    EXPECT_EQ(g.means[0], glm::vec3(1, 2, 3));
    EXPECT_EQ(g.rotations[0], glm::vec4(10, 20, 30, 40));
    EXPECT_EQ(g.logScales[0], glm::vec3(5, 6, 7));
    EXPECT_EQ(g.logitOpacities[0], 9);
    EXPECT_EQ(g.sh[0], glm::vec3(-1, -2, -3));
}

template <class T>
std::string binaryRow(bool bigEndian) {
    std::string content;
    for (const float value : kRow) {
        auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(static_cast<T>(value));
        if (bigEndian) std::ranges::reverse(bytes);
        content.append(bytes.data(), bytes.size());
    }
    return content;
}

std::string asciiRow() {
    std::string text;
    for (const float value : kRow) text += fmt::format("{} ", value);
    return text + "\n";
}

TEST(Ply, ComesBackBitForBitAtEveryDegreeAndSize) {
    const Scratch scratch;
    for (int degree = 0; degree <= kMaxShDegree; ++degree) {
        for (const size_t count : {size_t{0}, size_t{1}, size_t{2}, size_t{4095}, size_t{4097}}) {
            const Gaussians gaussians = randomGaussians(count, degree);
            writePly(scratch.path() / "a.ply", gaussians);
            expectSame(readPly(scratch.path() / "a.ply"), gaussians);
        }
    }
}

TEST(Ply, ACommentTellsAnAntialiasedModel) {
    const Scratch scratch;
    Gaussians gaussians = randomGaussians(2, 1);
    gaussians.antialiased = true;
    writePly(scratch.path() / "a.ply", gaussians);
    expectSame(readPly(scratch.path() / "a.ply"), gaussians);
    std::string content = OneSplat{}.header() + asciiRow();
    EXPECT_FALSE(readPly(scratch.write("b.ply", content)).antialiased);
    content.insert(content.find("element"), "comment splatwright antialiased\n");
    EXPECT_TRUE(readPly(scratch.write("c.ply", content)).antialiased);
}

TEST(Ply, RowsBeyondOneBlockOfMemoryComeBack) {
    const Scratch scratch;
    const Gaussians gaussians = randomGaussians(300'000, 3);  // 74 MB: three blocks
    writePly(scratch.path() / "a.ply", gaussians);
    expectSame(readPly(scratch.path() / "a.ply"), gaussians);
}

TEST(Ply, WritesTheReferenceLayout) {
    const Scratch scratch;
    Gaussians g;
    g.resize(1, 1);
    g.means[0] = {1, 2, 3};
    g.sh = {{0.1f, 0.2f, 0.3f}, {11, 21, 31}, {12, 22, 32}, {13, 23, 33}};  // red, green, blue of coefficients 1 to 3
    g.logitOpacities[0] = 4;
    g.logScales[0] = {5, 6, 7};
    g.rotations[0] = {8, 9, 10, 11};
    writePly(scratch.path() / "a.ply", g);
    const std::string text = readTextFile(scratch.path() / "a.ply");
    const std::string header =
        "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nproperty float nx\n"
        "property float ny\nproperty float nz\nproperty float f_dc_0\nproperty float f_dc_1\nproperty float f_dc_2\nproperty float "
        "f_rest_0\n"
        "property float f_rest_1\nproperty float f_rest_2\nproperty float f_rest_3\nproperty float f_rest_4\nproperty float f_rest_5\n"
        "property float f_rest_6\nproperty float f_rest_7\nproperty float f_rest_8\nproperty float opacity\nproperty float scale_0\n"
        "property float scale_1\nproperty float scale_2\nproperty float rot_0\nproperty float rot_1\nproperty float rot_2\n"
        "property float rot_3\nend_header\n";
    ASSERT_EQ(text.substr(0, header.size()), header);
    std::vector<float> row(26);
    ASSERT_EQ(text.size(), header.size() + row.size() * sizeof(float));
    std::memcpy(row.data(), text.data() + header.size(), row.size() * sizeof(float));
    // Channel by channel: all reds of the higher coefficients, then greens, then blues.
    EXPECT_EQ(row, (std::vector<float>{1, 2, 3, 0, 0, 0, 0.1f, 0.2f, 0.3f, 11, 12, 13, 21, 22, 23, 31, 32, 33, 4, 5, 6, 7, 8, 9, 10, 11}));
}

TEST(Ply, ReadsPropertiesInAnyOrderTypeAndEncoding) {
    const Scratch scratch;
    const auto read = [&](const std::string& content) { return readPly(scratch.write("a.ply", content)); };
    for (const char* newline : {"\n", "\r\n"}) {
        expectOneSplat(read(OneSplat{.newline = newline}.header() + asciiRow()));
        expectOneSplat(read(OneSplat{.type = "double", .newline = newline}.header() + asciiRow()));
        OneSplat binary{.format = "binary_little_endian", .newline = newline};
        expectOneSplat(read(binary.header() + binaryRow<float>(false)));
        binary.type = "float64";
        expectOneSplat(read(binary.header() + binaryRow<double>(false)));
        binary.type = "char";
        expectOneSplat(read(binary.header() + binaryRow<int8_t>(false)));
        binary.format = "binary_big_endian";
        binary.type = "float32";
        expectOneSplat(read(binary.header() + binaryRow<float>(true)));
        binary.type = "double";
        expectOneSplat(read(binary.header() + binaryRow<double>(true)));
        binary.type = "short";
        expectOneSplat(read(binary.header() + binaryRow<int16_t>(true)));
    }
}

TEST(Ply, PassesOverOtherElementsAndProperties) {
    const Scratch scratch;
    const std::string vertex = OneSplat{.format = "binary_little_endian"}.header();
    const size_t at = vertex.find("element vertex");
    const std::string extra = "element camera 2\nproperty uchar id\nproperty list uchar float numbers\nelement range 3\nproperty short x\n";
    std::string content = vertex.substr(0, at) + extra + vertex.substr(at);
    content += Bytes().put(uint8_t{1}).put(uint8_t{2}).put(1.0f).put(2.0f).put(uint8_t{2}).put(uint8_t{0}).content();
    content += Bytes().put(int16_t{1}).put(int16_t{2}).put(int16_t{3}).content();
    expectOneSplat(readPly(scratch.write("a.ply", content + binaryRow<float>(false))));
    const std::string ascii = OneSplat{}.header();
    const size_t vertexAt = ascii.find("element vertex");
    expectOneSplat(readPly(
        scratch.write("b.ply", ascii.substr(0, vertexAt) + extra + ascii.substr(vertexAt) + "1 2 1.0 2.0\n2 0\n1\n2\n3\n" + asciiRow())));
}

TEST(Ply, AZeroQuaternionIsTheIdentity) {
    const Scratch scratch;
    Gaussians g = randomGaussians(3, 0);
    g.rotations[1] = glm::vec4(0);
    writePly(scratch.path() / "a.ply", g);
    EXPECT_EQ(readPly(scratch.path() / "a.ply").rotations[1], glm::vec4(1, 0, 0, 0));
}

TEST(Ply, AMissingPropertyIsNamed) {
    const Scratch scratch;
    std::string content = OneSplat{}.header() + asciiRow();
    const std::string line = "property float scale_1\n";
    content.erase(content.find(line), line.size());
    expectInputError([&] { readPly(scratch.write("a.ply", content)); }, {"a.ply", "property scale_1", "missing", "opacity z y x"});
}

TEST(Ply, TooFewBytesAreCountedAgainstTheHeader) {
    const Scratch scratch;
    const std::string head = OneSplat{.format = "binary_little_endian"}.header("2");
    const auto path = scratch.write("a.ply", head + binaryRow<float>(false) + "abc");
    expectInputError([&] { readPly(path); }, {"a.ply", "too few bytes", "found 59", "expected 2 rows of 56"});
    // A count that memory could never hold is refused the same way.
    const std::string absurd = OneSplat{.format = "binary_little_endian"}.header("18446744073709551615");
    expectInputError([&] { readPly(scratch.write("b.ply", absurd + binaryRow<float>(false))); }, {"too few bytes"});
    const std::string absurdText = OneSplat{}.header("18446744073709551615");
    expectInputError([&] { readPly(scratch.write("c.ply", absurdText + asciiRow())); }, {"too few bytes"});
}

TEST(Ply, EveryPrefixIsRefused) {
    const Scratch scratch;
    writePly(scratch.path() / "full.ply", randomGaussians(2, 1));
    expectEveryPrefixToFail(scratch, "cut.ply", readTextFile(scratch.path() / "full.ply"), readAndDrop);
    // A text may be cut inside its last number, which then is another number; up to there nothing passes.
    const std::string text = OneSplat{}.header() + asciiRow();
    expectEveryPrefixToFail(scratch, "cut.ply", text.substr(0, text.size() - 3), readAndDrop);
}

TEST(Ply, DamagedBytesAreAnErrorOrAModel) {
    const Scratch scratch;
    expectDamageToBeHarmless(scratch, "bad.ply", OneSplat{}.header() + asciiRow(), readAndDrop);
    expectDamageToBeHarmless(scratch, "bad.ply", OneSplat{.format = "binary_little_endian"}.header() + binaryRow<float>(false),
                             readAndDrop);
}

TEST(Ply, TheFirstNonFiniteRowIsNamed) {
    const Scratch scratch;
    Gaussians g = randomGaussians(20'000, 0);
    g.logScales[15'000].y = std::numeric_limits<float>::infinity();
    g.logitOpacities[9'000] = std::numeric_limits<float>::quiet_NaN();
    writePly(scratch.path() / "a.ply", g);
    expectInputError([&] { readPly(scratch.path() / "a.ply"); }, {"a.ply", "property opacity of row 9000 is nan", "expected a finite"});
    g.logitOpacities[9'000] = 0;
    writePly(scratch.path() / "a.ply", g);
    expectInputError([&] { readPly(scratch.path() / "a.ply"); }, {"property scale_1 of row 15000 is inf"});
}

TEST(Ply, InfiniteOpacitiesAreReadAsNoneAndFull) {
    const Scratch scratch;
    Gaussians g = randomGaussians(5000, 0);  // two blocks
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    g.logitOpacities[7] = kInfinity, g.logitOpacities[8] = -kInfinity, g.logitOpacities[4999] = kInfinity;
    Gaussians expected = g;
    expected.logitOpacities[7] = expected.logitOpacities[4999] = logitOfOpacity(1);
    expected.logitOpacities[8] = logitOfOpacity(0);
    for (const auto& write : {writePly, writePlyBigEndian, writePlyAscii}) {
        write(scratch.path() / "a.ply", g);
        expectSame(readPly(scratch.path() / "a.ply"), expected);
    }
    writePly(scratch.path() / "a.ply", g);
    const std::string warning = loggedBy([&] { expectSame(readBlocks(*openSplats(scratch.path() / "a.ply")), expected); });
    EXPECT_NE(warning.find("a.ply: property opacity is infinite in some rows, read as -87.3"), std::string::npos) << warning;
    EXPECT_EQ(warning.find("infinite"), warning.rfind("infinite")) << "once per file: " << warning;
    EXPECT_FLOAT_EQ(opacityOfLogit(logitOfOpacity(1)), 1);
}

/// As splat-transform keeps them; logarithms that are infinite above stay an error (TheFirstNonFiniteRowIsNamed).
TEST(Ply, LogarithmsOfZeroScalesAreReadAsTheSmallestOnes) {
    const Scratch scratch;
    Gaussians g = randomGaussians(3, 1);
    g.logScales[1] = {-1, -3, -std::numeric_limits<float>::infinity()};
    writePly(scratch.path() / "a.ply", g);
    Gaussians expected = g;
    expected.logScales[1].z = logOfScale(0.0f);
    const std::string warning = loggedBy([&] { expectSame(readPly(scratch.path() / "a.ply"), expected); });
    EXPECT_NE(warning.find("property scale_2 is infinite in some rows, read as -87.33655\n"), std::string::npos) << warning;
}

TEST(Ply, AnOddNumberOfCoefficientsIsRefused) {
    const Scratch scratch;
    std::string content = OneSplat{}.header() + asciiRow();
    content.insert(content.find("end_header"), "property float f_rest_0\nproperty float f_rest_1\n");
    expectInputError([&] { readPly(scratch.write("a.ply", content)); }, {"found 2 properties f_rest", "expected 0, 9, 24 or 45"});
}

TEST(Ply, ForeignFilesAreNamed) {
    const Scratch scratch;
    expectInputError([&] { readPly(scratch.path() / "none.ply"); }, {"none.ply", "cannot be read"});
    expectInputError([&] { readPly(scratch.path()); }, {scratch.path().string(), "cannot be read"});
    expectInputError([&] { readPly(scratch.write("a.ply", "solid cube\n")); }, {"a.ply:1", "'solid cube'", "expected 'ply'"});
    expectInputError([&] { readPly(scratch.write("b.ply", "ply\nformat binary 1.0\nend_header\n")); }, {"b.ply:2", "binary_little_endian"});
    expectInputError([&] { readPly(scratch.write("c.ply", "ply\nformat ascii 1.0\nelement face 0\nend_header\n")); }, {"element vertex"});
    expectInputError([&] { readPly(scratch.write("d.ply", "ply\nformat ascii 1.0\nelement vertex many\nend_header\n")); },
                     {"d.ply:3", "many"});
    expectInputError([&] { readPly(scratch.write("e.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty half x\nend_header\n")); },
                     {"e.ply:4", "property half x"});
    expectInputError(
        [&] { readPly(scratch.write("f.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty list uchar int x\nend_header\n")); },
        {"list property"});
}

TEST(Ply, UnwritablePlaceIsAnErrorAndLeavesNothing) {
    const Scratch scratch;
    EXPECT_THROW(writePly(scratch.path() / "none" / "a.ply", randomGaussians(1, 0)), Error);
    EXPECT_TRUE(fs::is_empty(scratch.path()));
}

TEST(PlyPoints, ColoursAreBytesOrFractionsOrGrey) {
    const Scratch scratch;
    const std::string start = "ply\nformat ascii 1.0\nelement vertex 1\nproperty double x\nproperty double y\nproperty double z\n";
    const std::string bytes = "property uchar red\nproperty uchar green\nproperty uchar blue\nend_header\n1 2 3 10 20 255\n";
    const std::string fractions = "property float red\nproperty float green\nproperty float blue\nend_header\n1 2 3 0 0.5 1\n";
    const auto colour = [&](const std::string& rest) {
        const std::vector<Point> points = readPointsPly(scratch.write("a.ply", start + rest));
        EXPECT_EQ(points.at(0).position, glm::vec3(1, 2, 3));
        return points.at(0).colour;
    };
    EXPECT_EQ(colour(bytes), (std::array<uint8_t, 3>{10, 20, 255}));
    EXPECT_EQ(colour(fractions), (std::array<uint8_t, 3>{0, 128, 255}));
    EXPECT_EQ(colour("end_header\n1 2 3\n"), (std::array<uint8_t, 3>{128, 128, 128}));
}

TEST(Ply, SharedModelsRead) {
    const fs::path path = fs::path(SPLAT_SHARED_DATA) / "splats" / "three-points.ply";
    if (!fs::exists(path)) GTEST_SKIP() << path << " is not on this machine";
    EXPECT_EQ(readPly(path).count(), 3u);
    // PlayCanvas's packed layout is another format; the message says what was found.
    expectInputError([&] { readPly(path.parent_path() / "biker.compressed.ply"); }, {"property x", "packed_position"});
}

}  // namespace
}  // namespace splat
