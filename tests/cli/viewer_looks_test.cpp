// What the viewer's screen says: selections, pictures without data, legends, screenshots, messages, and sizes on dense monitors.
#include <cmath>

#include <splatwright/scene/formats/ply.h>
#include "sheet.h"
#include "viewer/scene/navigator.h"
#include "window_acts.h"

namespace splat {
namespace {

using namespace test;

struct ViewerLooks : ViewerScript {
    Outcome follow(const std::string& script, Arguments arguments = {"--size", "640x400"}) const {
        std::ofstream(at("script.txt")) << script;
        arguments.insert(arguments.begin(), {"view", "--headless", "--script", at("script.txt"), "--validate"});
        return splatwright(arguments);
    }
    std::string screenshot(const std::string& name, bool panels = false) const {
        return std::string(panels ? "screenshot_panels " : "screenshot ") + at(name).string() + "\n";
    }
    uint32_t selected(const std::string& name) const { return readReport(name).at("marks").at("selected"); }
};

double difference(const Image8& a, const Image8& b) {
    EXPECT_EQ(a.pixels.size(), b.pixels.size());
    double sum = 0;
    for (size_t i = 0; i < a.pixels.size(); ++i) sum += std::abs(static_cast<double>(a.pixels[i]) - b.pixels[i]);
    return sum / static_cast<double>(a.pixels.size());
}

/// Means of 2x2 pixels.
Image8 halved(const Image8& image) {
    Image8 half(image.width / 2, image.height / 2, 3);
    for (int y = 0; y < half.height; ++y)
        for (int x = 0; x < half.width; ++x)
            for (size_t c = 0; c < 3; ++c)
                half.at(x, y)[c] = static_cast<uint8_t>((image.at(2 * x, 2 * y)[c] + image.at(2 * x + 1, 2 * y)[c] +
                                                         image.at(2 * x, 2 * y + 1)[c] + image.at(2 * x + 1, 2 * y + 1)[c]) /
                                                        4);
    return half;
}

TEST_F(ViewerLooks, AReportRightAfterASelectionSaysIt) {
    std::string script = openSplats();
    for (int i = 0; i < 2; ++i)
        script += "select_opacity 0 1\n" + writeReport("all.json") + "key Ctrl+Shift+A\n" + writeReport("none.json") +
                  "drag 0% 0% 100% 100%\nkey Ctrl+A\n" + writeReport("again.json") + "key Ctrl+I\n" + writeReport("inverted.json");
    expectSuccess(follow(script));
    const uint32_t splatsOfIt = readReport("all.json").at("models")[0].at("splats");
    EXPECT_EQ(selected("all.json"), splatsOfIt);
    EXPECT_EQ(selected("none.json"), 0u);
    EXPECT_EQ(selected("again.json"), splatsOfIt);
    EXPECT_EQ(selected("inverted.json"), 0u);
}

TEST_F(ViewerLooks, SelectionsStayInTheChosenModelUnlessAsked) {
    const std::string rectangle = "key X\ndrag 0% 0% 100% 100%\n";
    expectSuccess(follow(openSplats() + openSplats() + "key Tab\nwait picture\n" + rectangle + writeReport("rectangle.json") +
                         "key Ctrl+A\n" + writeReport("all.json") + "select_opacity 0 1\n" + writeReport("opacity.json") +
                         "select_opacity 0 1 all_models\n" + writeReport("asked.json") + "key Ctrl+A\n" + writeReport("again.json") +
                         "all_models 1\n" + rectangle + writeReport("everywhere.json") + "all_models 0\nkey Ctrl+K\n" +
                         writeReport("cropped.json") + "visible 0\ntry key Ctrl+A\n" + writeReport("hidden.json")));
    const uint32_t each = readReport("all.json").at("models")[0].at("splats");
    const uint32_t seen = selected("rectangle.json");
    EXPECT_GT(seen, 0u);
    EXPECT_EQ(selected("everywhere.json"), 2 * seen);
    EXPECT_EQ(selected("all.json"), each);
    EXPECT_EQ(selected("opacity.json"), each);
    EXPECT_EQ(selected("asked.json"), 2 * each);
    EXPECT_EQ(selected("again.json"), each) << "what was selected elsewhere ends";
    EXPECT_EQ(readReport("cropped.json").at("marks").at("deleted"), each - seen);
    EXPECT_TRUE(readReport("hidden.json").at("problem").get<bool>());
}

TEST_F(ViewerLooks, WhatCannotBeWrittenIsRefusedByItsName) {
    std::string script = openSplats();
    const std::vector<std::pair<std::string, std::string>> names{{"save", "x.png"},       {"save", "x.ksplat"},
                                                                 {"save", "x"},           {"screenshot", "x.jpg"},
                                                                 {"screenshot", "x.ply"}, {"screenshot_panels", "x"}};
    for (size_t i = 0; i < names.size(); ++i)
        script += "try " + names[i].first + " " + at(names[i].second).string() + "\n" + writeReport(fmt::format("{}.json", i));
    expectSuccess(follow(script + "save " + at("WRITTEN.PLY").string() + "\n"));
    for (size_t i = 0; i < names.size(); ++i) {
        const json found = readReport(fmt::format("{}.json", i));
        const std::string notice = found.at("notice");
        EXPECT_TRUE(found.at("problem").get<bool>()) << names[i].second;
        EXPECT_NE(notice.find(names[i].first == "save" ? ".ply" : ".png"), std::string::npos) << notice;
        EXPECT_FALSE(fs::exists(at(names[i].second))) << names[i].second;
    }
    EXPECT_TRUE(fs::exists(at("WRITTEN.PLY")));
    std::ofstream(at("script.txt")) << openSplats() << "save " << at("x.ksplat").string() << "\n";
    expectFailure(splatwright({"view", "--headless", "--script", at("script.txt")}), 2,
                  {"script.txt:2: ", "x.ksplat", ".ply", "only read"});
    std::ofstream(at("script.txt")) << openSplats() << "save " << at("x.spz").string() << " spz-v9\n";
    expectFailure(splatwright({"view", "--headless", "--script", at("script.txt")}), 2, {"script.txt:2: ", "'spz-v9'", "spz-v4"});
}

/// By the extension, and by the name of each writer.
TEST_F(ViewerLooks, EveryFormatThatIsWrittenCanBeSaved) {
    std::string script = openSplats() + "select_opacity 0 0.3\nkey Delete\n";
    std::vector<std::pair<fs::path, const SplatWriter*>> files;
    for (const SplatFormat* format : splatFormats()) {
        for (const SplatWriter& writer : format->writers) {
            const std::string folder = writer.name;
            fs::create_directories(at(folder));
            files.emplace_back(at(folder) / (writer.fileName ? writer.fileName : std::string("x") + format->extension), &writer);
            script += fmt::format("save {} {}\n", files.back().first.string(), writer.name);
            if (&writer != &format->writers.front()) continue;
            files.emplace_back(at(folder) / (std::string("y") + format->extension), &writer);
            script += fmt::format("save {}\n", files.back().first.string());
        }
    }
    expectSuccess(follow(script + "save " + at("all.ply").string() + "\n"));
    const Gaussians saved = readPly(at("all.ply"));
    ASSERT_LT(saved.count(), readPly(splats).count());
    for (const auto& [path, writer] : files) {
        const fs::path expected = at("expected") / path.filename();
        fs::create_directories(at("expected"));
        writer->write(expected, saved);
        EXPECT_EQ(readTextFile(path), readTextFile(expected)) << writer->name;
    }
    EXPECT_GE(files.size(), splatWriters().size() + 5);
}

TEST_F(ViewerLooks, AScreenshotIsTheViewAndWithPanelsTheWindow) {
    expectSuccess(follow(openSplats() + "wait picture\nwait frames 3\nkey F1\nwait frames 3\n" + screenshot("view.png") +
                         screenshot("window.png", true) + "key F1\nwait frames 3\n" + screenshot("without.png") + writeReport()));
    const json picture = readReport().at("picture");
    const Image8 view = readImage(at("view.png")), window = readImage(at("window.png"));
    EXPECT_EQ(glm::ivec2(window.width, window.height), glm::ivec2(640, 400));
    EXPECT_EQ(glm::ivec2(view.width, view.height), glm::ivec2(picture.at("width"), picture.at("height")));
    EXPECT_LT(view.width, 640);
    EXPECT_EQ(view.pixels, readImage(at("without.png")).pixels) << "the list of keys is no part of the view";
}

TEST_F(ViewerLooks, APictureWithoutItsDataSaysSoInTheViewAndTheReport) {
    std::string script = openSplats() + "key Tab\nwait picture\n" + screenshot("colour.png");
    for (const std::string name : {"error", "gradient"})
        script += "picture " + name + "\nwait picture\nwait frames 3\n" + screenshot(name + ".png") + writeReport(name + ".json");
    expectSuccess(follow(script + "picture depth\nwait picture\n" + writeReport("depth.json")));
    const Image8 colour = readImage(at("colour.png"));
    for (const std::string name : {"error", "gradient"}) {
        const json picture = readReport(name + ".json").at("picture");
        EXPECT_EQ(picture.at("shown"), "colour") << name;
        EXPECT_GT(picture.at("missing").get<std::string>().size(), 20u) << name;
        const Image8 shown = readImage(at(name + ".png"));
        size_t changed = 0;
        for (size_t i = 0; i < shown.pixels.size(); ++i) changed += shown.pixels[i] != colour.pixels[i];
        EXPECT_GT(changed, 3000u) << name << ": words over the picture";
        for (size_t i = shown.pixels.size() / 2; i < shown.pixels.size(); ++i) ASSERT_EQ(shown.pixels[i], colour.pixels[i]) << name;
    }
    EXPECT_EQ(readReport("depth.json").at("picture").at("missing"), "");
}

TEST_F(ViewerLooks, NumbersHaveALegendWithTheirRange) {
    expectSuccess(follow(openSplats() + "key Tab\npicture splats\nwait picture\nwait frames 3\n" + screenshot("legend.png") +
                         writeReport("splats.json") + "legend\nwait frames 3\n" + screenshot("none.png") +
                         "legend\nset auto_range false\nset range_low 2\nset range_high 5\nwait picture\n" + writeReport("set.json") +
                         "picture colour\nwait picture\n" + writeReport("colour.json")));
    const Image8 with = readImage(at("legend.png")), without = readImage(at("none.png"));
    size_t changed = 0;
    std::set<std::vector<uint8_t>> bar;
    for (int y = 0; y < with.height; ++y) {
        for (int x = 0; x < with.width; ++x) {
            const auto now = with.at(x, y), before = without.at(x, y);
            if (std::ranges::equal(now, before)) continue;
            ++changed;
            bar.insert({now.begin(), now.end()});
            EXPECT_TRUE(x < with.width / 2 && y > with.height / 2) << x << "," << y;
        }
    }
    EXPECT_GT(changed, 4000u);
    EXPECT_GT(bar.size(), 60u) << "colours of the map";
    const auto range = readReport("splats.json").at("picture").at("range").get<std::vector<double>>();
    EXPECT_EQ(range[0], 0) << "a heat map starts at zero";
    EXPECT_GT(range[1], 0);
    EXPECT_EQ(readReport("set.json").at("picture").at("range").get<std::vector<double>>(), (std::vector<double>{2, 5}));
    EXPECT_TRUE(readReport("colour.json").at("picture").at("range").is_null());
}

/// The value under the pointer is that of the file of values, and disappears with the legend and outside of the view.
TEST_F(ViewerLooks, TheValueUnderThePointerIsShown) {
    writeSheet(at("sheet.ply"));
    expectSuccess(follow("open " + at("sheet.ply").string() + "\n" + "render_mode splats\nwait picture\n" + writeReport("before.json") +
                         "move 50% 50%\nwait picture\nwait frames 3\n" + screenshot("shown.png") + writeReport("shown.json") +
                         "click 50% 50%\nwait picture\n" + writeReport("clicked.json") +
                         "render_mode depth\nwait picture\nmove 10% 5%\nwait picture\nwait frames 2\n" + writeReport("nothing.json") +
                         "legend\nwait frames 3\n" + writeReport("hidden.json") + "legend\nmove 2 200\nwait frames 3\n" +
                         writeReport("panel.json")));
    EXPECT_TRUE(readReport("before.json").at("picture").at("pointed").is_null());
    const json shown = readReport("shown.json").at("picture").at("pointed");
    const json hits = readReport("clicked.json").at("probe").at("hits");
    EXPECT_EQ(shown.at("value").get<double>(), static_cast<double>(hits.size())) << "splats of the pixel";
    EXPECT_GT(hits.size(), 0u);
    EXPECT_TRUE(readReport("nothing.json").at("picture").at("pointed").at("value").is_null()) << "no splats, no depth";
    EXPECT_TRUE(readReport("hidden.json").at("picture").at("pointed").is_null());
    EXPECT_TRUE(readReport("panel.json").at("picture").at("pointed").is_null());
}

TEST_F(ViewerLooks, ALockedRangeStaysAndEachRenderModeHasItsOwn) {
    const auto range = [&](const std::string& name) { return readReport(name).at("picture").at("range").get<std::vector<double>>(); };
    expectSuccess(follow(openSplats() + "render_mode depth\nwait picture\n" + writeReport("first.json") +
                         "lock_range\norbit 40 10\nwait picture\n" + writeReport("locked.json") + "render_mode splats\nwait picture\n" +
                         writeReport("other.json") + "set range_span percentiles\nwait picture\n" + writeReport("percentiles.json") +
                         "set value_scale logarithmic\nwait picture\n" + writeReport("logarithmic.json") +
                         "set value_scale linear\nrender_mode depth\nwait picture\n" + writeReport("back.json") +
                         "lock_range\nwait picture\n" + writeReport("free.json") + "render_mode colour\nwait picture\ntry lock_range\n" +
                         writeReport("refused.json")));
    EXPECT_EQ(range("locked.json"), range("first.json"));
    EXPECT_EQ(range("other.json")[0], 0) << "an automatic one";
    EXPECT_EQ(range("back.json"), range("first.json"));
    EXPECT_NE(range("free.json"), range("first.json"));
    EXPECT_LE(range("percentiles.json")[1], range("other.json")[1]);
    EXPECT_DOUBLE_EQ(range("logarithmic.json")[0], range("logarithmic.json")[1] * 1e-4);
    EXPECT_TRUE(readReport("refused.json").at("problem").get<bool>());
}

TEST_F(ViewerLooks, TheNextThingThatIsDoneTakesAnOldMessageAway) {
    expectSuccess(follow("try open " + at("none.ply").string() + "\n" + writeReport("said.json") + openSplats() + "key C\n" +
                         writeReport("after.json")));
    EXPECT_NE(readReport("said.json").at("status"), "");
    EXPECT_EQ(readReport("after.json").at("status"), "");
}

TEST_F(ViewerLooks, WhileNothingIsOpenThePanelsLeaveTheWindowToTheWelcome) {
    expectSuccess(follow("wait picture\n" + writeReport("empty.json") + openSplats() + "wait picture\n" + writeReport("open.json")));
    EXPECT_EQ(readReport("empty.json").at("picture").at("width"), 640);
    EXPECT_LT(readReport("open.json").at("picture").at("width"), 640);
}

/// At twice the points and twice the pixels everything looks the same, but finer.
TEST_F(ViewerLooks, EverythingScales) {
    const std::vector<std::pair<std::string, std::string>> scenes{{"welcome", ""},
                                                                  {"panels", openSplats() + "picture depth\n"},
                                                                  {"keys", "key F1\n"},
                                                                  {"dialog", "key F1\nsave\n"},
                                                                  {"handles", "key Escape\nwait frames 2\nkey Tab\nkey 1\n"},
                                                                  {"note", "picture error\n"}};
    for (const int scale : {1, 2}) {
        std::string script;
        for (const auto& [name, lines] : scenes)
            script += lines + "wait picture\nwait frames 4\n" + screenshot(fmt::format("{}{}.png", name, scale), true) + "key C\nkey C\n";
        expectSuccess(follow(script, {"--size", fmt::format("{}x{}", 700 * scale, 480 * scale), "--ui-scale", std::to_string(scale)}));
    }
    // Letters' edges differ by 1 to 4 levels, most in a dialog with a long list; panels that do not scale differ by 25 and more.
    for (const auto& [name, lines] : scenes)
        EXPECT_LT(difference(readImage(at(name + "1.png")), halved(readImage(at(name + "2.png")))), 10) << name;
}

/// The top left corner: names of models.
Image8 corner(const Image8& image) {
    Image8 corner(180, 120, 3);
    for (int y = 0; y < corner.height; ++y)
        for (int x = 0; x < corner.width; ++x) std::ranges::copy(image.at(x, y), corner.at(x, y).begin());
    return corner;
}

/// Also those that come when others have been drawn.
TEST_F(ViewerLooks, LettersOfOtherAlphabetsAreDrawn) {
    std::set<std::vector<uint8_t>> looks;
    const std::vector<std::string> names{"c", "d", "α", "β", "ж", "я"};
    for (const std::string& name : names) {
        fs::copy_file(splats, at(name + ".ply"));
        expectSuccess(follow(openSplats() + "wait picture\nwait frames 3\nopen " + at(name + ".ply").string() +
                             "\nwait picture\nwait frames 3\n" + screenshot("panels.png", true)));
        looks.insert(corner(readImage(at("panels.png"))).pixels);
    }
    EXPECT_EQ(looks.size(), names.size()) << "letters without a glyph look alike";
}

using WindowLooks = Window;
TEST_F(WindowLooks, TheWindowAsksForALeastSize) {
    std::pair<int, int> least;
    expectSuccess(perform({{"wait picture", [&](Desktop& desktop) { least = desktop.leastSize(); }}, {"", {}}}));
    EXPECT_EQ(least, std::pair(640, 400));
}

TEST_F(WindowLooks, TheDesktopsDotsPerInchScaleThePanels) {
    Desktop(display).setResources("Xft.dpi:\t192\n");
    expectSuccess(play(writeReport()));
    EXPECT_EQ(readReport().at("screen").at("scale"), 2);
}

}  // namespace
}  // namespace splat
