// The readers of pictures as they are built without libheif, libtiff, LibRaw, Little CMS and OpenEXR.
#include <algorithm>
#include <array>

#include <splatwright/scene/images/exr_writer.h>
#include <splatwright/scene/images/image_file.h>

#include "../scene/encoders.h"
#include "../scene/raw_samples.h"
#include "../scene/scratch.h"

namespace splat {
namespace {

using namespace test;

struct WithoutLibraries : testing::Test {
    std::filesystem::path file(const std::string& content) const { return scratch.write("picture", content); }

    Scratch scratch;
};

std::string fileOfBrand(const std::string& brand) { return box("ftyp", brand + big(0) + "mif1" + brand) + box("mdat", "no pixels"); }

TEST_F(WithoutLibraries, TheErrorNamesTheFormatAndWhatTheBuildLacks) {
    struct Case {
        const char *format, *package;
        std::string content;
    };
    for (const Case& c : {Case{"HEIC", "libheif-dev", fileOfBrand("heic")}, Case{"AVIF", "libheif-dev", fileOfBrand("avif")},
                          Case{"TIFF", "libtiff-dev", tiffBlock({{0x0112, 3, 1, big(6, 2)}})},
                          Case{"a camera's raw file", "libraw-dev", cr3OfBuenosAires(1)}}) {
        const auto path = file(c.content);
        const std::string lack = std::string("this build was made without ") + c.package;
        expectInputError([&] { readImageHeader(path); }, {path.string(), c.format, lack, "JPEG"});
        expectInputError([&] { readImage(path); }, {path.string(), c.format, lack});
    }
}

TEST_F(WithoutLibraries, ExrFilesAreRefusedBeforeAnythingIsWritten) {
    const std::vector<std::string> channels{"Z"};
    expectInputError(requireExr, {"EXR", "this build was made without libopenexr-dev"});
    expectInputError([&] { writeExr(scratch.path() / "a.exr", ImageF(2, 2, 1), channels, ExrFloats::half); }, {"libopenexr-dev"});
    EXPECT_FALSE(std::filesystem::exists(scratch.path() / "a.exr"));
}

TEST_F(WithoutLibraries, ShotsAndOrientationsAreReadWhereTheyNeedNone) {
    EXPECT_EQ(readOrientation(file(tiffBlock({{0x0112, 3, 1, big(6, 2)}}))), Orientation::rotated90);
    EXPECT_TRUE(readShot(file(cr3OfBuenosAires(1))).make.empty());
    EXPECT_TRUE(readShot(file(fileOfBrand("heic"))).make.empty());
}

TEST_F(WithoutLibraries, InksBecomeColoursWithoutTheirProfile) {
    Image8 inks(16, 16, 4);
    for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 16; ++x) std::ranges::copy(std::array<uint8_t, 4>{200, 100, 50, 127}, inks.at(x, y).begin());
    const Image8 found = readImage(file(encodeJpeg(inks, 100)));
    const std::array expected{100, 50, 25};
    for (size_t c = 0; c < 3; ++c) EXPECT_NEAR(found.at(8, 8)[c], expected[c], 2);
}

}  // namespace
}  // namespace splat
