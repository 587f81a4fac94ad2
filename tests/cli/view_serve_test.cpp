// `view --serve` from outside: what it refuses, what it prints and how it ends. tests/peers/serve.py opens its page in a browser.
#include <regex>

#include "../scene/format_samples.h"
#include "run.h"

namespace splat {
namespace {

using namespace test;

TEST(ViewServe, RefusesWhatDoesNotFit) {
    const Scratch scratch;
    expectFailure(splatwright({"view", "--serve", "65536"}), 2, {"--serve: found '65536', expected a whole number, 0 to 65535"});
    expectFailure(splatwright({"view", "--serve-address", "127.0.0.1"}), 2, {"--serve-address", "expected --serve"});
    const fs::path script = scratch.write("script.txt", "quit\n");
    expectFailure(splatwright({"view", "--serve", "0", "--script", script}), 2, {"--serve: found --script too"});
    for (const char* wrong : {"", "localhost", "1.2.3", "1.2.3.4.5", "256.0.0.1", "01.2.3.4", "1.2.3.-4", "1.2.3.4:80", "::1", "1.2.3.4 "})
        expectFailure(splatwright({"view", "--serve", "0", "--serve-address", wrong}), 2,
                      {"--serve-address: found '", "expected an IPv4 address"});
}

TEST(ViewServe, PrintsItsAddressAndEndsWhenItIsInterrupted) {
    const Scratch scratch;
    const auto device = deviceArguments();
    Arguments arguments{"view", "--serve", "0", "--size", "640x400"};
    arguments.insert(arguments.end(), device.begin(), device.end());
    const auto printed = [&] {
        const fs::path file = scratch.path() / "stdout";
        return fs::exists(file) && readTextFile(file).ends_with("\n");
    };
    const Outcome run = runIn(scratch.path(), std::move(arguments), {.interruptWhen = printed});
    EXPECT_EQ(run.code, kInterrupted) << run.err;
    EXPECT_TRUE(std::regex_match(run.out, std::regex("http://127\\.0\\.0\\.1:[0-9]{2,5}/\\?token=[0-9a-f]{32}\n"))) << run.out;
}

}  // namespace
}  // namespace splat
