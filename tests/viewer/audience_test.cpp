// Pages that show the viewer: which one controls it, and what a slow one gets.
#include "viewer/remote/audience.h"

#include <chrono>
#include <functional>
#include <future>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/scene/images/jpeg_writer.h>
#include "viewer/remote/token.h"

namespace splat::app {
namespace {

using nlohmann::json;

/// A page's end of a connection.
class Page {
public:
    explicit Page(Audience& audience) : audience_(audience), id_(audience.join([this](const PageMessage& m) { return receive(m); })) {}
    ~Page() {
        block(false);
        audience_.leave(id_);
    }
    Page(const Page&) = delete;
    Page& operator=(const Page&) = delete;

    void say(const std::string& text) { audience_.take(id_, text); }
    /// The connection takes nothing more, or goes on.
    void block(bool blocks) {
        const std::lock_guard lock(mutex_);
        isBlocked_ = blocks;
        changed_.notify_all();
    }
    /// Waits until a message fulfils the condition.
    bool waitsFor(const std::function<bool()>& condition) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, std::chrono::seconds(20), condition);
    }
    bool becomesController(bool controls) {
        return waitsFor([&] { return !roles.empty() && roles.back().at("controls") == controls; });
    }
    void answer(uint32_t frame) { say(json{{"type", "shown"}, {"frame", frame}}.dump()); }

    std::vector<json> roles, others;
    std::vector<std::vector<std::byte>> frames;

private:
    bool receive(const PageMessage& message) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return !isBlocked_; });
        if (!message.isText) {
            frames.emplace_back(message.bytes.begin(), message.bytes.end());
        } else {
            const json text = json::parse(std::string(reinterpret_cast<const char*>(message.bytes.data()), message.bytes.size()));
            (text.at("type") == "role" ? roles : others).push_back(text);
        }
        changed_.notify_all();
        return true;
    }

    Audience& audience_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool isBlocked_ = false;
    Audience::Id id_;
};

