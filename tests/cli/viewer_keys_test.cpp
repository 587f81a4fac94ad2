// Keys go to one place: the dialog that is open, else the text that is edited, else the view. With real events of the window.
#include <splatwright/scene/formats/formats.h>
#include "viewer/actions/actions.h"
#include "window_acts.h"

namespace splat {
namespace {

using namespace test;

/// What keys could have changed.
json stateOf(json report) {
    json state;
    for (const char* part : {"models", "marks", "training", "camera", "screen", "controls", "notice", "problem"})
        state[part] = report.at(part);
    state.at("controls").erase("name");
    state.at("controls").erase("keys");
    return state;
}

struct Keys : Window {
    /// Every key of the table, as from a keyboard, but for Enter, which confirms a dialog.
    static void typeAll(Desktop& desktop, const std::set<std::string>& but) {
        for (const app::Action& action : app::actionTable()) {
            const std::string chord = action.chord;
            if (!chord.empty() && !chord.ends_with("Enter") && !but.contains(chord)) desktop.typeChord(chord);
        }
    }
    static void type(Desktop& desktop, const std::vector<std::string>& chords) {
        for (const std::string& chord : chords) desktop.typeChord(chord);
    }
    std::string start() const { return openSplats() + "select_opacity 0 1\nkey K\norbit 20 0\nkey K\nwait picture\n"; }
    json controls(size_t act) const { return report(act).at("controls"); }
};

TEST_F(Keys, ActInTheViewWhereNothingElseTakesThem) {
    expectSuccess(perform({{openSplats() + "wait picture",
                            [](Desktop& d) {
                                type(d, {"M", "V", "X", "[", "Ctrl+A", "Ctrl+B", "K", "C", "Shift+C", "P", "1", "F1"});
                            }},
                           {"wait frames 3",
                            [](Desktop& d) {
                                type(d, {"Tab", "Escape"});
                            }},
                           {"wait frames 3", {}}}));
    const json before = controls(0), after = controls(1);
    for (const char* changed : {"picture", "flies", "tool", "brush", "undo", "bookmarks", "path_keys", "cameras", "handles", "help"})
        EXPECT_NE(after.at(changed), before.at(changed)) << changed;
    EXPECT_EQ(report(1).at("marks").at("selected"), report(1).at("models")[0].at("splats"));
    EXPECT_FALSE(controls(2).at("panels").get<bool>());
    EXPECT_EQ(controls(2).at("tool"), "navigate");
}

/// Dear ImGui would go to the next field of the panel that was clicked.
TEST_F(Keys, OfTheViewDoNotGoToFieldsOfPanels) {
    const auto clickPanel = [](Desktop& d) {
        d.movePointer(150, 209);
        d.pressButton(1);
        d.releaseButton(1);
    };
    const auto tab = [](Desktop& d) { d.typeChord("Shift+Tab"); };
    expectSuccess(perform({{openSplats() + "wait picture", clickPanel}, {"wait frames 3", tab}, {"wait frames 5", {}}}));
    EXPECT_EQ(controls(2).at("keys"), "view");
}

TEST_F(Keys, NoneReachesTheViewBehindAFileDialogWhichEscapeCloses) {
    expectSuccess(perform({{start() + "save\nwait frames 5", [](Desktop& d) { typeAll(d, {"Escape"}); }},
                           {"wait frames 3",
                            [](Desktop& d) {
                                type(d, {"Delete", "Ctrl+A", "Escape"});
                            }},
                           {"wait frames 3", [](Desktop& d) { type(d, {"Delete"}); }},
                           {"wait frames 3", {}}}));
    EXPECT_EQ(controls(0).at("keys"), "dialog");
    EXPECT_EQ(controls(0).at("dialog"), "Save splats");
    EXPECT_EQ(stateOf(report(1)), stateOf(report(0)));
    EXPECT_NE(controls(1).at("name"), controls(0).at("name")) << "letters are typed into the name";
    EXPECT_TRUE(controls(2).at("dialog").is_null());
    EXPECT_EQ(controls(2).at("keys"), "view");
    EXPECT_EQ(report(2).at("marks"), report(0).at("marks"));
    EXPECT_GT(report(3).at("marks").at("deleted"), 0) << "and then keys are the view's again";
}

TEST_F(Keys, EnterConfirmsAFileDialogUnderTheNameThatWasTyped) {
    fs::create_directories(at("folder"));
    const fs::path before = fs::current_path();
    fs::current_path(at("folder"));
    expectSuccess(perform({{start() + "save\nwait frames 5", [](Desktop& d) { type(d, {"Q", "Enter"}); }}, {"wait frames 5", {}}}));
    fs::current_path(before);
    EXPECT_TRUE(controls(1).at("dialog").is_null()) << report(1);
    EXPECT_TRUE(fs::exists(at("folder") / "q.ply")) << "the name is selected at first, so typing replaces it";
}

TEST_F(Keys, ATypedEndingChoosesTheFormatOfWhatIsSaved) {
    fs::create_directories(at("folder"));
    const fs::path before = fs::current_path();
    fs::current_path(at("folder"));
    const auto save = [&](const std::vector<std::string>& keys) {
        return perform({{start() + "save\nwait frames 5", [=](Desktop& d) { type(d, keys); }}, {"wait frames 5", {}}});
    };
    expectSuccess(save({"Q", "period", "S", "P", "Z", "Enter"}));
    EXPECT_TRUE(controls(1).at("dialog").is_null()) << report(1);
    expectSuccess(save({"R", "period", "J", "P", "G", "Enter"}));
    EXPECT_FALSE(controls(1).at("dialog").is_null()) << "no format has this ending";
    fs::current_path(before);
    EXPECT_EQ(readSplats(at("folder") / "q.spz").count(), readSplats(splats).count());
    EXPECT_EQ(std::distance(fs::directory_iterator(at("folder")), {}), 1);
}

/// Where the list of formats and its entries are is found by trying.
TEST_F(Keys, AFormatThatIsChosenFromTheListChangesTheNamesEnding) {
    fs::create_directories(at("folder"));  // without entries that a click could choose
    const fs::path before = fs::current_path();
    fs::current_path(at("folder"));
    std::string script = openSplats() + "save\nwait frames 3\n";
    size_t tries = 0;
    for (int list = 294; list < 320; list += 10) {
        for (int entry = 30; entry < 290; entry += 40)
            script += fmt::format("click 540 {}\nwait frames 3\nclick 540 {}\nwait frames 3\n", list, entry) +
                      writeReport(fmt::format("at{}.json", tries++));
    }
    expectSuccess(play(script));
    fs::current_path(before);
    std::set<std::string> names;
    for (size_t i = 0; i < tries; ++i) {
        const json name = readReport(fmt::format("at{}.json", i)).at("controls").at("name");
        if (name.is_string()) names.insert(name.get<std::string>());
    }
    EXPECT_GE(names.size(), 3u) << json(names);
    for (const std::string& name : names) {
        const bool isWhole = name == "meta.json";
        EXPECT_TRUE(isWhole || name.starts_with("a.")) << name;
        EXPECT_NO_THROW(splatWriterOf(name)) << name;
    }
}

/// A name of any bytes is shown as text, and the file is opened by its bytes. Where the list has it is found by trying.
TEST_F(Keys, EnterOpensAFileWhoseNameIsNoText) {
    fs::create_directories(at("folder\xfe"));
    fs::copy(splats, at("folder\xfe") / "b\xff.ply");
    const fs::path before = fs::current_path();
    fs::current_path(at("folder\xfe"));
    std::string script = "open\nwait frames 3\n";
    for (int y = 50; y < 140; y += 9) script += fmt::format("click 100 {}\nwait frames 2\n", y) + writeReport(fmt::format("at{}.json", y));
    expectSuccess(play(script));
    int found = 0;
    for (int y = 131; y >= 50; y -= 9) {  // below the entry, clicks change nothing
        if (readReport(fmt::format("at{}.json", y)).at("controls").at("name") == "b\\xff.ply") found = y;
    }
    ASSERT_GT(found, 0) << "no click has chosen the file";
    // The other file is read behind it, and the script waits for that.
    const std::string both =
        fmt::format("open\nwait frames 3\nclick 100 {}\nwait frames 2\nkey Enter\nwait frames 3\n", found) + openSplats();
    expectSuccess(play(both + writeReport()));
    fs::current_path(before);
    ASSERT_EQ(readReport().at("models").size(), 2u) << readReport();
    EXPECT_EQ(readReport().at("models")[0].at("name"), "b\\xff");
}

TEST_F(Keys, NoneReachesTheViewBehindAMessage) {
    expectSuccess(perform({{start() + "message", [](Desktop& d) { typeAll(d, {"Escape"}); }},
                           {"wait frames 3", [](Desktop& d) { type(d, {"Escape"}); }},
                           {"wait frames 3", {}}}));
    EXPECT_NE(controls(0).at("message"), "");
    EXPECT_EQ(stateOf(report(1)), stateOf(report(0)));
    EXPECT_EQ(controls(2).at("message"), "");
    EXPECT_EQ(controls(2).at("keys"), "view");
}

/// Where a click in the left panel has the effect, pixels from the top; found by trying.
template <class Found>
int placeInPanel(const Window& window, int x, const Found& found) {
    std::string script = window.openSplats() + "wait picture\n";
    for (int y = 56; y < 120; y += 9)
        script += fmt::format("click {} {}\n", x, y) + window.writeReport(fmt::format("at{}.json", y)) + "click 420 20\n";
    expectSuccess(window.play(script));
    for (int y = 56; y < 120; y += 9)
        if (found(window.readReport(fmt::format("at{}.json", y)))) return y;
    ADD_FAILURE() << "no click had the effect";
    return 0;
}

TEST_F(Keys, NoneReachesTheViewWhileTextIsTyped) {
    const int y = placeInPanel(*this, 60, [](const json& r) { return r.at("controls").at("keys") == "text"; });
    const std::string click = fmt::format("click 60 {}", y);
    expectSuccess(perform({{start() + click,
                            [](Desktop& d) {
                                typeAll(d, {"Escape", "Tab"});
                            }},
                           {"wait frames 3", [](Desktop& d) { type(d, {"Tab"}); }},
                           {"wait frames 3", {}}}));
    EXPECT_EQ(controls(0).at("keys"), "text");
    for (const size_t act : {size_t{1}, size_t{2}}) {
        json before = stateOf(report(0)), after = stateOf(report(act));
        EXPECT_NE(after.at("controls").at("model"), before.at("controls").at("model")) << "letters are typed into the model's name";
        for (json* state : {&before, &after}) {
            state->at("controls").erase("model");
            state->at("models")[0].erase("name");
        }
        EXPECT_EQ(after, before);
    }
}

TEST_F(Keys, SpacePlaysAndPressesNoButtonThatWasClicked) {
    const auto isHidden = [](const json& r) { return !r.at("models")[0].at("visible").get<bool>(); };
    const int y = placeInPanel(*this, 20, isHidden);
    expectSuccess(perform({{start() + fmt::format("click 20 {}", y), [](Desktop& d) { d.type("Down"); }},
                           {"wait frames 3", [](Desktop& d) { type(d, {"Space"}); }},
                           {"wait frames 3", {}}}));
    EXPECT_TRUE(isHidden(report(0)));
    EXPECT_TRUE(isHidden(report(2)));
    EXPECT_TRUE(controls(2).at("plays").get<bool>());
}

}  // namespace
}  // namespace splat
