// Properties that the engine does not know stay with their splats.
#include <splatwright/scene/gaussians/extra_columns.h>

#include <cmath>
#include <cstring>
#include <limits>

#include <splatwright/core/input_file.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/formats/ply.h>
#include <splatwright/scene/gaussians/usable.h>
#include "expect_same.h"
#include "scratch.h"
#include "support/numbered_gaussians.h"

namespace splat {
namespace {

using namespace test;

template <class T>
ExtraColumn column(const std::string& name, PlyType type, const std::vector<T>& numbers) {
    EXPECT_EQ(bytesOf(type), sizeof(T));
    ExtraColumn result{name, type, std::vector<std::byte>(numbers.size() * sizeof(T))};
    std::memcpy(result.values.data(), numbers.data(), result.values.size());
    return result;
}

std::vector<double> numbersOf(const ExtraColumn* column, size_t count) {
    std::vector<double> numbers;
    for (size_t i = 0; column && i < count; ++i) numbers.push_back(numberOf(*column, i));
    return numbers;
}

/// Three splats with a column of every type, at the ends of its range.
Gaussians withEveryType() {
    Gaussians g = numberedGaussians(3, 1);
    g.extras = {
        column<int8_t>("a", PlyType::int8, {-128, 0, 127}),
        column<uint8_t>("b", PlyType::uint8, {255, 1, 0}),
        column<int16_t>("c", PlyType::int16, {-32768, 258, 32767}),
        column<uint16_t>("segment_id", PlyType::uint16, {65535, 258, 1}),
        column<int32_t>("d", PlyType::int32, {std::numeric_limits<int32_t>::min(), 0x01020304, std::numeric_limits<int32_t>::max()}),
        column<uint32_t>("e", PlyType::uint32, {4294967295u, 0x01020304u, 7u}),
        column<float>("f", PlyType::float32, {0.1f, -std::numeric_limits<float>::infinity(), 3}),
        column<double>("g", PlyType::float64, {0.1, 1e300, -5e-324})};
    return g;
}

TEST(ExtraColumns, OfEveryTypeGoThroughEveryEncoding) {
    const Scratch scratch;
    const Gaussians g = withEveryType();
    for (const auto write : {writePly, writePlyBigEndian, writePlyAscii}) {
        write(scratch.path() / "a.ply", g);
        expectSame(readPly(scratch.path() / "a.ply"), g);
    }
}

TEST(ExtraColumns, MayHoldWhatIsNoNumber) {
    const Scratch scratch;
    Gaussians g = numberedGaussians(2, 0);
    g.extras = {column<float>("confidence", PlyType::float32, {std::numeric_limits<float>::quiet_NaN(), 1})};
    for (const auto write : {writePly, writePlyBigEndian, writePlyAscii}) {
        write(scratch.path() / "a.ply", g);
        const Gaussians found = readPly(scratch.path() / "a.ply");
        ASSERT_EQ(found.extras.size(), 1u);
        EXPECT_TRUE(std::isnan(numberOf(found.extras[0], 0)));
        EXPECT_EQ(numberOf(found.extras[0], 1), 1);
    }
}

TEST(ExtraColumns, AreNormalsUnlessThoseAreZero) {
    const Scratch scratch;
    Gaussians g = numberedGaussians(2, 0);
    writePly(scratch.path() / "a.ply", g);
    EXPECT_TRUE(readPly(scratch.path() / "a.ply").extras.empty());
    g.extras = {column<float>("nx", PlyType::float32, {0, 0}), column<float>("ny", PlyType::float32, {0, 0}),
                column<float>("nz", PlyType::float32, {0, 1}), column<uint8_t>("label", PlyType::uint8, {0, 0})};
    writePly(scratch.path() / "a.ply", g);
    expectSame(readPly(scratch.path() / "a.ply"), g);
    g.extras[2] = column<float>("nz", PlyType::float32, {0, 0});
    writePly(scratch.path() / "a.ply", g);
    g.extras.erase(g.extras.begin(), g.extras.begin() + 3);
    expectSame(readPly(scratch.path() / "a.ply"), g);
}

TEST(ExtraColumns, InTextHaveTheRangeOfTheirType) {
    const Scratch scratch;
    Gaussians g = numberedGaussians(2, 0);
    g.extras = {column<uint8_t>("label", PlyType::uint8, {7, 8})};
    writePlyAscii(scratch.path() / "a.ply", g);
    const std::string text = readTextFile(scratch.path() / "a.ply");
    for (const char* odd : {"256", "-1", "7.5", "nan"}) {
        std::string spoilt = text;
        spoilt.replace(spoilt.find(" 7\n"), 3, fmt::format(" {}\n", odd));
        expectInputError([&] { readPly(scratch.write("b.ply", spoilt)); },
                         {"b.ply", fmt::format("property label of row 0 is '{}', expected a number of type uchar", odd)});
    }
}

TEST(ExtraColumns, GoWithTheirSplats) {
    Gaussians g = withEveryType();
    g.means[0].y = std::numeric_limits<float>::infinity();
    const Gaussians usable = usableOnly(g);
    ASSERT_EQ(usable.count(), 2u);
    for (const ExtraColumn& original : g.extras) {
        const std::vector<double> before = numbersOf(&original, 3), after = numbersOf(columnOf(usable.extras, original.name), 2);
        EXPECT_EQ(after, std::vector<double>(before.begin() + 1, before.end())) << original.name;
    }
    EXPECT_NO_THROW(checkSizes(usable));
    g.extras[3].values.pop_back();
    EXPECT_THROW(checkSizes(g), std::logic_error);
}

TEST(ExtraColumns, OfAppendedModelsAreTheUnion) {
    Gaussians first = numberedGaussians(2, 0), second = numberedGaussians(1, 1);
    first.extras = {column<uint8_t>("label", PlyType::uint8, {5, 6}), column<float>("weight", PlyType::float32, {0.5f, 0.25f})};
    second.extras = {column<int32_t>("label", PlyType::int32, {-70000}), column<int16_t>("group", PlyType::int16, {9})};
    append(first, second);
    append(first, numberedGaussians(1, 0));
    checkSizes(first);
    ASSERT_EQ(first.extras.size(), 3u);
    EXPECT_EQ(numbersOf(columnOf(first.extras, "label"), 4), (std::vector<double>{5, 6, -70000, 0}));
    EXPECT_EQ(numbersOf(columnOf(first.extras, "weight"), 4), (std::vector<double>{0.5, 0.25, 0, 0}));
    EXPECT_EQ(numbersOf(columnOf(first.extras, "group"), 4), (std::vector<double>{0, 0, 9, 0}));
    EXPECT_EQ(columnOf(first.extras, "label")->type, PlyType::float64);
    EXPECT_EQ(columnOf(first.extras, "group")->type, PlyType::int16);
    EXPECT_EQ(first.means[2], second.means[0]);
    EXPECT_EQ(first.sh[2], second.sh[0]);
}

TEST(ExtraColumns, AreLeftOutByOtherFormats) {
    const Scratch scratch;
    for (const char* name : {"a.splat", "a.compressed.ply"}) {
        writeSplats(scratch.path() / name, withEveryType());
        EXPECT_TRUE(readSplats(scratch.path() / name).extras.empty()) << name;
    }
}

}  // namespace
}  // namespace splat
