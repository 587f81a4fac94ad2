// The question before something is lost, in a window without a script: a person sits before that one.
#include <algorithm>
#include <chrono>

#include "viewer/actions/actions.h"
#include "viewer_script.h"

namespace splat {
namespace {

using namespace test;

/// Between the panels: splats have hundreds of colours, the words of an empty start have shades of grey.
bool showsSplats(const Image8& window) {
    if (window.width == 0) return false;
    Image8 middle(window.width / 3, window.height, 3);
    for (int y = 0; y < middle.height; ++y) {
        for (int x = 0; x < middle.width; ++x) std::ranges::copy(window.at(window.width / 3 + x, y), middle.at(x, y).begin());
    }
    return coloursOf(middle) > 100;
}

struct ViewerLeaving : ViewerScript {
    /// Acts of a person, one after the other with some time in between, as soon as the window shows splats; the run ends by itself or not at all.
    Outcome view(const std::vector<std::function<void(Desktop&)>>& acts, size_t* done) const {
        Desktop desktop(display);
        bool shown = false;
        auto last = std::chrono::steady_clock::now();
        *done = 0;
        const auto person = [&] {
            shown = shown || showsSplats(desktop.picture());
            const bool isLast = *done + 1 == acts.size();  // that a viewer which has left does not live to see
            const bool pause = std::chrono::steady_clock::now() - last < std::chrono::milliseconds(isLast ? 20000 : 700);
            if (!shown || pause || *done == acts.size()) return false;
            acts[(*done)++](desktop);
            last = std::chrono::steady_clock::now();
            return false;
        };
        return splatwright({"view", splats, "--size", "640x400", "--validate"},
                           {.environment = withFolders(scratch.path(), {{"DISPLAY", display.name()}}), .interruptWhen = person});
    }
};

const auto kClose = [](Desktop& d) { d.close(); };
const auto kSelectAll = [](Desktop& d) { d.type("a", true); };
const auto kDelete = [](Desktop& d) { d.type("Delete"); };
const auto kUndo = [](Desktop& d) { d.type("z", true); };
const auto kEscape = [](Desktop& d) { d.type("Escape"); };

TEST_F(ViewerLeaving, NothingIsAskedWhereNothingIsLost) {
    size_t done = 0;
    expectSuccess(view({kSelectAll, kClose, kClose}, &done));
    EXPECT_EQ(done, 2u);  // a selection is nothing to lose
}

TEST_F(ViewerLeaving, EditsAreAskedAbout) {
    size_t done = 0;
    expectSuccess(view({kSelectAll, kDelete, kClose, kEscape, kClose, kEscape, kUndo, kClose, kClose}, &done));
    EXPECT_EQ(done, 8u);  // asked and called off twice, edits taken back, left without a question
}

/// Those that press what the keyboard's mark is on, or move it, are the question's own.
void typeKeysOfTheView(Desktop& desktop) {
    for (const app::Action& action : app::actionTable()) {
        const std::string chord = action.chord;
        if (!chord.empty() && chord != "Escape" && !chord.ends_with("Enter") && chord != "Space" && chord != "Tab")
            desktop.typeChord(chord);
    }
}

TEST_F(ViewerLeaving, NoKeyReachesTheViewBehindTheQuestion) {
    size_t done = 0;
    expectSuccess(view({kSelectAll, kDelete, kClose, typeKeysOfTheView, kEscape, kUndo, kClose, kClose}, &done));
    EXPECT_EQ(done, 7u);  // what was typed behind it would have left more to undo, and another model
}

TEST_F(ViewerLeaving, AProblemTooLongForTheStatusBarOpensInFull) {
    const fs::path garbage = scratch.write(std::string(150, 'g') + ".ply", std::string("ply\nnonsense"));
    std::vector<Image8> pictures;
    const auto look = [&](Desktop& d) { pictures.push_back(d.picture()); };
    size_t done = 0;
    const auto settle = [](Desktop&) {};  // the first frames dock the panels
    expectSuccess(view({settle, look, [&](Desktop& d) { EXPECT_TRUE(d.drop({garbage})); }, look, kEscape, look, kClose, kClose}, &done));
    ASSERT_EQ(pictures.size(), 3u);
    const auto changed = [&](size_t from, size_t to) {
        size_t sum = 0;
        for (size_t i = 0; i < pictures[from].pixels.size(); ++i) sum += pictures[from].pixels[i] != pictures[to].pixels[i];
        return static_cast<double>(sum) / static_cast<double>(pictures[from].pixels.size());
    };
    EXPECT_GT(changed(0, 1), 0.5) << "a message over a dimmed window";
    EXPECT_LT(changed(0, 2), 0.25) << "numbers in the panels, and the status bar";
    EXPECT_EQ(done, 7u);
}

TEST_F(ViewerLeaving, WhoInsistsLeaves) {
    size_t done = 0;
    expectSuccess(view({kSelectAll, kDelete, kClose, kClose, kClose}, &done));
    EXPECT_EQ(done, 4u);
}

}  // namespace
}  // namespace splat
