#include <splatwright/core/progress.h>

#include <chrono>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

namespace splat {
namespace {

TEST(Progress, LineTellsPlaceDetailsAndTimeLeft) {
    const ProgressState half{.label = "training", .done = 50, .total = 100, .seconds = 65, .details = "loss 0.1"};
    EXPECT_EQ(liveLine(half, 200), "training [============>           ] 50/100  loss 0.1  1:05 left");
    EXPECT_EQ(plainLine(half), "training 50/100  loss 0.1  1:05 left");
}

TEST(Progress, LineTellsTheTimeTakenAtTheEnd) {
    const ProgressState done{.label = "training", .done = 100, .total = 100, .seconds = 3723};
    EXPECT_EQ(liveLine(done, 200), "training [========================] 100/100  in 1:02:03");
}

TEST(Progress, NothingDoneTellsNoTime) { EXPECT_EQ(plainLine({.label = "x", .done = 0, .total = 9, .seconds = 5}), "x 0/9"); }

TEST(Progress, TimeLeftGoesByWhatWasDoneSinceTheClockStarted) {
    EXPECT_EQ(plainLine({.label = "x", .done = 75, .total = 100, .first = 50, .seconds = 10}), "x 75/100  0:10 left");
    EXPECT_EQ(plainLine({.label = "x", .done = 50, .total = 100, .first = 50, .seconds = 10}), "x 50/100");
    std::ostringstream out;
    Progress progress(out, Progress::Style::plain, "x", 9);
    progress.startAt(8);
    progress.finish();
    EXPECT_EQ(out.str(), "x 8/9\n");
}

TEST(Progress, NothingToDoIsDone) { EXPECT_EQ(plainLine({.label = "x", .done = 0, .total = 0, .seconds = 0}), "x 0/0  in 0:00"); }

TEST(Progress, LiveLineFitsTheTerminal) {
    const ProgressState state{.label = std::string(100, 'x'), .done = 1, .total = 2, .seconds = 1};
    EXPECT_EQ(liveLine(state, 80).size(), 80u);
}

TEST(Progress, BarMakesRoomForTheNumbers) {
    const ProgressState half{.label = "training", .done = 50, .total = 100, .seconds = 65, .details = "loss 0.1"};
    EXPECT_EQ(liveLine(half, 50), "training [=====>     ] 50/100  loss 0.1  1:05 left");
    EXPECT_EQ(liveLine(half, 40), "training 50/100  loss 0.1  1:05 left");
}

TEST(Progress, LiveLineIsDrawnOverAndEndsOnce) {
    std::ostringstream out;
    {
        Progress progress(out, Progress::Style::live, "x", 2);
        progress.update(1);
        progress.update(2);
        progress.finish();
        progress.update(2);
        progress.finish();
    }
    const std::string text = out.str();
    EXPECT_TRUE(text.starts_with("\r\x1b[Kx ["));
    EXPECT_TRUE(text.ends_with("2/2  in 0:00\n")) << text;
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
}

TEST(Progress, AbandonedLiveLineIsLeftStanding) {
    std::ostringstream out;
    { Progress(out, Progress::Style::live, "x", 2).update(1); }
    EXPECT_TRUE(out.str().ends_with('\n')) << out.str();
}

TEST(Progress, PipeGetsOneLineOfShortWork) {
    std::ostringstream out;
    Progress progress(out, Progress::Style::plain, "x", 3);
    for (uint64_t i = 1; i <= 3; ++i) progress.update(i);
    progress.finish();
    EXPECT_EQ(out.str(), "x 3/3  in 0:00\n");
}

constexpr std::chrono::milliseconds kAlways{0};

TEST(Progress, TimeBeforeTheRatesClockIsNotInTheTimeLeft) {
    EXPECT_EQ(plainLine({.label = "x", .done = 11, .total = 21, .first = 1, .seconds = 70, .firstSeconds = 60}), "x 11/21  0:10 left");
    EXPECT_EQ(plainLine({.label = "x", .done = 21, .total = 21, .first = 1, .seconds = 70, .firstSeconds = 60}), "x 21/21  in 1:10");
    std::ostringstream out;
    Progress progress(out, Progress::Style::plain, "x", 1000, kAlways);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    progress.startAt(1);
    progress.update(2);
    const std::string text = out.str();  // 998 more at 20 ms each would be 20 s
    EXPECT_TRUE(text == "x 2/1000  0:00 left\n" || text == "x 2/1000  0:01 left\n") << text;
}

TEST(Progress, PlainLinesNeverShowTheSameAmountTwice) {
    std::ostringstream out;
    Progress progress(out, Progress::Style::plain, "x", 3, kAlways);
    progress.startAt(1);
    for (const uint64_t done : {2u, 2u, 3u, 3u}) progress.update(done, "details");
    progress.update(3, "last details");
    progress.finish();
    progress.finish();
    const std::string text = out.str();
    EXPECT_EQ(text.substr(text.find('\n') + 1), "x 3/3  last details  in 0:00\n");
    EXPECT_TRUE(text.starts_with("x 2/3  details")) << text;
}

TEST(Progress, WorkThatEndsEarlyDoesNotRepeatItsLastLine) {
    std::ostringstream out;
    Progress progress(out, Progress::Style::plain, "x", 9, kAlways);
    progress.update(4, "a");
    const std::string shown = out.str();
    progress.update(4, "b");
    progress.finish();
    EXPECT_EQ(out.str(), shown);
}

TEST(Progress, AnAnnouncementIsShownAtOnceAndGoesWithTheFirstStep) {
    std::ostringstream out;
    Progress progress(out, Progress::Style::plain, "x", 9);
    progress.announce("warming up");
    EXPECT_EQ(out.str(), "x 0/9  warming up\n");
    progress.startAt(1);
    progress.finish();
    EXPECT_EQ(out.str(), "x 0/9  warming up\nx 1/9\n");
    std::ostringstream live;
    Progress(live, Progress::Style::live, "x", 9).announce("warming up");
    EXPECT_NE(live.str().find("0/9  warming up"), std::string::npos) << live.str();
}

TEST(Progress, SilenceIsSilent) {
    std::ostringstream out;
    Progress progress(out, Progress::Style::silent, "x", 3);
    progress.announce("warming up");
    EXPECT_FALSE(progress.due());
    progress.update(1);
    progress.finish();
    EXPECT_EQ(out.str(), "");
}

}  // namespace
}  // namespace splat
