#include <splatwright/scene/datasets/companions.h>

#include <splatwright/scene/images/image_file.h>
#include <splatwright/scene/photographs/photographs.h>
#include "encoders.h"
#include "scratch.h"

namespace splat {
namespace {

using namespace test;
namespace fs = std::filesystem;

/// A dataset of one picture below images/, and room for masks.
struct MaskedPicture {
    Scratch scratch;
    Dataset dataset;
    Image8 image;

    explicit MaskedPicture(const Image8& picture = testImage(4, 2, 3), const std::string& name = "trip/a.jpg") : image(picture) {
        const fs::path path = scratch.path() / "images" / name;
        fs::create_directories(path.parent_path());
        writePng(path, image);
        dataset.path = scratch.path();
        const Camera camera{.width = image.width, .height = image.height, .fx = 20, .fy = 22, .cx = 2, .cy = 1};
        dataset.views.push_back({.file = name, .name = name, .image = path, .camera = camera, .distortion = {}});
    }
    void addMask(const std::string& name, const Image8& mask) const {
        const fs::path path = scratch.path() / name;
        fs::create_directories(path.parent_path());
        writePng(path, mask);
    }
    Photograph load(const PhotographOptions& options = {}) const { return loadPhotographs(dataset, {0}, options).at(0); }
};

Image8 grey(int width, int height, const std::vector<uint8_t>& values) {
    Image8 mask(width, height, 3);
    for (size_t i = 0; i < mask.pixels.size(); ++i) mask.pixels[i] = values[i / 3];
    return mask;
}

const std::vector<uint8_t> kValues{0, 255, 255, 0, 51, 255, 0, 0};

TEST(Masks, AreFoundByTheNameOfThePhotographOrItsStem) {
    for (const char* name : {"masks/trip/a.jpg.png", "masks/trip/a.png"}) {
        const MaskedPicture picture;
        EXPECT_EQ(picture.load().covers, Coverage::none);
        picture.addMask(name, grey(4, 2, kValues));
        const Photograph found = picture.load();
        EXPECT_EQ(found.covers, Coverage::mask);
        EXPECT_EQ(found.coverage.pixels, kValues);
        EXPECT_EQ(found.image.pixels, picture.image.pixels);
        EXPECT_EQ(picture.load({.masks = false}).covers, Coverage::none);
    }
}

TEST(Masks, AreFoundBesideAnotherImageFolderToo) {
    const MaskedPicture picture;
    picture.addMask("other/masks/trip/a.png", grey(4, 2, kValues));
    Dataset moved = picture.dataset;
    fs::create_directories(picture.scratch.path() / "other/images/trip");
    moved.views[0].image = picture.scratch.path() / "other/images/trip/a.jpg";
    fs::copy_file(picture.dataset.views[0].image, moved.views[0].image);
    EXPECT_EQ(findCompanions(picture.dataset, {0}, "masks")[0], fs::path());
    EXPECT_EQ(findCompanions(moved, {0}, "masks")[0], picture.scratch.path() / "other/masks/trip/a.png");
}

TEST(Masks, OfViewsInTheDatasetsOwnFolderAreNotSoughtOutsideIt) {
    const MaskedPicture picture(testImage(4, 2, 3), "a.jpg");
    picture.addMask("masks/a.png", grey(4, 2, kValues));
    Dataset inner = picture.dataset;
    inner.path = picture.scratch.path() / "images";
    EXPECT_EQ(findCompanions(inner, {0}, "masks")[0], fs::path());
}

TEST(Masks, TransparencyCountsBeforeGrey) {
    const MaskedPicture picture;
    Image8 mask(4, 2, 4);
    for (size_t i = 0; i < 8; ++i) mask.pixels[4 * i] = 9, mask.pixels[4 * i + 3] = kValues[i];
    picture.addMask("masks/trip/a.png", mask);
    EXPECT_EQ(picture.load().coverage.pixels, kValues);
    for (size_t i = 0; i < 8; ++i) mask.pixels[4 * i] = kValues[i], mask.pixels[4 * i + 3] = 255;
    picture.addMask("masks/trip/a.png", mask);
    EXPECT_EQ(picture.load().coverage.pixels, kValues);
}

TEST(Masks, ShrinkWithTheirPhotograph) {
    const MaskedPicture picture;
    picture.addMask("masks/trip/a.png", grey(4, 2, kValues));
    const Photograph small = picture.load({.downscale = 2});
    EXPECT_EQ(downscaled(picture.load(), 2).coverage.pixels, small.coverage.pixels);
    EXPECT_EQ(small.coverage.pixels, (std::vector<uint8_t>{140, 64}));  // (0 + 255 + 51 + 255) / 4 = 140.25, 255 / 4 = 63.75
    picture.addMask("masks/trip/a.png", grey(4, 2, std::vector<uint8_t>(8, 255)));
    EXPECT_EQ(small.image.pixels, picture.load({.downscale = 2}).image.pixels);
}

TEST(Masks, AnotherSizeIsRefused) {
    const MaskedPicture picture;
    picture.addMask("masks/trip/a.png", grey(2, 4, kValues));
    expectInputError([&] { picture.load(); }, {"masks/trip/a.png", "size is 2x4", "expected", "4x2"});
}

TEST(Masks, TransparentPhotographsWithAMaskAreComposited) {
    Image8 image(2, 1, 4);
    image.pixels = {200, 100, 0, 0, 200, 100, 0, 51};
    const MaskedPicture picture(image, "a.png");
    picture.addMask("masks/a.png", grey(2, 1, {255, 0}));
    const Photograph found = picture.load({.background = {1, 0, 0}, .keepAlpha = true});
    EXPECT_EQ(found.covers, Coverage::mask);
    EXPECT_EQ(found.coverage.pixels, (std::vector<uint8_t>{255, 0}));
    EXPECT_EQ(found.image.pixels, (std::vector<uint8_t>{255, 0, 0, 244, 20, 0}));
}

TEST(Masks, RendersTakeThePhotographWhereItDoesNotCount) {
    const Photograph photograph{.name = "",
                                .camera = {},
                                .image = grey(3, 1, {100, 100, 100}),
                                .coverage =
                                    [] {
                                        Image8 mask(3, 1, 1);
                                        mask.pixels = {255, 0, 51};
                                        return mask;
                                    }(),
                                .covers = Coverage::mask};
    EXPECT_EQ(masked(grey(3, 1, {200, 200, 200}), photograph).pixels, grey(3, 1, {200, 100, 120}).pixels);
}

}  // namespace
}  // namespace splat