std::shared_ptr<const Image8> picture(uint8_t value, int size = 16) {
    Image8 image(size, size, 4);
    for (size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = static_cast<uint8_t>(value + i * i % 61);
    return std::make_shared<const Image8>(std::move(image));
}

constexpr const char* kPress = R"({"type": "button", "button": 0, "down": true})";

size_t pressesIn(const std::vector<ClientMessage>& input) {
    return static_cast<size_t>(
        std::ranges::count_if(input, [](const ClientMessage& m) { return std::holds_alternative<ButtonChanged>(m); }));
}

TEST(Audience, IsControlledByTheFirstPageAndByWhoTakesControl) {
    Audience audience;
    EXPECT_TRUE(audience.empty());
    Page first(audience), second(audience);
    EXPECT_TRUE(first.becomesController(true));
    EXPECT_TRUE(second.becomesController(false));
    second.say(kPress);
    EXPECT_EQ(pressesIn(audience.takeInput()), 0U) << "who watches presses nothing";
    first.say(kPress);
    EXPECT_EQ(pressesIn(audience.takeInput()), 1U);
    second.say(R"({"type": "control"})");
    EXPECT_TRUE(second.becomesController(true));
    EXPECT_TRUE(first.becomesController(false));
    first.say(kPress);
    const auto input = audience.takeInput();
    EXPECT_EQ(pressesIn(input), 0U);
    ASSERT_EQ(input.size(), 1U);
    EXPECT_TRUE(std::holds_alternative<FocusLost>(input[0])) << "what the page before held is released";
}

TEST(Audience, GoesOnWithThePageThatHasBeenThereLongest) {
    Audience audience;
    auto first = std::make_unique<Page>(audience);
    Page second(audience), third(audience);
    second.say(R"({"type": "resize", "width": 900, "height": 700, "scale": 2})");
    first.reset();
    EXPECT_TRUE(second.becomesController(true));
    EXPECT_TRUE(third.becomesController(false));
    const auto input = audience.takeInput();
    ASSERT_FALSE(input.empty());
    const auto* size = std::get_if<Resized>(&input.back());
    ASSERT_TRUE(size) << "the picture has the size of its page";
    EXPECT_EQ(size->size, glm::uvec2(900, 700));
}

TEST(Audience, HasALimit) {
    Audience audience;
    std::vector<std::unique_ptr<Page>> pages;
    for (size_t i = 0; i < Audience::kMostClients; ++i) pages.push_back(std::make_unique<Page>(audience));
    EXPECT_THROW(Page{audience}, Error);
    pages.pop_back();
    EXPECT_NO_THROW(Page{audience});
}

TEST(Audience, MergesMovesAndRefusesMoreThanTheViewerTakes) {
    Audience audience;
    Page page(audience);
    audience.takeInput();
    for (int i = 0; i < 10'000; ++i) page.say(R"({"type": "move", "x": )" + std::to_string(i) + R"(, "y": 0})");
    const auto input = audience.takeInput();
    ASSERT_EQ(input.size(), 1U);
    EXPECT_EQ(std::get<PointerMoved>(input[0]).position.x, 9999);
    for (size_t i = 0; i < Audience::kMostInput; ++i) page.say(kPress);
    EXPECT_THROW(page.say(kPress), InputError);
}

TEST(Audience, AnswersPingsAndRefusesAnswersToFramesThatWereNotSent) {
    Audience audience;
    Page page(audience);
    page.say(R"({"type": "ping", "number": 77})");
    EXPECT_TRUE(page.waitsFor([&] { return !page.others.empty(); }));
    EXPECT_EQ(page.others[0], (json{{"type", "pong"}, {"number", 77}}));
    EXPECT_THROW(page.answer(1), InputError);
    audience.show(picture(0));
    ASSERT_TRUE(page.waitsFor([&] { return !page.frames.empty(); }));
    EXPECT_THROW(page.answer(2), InputError);
    EXPECT_NO_THROW(page.answer(1));
    EXPECT_THROW(page.answer(1), InputError);
}

TEST(Audience, SendsAFewFramesAtATimeAndThenTheNewest) {
    Audience audience;
    Page page(audience);
    for (uint8_t i = 0; i < 100; ++i) {
        audience.show(picture(i));
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    ASSERT_TRUE(page.waitsFor([&] { return page.frames.size() == RemoteClient::kMostInFlight; }));
    EXPECT_EQ(page.frames.size(), RemoteClient::kMostInFlight) << "no answer came";
    page.answer(static_cast<uint32_t>(page.frames.size()));
    ASSERT_TRUE(page.waitsFor([&] { return page.frames.size() == RemoteClient::kMostInFlight + 1; }))
        << "the last one, and none of those between";
    Page other(audience);
    EXPECT_TRUE(other.waitsFor([&] { return !other.frames.empty(); })) << "a page that comes later gets the last frame";
}

TEST(Audience, SendsAPictureAtRestOnceMoreSharper) {
    Audience audience;
    Page page(audience);
    audience.show(picture(3, 64));
    ASSERT_TRUE(page.waitsFor([&] { return page.frames.size() == 1; }));
    page.answer(1);
    ASSERT_TRUE(page.waitsFor([&] { return page.frames.size() == 2; }));
    const size_t numberBytes = 4;
    EXPECT_EQ(page.frames[1].size(), numberBytes + encodedJpeg(*picture(3, 64), FrameQuality::kStill, JpegColours::full).size());
    EXPECT_LT(page.frames[0].size(), page.frames[1].size());
    page.answer(2);
    std::this_thread::sleep_for(std::chrono::duration<double>(3 * RemoteClient::kRestSeconds));
    EXPECT_EQ(page.frames.size(), 2U) << "once";
}

TEST(Audience, DoesNotWaitForAPageThatTakesNothing) {
    Audience audience;
    Page stuck(audience), other(audience);
    stuck.block(true);
    for (uint8_t i = 0; i < 20; ++i) {
        audience.show(picture(i));
        ASSERT_TRUE(other.waitsFor([&] { return other.frames.size() > i; }));
        other.answer(static_cast<uint32_t>(other.frames.size()));
        for (int k = 0; k < 100; ++k) audience.tellController(R"({"type": "copy"})");  // to the one that is stuck
    }
    EXPECT_TRUE(stuck.frames.empty());
    stuck.block(false);
    EXPECT_TRUE(stuck.waitsFor([&] { return !stuck.frames.empty(); }));
}

TEST(FrameQuality, FollowsTheTimeThatFramesTakeBeyondTheFastest) {
    FrameQuality quality;
    for (int i = 0; i < 100; ++i) quality.took(0.2);  // a long way, but nothing waits
    EXPECT_EQ(quality.quality(), FrameQuality::kMost);
    for (int i = 0; i < 100; ++i) quality.took(0.5);
    EXPECT_EQ(quality.quality(), FrameQuality::kLeast);
    const int before = quality.quality();
    quality.took(0.26);
    EXPECT_EQ(quality.quality(), before) << "between, it stays";
    for (int i = 0; i < 100; ++i) quality.took(0.2);
    EXPECT_EQ(quality.quality(), FrameQuality::kMost);
}

TEST(Token, IsTheTextAndNoOther) {
    const std::string token = randomToken();
    EXPECT_EQ(token.size(), 32U);
    EXPECT_NE(token, randomToken());
    EXPECT_TRUE(isToken(token, token));
    for (size_t i = 0; i < token.size(); ++i) {
        std::string other = token;
        other[i] = static_cast<char>(other[i] ^ 1);
        EXPECT_FALSE(isToken(other, token)) << i;
    }
    EXPECT_FALSE(isToken(token + token, token));
    EXPECT_FALSE(isToken(token.substr(0, 31), token));
    EXPECT_FALSE(isToken("", token));
    EXPECT_FALSE(isToken("", ""));
}

}  // namespace
}  // namespace splat::app
