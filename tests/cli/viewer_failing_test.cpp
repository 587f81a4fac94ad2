// Scripts that cannot go on: they end with exit code 2 at their line, and none hangs.
#include "window_acts.h"

namespace splat {
namespace {

using namespace test;

struct ViewerFailing : ViewerScript {
    Outcome follow(const std::string& script, Arguments arguments = {}) const {
        std::ofstream(at("script.txt")) << script;
        arguments.insert(arguments.begin(), {"view", "--headless", "--script", at("script.txt"), "--size", "320x200"});
        return splatwright(arguments);
    }
    /// A line after others fails as exit code 2 says, with its number, and nothing after it happens.
    void fails(const std::string& before, const std::string& line, std::vector<std::string> parts) const {
        parts.push_back(fmt::format("script.txt:{}: ", std::ranges::count(before, '\n') + 1));
        fs::remove(at("never.json"));
        expectFailure(follow(before + line + "\n" + writeReport("never.json")), 2, parts);
        EXPECT_FALSE(fs::exists(at("never.json"))) << line;
    }
    const std::string nowhere = at("nowhere/x").string();
    std::string openData(const fs::path& data) const {
        return "train_set init random\ntrain_set init_count 60\nopen " + data.string() + "\nwait phase ready\n";
    }
};

TEST_F(ViewerFailing, AbsurdNumbersAreRefusedByEveryAction) {
    const std::vector<std::pair<std::string, std::string>> lines{{"camera nan 0 0 0 0 1", "the eye"},
                                                                 {"camera 1 2 3 1 2 3", "one point"},
                                                                 {"camera 1e300 0 0 0 0 1", "the eye"},
                                                                 {"orbit inf 0", "the turn"},
                                                                 {"orbit 0 -1e30", "the tilt"},
                                                                 {"up 0 0 0", "expected a direction"},
                                                                 {"up nan 1 0", "the direction"},
                                                                 {"field_of_view 0", "5 to 150"},
                                                                 {"field_of_view nan", "5 to 150"},
                                                                 {"place 0 0 0 0 0 0 0", "the scale"},
                                                                 {"place 0 0 0 0 0 0 -inf", "the scale"},
                                                                 {"place 0 0 0 nan 0 0 1", "the rotation"},
                                                                 {"select_sphere 0 0 0 -1", "the radius"},
                                                                 {"select_sphere 0 0 inf 1", "the centre"},
                                                                 {"select_box 0 0 0 1 -1 1", "half size"},
                                                                 {"select_opacity 0 2", "the maximum"},
                                                                 {"select_opacity nan 1", "the minimum"},
                                                                 {"select_opacity 0 1 everywhere", "all_models"},
                                                                 {"tolerance 2", "the tolerance"},
                                                                 {"place_sphere 0 0 nan 1", "the centre"},
                                                                 {"place_box 0 0 0 1 -1 1 0 0 0", "half size"},
                                                                 {"histogram weight", "unknown quantity"},
                                                                 {"select_values scale nan 1", "the minimum"},
                                                                 {"select_values gradient 0 1", "no model is being trained"},
                                                                 {"lock 2", "0 to 1"},
                                                                 {"visible 7", "0 to 1"},
                                                                 {"resize 0 10", "the width"},
                                                                 {"resize 99999999 10", "the width"},
                                                                 {"move nan 3", "a coordinate"},
                                                                 {"wheel 1 1 1e300", "the turns"},
                                                                 {"drag 0 0 1e99 0", "a coordinate"},
                                                                 {"modifiers shft", "modifiers"},
                                                                 {"hold W 0", "frames"},
                                                                 {"hold Z 5", "the key"},
                                                                 {"wait frames 4000000000", "frames"},
                                                                 {"wait seconds nan", "seconds"},
                                                                 {"wait seconds 1e9", "seconds"},
                                                                 {"play 0", "frames"},
                                                                 {"record " + at("r").string() + " 0", "the frames"},
                                                                 {"wait step 5", "no dataset"},
                                                                 {"wait evaluation", "no dataset"},
                                                                 {"wait phase ready", "no dataset"},
                                                                 {"set size_scale nan", "size_scale"},
                                                                 {"set range_low 1e300", "range_low"},
                                                                 {"set range_high inf", "range_high"},
                                                                 {"train_set lr_sh0 nan", "lr_sh0"}};
    std::string script = openSplats();
    for (size_t i = 0; i < lines.size(); ++i) script += "try " + lines[i].first + "\n" + writeReport(fmt::format("{}.json", i)) + "key C\n";
    expectSuccess(follow(script));
    for (size_t i = 0; i < lines.size(); ++i) {
        const json found = readReport(fmt::format("{}.json", i));
        EXPECT_TRUE(found.at("problem").get<bool>()) << lines[i].first;
        EXPECT_NE(found.at("notice").get<std::string>().find(lines[i].second), std::string::npos)
            << lines[i].first << ": " << found.at("notice");
    }
}

TEST_F(ViewerFailing, TheLineThatFailsIsTheLast) {
    fs::create_directories(at("empty"));
    const fs::path garbage = scratch.write("garbage.ply", std::string("ply\nnonsense"));
    fails(openSplats(), "open " + garbage.string(), {"garbage.ply"});
    fails("", "open " + at("empty").string(), {"empty"});
    fails("", "camera nan 0 0 0 0 1", {"camera", "nan"});
    fails(openSplats(), "save " + nowhere + ".ply", {"nowhere"});
    fails(openSplats(), "screenshot " + nowhere + ".png", {"nowhere"});
    fails(openSplats(), "report " + nowhere + ".json", {"nowhere"});
}

TEST_F(ViewerFailing, AndTheOneThatWaitsInVainOrIsRefusedByTraining) {
    const fs::path data = tinyDataset(scratch);
    fails(openData(data), "wait step 5", {"step 5 does not come", "ready"});
    fails(openData(data), "wait evaluation", {"evaluation does not come"});
    fails(openData(data), "wait phase finished", {"phase finished does not come"});
    fails(openData(data), "wait phase over", {"over", "finished"});
    fails(openData(data), "wait step 99999999", {"the last"});
    fails(openData(data), "select_opacity 0 1", {"in training"});
    fails(openData(data) + "key T\nwait step 5\n", "train_set seed 7", {"seed"});
    fails(openData(data), "save " + nowhere + ".ply", {"nowhere"});
}

TEST_F(ViewerFailing, ATryGoesOnAndSaysWhy) {
    const fs::path garbage = scratch.write("garbage.ply", std::string("ply\nnonsense"));
    expectSuccess(
        follow("try open " + garbage.string() + "\n" + writeReport() + openSplats() + "wait picture\n" + writeReport("after.json")));
    EXPECT_TRUE(readReport().at("problem").get<bool>());
    EXPECT_NE(readReport().at("notice").get<std::string>().find("garbage.ply"), std::string::npos);
    EXPECT_EQ(readReport("after.json").at("models").size(), 1u);
    expectFailure(follow("try\n"), 2, {"script.txt:1: ", "action is missing"});
    expectFailure(follow("try jump\n"), 2, {"script.txt:1: ", "unknown action 'jump'"});
}

TEST_F(ViewerFailing, AnEmptyScriptIsRefused) {
    for (const std::string script : {"", "\n\n", "# nothing\n   # at all"})
        expectFailure(follow(script), 2, {"script.txt:", "without an action"});
}

TEST_F(ViewerFailing, AnUnreadableFileOfTheCommandLineIsNoScriptsFault) {
    expectFailure(follow("quit\n", {scratch.write("garbage.ply", std::string("ply\nnonsense"))}), 2, {"garbage.ply"});
}

TEST_F(ViewerFailing, WaitingForThePictureOfNothingEnds) {
    expectSuccess(follow("wait picture\nwait picture\nwait frames 2\nwait picture\n" + writeReport()));
    EXPECT_TRUE(readReport().at("models").empty());
}

using WindowFailing = Window;
TEST_F(WindowFailing, NoPictureComesWhileTheWindowIsMinimised) {
    const Outcome run = perform({{openSplats() + "wait picture", [](Desktop& desktop) { desktop.minimise(); }},
                                 {"wait seconds 0.3\norbit 20 0\nwait picture", {}}});
    expectFailure(run, 2, {"script.txt:", "the picture does not come while the window is minimised"});
}

}  // namespace
}  // namespace splat
