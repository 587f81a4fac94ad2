// Input of a page as the viewer and Dear ImGui hear it.
#include "viewer/remote/remote_screen.h"

#include <chrono>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>
#include <imgui.h>

#include "viewer/remote/key_names.h"

namespace splat::app {
namespace {

struct RemoteScreens : testing::Test {
    RemoteScreens() {
        ImGui::CreateContext();
        ImGui::GetIO().DisplaySize = {640, 400};
        ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
        screen.attach();
        page = audience.join([this](const PageMessage& message) {
            if (message.isText) {
                const std::lock_guard lock(mutex);
                said += std::string(reinterpret_cast<const char*>(message.bytes.data()), message.bytes.size()) + "\n";
            }
            return true;
        });
    }
    ~RemoteScreens() override {
        audience.leave(page);
        screen.detach();
        ImGui::DestroyContext();
    }
    void say(const std::string& text) {
        audience.take(page, text);
        screen.wait(0);
    }
    void key(const std::string& name, bool down) {
        say(R"({"type": "key", "key": ")" + name + R"(", "down": )" + (down ? "true}" : "false}"));
    }
    std::vector<std::string> chords() {
        std::vector<std::string> chords;
        for (const KeyPress& press : screen.takeKeys()) chords.push_back(press.chord);
        return chords;
    }
    /// As Dear ImGui has it after all events, or after those that it takes in one frame.
    void frame(bool trickles = false) {
        screen.beginFrame();
        ImGui::GetIO().ConfigInputTrickleEventQueue = trickles;
        ImGui::NewFrame();
        ImGui::EndFrame();
    }

