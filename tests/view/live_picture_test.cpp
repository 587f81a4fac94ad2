// A picture that is being fitted, shown as a model of a scene.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <splatwright/render/kinds/blobs.h>
#include <splatwright/scene/datasets/picture.h>
#include <splatwright/scene/pictures/flat_gaussians.h>
#include "../scene/blob_samples.h"
#include "world_scene.h"

namespace splat {
namespace {

/// Blobs as on a picture of 96x64, in a model as training has it.
struct LivePicture {
    LivePicture(size_t count, bool summed, float dilation = 0)
        : blobs(test::pictureLikeBlobs(count, summed)), model(testDevice(), static_cast<uint32_t>(count)) {
        for (glm::vec2& centre : blobs.centres) centre *= 0.125f;
        for (glm::vec3& colour : blobs.colours) colour -= 0.4f;  // some are negative
        blobs.width = 96;
        blobs.height = 64;
        blobs.background = kBackground;
        model.kind = kindOf(blobs);
        model.kind.dilation = dilation;
        model.upload(testDevice(), storedBlobs(blobs));
        id = scene.world.addLive("picture", static_cast<uint32_t>(count));
        scene.world.refresh(id, model, 0);
    }

    Words rendered() {
        return wordsOf(Renderer(testDevice(), testSort()).render(model, pictureCamera({96, 64}, {96, 64}), kBackground, 0));
    }

    Blobs blobs;
    GaussianModel model;
    WorldScene scene;
    World::Id id;
};

int largestDifference(const Words& a, const Words& b) {
    int largest = 0;
    for (size_t i = 0; i < a.size(); ++i) {
        const glm::ivec3 difference = glm::abs(glm::ivec3(channelsOf(a[i])) - glm::ivec3(channelsOf(b[i])));
        largest = std::max({largest, difference.x, difference.y, difference.z});
    }
    return largest;
}

class LivePictures : public testing::TestWithParam<size_t> {};

// The cut at 1/255 may fall to either side.
TEST_P(LivePictures, LookAsTheFit) {
    for (const bool summed : {true, false}) {
        LivePicture live(GetParam(), summed);
        EXPECT_LE(largestDifference(live.scene.draw(cameraBefore(96, 64)), live.rendered()), 2) << (summed ? "summed" : "blended");
    }
}

INSTANTIATE_TEST_SUITE_P(Counts, LivePictures, testing::Values(1, 255, 256, 257, 900), testing::PrintToStringParamName());

TEST(LivePicture, IsFlatGaussiansAsInFiles) {
    LivePicture live(700, true, 0.3f);
    const Gaussians found = live.scene.world.gaussiansOf(live.id);
    Blobs drawn = live.blobs;  // with their dilation
    for (glm::vec3& f : drawn.factors) {
        const double xx = std::sqrt(double{f.x} * f.x + 0.3), yx = double{f.x} * f.y / xx;
        f = {xx, yx, std::sqrt(double{f.y} * f.y + double{f.z} * f.z + 0.3 - yx * yx)};
    }
    const Gaussians expected = flatGaussians(drawn);
    ASSERT_EQ(found.count(), expected.count());
    for (size_t i = 0; i < found.count(); ++i) {
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(found.means[i][k], expected.means[i][k], k < 2 ? 1e-6 : 1e-8);
        const glm::dmat3 a = test::covarianceOf(found, i), b = test::covarianceOf(expected, i);
        for (int column = 0; column < 3; ++column)
            for (int row = 0; row < 3; ++row) EXPECT_NEAR(a[column][row], b[column][row], 2e-5 * (b[0][0] + b[1][1])) << i;
        EXPECT_NEAR(found.logitOpacities[i], expected.logitOpacities[i], 2e-4 * std::max(1.0f, std::abs(expected.logitOpacities[i]))) << i;
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(found.sh[i][k], expected.sh[i][k], 1e-5);
    }
}

// Beside another model splats must be blended and dilated, or that one would look wrong.
TEST(LivePicture, IsSummedOnlyByItself) {
    LivePicture live(50, true);
    EXPECT_TRUE(live.scene.world.showsSums());
    const World::Id other = live.scene.world.add("other", reference::makeScene("mixed", 3).gaussians);
    EXPECT_FALSE(live.scene.world.showsPictures());
    EXPECT_FALSE(live.scene.world.showsSums());
    live.scene.world.setVisible(other, false);
    EXPECT_TRUE(live.scene.world.showsPictures());
    live.scene.world.setVisible(live.id, false);
    EXPECT_FALSE(live.scene.world.showsPictures());
}

}  // namespace
}  // namespace splat
