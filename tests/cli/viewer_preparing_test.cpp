// Photographs without camera poses in the viewer: the offer, what is shown while COLMAP works, and the training afterwards.
#include <splatwright/scene/datasets/dataset.h>
#include "../prepare/fake_colmap.h"
#include "true_views.h"
#include "window_acts.h"

namespace splat {
namespace {

using namespace test;

struct ViewerPreparing : Window {
    const fs::path photographs = at("photo graphs"), data = at("photo graphs-dataset");

    std::string quoted(const fs::path& path) const { return '"' + path.string() + '"'; }
    std::string prepareLine() const { return "prepare " + quoted(photographs) + ' ' + quoted(data) + '\n'; }
    json preparation(const std::string& name = "report.json") const { return readReport(name).at("preparation"); }
    void writeFlatPhotographs() const {
        fs::create_directories(photographs);
        for (int i = 0; i < 4; ++i) writePng(photographs / fmt::format("{}.png", i), Image8(64, 48, 3));
    }
};

/// Takes over 10 s for COLMAP, whose work a viewer watches.
TEST_F(ViewerPreparing, CamerasAppearWhileItWorksAndTheDatasetIsTrainedOn) {
    NEED("colmap");
    const TrueViews views(photographs, 8);
    const Outcome outcome =
        play("train_set strategy fixed\ntrain_set steps 3\n" + prepareLine() + "wait cameras 3\n" + writeReport("during.json") +
                 "screenshot_panels " + at("during.png").string() + "\nwait prepared\nwait phase finished\n" + writeReport(),
             {"--validate"});
    expectSuccess(outcome);
    const json during = preparation("during.json"), after = preparation();
    EXPECT_GE(during.at("cameras"), 3);
    EXPECT_GE(during.at("points"), 20);
    EXPECT_FALSE(during.at("ended").get<bool>());
    EXPECT_TRUE(readReport("during.json").at("models").empty());
    EXPECT_GT(coloursOf(readImage(at("during.png"))), 100u) << "points have the photographs' colours";
    EXPECT_TRUE(after.at("ended").get<bool>());
    EXPECT_GE(after.at("registered"), 7);
    EXPECT_EQ(readReport().at("training").at("step"), 3);
    EXPECT_EQ(loadDataset(data).views.size(), after.at("registered").get<size_t>());
}

TEST_F(ViewerPreparing, AFailureIsShownAndTheSameCanBeTriedAgain) {
    NEED("colmap");
    writeFlatPhotographs();
    const std::string line = "try " + prepareLine() + "try wait prepared\n" + writeReport();
    expectSuccess(play(line));
    expectParts(preparation().at("problem"), {"no camera poses"});
    EXPECT_TRUE(readReport().at("training").is_null());
    const Outcome failed = play(prepareLine() + "wait prepared\n");
    expectFailure(failed, 2, {"no camera poses", "prepare.log"});
}

TEST_F(ViewerPreparing, ARunningPreparationRefusesAnotherAndCanBeStopped) {
    NEED("colmap");
    const TrueViews views(photographs, 8);
    const std::string stop = "try stop_preparing\n", again = "try prepare " + quoted(photographs) + ' ' + quoted(at("other")) + '\n';
    expectSuccess(play(stop + writeReport("none.json") + prepareLine() + again + writeReport("twice.json") + "stop_preparing\n" +
                       "try wait prepared\n" + writeReport()));
    expectParts(readReport("none.json").at("notice"), {"nothing is being prepared"});
    expectParts(readReport("twice.json").at("notice"), {"is being prepared", "stop that first"});
    EXPECT_FALSE(fs::exists(at("other")));
    EXPECT_TRUE(preparation().at("ended").get<bool>());
    EXPECT_EQ(preparation().at("problem"), "stopped");
    EXPECT_FALSE(fs::exists(data / "sparse"));
}

TEST_F(ViewerPreparing, ScriptsAreToldTheCommandInsteadOfAsked) {
    writeFlatPhotographs();
    expectFailure(play("open " + quoted(photographs) + "\n"), 2, {"no camera poses", "--prepare"});
    expectFailure(play("open " + scratch.write("a.mp4", "x").string() + "\n"), 2, {"a video", "--prepare"});
}

/// A person in a window without a script.
struct ViewerOffer : ViewerPreparing {
    /// Acts 0.7 s apart, from when the window shows something; the last waits until the dataset's folder is there.
    Outcome view(const std::vector<std::function<void(Desktop&)>>& acts, size_t* done) const {
        Desktop desktop(display);
        auto last = Clock::now();
        *done = 0;
        const auto person = [&] {
            if (*done == acts.size() || Clock::now() - last < std::chrono::milliseconds(900)) return false;
            if (desktop.picture().width == 0) return false;
            acts[(*done)++](desktop);
            last = Clock::now();
            return false;
        };
        return splatwright({"view", "--size", "640x400", "--validate"},
                           {.environment = {{"DISPLAY", display.name()},
                                            {"HOME", scratch.path()},
                                            {"XDG_CONFIG_HOME", scratch.path()},
                                            {"PATH", colmap.folder.string() + ":" + std::getenv("PATH")}},
                            .interruptWhen = person});
    }

    const prepare::test::FakeColmap colmap{scratch.path()};
};

TEST_F(ViewerOffer, DroppedPhotographsArePreparedOnceTheOfferIsTaken) {
    writeFlatPhotographs();
    colmap.before("feature_extractor", "sleep 60");
    const auto drop = [this](Desktop& d) { EXPECT_TRUE(d.drop({photographs})); };
    const auto escape = [](Desktop& d) { d.type("Escape"); };
    const auto enter = [](Desktop& d) { d.type("Return"); };
    const auto close = [](Desktop& d) { d.close(); };
    bool untouched = false, begun = false;
    const auto look = [&](bool& seen, bool wanted) {
        return [this, &seen, wanted](Desktop&) { seen = fs::exists(data / ".prepare") == wanted; };
    };
    size_t done = 0;
    // The first offer is called off, the second taken; then closing asks, and closing again leaves.
    expectSuccess(view({drop, escape, look(untouched, false), drop, enter, look(begun, true), close, close}, &done));
    EXPECT_TRUE(untouched);
    EXPECT_TRUE(begun);
    EXPECT_EQ(done, 8u) << "closing has to ask while a preparation runs";
    EXPECT_FALSE(fs::exists(data / "sparse"));
}

}  // namespace
}  // namespace splat
