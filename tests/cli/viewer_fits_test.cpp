// Pictures in the viewer: fitted, measured, edited and saved.
#include <algorithm>
#include <cmath>

#include <splatwright/core/input_file.h>
#include <splatwright/scene/formats/ply.h>
#include <splatwright/scene/images/image_file.h>
#include <splatwright/scene/pictures/blob_file.h>
#include <splatwright/train/evaluate/metrics.h>
#include "../scene/blob_samples.h"
#include "viewer_script.h"

namespace splat {
namespace {

using namespace test;

constexpr int kWidth = 48, kHeight = 32;

Image8 waves() {
    Image8 image(kWidth, kHeight, 3);
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x)
            for (int k = 0; k < 3; ++k)
                image.at(x, y)[static_cast<size_t>(k)] = static_cast<uint8_t>(128 + 100 * std::sin(0.2 * x + 0.3 * y * (k + 1)));
    return image;
}

struct ViewerFits : ViewerScript {
    const fs::path picture = at("waves.png");
    ViewerFits() { writePng(picture, waves()); }

    Outcome follow(const std::string& script) const {
        std::ofstream(at("script.txt")) << script;
        return splatwright({"view", "--headless", "--script", at("script.txt"), "--size", "640x400", "--validate"});
    }
    std::string line(const char* action, const std::string& file) const { return fmt::format("{} {}\n", action, at(file).string()); }
    bool problem(const std::string& report) const { return readReport(report).at("problem"); }
    bool says(const std::string& report, const std::string& text) const {
        return readReport(report).at("notice").get<std::string>().find(text) != std::string::npos;
    }
    /// A file of blobs whose opacities are of every size.
    void writeFile(const std::string& name, bool summed) const { writeBlobs(at(name), wildBlobs(300, summed), {.bits = {12, 9, 7, 8, 6}}); }
};

TEST_F(ViewerFits, APictureIsFittedBesideItsTargetAndMeasured) {
    expectSuccess(follow(line("open", "waves.png") + "wait phase ready\ntrain_set max_splats 120\ntrain_set steps 60\n" +
                         writeReport("ready.json") + "key T\nwait phase finished\n" + writeReport("finished.json") +
                         line("save", "fit.blobs") + line("wait file", "fit.blobs") + line("save", "fit.ply") + "duplicate\n" +
                         line("save", "copy.blobs") + "try remove_floaters\n" + writeReport("floaters.json") + "try region\n" +
                         writeReport("region.json")));
    const json ready = readReport("ready.json"), finished = readReport("finished.json");
    EXPECT_EQ(ready.at("comparison").at("with"), "ground_truth");
    EXPECT_EQ(ready.at("comparison").at("layout"), "three");
    EXPECT_TRUE(ready.at("panels").at("Fit").at("shown"));
    EXPECT_FALSE(ready.at("panels").at("Training images").at("shown"));
    EXPECT_TRUE(ready.at("training").at("fit").is_null());
    EXPECT_TRUE(says("floaters.json", "no floaters") && problem("floaters.json"));
    EXPECT_TRUE(says("region.json", "no region") && problem("region.json"));

    // The numbers are those of the file that is saved.
    const json fit = finished.at("training").at("fit");
    const Blobs blobs = readBlobs(at("fit.blobs"));
    EXPECT_EQ(fit.at("gaussians"), blobs.count());
    EXPECT_EQ(fit.at("bytes"), fs::file_size(at("fit.blobs")));
    EXPECT_EQ(fit.at("raw_bytes"), 36 * blobs.count());
    EXPECT_DOUBLE_EQ(fit.at("bits_per_pixel").get<double>(),
                     8.0 * static_cast<double>(fs::file_size(at("fit.blobs"))) / (kWidth * kHeight));
    EXPECT_EQ(fit.at("steps").back(), 60);
    EXPECT_GT(fit.at("psnr"), 15);
    expectSuccess(splatwright({"render", at("fit.blobs"), "-o", at("renders"), "-q"}));
    EXPECT_NEAR(fit.at("file_psnr").get<double>(), psnr(readImage(at("renders") / "fit.png"), waves()), 1e-6);
    EXPECT_EQ(readPly(at("fit.ply")).count(), blobs.count());
    EXPECT_EQ(readBlobs(at("copy.blobs")).count(), blobs.count());
}

TEST_F(ViewerFits, AFileIsSavedAgainWithoutLossAndItsEditsAreInIt) {
    for (const bool summed : {false, true}) {
        writeFile("a.blobs", summed);
        expectSuccess(follow(line("open", "a.blobs") + line("save", "same.blobs") + "select_opacity 0 0.5\n" +
                             line("save_selection", "part.blobs") + "key Delete\n" + line("save", "edited.blobs") + "key Ctrl+Z\n" +
                             line("save", "undone.blobs")));
        const std::vector<std::byte> file = readFile(at("a.blobs"));
        EXPECT_EQ(readFile(at("same.blobs")), file);
        EXPECT_EQ(readFile(at("undone.blobs")), file);
        const Blobs all = readBlobs(at("a.blobs")), part = readBlobs(at("part.blobs")), edited = readBlobs(at("edited.blobs"));
        EXPECT_EQ(part.count() + edited.count(), all.count());
        EXPECT_GT(part.count(), 20u);
        EXPECT_LE(std::ranges::max(part.opacities), 0.5001F);
        EXPECT_GT(std::ranges::min(edited.opacities), 0.4999F);
        EXPECT_EQ(edited.background, all.background);
        EXPECT_EQ(edited.summed, summed);
    }
}

TEST_F(ViewerFits, AFileHoldsWhatAPictureIsAndNothingElse) {
    writeFile("a.blobs", false);
    expectSuccess(follow(line("open", "a.blobs") + "place 0.1 0 0 0 0 0 1\n" + line("try save", "moved.blobs") + writeReport("moved.json") +
                         line("save", "moved.ply") + openSplats() + line("try save", "solid.blobs") + writeReport("solid.json")));
    EXPECT_TRUE(says("moved.json", "moved.blobs: a is moved") && problem("moved.json"));
    EXPECT_TRUE(says("solid.json", "solid.blobs: a is a model in 3D") && problem("solid.json"));
    EXPECT_EQ(readPly(at("moved.ply")).count(), 300u);
    EXPECT_FALSE(fs::exists(at("moved.blobs")) || fs::exists(at("solid.blobs")));
}

TEST_F(ViewerFits, AProjectReopensPicturesAndTheirParts) {
    writeFile("a.blobs", true);
    const std::string open = line("open", "p.splatproject");
    expectSuccess(follow(line("open", "a.blobs") + "select_opacity 0 0.5\nseparate\n" + line("save", "part.blobs") +
                         line("open", "waves.png") + "wait phase ready\ntrain_set steps 70\n" + line("save_project", "p.splatproject")));
    expectSuccess(follow(open + "wait phase ready\nmodel \"a part\"\n" + line("save", "again.blobs") + writeReport()));
    EXPECT_EQ(readFile(at("again.blobs")), readFile(at("part.blobs")));
    EXPECT_EQ(readReport().at("models").size(), 3u);
    EXPECT_EQ(readReport().at("training").at("phase"), "ready");
}

}  // namespace
}  // namespace splat
