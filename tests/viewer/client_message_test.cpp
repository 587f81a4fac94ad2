// Messages of pages: what is taken, and that nothing else is.
#include "viewer/remote/client_message.h"

#include <random>

#include <gtest/gtest.h>

#include <splatwright/core/error.h>
#include "viewer/remote/key_names.h"

namespace splat::app {
namespace {

template <class T>
T parsed(const std::string& text) {
    return std::get<T>(parseClientMessage(text));
}

TEST(ClientMessages, AreReadWithTheirMembers) {
    EXPECT_EQ(parsed<PointerMoved>(R"({"type": "move", "x": 3.5, "y": -16384})").position, glm::vec2(3.5F, -16384));
    const auto button = parsed<ButtonChanged>(R"({"type": "button", "button": 2, "down": true})");
    EXPECT_EQ(button.button, 2);
    EXPECT_TRUE(button.down);
    EXPECT_EQ(parsed<WheelTurned>(R"({"type": "wheel", "x": 0, "y": -100})").turns, glm::vec2(0, -100));
    const auto key = parsed<KeyChanged>(R"({"down": false, "key": "F12", "type": "key"})");
    EXPECT_EQ(key.key, "F12");
    EXPECT_FALSE(key.down);
    EXPECT_EQ(parsed<TextTyped>(R"({"type": "text", "text": "\u00e9 \ud83d\ude00"})").text, "\u00e9 \U0001f600");
    EXPECT_EQ(parsed<TextPasted>(R"({"type": "paste", "text": "a\n\tb"})").text, "a\n\tb");
    parsed<FocusLost>(R"({"type": "blur"})");
    const auto size = parsed<Resized>(R"({"type": "resize", "width": 1, "height": 16384, "scale": 1.25})");
    EXPECT_EQ(size.size, glm::uvec2(1, 16384));
    EXPECT_EQ(size.scale, 1.25F);
    EXPECT_EQ(parsed<FrameShown>(R"({"type": "shown", "frame": 4294967295})").frame, 4294967295U);
    EXPECT_EQ(parsed<Ping>(R"({"type": "ping", "number": 0})").number, 0U);
    parsed<ControlWanted>(R"({"type": "control"})");
}

TEST(ClientMessages, OfAnyOtherKindAreRefusedWithWhatIsWrong) {
    struct Case {
        const char *text, *says;
    };
    for (const Case& c : {Case{"", "message"},
                          {"{", "message"},
                          {"[]", "no object"},
                          {"7", "no object"},
                          {R"({"x": 1})", "'type' is missing"},
                          {R"({"type": 1})", "'type': found 1, expected a text"},
                          {R"({"type": "quit"})", "'quit'"},
                          {R"({"type": "move", "x": 1})", "'y' is missing"},
                          {R"({"type": "move", "x": 1, "y": 2, "z": 3})", "found 4 members, expected 3"},
                          {R"({"type": "move", "x": "1", "y": 2})", "'x': found \"1\""},
                          {R"({"type": "move", "x": NaN, "y": 2})", "'x'"},
                          {R"({"type": "move", "x": 1e39, "y": 2})", "'x': found 1e+39, expected a number, -16384 to 32768"},
                          {R"({"type": "move", "x": -16385, "y": 2})", "'x'"},
                          {R"({"type": "move", "x": 1, "y": 32769})", "'y'"},
                          {R"({"type": "button", "button": 3, "down": true})", "'button': found 3, expected a whole number, 0 to 2"},
                          {R"({"type": "button", "button": -1, "down": true})", "'button'"},
                          {R"({"type": "button", "button": 4294967296, "down": true})", "'button'"},
                          {R"({"type": "button", "button": 0.5, "down": true})", "'button'"},
                          {R"({"type": "button", "button": 0, "down": 1})", "'down': found 1, expected true or false"},
                          {R"({"type": "wheel", "x": 0, "y": 101})", "'y'"},
                          {R"({"type": "key", "key": "Super", "down": true})", "'key': found 'Super'"},
                          {R"({"type": "key", "key": "", "down": true})", "'key'"},
                          {R"({"type": "text", "text": "a\u0000b"})", "control character"},
                          {R"({"type": "text", "text": "\u007f"})", "control character"},
                          {R"({"type": "text", "text": "\n"})", "control character"},
                          {R"({"type": "paste", "text": "\u0000"})", "control character"},
                          {"{\"type\": \"text\", \"text\": \"\xff\"}", "message"},
                          {R"({"type": "resize", "width": 0, "height": 9, "scale": 1})", "'width'"},
                          {R"({"type": "resize", "width": 9, "height": 16385, "scale": 1})", "'height'"},
                          {R"({"type": "resize", "width": 9, "height": 9, "scale": 0.4})", "'scale'"},
                          {R"({"type": "resize", "width": 9, "height": 9, "scale": 4.1})", "'scale'"},
                          {R"({"type": "shown", "frame": -1})", "'frame'"},
                          {R"({"type": "blur", "x": 1})", "found 2 members, expected 1"}}) {
        try {
            parseClientMessage(c.text);
            ADD_FAILURE() << c.text;
        } catch (const InputError& problem) {
            EXPECT_NE(std::string(problem.what()).find(c.says), std::string::npos) << c.text << ": " << problem.what();
        }
    }
}

TEST(ClientMessages, AreNoLongerThanWhatAPageSends) {
    const auto message = [](const std::string& type, size_t length) {
        return R"({"type":")" + type + R"(","text":")" + std::string(length, 'a') + R"("})";
    };
    EXPECT_EQ(parsed<TextTyped>(message("text", 1024)).text.size(), 1024U);
    EXPECT_THROW(parseClientMessage(message("text", 1025)), InputError);
    const size_t around = message("paste", 0).size();
    EXPECT_NO_THROW(parseClientMessage(message("paste", kMostClientMessageBytes - around)));
    EXPECT_THROW(parseClientMessage(message("paste", kMostClientMessageBytes - around + 1)), InputError);
    EXPECT_THROW(parseClientMessage(std::string(kMostClientMessageBytes, '[')), InputError);
}

/// Every message is taken with its members in range, or refused with a reason.
TEST(ClientMessages, ThatAreDamagedDoNoHarm) {
    const std::string messages[] = {R"({"type": "move", "x": 3.5, "y": -1})",
                                    R"({"type": "button", "button": 2, "down": true})",
                                    R"({"type": "key", "key": "F12", "down": false})",
                                    R"({"type": "text", "text": "\u00e9"})",
                                    R"({"type": "resize", "width": 100, "height": 50, "scale": 1})",
                                    R"({"type": "shown", "frame": 5})"};
    const std::string replacements = R"({}[]":,.-+eE0123456789\ untrfalsN)";
    std::mt19937 random(7);
    size_t taken = 0, refused = 0;
    for (int i = 0; i < 30'000; ++i) {
        std::string text = messages[random() % std::size(messages)];
        for (size_t changes = 1 + random() % 3; changes > 0; --changes) {
            const size_t at = random() % text.size();
            if (random() % 4 == 0) {
                text.erase(at, 1 + random() % 3);
            } else {
                text[at] = random() % 8 == 0 ? static_cast<char>(random()) : replacements[random() % replacements.size()];
            }
            if (text.empty()) text = "x";
        }
        try {
            const ClientMessage message = parseClientMessage(text);
            ++taken;
            if (const auto* moved = std::get_if<PointerMoved>(&message)) {
                EXPECT_TRUE(std::abs(moved->position.x) <= 32768 && std::abs(moved->position.y) <= 32768) << text;
            } else if (const auto* button = std::get_if<ButtonChanged>(&message)) {
                EXPECT_TRUE(button->button >= 0 && button->button <= 2) << text;
            } else if (const auto* key = std::get_if<KeyChanged>(&message)) {
                EXPECT_FALSE(imguiNameOf(key->key).empty()) << text;
            } else if (const auto* size = std::get_if<Resized>(&message)) {
                EXPECT_TRUE(size->size.x >= 1 && size->size.y >= 1 && size->scale >= 0.5F) << text;
            }
        } catch (const InputError&) {
            ++refused;
        }
    }
    EXPECT_GT(taken, 300U);
    EXPECT_GT(refused, 1000U);
}

}  // namespace
}  // namespace splat::app
