// The writers of PLY, and what readers do with each encoding.
#include <splatwright/scene/formats/ply.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include <splatwright/core/input_file.h>
#include <splatwright/core/rng.h>
#include <splatwright/scene/formats/quantised.h>
#include "expect_same.h"
#include "scratch.h"
#include "support/numbered_gaussians.h"

namespace splat {
namespace {

using namespace test;
namespace fs = std::filesystem;

std::string bodyOf(const fs::path& path) {
    const std::string text = readTextFile(path);
    return text.substr(text.find("end_header\n") + 11);
}

/// Finite floats of every size, the smallest and the largest among them.
Gaussians anyFloats(size_t count, int degree) {
    Gaussians g = numberedGaussians(count, degree);
    Rng rng(3);
    for (const AttributeRow& row : kAttributes)
        for (uint32_t plane = 0; plane < planesAt(row, degree); ++plane) {
            std::vector<float> words = gather(g, row, plane);
            for (float& word : words) {
                do word = std::bit_cast<float>(static_cast<uint32_t>(rng.next()));
                while (!std::isfinite(word));
            }
            scatter(g, row, plane, words);
        }
    g.means[0] = {-0.0f, std::numeric_limits<float>::max(), std::numeric_limits<float>::denorm_min()};
    g.means[1] = {0.1f, 16777217.0f, std::numeric_limits<float>::min()};
    return g;
}

using Write = void (*)(const fs::path& path, const Gaussians& gaussians);
constexpr Write kWrites[] = {writePly, writePlyBigEndian, writePlyAscii};

TEST(PlyEncodings, KeepEveryBitOfEveryFloat) {
    const Scratch scratch;
    for (const Write write : kWrites)
        for (const int degree : {0, 2, 3}) {
            // More rows than a slice of text or a block of bytes has.
            const Gaussians g = anyFloats(degree == 3 ? 6000 : 1025, degree);
            write(scratch.path() / "a.ply", g);
            const Gaussians found = readPly(scratch.path() / "a.ply");
            expectSame(found, g);
            EXPECT_TRUE(std::signbit(found.means[0].x));
        }
}

TEST(PlyEncodings, AsciiHasTheShortestNumbers) {
    const Scratch scratch;
    Gaussians g;
    g.resize(2, 0);
    g.means = {{0.1f, -2, 3e-20f}, {1.0f / 3, 1e30f, 16777216}};
    writePlyAscii(scratch.path() / "a.ply", g);
    EXPECT_EQ(bodyOf(scratch.path() / "a.ply"),
              "0.1 -2 3e-20 0 0 0 0 0 0 0 0 0 0 1 0 0 0\n0.33333334 1e+30 16777216 0 0 0 0 0 0 0 0 0 0 1 0 0 0\n");
    EXPECT_NE(readTextFile(scratch.path() / "a.ply").find("\nformat ascii 1.0\n"), std::string::npos);
}

TEST(PlyEncodings, BigEndianReversesTheBytesOfEveryNumber) {
    const Scratch scratch;
    const Gaussians g = numberedGaussians(40, 1);
    writePly(scratch.path() / "little.ply", g);
    writePlyBigEndian(scratch.path() / "big.ply", g);
    std::string little = bodyOf(scratch.path() / "little.ply");
    for (size_t i = 0; i < little.size(); i += 4) std::reverse(&little[i], &little[i] + 4);
    EXPECT_EQ(bodyOf(scratch.path() / "big.ply"), little);
    EXPECT_NE(readTextFile(scratch.path() / "big.ply").find("\nformat binary_big_endian 1.0\n"), std::string::npos);
}

/// One splat of degree 0 as text, without f_dc_*.
std::string coloured(const std::string& type, const std::string& rgb) {
    std::string text = "ply\nformat ascii 1.0\nelement vertex 1\n";
    for (const char* name : {"x", "y", "z", "scale_0", "scale_1", "scale_2", "rot_0", "rot_1", "rot_2", "rot_3", "opacity"})
        text += fmt::format("property float {}\n", name);
    for (const char* name : {"red", "green", "blue"}) text += fmt::format("property {} {}\n", type, name);
    return text + "end_header\n1 2 3 4 5 6 1 0 0 0 7 " + rgb + "\n";
}

TEST(PlyEncodings, ColoursStandForMissingCoefficients) {
    const Scratch scratch;
    for (const auto& [type, rgb] : {std::pair("uchar", "0 51 255"), std::pair("ushort", "0 13107 65535"), std::pair("double", "0 0.2 1")}) {
        const Gaussians g = readPly(scratch.write("a.ply", coloured(type, rgb)));
        EXPECT_LT(glm::distance(colourOfDc(g.sh.at(0)), glm::vec3(0, 0.2f, 1)), 1e-6f) << type;
        EXPECT_EQ(g.means[0], glm::vec3(1, 2, 3));
        EXPECT_TRUE(g.extras.empty());
    }
    std::string two = coloured("uchar", "1 2 3");
    two.replace(two.find("green"), 5, "groan");
    expectInputError([&] { readPly(scratch.write("a.ply", two)); }, {"property f_dc_0", "missing", "groan"});
}

TEST(PlyEncodings, TextNeedsNoLastLineEndAndMayHaveBlankLines) {
    const Scratch scratch;
    std::string text = coloured("float", "1 1 1");
    text.pop_back();
    text.insert(text.find("1 2 3"), "\n  \r\n\t");
    EXPECT_EQ(readPly(scratch.write("a.ply", text)).logitOpacities, std::vector<float>{7});
}

// The threads that parse lines find them in any order.
TEST(PlyEncodings, TheFirstBadLineOfATextIsNamed) {
    const Scratch scratch;
    writePlyAscii(scratch.path() / "a.ply", numberedGaussians(5000, 0));
    std::string text = readTextFile(scratch.path() / "a.ply");
    const auto spoil = [&](size_t row) {
        size_t at = text.find("end_header\n") + 11;
        for (size_t i = 0; i < row; ++i) at = text.find('\n', at) + 1;
        text.insert(at, "x");
    };
    for (const size_t row : {4900u, 2500u, 1300u}) {
        spoil(row);
        expectInputError([&] { readPly(scratch.write("b.ply", text)); },
                         {"b.ply", fmt::format("property x of row {} is 'x", row), "expected a number"});
    }
}

}  // namespace
}  // namespace splat
