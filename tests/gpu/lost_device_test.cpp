// What a lost device's message says about the work before.
#include <splatwright/gpu/submission_log.h>

#include <gtest/gtest.h>

#include <splatwright/gpu/check.h>
#include <splatwright/gpu/commands.h>
#include "support/test_device.h"

namespace splat::gpu {
namespace {

std::string messageOf(const std::function<void()>& action) {
    try {
        action();
    } catch (const DeviceLost& problem) {
        return problem.what();
    }
    ADD_FAILURE() << "the device is not lost";
    return "";
}

TEST(LostDevice, SaysWhichSubmissionRanLast) {
    DeviceOptions options = testDeviceOptions();
    options.loseAtSubmission = 4;
    Device device(options);
    const Buffer buffer = device.buffer<uint32_t>("buffer", 4);
    const auto run = [&](const char* name) {
        device.run(name, [&](Commands& c) {
            c.stage("clear");
            c.fill(buffer, 0);
            c.stage("count");
            c.fill(buffer, 1);
        });
    };
    for (const char* name : {"first", "second", "third"}) run(name);
    const std::string message = messageOf([&] { run("fourth"); });
    EXPECT_NE(message.find("'fourth'"), std::string::npos) << message;
    EXPECT_NE(message.find("device lost; 'third' (clear, count) ran last (submission 3 of 3)"), std::string::npos) << message;
}

TEST(LostDevice, NamesThePassesThatWereUnderWay) {
    SubmissionLog log;
    log.add(1, "upload");
    log.add(2, "step");
    log.addPasses(2, {"project", "blend"});
    log.add(3, "render");
    EXPECT_EQ(log.text(1), "'upload' ran last (submission 1 of 3), 'step' (project, blend) had begun or was next");
    log.reached(2);
    EXPECT_EQ(log.text(0), "'step' (project, blend) ran last (submission 2 of 3), 'render' had begun or was next");
    EXPECT_EQ(log.text(3), "'render' ran last (submission 3 of 3)");
}

TEST(LostDevice, TheLogKeepsOnlyWhatCouldBeUnderWay) {
    SubmissionLog log;
    for (Ticket ticket = 1; ticket <= 10'000; ++ticket) log.add(ticket, "step");
    EXPECT_EQ(log.text(1), "submission 1 ran last");
    EXPECT_EQ(log.text(9'999), "'step' ran last (submission 9999 of 10000), 'step' had begun or was next");
}

}  // namespace
}  // namespace splat::gpu
