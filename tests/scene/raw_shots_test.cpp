// What raw files that do not begin as TIFF does say of how they were taken.
#include <splatwright/scene/images/image_file.h>

#include "photograph_encoders.h"
#include "raw_samples.h"

namespace splat {
namespace {

using namespace test;

struct RawShots : testing::Test {
    std::filesystem::path file(const std::string& content) const { return scratch.write("picture", content); }

    Scratch scratch;
};

TEST_F(RawShots, ShotsOfCr3AreRead) {
    const Shot found = readShot(file(cr3OfBuenosAires(1)));
    EXPECT_EQ(found.make, "Canon");
    EXPECT_EQ(found.model, "EOS R");
    EXPECT_NEAR(found.focalLength, 24.5, 1e-4);
    EXPECT_EQ(found.focalLength35, 39u);
    ASSERT_TRUE(found.position);
    EXPECT_NEAR(found.position->latitude, -(34 + 36.0 / 60 + 30.5 / 3600), 1e-8);
    EXPECT_NEAR(found.position->longitude, -(58 + 22.0 / 60 + 12.25 / 3600), 1e-8);
    EXPECT_NEAR(found.position->altitude.value_or(0), 25.5, 1e-4);
}

TEST_F(RawShots, Cr3IsTurnedByLibRawOnly) {
    const auto path = [&](uint32_t orientation) { return file(cr3OfBuenosAires(orientation)); };
    const ImageSize lying = readImageHeader(path(1)).size;
    EXPECT_GT(lying.width, lying.height);
    EXPECT_EQ(readImageHeader(path(6)).size, (ImageSize{lying.height, lying.width}));
    EXPECT_EQ(readOrientation(path(6)), Orientation::stored);
}

TEST_F(RawShots, ADamagedCr3SaysNothing) {
    const std::string whole = cr3OfBuenosAires(1);
    for (size_t length = 12; length < whole.size(); length += 7) readShot(file(whole.substr(0, length)));
    EXPECT_FALSE(readShot(file(whole.substr(0, 60))).position);
}

/// LibRaw would go in a circle.
TEST_F(RawShots, ACr3WhoseBoxesHaveNoEndIsRefused) {
    std::string endless = cr3OfBuenosAires(1);
    const size_t box = endless.find("stsz");
    ASSERT_NE(box, std::string::npos);
    endless.replace(box - 4, 4, big(1));  // a size of 64 bits
    endless.replace(box + 4, 8, std::string(8, '\0'));
    expectInputError([&] { readImageHeader(file(endless)); }, {"picture", "damaged or truncated raw header"});
    EXPECT_TRUE(readShot(file(endless)).make.empty());
}

/// Olympus's files are TIFF but for their first bytes.
TEST_F(RawShots, ShotsOfOrfAreRead) {
    std::string orf = Dng(64, 48).content();
    ASSERT_FALSE(readShot(file(orf)).make.empty());
    orf.replace(0, 4, "IIRO");
    EXPECT_EQ(readShot(file(orf)).make, "Made");
    EXPECT_EQ(readShot(file(orf)).model, "Hand");
}

}  // namespace
}  // namespace splat