    std::mutex mutex;
    std::string said;
    Audience audience;
    RemoteScreen screen{audience, {800, 600}, true};
    Audience::Id page = 0;
};

TEST_F(RemoteScreens, KeysAreChordsOfTheViewerAndKeysOfDearImGui) {
    key("Ctrl", true);
    key("Shift", true);
    key("Z", true);
    EXPECT_EQ(chords(), std::vector<std::string>{"Ctrl+Shift+Z"});
    EXPECT_EQ(screen.held(), std::set<std::string>{"Z"});
    frame();
    EXPECT_TRUE(ImGui::IsKeyDown(ImGuiKey_Z));
    EXPECT_TRUE(ImGui::GetIO().KeyCtrl && ImGui::GetIO().KeyShift);
    key("Ctrl", false);
    key("Shift", false);
    key("Z", false);
    key("PageDown", true);
    EXPECT_EQ(chords(), std::vector<std::string>{"PageDown"});
    frame();
    EXPECT_FALSE(ImGui::IsKeyDown(ImGuiKey_Z));
    EXPECT_TRUE(ImGui::IsKeyDown(ImGuiKey_PageDown));
}

TEST_F(RemoteScreens, AKeyThatIsReleasedAtOnceIsDownForAFrame) {
    for (const char* message : {R"({"type": "key", "key": "Ctrl", "down": true})", R"({"type": "key", "key": "V", "down": true})",
                                R"({"type": "key", "key": "V", "down": false})", R"({"type": "key", "key": "Ctrl", "down": false})",
                                R"({"type": "text", "text": "x"})"})
        audience.take(page, message);
    screen.wait(0);
    frame();
    EXPECT_TRUE(ImGui::IsKeyDown(ImGuiKey_V) && ImGui::GetIO().KeyCtrl);
    EXPECT_TRUE(screen.takeActivity()) << "what comes later needs a frame";
    screen.wait(100);
    frame();
    EXPECT_FALSE(ImGui::IsKeyDown(ImGuiKey_V) || ImGui::GetIO().KeyCtrl);
    EXPECT_TRUE(screen.takeActivity());
    key("B", true);
    key("B", false);
    frame();
    EXPECT_FALSE(ImGui::IsKeyDown(ImGuiKey_B)) << "a letter comes as text";
}

TEST_F(RemoteScreens, EnterComesAFrameAfterWhatWasTyped) {
    say(R"({"type": "text", "text": "name"})");
    key("Enter", true);
    EXPECT_EQ(chords(), std::vector<std::string>{});
    frame();
    screen.wait(0);
    EXPECT_EQ(chords(), std::vector<std::string>{"Enter"});
    key("Enter", false);
    key("Tab", true);
    EXPECT_EQ(chords(), std::vector<std::string>{}) << "each in a frame of its own";
    frame();
    for (int i = 0; i < 2; ++i) screen.wait(0);
    EXPECT_EQ(chords(), std::vector<std::string>{"Tab"});
}

TEST_F(RemoteScreens, ADragEndsAFrameAfterItsLastMove) {
    say(R"({"type": "move", "x": 10, "y": 10})");
    say(R"({"type": "button", "button": 0, "down": true})");
    frame();
    say(R"({"type": "move", "x": 90, "y": 10})");
    say(R"({"type": "button", "button": 0, "down": false})");
    screen.takeActivity();
    frame();
    EXPECT_TRUE(ImGui::GetIO().MouseDown[0]);
    EXPECT_EQ(ImGui::GetIO().MouseDelta.x, 80);
    screen.wait(100);
    EXPECT_TRUE(screen.takeActivity());
    frame();
    EXPECT_FALSE(ImGui::GetIO().MouseDown[0]);
}

TEST_F(RemoteScreens, ADragThatComesWholeWithinOneFrameIsPressedThenMovedThenReleased) {
    say(R"({"type": "move", "x": 10, "y": 10})");
    say(R"({"type": "button", "button": 0, "down": true})");
    say(R"({"type": "move", "x": 90, "y": 10})");
    say(R"({"type": "button", "button": 0, "down": false})");
    const ImGuiIO& io = ImGui::GetIO();
    for (const auto& [down, delta] : {std::pair(true, 0.0F), std::pair(true, 80.0F), std::pair(false, 0.0F)}) {
        frame(true);
        EXPECT_EQ(io.MouseDown[0], down);
        EXPECT_EQ(io.MouseDelta.x, delta);
        screen.wait(0);
    }
}

TEST_F(RemoteScreens, CtrlComesAFrameAfterWhatWasTyped) {
    say(R"({"type": "text", "text": "a"})");
    key("Shift", true);
    key("Ctrl", true);
    frame();
    EXPECT_TRUE(ImGui::GetIO().KeyShift && !ImGui::GetIO().KeyCtrl);
    screen.wait(0);
    frame();
    EXPECT_TRUE(ImGui::GetIO().KeyCtrl);
}

TEST_F(RemoteScreens, EveryKeyWithANameIsOneOfDearImGui) {
    for (const char* name : {"A",      "Z",     "0",    "9",     "F1", "F12",  "Escape", "Enter",    "Tab",  "Backspace",
                             "Delete", "Space", "Left", "Right", "Up", "Down", "PageUp", "PageDown", "Home", "End",
                             "[",      "]",     "-",    "=",     ",",  ".",    "Shift",  "Ctrl",     "Alt"}) {
        key(name, true);
        frame();
        int down = 0;
        for (int k = ImGuiKey_NamedKey_BEGIN; k < ImGuiKey_NamedKey_END; ++k)
            if (ImGui::IsKeyDown(static_cast<ImGuiKey>(k)) && imguiNameOf(name) == ImGui::GetKeyName(static_cast<ImGuiKey>(k))) ++down;
        EXPECT_EQ(down, 1) << name;
        key(name, false);
    }
    for (const char* name : {"a", "F0", "F01", "F13", "FA", "f1", "", "AA", "Ctrl+A", "\x80"}) EXPECT_EQ(imguiNameOf(name), "") << name;
}

TEST_F(RemoteScreens, PointerAndTextGoToDearImGui) {
    say(R"({"type": "move", "x": 30, "y": 40})");
    say(R"({"type": "button", "button": 1, "down": true})");
    say(R"({"type": "wheel", "x": 0, "y": 2})");
    say(R"({"type": "text", "text": "hé"})");
    EXPECT_TRUE(screen.takeActivity());
    ImGui::GetIO().ConfigInputTrickleEventQueue = false;
    ImGui::NewFrame();
    const ImGuiIO& io = ImGui::GetIO();
    EXPECT_EQ(io.MousePos.x, 30);
    EXPECT_EQ(io.MousePos.y, 40);
    EXPECT_TRUE(io.MouseDown[1]);
    EXPECT_EQ(io.MouseWheel, 2);
    EXPECT_EQ(io.InputQueueCharacters.Size, 2);
    ImGui::EndFrame();
}

TEST_F(RemoteScreens, NothingIsHeldByAPageThatHasLost) {
    key("Shift", true);
    key("W", true);
    say(R"({"type": "button", "button": 0, "down": true})");
    frame();
    EXPECT_TRUE(ImGui::IsKeyDown(ImGuiKey_W) && ImGui::GetIO().MouseDown[0]);
    say(R"({"type": "blur"})");
    frame();
    EXPECT_FALSE(ImGui::IsKeyDown(ImGuiKey_W) || ImGui::GetIO().MouseDown[0] || ImGui::GetIO().KeyShift);
    EXPECT_TRUE(screen.held().empty());
    chords();
    key("W", true);
    EXPECT_EQ(chords(), std::vector<std::string>{"W"});
}

TEST_F(RemoteScreens, TheSizeFollowsThePageWithinLimits) {
    EXPECT_EQ(screen.size(), glm::uvec2(800, 600));
    say(R"({"type": "resize", "width": 1000, "height": 700, "scale": 1.5})");
    EXPECT_EQ(screen.size(), glm::uvec2(1000, 700));
    EXPECT_EQ(screen.scale(), 1.5F);
    say(R"({"type": "resize", "width": 1, "height": 16384, "scale": 2})");
    EXPECT_EQ(screen.size(), glm::uvec2(1280, RemoteScreen::kMostSide)) << "panels stay legible, and every device draws it";
    RemoteScreen fixed(audience, {800, 600}, false);
    audience.take(page, R"({"type": "resize", "width": 1000, "height": 700, "scale": 1})");
    fixed.wait(0);
    EXPECT_EQ(fixed.size(), glm::uvec2(800, 600));
}

TEST_F(RemoteScreens, TheClipboardIsThePages) {
    say(R"({"type": "paste", "text": "from the page"})");
    EXPECT_STREQ(ImGui::GetClipboardText(), "from the page");
    ImGui::SetClipboardText("to the page");
    EXPECT_STREQ(ImGui::GetClipboardText(), "to the page");
    for (int i = 0; i < 1000; ++i) {
        {
            const std::lock_guard lock(mutex);
            if (said.find("to the page") != std::string::npos) return;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    FAIL() << said;
}

TEST_F(RemoteScreens, IsMinimisedWithoutAPage) {
    EXPECT_FALSE(screen.minimised());
    EXPECT_TRUE(screen.wantsFrames());
    audience.leave(page);
    EXPECT_TRUE(screen.minimised());
    EXPECT_FALSE(screen.wantsFrames());
}

}  // namespace
}  // namespace splat::app
