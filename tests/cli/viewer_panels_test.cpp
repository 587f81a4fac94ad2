// Panels: docked, floating, closed and opened again, put back; and what the viewer remembers from one start to the next.
#include "window_acts.h"

namespace splat {
namespace {

using namespace test;

struct ViewerPanels : ViewerScript {
    Outcome follow(const std::string& script) const {
        std::ofstream(at("script.txt")) << "open " << splats.string() << "\nwait picture\nwait frames 3\n" << script;
        return splatwright({"view", "--headless", "--script", at("script.txt"), "--size", "960x640", "--validate"});
    }
    json panel(const std::string& title, const std::string& report) const { return readReport(report).at("panels").at(title); }
    glm::vec2 corner(const std::string& title, const char* which, const std::string& report) const {
        const json point = panel(title, report).at(which);
        return {point[0].get<float>(), point[1].get<float>()};
    }
    int viewLeft(const std::string& report) const { return readReport(report).at("picture").at("low")[0]; }
};

std::string dragged(glm::vec2 from, glm::vec2 to) {
    return fmt::format("drag {} {} {} {}\nwait picture\nwait frames 3\n", from.x, from.y, to.x, to.y);
}

TEST_F(ViewerPanels, AreDockedBesideTheView) {
    expectSuccess(follow(writeReport("now.json")));
    const json picture = readReport("now.json").at("picture");
    for (const char* title : {"Models", "Render", "GPU"}) {
        EXPECT_TRUE(panel(title, "now.json").at("docked").get<bool>()) << title;
        EXPECT_TRUE(panel(title, "now.json").at("shown").get<bool>()) << title << " is in front of other tabs";
    }
    EXPECT_FALSE(panel("Selection", "now.json").at("shown").get<bool>()) << "a tab behind another";
    EXPECT_FALSE(panel("Training", "now.json").at("shown").get<bool>()) << "there is no dataset";
    const float left = corner("Models", "high", "now.json").x, right = corner("GPU", "low", "now.json").x;
    EXPECT_NEAR(viewLeft("now.json"), left, 4);
    EXPECT_NEAR(viewLeft("now.json") + picture.at("width").get<int>(), right, 4);
}

/// In windows of less than 960 pixels, too: what does not fit beside another is below it.
TEST_F(ViewerPanels, ButtonsGoToTheNextLineWhereAPanelIsNarrow) {
    std::string script = openSplats() + "wait picture\n";
    for (int i = 0; i < 12; ++i) script += "bookmark\n";
    for (const char* title : {"Camera", "Selection"}) script += fmt::format("panel {} 1\nwait frames 3\n", title);
    std::ofstream(at("script.txt")) << script << "click 50% 50%\nwait picture\nwait frames 4\n"
                                    << writeReport("first.json") << "panel Models 1\nwait frames 3\npanel \"See inside\" 1\nwait frames 4\n"
                                    << writeReport("second.json");
    expectSuccess(splatwright({"view", "--headless", "--script", at("script.txt"), "--size", "800x600"}));
    EXPECT_EQ(panel("Camera", "first.json").at("beyond"), 0);
    EXPECT_EQ(panel("Selection", "first.json").at("beyond"), 0);
    EXPECT_EQ(panel("Models", "second.json").at("beyond"), 0);
    EXPECT_EQ(panel("See inside", "second.json").at("beyond"), 0);
}

TEST_F(ViewerPanels, TheViewFollowsTheirBorder) {
    expectSuccess(follow(writeReport("before.json")));
    const glm::vec2 border = corner("Models", "high", "before.json");
    expectSuccess(follow(dragged({border.x + 1, border.y - 40}, {border.x + 81, border.y - 40}) + writeReport("after.json")));
    EXPECT_NEAR(viewLeft("after.json"), viewLeft("before.json") + 80, 4);
    EXPECT_NEAR(corner("Render", "high", "after.json").x, border.x + 80, 4);
}

TEST_F(ViewerPanels, FloatOverTheViewAndAreDockedAgain) {
    expectSuccess(follow(writeReport("before.json")));
    const glm::vec2 tab = corner("GPU", "low", "before.json") + glm::vec2(20, 10);
    const std::string floats = dragged(tab, {360, 470}) + writeReport("floats.json");
    expectSuccess(follow(floats));
    EXPECT_FALSE(panel("GPU", "floats.json").at("docked").get<bool>());
    EXPECT_TRUE(panel("GPU", "floats.json").at("shown").get<bool>());
    EXPECT_TRUE(panel("Splats at a pixel", "floats.json").at("shown").get<bool>()) << "the tab that was behind it";
    const glm::vec2 title = corner("GPU", "low", "floats.json") + glm::vec2(60, 8);
    const glm::vec2 tabs = corner("Render", "low", "floats.json") + glm::vec2(200, 10);
    expectSuccess(follow(floats + dragged(title, tabs) + writeReport("docked.json")));
    EXPECT_TRUE(panel("GPU", "docked.json").at("docked").get<bool>());
    EXPECT_EQ(corner("GPU", "low", "docked.json"), corner("Render", "low", "before.json")) << "a tab beside Render";
}

TEST_F(ViewerPanels, AreClosedAndOpenedAndPutBack) {
    expectSuccess(follow(writeReport("before.json") + "panel GPU 0\npanel \"Splats at a pixel\"\nwait picture\nwait frames 3\n" +
                         writeReport("closed.json") + "panel GPU 1\nwait picture\nwait frames 3\n" + writeReport("open.json") +
                         "drag 296 300 396 300\npanel Models 0\nreset_layout\nwait picture\nwait frames 3\n" + writeReport("reset.json")));
    EXPECT_FALSE(panel("GPU", "closed.json").at("shown").get<bool>());
    EXPECT_FALSE(panel("GPU", "closed.json").at("open").get<bool>());
    const auto right = [&](const std::string& report) {
        return viewLeft(report) + readReport(report).at("picture").at("width").get<int>();
    };
    EXPECT_EQ(right("closed.json"), 960) << "nothing is left beside the view";
    EXPECT_EQ(panel("GPU", "open.json"), panel("GPU", "before.json"));
    EXPECT_EQ(readReport("reset.json").at("panels"), readReport("before.json").at("panels"));
}

/// Also which of several tabs is in front.
TEST_F(ViewerPanels, KeepTheirPlacesWhileTheyAreHidden) {
    expectSuccess(follow("drag 290 300 390 300\npanel Selection 1\nwait picture\nwait frames 3\n" + writeReport("before.json") +
                         "key Tab\nwait picture\nwait frames 3\n" + writeReport("hidden.json") + "key Tab\nwait picture\nwait frames 3\n" +
                         writeReport("after.json")));
    EXPECT_TRUE(panel("Selection", "before.json").at("shown").get<bool>());
    EXPECT_TRUE(panel("Selection", "after.json").at("docked").get<bool>());
    EXPECT_EQ(readReport("hidden.json").at("picture").at("width"), 960);
    EXPECT_EQ(readReport("after.json").at("panels"), readReport("before.json").at("panels"));
}

TEST_F(ViewerPanels, AMenuListsThem) {
    std::string script;
    for (int y = 30; y < 300; y += 12) {
        script += fmt::format("click 278 11\nwait frames 3\nclick 312 {}\nwait frames 3\n", y) + writeReport(fmt::format("at{}.json", y)) +
                  "key Escape\nkey Escape\nreset_layout\nwait frames 3\n";
    }
    expectSuccess(follow(script));
    std::set<std::string> closed;
    for (int y = 30; y < 300; y += 12) {
        const json panels = readReport(fmt::format("at{}.json", y)).at("panels");
        for (const auto& [title, panel] : panels.items())
            if (!panel.at("open").get<bool>()) closed.insert(title);
    }
    for (const char* title : {"Models", "Render", "Camera", "Selection", "GPU", "Splats at a pixel"})
        EXPECT_TRUE(closed.contains(title)) << title;
    EXPECT_FALSE(closed.contains("Training")) << "grey, as there is no dataset";
}

TEST_F(ViewerPanels, AnUnknownOneIsRefusedWithTheNamesOfAll) {
    std::ofstream(at("script.txt")) << "panel Modles\n";
    expectFailure(splatwright({"view", "--headless", "--script", at("script.txt")}), 2, {"script.txt:1: ", "'Modles'", "Models"});
}

TEST_F(ViewerPanels, TheyKeepTheirSizeInPointsAtAnotherScale) {
    const std::string settle = "wait picture\nwait frames 4\n";
    expectSuccess(follow(dragged({288, 300}, {208, 300}) + writeReport("one.json") + "ui_scale 1.5\n" + settle +
                         writeReport("larger.json") + "ui_scale 1\n" + settle + writeReport("again.json")));
    EXPECT_EQ(readReport("larger.json").at("screen").at("scale"), 1.5);
    EXPECT_NEAR(corner("Models", "high", "larger.json").x, 1.5 * corner("Models", "high", "one.json").x, 3);
    EXPECT_NEAR(corner("Models", "high", "again.json").x, corner("Models", "high", "one.json").x, 3);
    std::ofstream(at("script.txt")) << "ui_scale 0.3\n";
    expectFailure(splatwright({"view", "--headless", "--script", at("script.txt")}), 2, {"script.txt:1: ", "0.3", "0.5 to 4"});
}

TEST_F(ViewerPanels, TheLogShowsMessagesBelowTheView) {
    expectSuccess(follow(writeReport("before.json") + "try open " + at("none.ply").string() +
                         "\npanel Log 1\nwait picture\nwait frames 3\n" + writeReport("after.json")));
    const auto log = readReport("after.json").at("log").get<std::vector<std::string>>();
    EXPECT_TRUE(std::ranges::any_of(log, [](const std::string& line) { return line.find(" info a.ply: ") != std::string::npos; }))
        << json(log);
    EXPECT_TRUE(std::ranges::any_of(log, [](const std::string& line) {
        return line.find(" error ") != std::string::npos && line.find("none.ply") != std::string::npos;
    })) << json(log);
    EXPECT_TRUE(panel("Log", "after.json").at("shown").get<bool>());
    EXPECT_LT(readReport("after.json").at("picture").at("height"), readReport("before.json").at("picture").at("height"));
}

/// Starts without a script, on a display without a window manager; acts of a person follow each other with some time in between.
struct ViewerMemory : ViewerScript {
    const fs::path config = at("config"), file = config / "splatwright" / "viewer.json";

