// EXR files as OpenEXR itself reads them.
#include <splatwright/scene/images/exr_writer.h>

#include <cmath>

#include <half.h>

#include "exr_samples.h"
#include "scratch.h"

namespace splat {
namespace {

using namespace test;

/// No two numbers are equal, and some are negative, large or tiny.
ImageF numbers(int width, int height, int channels) {
    ImageF image(width, height, channels);
    for (size_t i = 0; i < image.pixels.size(); ++i)
        image.pixels[i] = std::ldexp(1.0F + static_cast<float>(i) / 997, static_cast<int>(i % 24) - 12) * (i % 5 == 0 ? -1.0F : 1.0F);
    return image;
}

const std::vector<std::vector<std::string>> kChannels{{"Z"}, {"A"}, {"B", "G", "R"}, {"N.X", "N.Y", "N.Z"}};

TEST(ExrWriter, SingleFloatsComeBackToTheBit) {
    const Scratch scratch;
    for (const auto& channels : kChannels) {
        const ImageF image = numbers(37, 21, static_cast<int>(channels.size()));
        writeExr(scratch.path() / "a.exr", image, channels, ExrFloats::single);
        const Exr found = readExr(scratch.path() / "a.exr");
        EXPECT_EQ(found.channels, channels);
        EXPECT_EQ(found.types, std::vector(channels.size(), Imf::FLOAT));
        EXPECT_EQ(found.image.width, 37);
        EXPECT_EQ(found.image.height, 21);
        EXPECT_EQ(found.image.pixels, image.pixels);
    }
}

TEST(ExrWriter, HalfFloatsAreTheNearestOnes) {
    const Scratch scratch;
    ImageF image = numbers(40, 30, 3);
    image.pixels[5] = 65504;
    image.pixels[6] = -65504;
    image.pixels[7] = 0;
    const std::vector<std::string> channels{"R", "G", "B"};
    writeExr(scratch.path() / "a.exr", image, channels, ExrFloats::half);
    const Exr found = readExr(scratch.path() / "a.exr");
    EXPECT_EQ(found.types, std::vector(3, Imf::HALF));
    ASSERT_EQ(found.channels, (std::vector<std::string>{"B", "G", "R"}));  // files sort them
    for (size_t i = 0; i < image.pixels.size(); ++i) {
        const float number = found.image.pixels[i / 3 * 3 + 2 - i % 3];
        ASSERT_EQ(number, static_cast<float>(half(image.pixels[i]))) << i;
        ASSERT_LE(std::abs(number - image.pixels[i]), std::abs(image.pixels[i]) / 2048 + 1e-7F) << i;
    }
}

TEST(ExrWriter, ANumberBeyondHalfFloatsIsAnError) {
    const Scratch scratch;
    ImageF image = numbers(8, 4, 3);
    image.at(5, 2)[1] = -70000;
    const std::vector<std::string> channels{"R", "G", "B"};
    const auto path = scratch.path() / "a.exr";
    expectInputError([&] { writeExr(path, image, channels, ExrFloats::half); },
                     {path.string(), "channel G", "pixel 5,2", "-70000", "65504"});
    EXPECT_FALSE(std::filesystem::exists(path));
    writeExr(path, image, channels, ExrFloats::single);
}

TEST(ExrWriter, AFileThatCannotBeWrittenIsAnError) {
    const std::vector<std::string> channels{"Z"};
    EXPECT_THROW(writeExr("/does/not/exist/a.exr", numbers(4, 4, 1), channels, ExrFloats::half), Error);
}

}  // namespace
}  // namespace splat
