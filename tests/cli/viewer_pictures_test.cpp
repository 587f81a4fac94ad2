// What the viewer shows against what other ways of drawing say of the same splats.
#include <cmath>

#include <splatwright/scene/cameras/camera_file.h>
#include <splatwright/scene/formats/ply.h>
#include <splatwright/scene/images/image_file.h>
#include <splatwright/scene/pictures/blob_file.h>
#include "../scene/blob_samples.h"
#include "../view/picture_reference.h"
#include "reference/scenes.h"
#include "viewer_script.h"

namespace splat {
namespace {

using namespace test;

double psnrOf(const Image8& a, const Image8& b) {
    EXPECT_EQ(a.pixels.size(), b.pixels.size());
    double sum = 0;
    for (size_t i = 0; i < a.pixels.size(); ++i) sum += std::pow(static_cast<double>(a.pixels[i]) - b.pixels[i], 2);
    return sum == 0 ? 200 : 10 * std::log10(255 * 255 * static_cast<double>(a.pixels.size()) / sum);
}

Words wordsOf(const Image8& image) {
    Words words;
    for (size_t i = 0; i + 2 < image.pixels.size(); i += 3)
        words.push_back(pixelWord(glm::dvec3(image.pixels[i], image.pixels[i + 1], image.pixels[i + 2]) / 255.0));
    return words;
}

struct ViewerPictures : ViewerScript {
    const reference::Scene scene = reference::makeMixedScene(80, 64, 48, 11);
    const fs::path mixed = at("mixed.ply");
    ViewerPictures() {
        size = "300x200";
        writePly(mixed, scene.gaussians);
    }

