#include "own_lock.h"
#include "run.h"

namespace splat {
namespace {

using namespace test;

struct Lock : testing::Test {
    Outcome train(Arguments more = {}, const RunOptions& options = {}) const {
        Arguments arguments{"train", data, "-o", out, "--config", config};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return splatwright(arguments, options);
    }
    void leaveLock(const std::string& content) const { scratch.write("out/run.lock", content); }
    void expectTakeOver(const std::string& content, const std::vector<std::string>& said) const {
        leaveLock(content);
        const Outcome outcome = train({"--force"});
        expectSuccess(outcome);
        expectParts(outcome.err, said);
        EXPECT_FALSE(fs::exists(lock));
    }
    void expectRefusal(const std::string& content, const std::vector<std::string>& said) const {
        leaveLock(content);
        expectFailure(train({"--force"}), 2, said);
        EXPECT_EQ(readTextFile(lock), content);
    }

    Scratch scratch;
    fs::path data = tinyDataset(scratch), out = scratch.path() / "out", lock = out / "run.lock";
    fs::path config = scratch.write("config.json", R"({"steps": 2, "log_every": 1, "init": "random", "init_count": 100,
        "strategy": "fixed", "checkpoint_every": 5})");
};

TEST_F(Lock, ASecondRunIntoAFolderIsRefusedAndToldWhoHasIt) {
    std::vector<Outcome> seconds;
    const auto logged = [&] { return fs::exists(out / "checkpoint.splat-ckpt"); };
    const auto tryThenStop = [&] {
        if (!logged()) return false;
        for (const char* option : {"-v", "--force"}) seconds.push_back(train({option}));
        seconds.push_back(train({"--resume", out / "checkpoint.splat-ckpt", "--steps", "1000000"}));
        return true;
    };
    const Outcome first = train({"--steps", "1000000"}, {.interruptWhen = tryThenStop});
    EXPECT_EQ(first.code, 130) << first.err;
    ASSERT_EQ(seconds.size(), 3u);
    for (const Outcome& second : seconds)
        expectFailure(second, 2, {out.string(), "process ", " on " + hostName(), "is training into this folder"});
    EXPECT_GT(metricsOf(out)["steps"], 0);
    EXPECT_FALSE(fs::exists(lock));
    const auto steps = logOf(out);
    for (size_t i = 1; i < steps.size(); ++i) EXPECT_GT(steps[i]["step"], steps[i - 1]["step"]);
}

TEST_F(Lock, OfAKilledRunIsTakenOver) {
    const auto begun = [&] { return fs::exists(out / "checkpoint.splat-ckpt"); };
    ASSERT_EQ(train({"--steps", "1000000"}, {.interruptWhen = begun, .signal = SIGKILL}).code, 128 + SIGKILL);
    const auto left = json::parse(readTextFile(lock));
    const Outcome next = train({"--force"});
    expectSuccess(next);
    expectParts(next.err, {out.string(), fmt::format("process {} on {}", left["pid"].get<int>(), hostName()), "has ended", "taking over"});
    EXPECT_FALSE(fs::exists(lock));
    EXPECT_EQ(train({"--force"}).err.find("taking over"), std::string::npos);
}

TEST_F(Lock, OfAProcessThatLivesIsKeptAndOfAnotherWithItsIdIsNot) {
    expectRefusal(ownLock().dump(), {fmt::format("process {}", getpid())});
    json reused = ownLock();
    reused["started"] = ownStart() - 1;
    expectTakeOver(reused.dump(), {"has ended"});
    json restarted = ownLock();
    restarted["boot"] = "another start of this machine";
    expectTakeOver(restarted.dump(), {"has ended"});
    json elsewhere = restarted;
    elsewhere["host"] = "far\x1b[2J";
    expectRefusal(elsewhere.dump(), {"on far\\x1b[2J", "if it has ended, remove", lock.string()});
    for (const char* content : {"", R"({"pid": "x"})"}) expectTakeOver(content, {});
}

TEST_F(Lock, ThatIsALinkIsRefused) {
    const fs::path other = scratch.write("other", "kept");
    fs::create_directories(out);
    fs::create_symlink(other, lock);
    expectFailure(train(), 2, {lock.string(), "not a regular file"});
    EXPECT_EQ(readTextFile(other), "kept");
}

TEST_F(Lock, AnEmptyLogOfAnAbortedStartDoesNotBlock) {
    scratch.write("out/log.jsonl", "");
    expectSuccess(train());
    fs::remove_all(out);
    scratch.write("out/log.jsonl", "{\"step\": 1}\n");
    expectFailure(train(), 2, {"log.jsonl", "--force"});
}

}  // namespace
}  // namespace splat