    Outcome view(const std::vector<std::function<void(Desktop&)>>& acts, Arguments arguments = {}) const {
        Desktop desktop(display);
        size_t done = 0;
        auto last = Clock::now();
        bool shown = false;
        const auto person = [&] {
            shown = shown || coloursOf(desktop.picture()) > 100;
            if (!shown || done == acts.size() || Clock::now() - last < std::chrono::milliseconds(700)) return false;
            acts[done++](desktop);
            last = Clock::now();
            return false;
        };
        arguments.insert(arguments.begin(), {"view", splats, "--validate"});
        return splatwright(arguments, {.environment = withFolders(config, {{"DISPLAY", display.name()}}), .interruptWhen = person});
    }
    static void close(Desktop& desktop) { desktop.close(); }
    json remembered() const { return json::parse(readTextFile(file)); }
};

TEST_F(ViewerMemory, KeepsWhatThePersonHasChosenForTheNextStart) {
    const auto choose = [](Desktop& d) {
        for (const char* chord : {"M", "X", "]"}) d.typeChord(chord);
    };
    const auto border = [](Desktop& d) {
        d.movePointer(193, 300);
        d.pressButton(1);
        d.movePointer(220, 300);
    };
    const auto release = [](Desktop& d) {
        d.movePointer(253, 300);
        d.releaseButton(1);
    };
    expectSuccess(view({choose, [](Desktop& d) { d.movePointer(193, 300); }, border, release, close}, {"--size", "640x480"}));
    const json first = remembered();
    EXPECT_EQ(first.at("version"), 1);
    EXPECT_EQ(first.at("tool"), "rectangle");
    EXPECT_NE(first.at("render_mode"), "colour");
    EXPECT_NEAR(first.at("brush").get<double>(), 37.5, 0.01);
    EXPECT_EQ(first.at("window").at("size"), json({640, 480}));
    EXPECT_NE(first.at("layout").get<std::string>().find("[Docking][Data]"), std::string::npos);

    expectSuccess(view({close}));
    EXPECT_EQ(remembered(), first) << "the second start takes all of it on";
    expectSuccess(view({close}, {"--picture", "depth", "--size", "700x500"}));
    EXPECT_EQ(remembered().at("render_mode"), "depth") << "the command line comes first";
    EXPECT_EQ(remembered().at("window").at("size"), json({700, 500}));
    EXPECT_EQ(remembered().at("tool"), "rectangle");
}

/// A crash or a power cut must not lose the layout.
TEST_F(ViewerMemory, IsWrittenWithinSecondsOfAChangeAndOnlyThen) {
    json whileOpen, later;
    fs::file_time_type written, untouched;
    const auto look = [&](json& found, fs::file_time_type& time) {
        return [&](Desktop&) {
            std::this_thread::sleep_for(std::chrono::seconds(3));
            ASSERT_TRUE(fs::exists(file)) << "nothing was written while the window is open";
            found = remembered();
            time = fs::last_write_time(file);
        };
    };
    const auto chooses = [](Desktop& d) { d.typeChord("X"); };
    expectSuccess(view({chooses, look(whileOpen, written), look(later, untouched), close}, {"--size", "640x480"}));
    EXPECT_EQ(whileOpen.at("tool"), "rectangle");
    EXPECT_EQ(later, whileOpen);
    EXPECT_EQ(untouched, written) << "it was written again though nothing had changed";
}

TEST_F(ViewerMemory, IgnoresAFileThatIsDamagedOrOfAnotherVersion) {
    fs::create_directories(file.parent_path());
    for (const std::string text : {"{\"version\": 1, \"layout\":", "{\"version\": 99}", "[]"}) {
        std::ofstream(file) << text;
        expectSuccess(view({[](Desktop& d) { d.typeChord("Escape"); }, close}, {"--size", "640x480"}));
        EXPECT_EQ(remembered().at("render_mode"), "colour") << text;
    }
}

TEST_F(ViewerMemory, ScriptsNeitherReadNorWriteIt) {
    expectSuccess(play(openSplats() + "key M\nwait picture\n", {}, {.environment = withFolders(config, {})}));
    EXPECT_FALSE(fs::exists(file));
    fs::create_directories(file.parent_path());
    std::ofstream(file) << "garbage";
    expectSuccess(play(openSplats() + "wait picture\n" + writeReport(), {}, {.environment = withFolders(config, {})}));
    EXPECT_FALSE(readReport().at("problem").get<bool>());
    EXPECT_EQ(readTextFile(file), "garbage");
}

}  // namespace
}  // namespace splat