    /// Opens the scene and looks at it from its own camera's place, without panels.
    std::string look() const {
        const glm::dvec3 eye = scene.camera.position(), forward = glm::transpose(scene.camera.rotation) * glm::dvec3(0, 0, 4);
        const glm::dvec3 target = eye + forward;
        return fmt::format("open {}\nkey Tab\ncamera {} {} {} {} {} {}\n", mixed.string(), eye.x, eye.y, eye.z, target.x, target.y,
                           target.z);
    }
    std::string screenshot(const std::string& name) const { return "wait picture\nscreenshot " + at(name).string() + "\n"; }
    Camera reportedCamera() const {
        std::ofstream(at("camera.json")) << readReport().at("camera").at("file").dump();
        return readCameraFile(at("camera.json")).front().camera;
    }
    /// What `render` makes of the file, seen by the reported camera.
    Image8 renderedOffline(const fs::path& file) const {
        reportedCamera();
        expectSuccess(
            splatwright({"render", file, "--camera", at("camera.json"), "-o", at("renders"), "--background", "0.1,0.2,0.3", "-q"}));
        return readImage(fs::directory_iterator(at("renders"))->path());
    }
    void expectAsRendered(const std::string& shown, const fs::path& file) const {
        const Image8 picture = readImage(at(shown));
        EXPECT_GT(coloursOf(picture), 100u);
        EXPECT_GE(psnrOf(picture, renderedOffline(file)), 40);
    }
};

const std::vector<std::string> kBackground{"--background", "0.1,0.2,0.3"};

/// Numbers at the ends of the colour map, where a picture has one.
const std::map<std::string, glm::dvec2> kRanges{{"colour", {0, 1}},  {"models", {0, 1}},    {"depth", {2, 6}},   {"alpha", {0, 1}},
                                                {"splats", {0, 30}}, {"tiles", {0, 1}},     {"opacity", {0, 1}}, {"radius", {0, 300}},
                                                {"centres", {0, 1}}, {"ellipsoids", {0, 1}}};

TEST_F(ViewerPictures, AreThoseOfTheDoubleReference) {
    std::string script = look() + "set auto_range false\nlegend\n";
    for (const auto& [name, range] : kRanges)
        script += fmt::format("picture {}\nset range_low {}\nset range_high {}\n{}", name, range.x, range.y, screenshot(name + ".png"));
    auto arguments = kBackground;
    arguments.emplace_back("--validate");
    expectSuccess(play(script + writeReport(), arguments));
    const Camera camera = reportedCamera();
    const Gaussians gaussians = readPly(mixed);
    for (const auto& [name, range] : kRanges) {
        const RenderSettings settings{
            .picture = name, .background = {0.1f, 0.2f, 0.3f}, .autoRange = false, .rangeLow = range.x, .rangeHigh = range.y};
        Ingredients in = ingredientsOf(gaussians, camera, settings);
        in.tint = {0.96f, 0.58f, 0.20f};  // of the first model
        const Comparison c = compare(wordsOf(readImage(at(name + ".png"))), in, pictureReferences().at(name));
        EXPECT_LE(c.off, 1u) << name << " " << c.first;
        EXPECT_LT(c.open, static_cast<size_t>(camera.width * camera.height / 4)) << name;
    }
}

TEST_F(ViewerPictures, ColoursAreThoseOfTheOfflineRenderer) {
    expectSuccess(play(look() + "orbit 25 10\n" + screenshot("turned.png") + writeReport(), kBackground));
    expectAsRendered("turned.png", mixed);
}

TEST_F(ViewerPictures, AnEditedModelLooksAsItsFileRenders) {
    expectSuccess(play(look() + "select_opacity 0 0.3\nkey Delete\n" + screenshot("edited.png") + writeReport() + "save " +
                           at("edited.ply").string() + "\n",
                       kBackground));
    EXPECT_LT(readPly(at("edited.ply")).count(), readPly(mixed).count());
    expectAsRendered("edited.png", at("edited.ply"));
}

TEST_F(ViewerPictures, AMovedModelLooksAsItsFileRenders) {
    expectSuccess(play(
        look() + "place 0.2 -0.1 0.4 20 -30 10 0.8\n" + screenshot("moved.png") + writeReport() + "save " + at("moved.ply").string() + "\n",
        kBackground));
    expectAsRendered("moved.png", at("moved.ply"));
}

/// The window has the picture's ratio of sides: 300x200 for 768x512.
TEST_F(ViewerPictures, AFittedPictureFillsTheViewAndPansInsteadOfTurning) {
    for (const bool summed : {false, true}) {
        const std::string name = summed ? "sum" : "order";
        const fs::path file = at(name + ".blobs");
        writeBlobs(file, pictureLikeBlobs(1500, summed), {.bits = {14, 10, 10, 10, 8}});
        expectSuccess(splatwright({"render", file, "-o", at("renders"), "--size", "300x200", "-q"}));
        const Image8 expected = readImage(at("renders") / (name + ".png"));
        expectSuccess(
            play("key Tab\nopen " + file.string() + "\n" + screenshot("whole.png") + "drag 150 100 210 100\n" + screenshot("moved.png"),
                 {"--validate"}));
        EXPECT_GE(psnrOf(readImage(at("whole.png")), expected), 35) << name;
        Image8 moved = readImage(at("moved.png"));
        Image8 part(200, 200, 3), same(200, 200, 3);
        for (int y = 0; y < 200; ++y)
            for (int x = 0; x < 200; ++x) {
                std::ranges::copy(moved.at(x + 80, y), part.at(x, y).begin());
                std::ranges::copy(expected.at(x + 20, y), same.at(x, y).begin());
            }
        EXPECT_GE(psnrOf(part, same), 30) << name << ", 60 pixels to the right";
    }
}

TEST_F(ViewerPictures, ATrainedModelLooksAsItsFileRenders) {
    expectSuccess(play("train_set init random\ntrain_set init_count 100\nopen " + tinyDataset(scratch).string() +
                           "\nwait phase ready\nkey Tab\nkey T\nwait step 20\nkey T\nwait phase paused\n" + screenshot("trained.png") +
                           writeReport() + "save " + at("trained.ply").string() + "\nwait file " + at("trained.ply").string() + "\n",
                       kBackground));
    expectAsRendered("trained.png", at("trained.ply"));
}

/// A frame that showed a picture half done, of another state of the buffers, or none would differ from both of its neighbours more than they
/// do from each other. How far training gets between two frames depends on the machine, so parts of the film are five steps apart.
TEST_F(ViewerPictures, DoNotFlickerWhileAModelTrainsAndGrows) {
    constexpr int kParts = 10, kFrames = 3;
    const auto part = [&](int i) { return at(fmt::format("part{}", i)); };
    std::string film;
    for (int i = 0; i < kParts; ++i) film += fmt::format("wait step {}\nrecord {} {}\n", 20 + 5 * i, part(i).string(), kFrames);
    const std::string grow =
        "train_set strategy mcmc\ntrain_set densify_from 0\ntrain_set densify_interval 5\ntrain_set grow_factor 1.3\n"
        "train_set max_splats 700\n";
    expectSuccess(play(grow + "train_set init random\ntrain_set init_count 100\nopen " + tinyDataset(scratch).string() +
                           "\nwait phase ready\nkey Tab\nkey T\n" + film + writeReport(),
                       {"--validate"}));
    EXPECT_GT(readReport().at("training").at("splats"), 200);
    std::vector<Image8> frames;
    for (int i = 0; i < kParts * kFrames; ++i) frames.push_back(readImage(part(i / kFrames) / fmt::format("{:05}.png", i % kFrames)));
    size_t changes = 0;
    for (size_t i = 1; i + 1 < frames.size(); ++i) {
        const double step = psnrOf(frames[i - 1], frames[i]), both = psnrOf(frames[i - 1], frames[i + 1]);
        EXPECT_GT(coloursOf(frames[i]), 100u) << i;
        EXPECT_TRUE(step > 25 || both < step + 3)
            << i << ": " << step << " dB to the frame before, " << both << " dB between its neighbours";
        changes += frames[i].pixels != frames[i - 1].pixels;
    }
    // On a busy machine frames cost much, and the viewer's share of the device allows few that show training (Viewer::takeNews): three under Wine.
    EXPECT_GE(changes, 2u);
}

}  // namespace
}  // namespace splat
