#include <splatwright/prepare/photographs.h>

#include <gtest/gtest.h>

#include <splatwright/core/file.h>
#include <splatwright/prepare/poses.h>
#include <splatwright/scene/images/exif.h>
#include "../scene/photograph_encoders.h"
#include "../scene/scratch.h"
#include "made_model.h"

namespace splat::prepare {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> namesOf(const PhotographFolder& folder) {
    std::vector<std::string> names;
    for (const Photograph& photograph : folder.photographs) names.push_back(photograph.name);
    return names;
}

struct Photographs : testing::Test {
    void writePhotograph(const std::string& name, int width = 32) const {
        fs::create_directories((root / name).parent_path());
        writePng(root / name, Image8(width, 24, 3));
    }
    PhotographFolder list(const std::string& folder = "") {
        PhotographFolder found = findPhotographs(root / folder);
        decodePhotographs(found, observer);
        return found;
    }

    test::Scratch scratch;
    fs::path root = scratch.path() / "in";
    Observer observer;
};

TEST_F(Photographs, AreFoundInSubfoldersSortedByName) {
    for (const char* name : {"b.png", "a.PNG", "left/c.png", "masks/m.png", "depths/d.png", ".hidden/h.png", ".x.png", "done/.prepare/x"})
        writePhotograph(name);
    writePhotograph("done/images/y.png");
    EXPECT_EQ(namesOf(list()), (std::vector<std::string>{"a.PNG", "b.png", "left/c.png"}));
    EXPECT_EQ(list().masks, root / "masks");
}

TEST_F(Photographs, AFolderWithImagesIsADatasetsFolder) {
    for (const char* name : {"images/a.png", "images/b.png", "images/c.png", "masks/a.png.png"}) writePhotograph(name);
    EXPECT_EQ(namesOf(list()), (std::vector<std::string>{"a.png", "b.png", "c.png"}));
    EXPECT_EQ(list().masks, list("images").masks);
    EXPECT_TRUE(fs::equivalent(list().masks, root / "masks"));
}

TEST_F(Photographs, DamagedOnesAndNamesThatColmapCannotReadAreLeftOut) {
    for (const char* name : {"a.png", "b.png", "c.png", "new\nline.png", " blank.png", "back\\slash.png"}) writePhotograph(name);
    scratch.write("in/broken.jpg", "\xff\xd8\xff");
    const std::string whole = readTextFile(root / "a.png");
    scratch.write("in/cut.png", whole.substr(0, whole.size() - 20));
    const PhotographFolder folder = list();
    EXPECT_EQ(namesOf(folder).size(), 3u);
    EXPECT_EQ(folder.leftOut.size(), 5u);
}

TEST_F(Photographs, TooFewAreAnErrorThatNamesThoseThatCannotBeUsed) {
    writePhotograph("a.png");
    test::expectInputError([&] { list(); }, {"found 1 usable photographs", "expected at least 3"});
    scratch.write("in/b.HEIC", "x");
    test::expectInputError([&] { list(); }, {"\n  b.HEIC: ", "unknown picture format, expected JPEG, PNG, WebP, HEIC, AVIF, raw, TIFF"});
    fs::remove(root / "b.HEIC");
    for (const char* name : {"in/new\nline.png", "in/cut.png"}) scratch.write(name, "x");
    fs::create_symlink("nowhere", root / "gone.jpg");
    test::expectInputError([&] { list(); }, {"\n  cut.png: ", "\n  new\\nline.png: its name", "\n  gone.jpg: ", "No such file"});
}

TEST_F(Photographs, EachFolderAndSizeIsACamera) {
    const std::vector<Photograph> photographs{{"a.png", {32, 24}}, {"b.png", {24, 32}}, {"c.png", {32, 24}}, {"left/a.png", {32, 24}}};
    const std::vector<std::vector<std::string>> expected{{"b.png"}, {"a.png", "c.png"}, {"left/a.png"}};
    EXPECT_EQ(cameraGroups(photographs), expected);
}

TEST_F(Photographs, ArePlacedWithTheirMasks) {
    for (const char* name : {"a.png", "left/b.png", "c.png", "masks/a.png", "masks/left/b.png.png"}) writePhotograph(name);
    const fs::path out = scratch.path() / "out";
    placePhotographs(list(), out / "images", out / "masks", observer);
    for (const char* name : {"images/a.png", "images/left/b.png", "images/c.png", "masks/a.png.png", "masks/left/b.png.png"})
        EXPECT_TRUE(fs::is_regular_file(out / name)) << name;
    EXPECT_FALSE(fs::exists(out / "masks/c.png.png"));
    EXPECT_EQ(fs::hard_link_count(out / "images/a.png"), 2u);
}

TEST_F(Photographs, OfPhonesCamerasAndScannersBecomeJpegs) {
    const GeoPosition position{48.5, 9.25, 300.0};
    const std::string exif = test::textOf(exifOf(Shot{.focalLength = 5.7, .focalLength35 = 26, .position = position}));
    const Image8 image = test::testImage(64, 32, 3);
    scratch.write("in/phone.HEIC",
                  test::encodeHeif(image, heif_compression_HEVC, {.exif = exif, .orientation = heif_orientation_rotate_90_cw}));
    test::RawTiff scan = test::rawTiff(image);
    scan.orientation = ORIENTATION_BOTRIGHT;
    scratch.write("in/scan.tif", test::encodeTiff(scan));
    scratch.write("in/see-through.tiff", test::encodeTiff(test::rawTiff(test::testImage(20, 10, 4))));
    scratch.write("in/camera.dng", test::Dng(64, 48).content());
    writePhotograph("both.jpg");
    scratch.write("in/both.dng", "not looked at");
    writePhotograph("masks/scan.png");
    PhotographFolder folder = list();
    EXPECT_EQ(namesOf(folder),
              (std::vector<std::string>{"both.jpg", "camera.dng.jpg", "phone.HEIC.jpg", "scan.tif.jpg", "see-through.tiff.png"}));
    EXPECT_TRUE(folder.leftOut.empty());
    const fs::path out = scratch.path() / "out";
    placePhotographs(folder, out / "images", out / "masks", observer);
    EXPECT_TRUE(fs::is_regular_file(out / "masks/scan.tif.jpg.png"));
    for (const Photograph& photograph : folder.photographs)
        EXPECT_EQ(readImageHeader(out / "images" / photograph.name).size, photograph.size) << photograph.name;
    const Shot shot = readShot(out / "images/phone.HEIC.jpg");
    EXPECT_EQ(shot.focalLength35, 26u);
    ASSERT_TRUE(shot.position);
    EXPECT_NEAR(shot.position->latitude, position.latitude, 1e-9);
    EXPECT_EQ(readImageHeader(out / "images/phone.HEIC.jpg").size, (ImageSize{32, 64}));
    EXPECT_EQ(readOrientation(out / "images/scan.tif.jpg"), Orientation::stored);
    const Image8 turned = readImage(out / "images/scan.tif.jpg");
    for (const auto& [x, y] : {std::pair(3, 5), std::pair(40, 20)})
        for (size_t c = 0; c < 3; ++c) EXPECT_NEAR(turned.at(x, y)[c], image.at(63 - x, 31 - y)[c], 4) << x << "," << y;
}

TEST(LoopPairs, JoinFramesThatAreFarApart) {
    std::vector<Photograph> photographs;
    for (int i = 0; i < 150; ++i) photographs.push_back({fmt::format("{:03}.png", i), {}});
    std::istringstream text(loopPairs(photographs));
    size_t count = 0;
    for (std::string a, b; text >> a >> b; ++count) EXPECT_GT(std::stoi(b) - std::stoi(a), 10);
    EXPECT_GT(count, 1000u);
    EXPECT_LT(count, 60u * 59u / 2);
    photographs.resize(11);
    EXPECT_EQ(loopPairs(photographs), "");
}

TEST(Unregistered, EachHasAReason) {
    std::vector<Photograph> photographs;
    for (const char* name : {"in.png", "other.png", "blank.png", "tried.png", "lonely.png", "broken.png", "lost.png"})
        photographs.push_back({name, {}});
    const std::vector<ExtractedImage> extracted{{"broken.png", 0, "Failed to read"},
                                                {"in.png", 9, ""},
                                                {"other.png", 9, ""},
                                                {"blank.png", 0, ""},
                                                {"tried.png", 8, ""},
                                                {"lonely.png", 7, ""}};
    Model best, other;
    best.images.push_back({.id = 1, .name = "in.png"});
    other.images.push_back({.id = 2, .name = "other.png"});
    const auto reasons = reasonsOfUnregistered(photographs, {other, best}, 1, extracted, {1, 4});
    const std::vector<std::pair<std::string, std::string>> expected{
        {"other.png", "separate model of 1"},  {"blank.png", "no features"},     {"tried.png", "too few of its 8"},
        {"lonely.png", "no matches of its 7"}, {"broken.png", "Failed to read"}, {"lost.png", "did not read"}};
    ASSERT_EQ(reasons.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(reasons[i].name, expected[i].first);
        EXPECT_NE(reasons[i].reason.find(expected[i].second), std::string::npos) << reasons[i].reason;
    }
}

}  // namespace
}  // namespace splat::prepare
