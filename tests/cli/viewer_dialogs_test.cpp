// The desktop's file dialogs, by a program that stands for zenity, in a window without a script.
#include <sys/stat.h>

#include <splatwright/scene/formats/formats.h>
#include "window_acts.h"

namespace splat {
namespace {

using namespace test;

struct ViewerDialogs : ViewerScript {
    const fs::path programs = at("programs");

    /// A helper that notes its arguments and then does this.
    void install(const std::string& commands) const {
        fs::create_directories(programs);
        std::ofstream(programs / "zenity") << "#!/bin/sh\necho \"$@\" >> " << at("asked").string() << "\n" << commands << "\n";
        fs::permissions(programs / "zenity", fs::perms::owner_all);
    }
    /// Acts of a person, each as soon as the one before has had its effect; null: nothing to wait for.
    struct Step {
        std::function<void(Desktop&)> act;
        std::function<bool()> until;
    };
    Outcome view(const std::vector<Step>& steps, const std::string& path) const {
        Desktop desktop(display);
        size_t next = 0;
        auto last = Clock::now();
        bool shown = false, failed = false;
        const auto person = [&] {
            shown = shown || coloursOf(desktop.picture()) > 100;
            const auto waited = Clock::now() - last;
            if (!shown || next == steps.size() || waited < std::chrono::milliseconds(700)) return false;
            const auto& until = next > 0 ? steps[next - 1].until : nullptr;
            if (until && !until()) {
                failed = failed || waited > std::chrono::seconds(60);
                return failed;
            }
            steps[next++].act(desktop);
            last = Clock::now();
            return false;
        };
        return splatwright({"view", splats, "--size", "640x480", "--validate"},
                           {.environment = {{"DISPLAY", display.name()}, {"PATH", path}}, .interruptWhen = person});
    }
    std::string withHelper() const { return programs.string() + ":/usr/bin:/bin"; }
    bool wasAsked() const { return fs::exists(at("asked")); }
    /// Whether the helper that wrote its process id into this file still runs.
    bool runs(const std::string& name) const {
        const std::string id = readTextFile(at(name));
        std::ifstream status("/proc/" + id.substr(0, id.find('\n')) + "/stat");
        std::string number, program, state;
        return static_cast<bool>(status >> number >> program >> state) && state != "Z";
    }
    static void save(Desktop& d) { d.typeChord("Ctrl+S"); }
    static void close(Desktop& d) { d.close(); }
};

TEST_F(ViewerDialogs, OfTheDesktopSayWhereToSave) {
    const fs::path out = at("out.spz");
    install("echo " + out.string());
    expectSuccess(view({{save, [&] { return fs::exists(out); }}, {close, {}}}, withHelper()));
    EXPECT_EQ(readSplats(out).count(), readSplats(splats).count());
    expectParts(readTextFile(at("asked")), {"--file-selection", "--save", "Save splats", "a.ply", "*.spz"});
}

TEST_F(ViewerDialogs, ANameWithoutAnEndingGetsOne) {
    install("echo " + at("plain").string());
    expectSuccess(view({{save, [&] { return fs::exists(at("plain.ply")); }}, {close, {}}}, withHelper()));
    EXPECT_FALSE(fs::exists(at("plain")));
}

/// In the dialog inside the window, Enter then confirms the replacement.
TEST_F(ViewerDialogs, AFileThatTheDesktopHasNotAskedAboutIsNotReplacedAtOnce) {
    std::ofstream(at("plain.ply")) << "mine";
    install("echo " + at("plain").string());
    const auto untouched = [&] { return readTextFile(at("plain.ply")) == "mine" && wasAsked(); };
    const auto enter = [&](Desktop& d) {
        EXPECT_TRUE(untouched());
        d.typeChord("Enter");
    };
    expectSuccess(view({{save, untouched}, {enter, [&] { return !untouched(); }}, {close, {}}}, withHelper()));
    EXPECT_EQ(readSplats(at("plain.ply")).count(), readSplats(splats).count());
}

TEST_F(ViewerDialogs, CancelledOnesChangeNothing) {
    install("exit 1");
    expectSuccess(view({{save, [&] { return wasAsked(); }}, {close, {}}}, withHelper()));
}

/// The window takes another size meanwhile, and Escape ends the helper.
TEST_F(ViewerDialogs, DoNotStopTheFrames) {
    install("echo $$ > " + at("helper").string() + "\nexec sleep 600");
    Image8 picture;
    bool ranBefore = false, ranAfter = true;
    const auto resize = [](Desktop& d) { d.resize(800, 600); };
    const auto look = [&](Desktop& d) {
        picture = d.picture();
        ranBefore = runs("helper");
    };
    const auto escape = [](Desktop& d) { d.typeChord("Escape"); };
    const auto leave = [&](Desktop& d) {
        ranAfter = runs("helper");
        d.close();
    };
    const auto hasHelper = [&] { return wasAsked() && fs::exists(at("helper")); };
    expectSuccess(view({{save, hasHelper}, {resize, {}}, {look, {}}, {escape, {}}, {leave, {}}}, withHelper()));
    EXPECT_TRUE(ranBefore);
    EXPECT_FALSE(ranAfter);
    ASSERT_EQ(picture.width, 800);
    const auto corner = picture.at(790, 590);
    EXPECT_NE(std::vector<uint8_t>(corner.begin(), corner.end()), (std::vector<uint8_t>{0, 0, 0})) << "the status bar at its new place";
}

TEST_F(ViewerDialogs, WithoutAHelperTheWindowsOwnDialogAsks) {
    const fs::path before = fs::current_path();
    fs::create_directories(at("folder"));
    fs::current_path(at("folder"));
    const auto name = [](Desktop& d) {
        for (const char* key : {"Q", "Enter"}) d.typeChord(key);
    };
    expectSuccess(view({{save, {}}, {name, [&] { return fs::exists(at("folder") / "q.ply"); }}, {close, {}}}, at("none").string()));
    fs::current_path(before);
    EXPECT_TRUE(fs::exists(at("folder") / "q.ply"));
}

}  // namespace
}  // namespace splat
