#include <splatwright/core/child_process.h>

#include <unistd.h>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/line_splitter.h>
#include "../scene/scratch.h"

namespace splat {
namespace {

using namespace std::chrono_literals;
using Lines = std::vector<std::string>;

Lines linesOf(ChildCommand command) {
    Lines lines;
    command.onLine = [&](std::string_view line) { lines.emplace_back(line); };
    runChild(command);
    return lines;
}

struct Stop : std::runtime_error {
    Stop() : std::runtime_error("stop") {}
};

TEST(ChildProcess, ReportsExitStatusAndSignal) {
    EXPECT_TRUE(runChild({.arguments = {"true"}, .log = {}}).succeeded());
    const ChildResult failed = runChild({.arguments = {"false"}, .log = {}});
    EXPECT_EQ(failed.code, 1);
    EXPECT_EQ(failed.signal, 0);
    EXPECT_EQ(failed.ending(), "exit code 1");
    const ChildResult killed = runChild({.arguments = {"timeout", "--signal=KILL", "0.01", "sleep", "20"}, .log = {}});
    EXPECT_EQ(killed.signal, SIGKILL);
    EXPECT_NE(killed.ending().find("signal 9"), std::string::npos) << killed.ending();
}

TEST(ChildProcess, PassesArgumentsAsTheyAre) {
    const Lines words{"two words", "$HOME `id`", "it's", "*", "-n", "a\\b"};
    std::vector<std::string> arguments{"printf", "%s\\n"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    EXPECT_EQ(linesOf({.arguments = arguments, .log = {}}), words);
}

TEST(ChildProcess, GivesBothOutputsAsLinesAndLogsThem) {
    const test::Scratch scratch;
    const auto log = scratch.write("log", "before\n");
    EXPECT_EQ(linesOf({.arguments = {"ls", "/does/not/exist"}, .log = log}).size(), 1u);
    const std::string text = readTextFile(log);
    EXPECT_TRUE(text.starts_with("before\n$ ls /does/not/exist\nls: ")) << text;
    EXPECT_EQ(runChild({.arguments = {"seq", "9"}, .log = {}}).lastLines, "5\n6\n7\n8\n9");
}

TEST(ChildProcess, TakesInputInPiecesOfAnySize) {
    std::vector<std::byte> sent, received;
    std::vector<std::byte> piece;
    size_t pieces = 0;
    const ChildResult result =
        runChild({.arguments = {"cat"},
                  .log = {},
                  .onOutput = [&](std::span<const std::byte> bytes) { received.insert(received.end(), bytes.begin(), bytes.end()); },
                  .input = [&]() -> std::span<const std::byte> {
                      const size_t sizes[] = {1, 70'000, 3'000'000, 5};
                      if (pieces == std::size(sizes)) return {};
                      piece.resize(sizes[pieces++]);
                      for (size_t i = 0; i < piece.size(); ++i) piece[i] = static_cast<std::byte>(i * 7 + pieces);
                      sent.insert(sent.end(), piece.begin(), piece.end());
                      return piece;
                  }});
    EXPECT_TRUE(result.succeeded());
    EXPECT_EQ(received.size(), 3'070'006u);
    EXPECT_TRUE(received == sent);
}

TEST(ChildProcess, MayCloseItsInputBeforeTheEnd) {
    const std::vector<std::byte> piece(100'000);
    size_t asked = 0;
    const ChildResult result =
        runChild({.arguments = {"sh", "-c", "head -c 5 >/dev/null; exec 0<&-; sleep 0.2; echo enough; exit 3"}, .log = {}, .input = [&] {
                      ++asked;
                      return std::span(piece);
                  }});
    EXPECT_EQ(result.code, 3);
    EXPECT_EQ(result.lastLines, "enough");
    EXPECT_LT(asked, 100u);
}

TEST(ChildProcess, AnExceptionOfItsInputEndsIt) {
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_THROW(runChild({.arguments = {"cat"}, .log = {}, .input = []() -> std::span<const std::byte> { throw Stop(); }}), Stop);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
}

TEST(ChildProcess, GivesStandardOutputAsBytes) {
    const test::Scratch scratch;
    const std::string zeros(300'000, '\0');
    size_t bytes = 0, lines = 0;
    const ChildResult result = runChild({.arguments = {"cat", scratch.write("zeros", zeros), "/does/not/exist"},
                                         .log = {},
                                         .onLine = [&](std::string_view) { ++lines; },
                                         .onOutput = [&](std::span<const std::byte> part) { bytes += part.size(); }});
    EXPECT_EQ(lines, 1u);
    EXPECT_EQ(bytes, zeros.size());
    EXPECT_NE(result.lastLines.find("/does/not/exist"), std::string::npos);
}

TEST(ChildProcess, HasNoInputAndAGroupOfItsOwn) {
    EXPECT_TRUE(linesOf({.arguments = {"cat"}, .log = {}}).empty());
    // Field 5 is the group (proc(5)); the program's name has no blanks.
    const Lines stat = linesOf({.arguments = {"cut", "-d ", "-f1,5", "/proc/self/stat"}, .log = {}});
    ASSERT_EQ(stat.size(), 1u);
    EXPECT_EQ(stat[0].substr(0, stat[0].find(' ')), stat[0].substr(stat[0].find(' ') + 1));
}

/// Whether a process runs that was started with exactly this last argument.
bool isRunning(const std::string& argument) {
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        std::ifstream file(entry.path() / "cmdline");
        const std::string text(std::istreambuf_iterator<char>(file), {});
        if (text.ends_with('\0' + argument + '\0')) return true;
    }
    return false;
}

TEST(ChildProcess, AnExceptionEndsTheWholeGroup) {
    const std::string seconds = fmt::format("{}.7531", 100 + getpid());
    const auto begin = std::chrono::steady_clock::now();
    const auto check = [&] {
        if (isRunning(seconds)) throw Stop();
    };
    // Without input, xargs starts the program once and waits for it.
    EXPECT_THROW(runChild({.arguments = {"xargs", "sleep", seconds}, .log = {}, .check = check}), Stop);
    const auto ended = std::chrono::steady_clock::now();
    EXPECT_LT(ended - begin, 2s) << "SIGINT is enough for these programs";
    // Only the end of xargs has been waited for.
    while (isRunning(seconds) && std::chrono::steady_clock::now() < ended + 5s) std::this_thread::sleep_for(10ms);
    EXPECT_FALSE(isRunning(seconds));
}

TEST(ChildProcess, AProgramThatIgnoresSignalsIsKilled) {
    const auto begin = std::chrono::steady_clock::now();
    const auto check = [&] {
        if (std::chrono::steady_clock::now() - begin > 300ms) throw Stop();
    };
    // `env` starts the program with these signals ignored.
    EXPECT_THROW(runChild({.arguments = {"env", "--ignore-signal=INT", "--ignore-signal=TERM", "sleep", "60"}, .log = {}, .check = check}),
                 Stop);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
}

TEST(ChildProcess, AMissingProgramIsAnErrorWithItsName) {
    try {
        runChild({.arguments = {"no-such-program-here"}, .log = {}});
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("no-such-program-here: cannot be started"), std::string::npos) << error.what();
    }
}

/// Ignored signals stay ignored in programs that are started, and the system then forgets how these end.
struct IgnoredChildSignal : testing::Test {
    ~IgnoredChildSignal() override { std::signal(SIGCHLD, before); }
    void (*before)(int) = std::signal(SIGCHLD, SIG_IGN);
};

TEST_F(IgnoredChildSignal, IsAnErrorAndNoEndlessWait) {
    try {
        runChild({.arguments = {"false"}, .log = {}});
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("false: how it ended is not known, because SIGCHLD is ignored"), std::string::npos);
    }
}

TEST_F(IgnoredChildSignal, IsNotHandedOn) {
    Lines lines;
    ChildCommand command{.arguments = {"grep", "SigIgn", "/proc/self/status"}, .log = {}};
    command.onLine = [&](std::string_view line) { lines.emplace_back(line); };
    EXPECT_THROW(runChild(command), Error);
    ASSERT_EQ(lines.size(), 1u);
    const uint64_t ignored = std::stoull(lines[0].substr(lines[0].find_last_of(" \t")), nullptr, 16);
    EXPECT_EQ(ignored >> (SIGCHLD - 1) & 1u, 0u) << lines[0];
}

TEST(ChildProcess, TheLogsCommandLineCanBeGivenToAShell) {
    const test::Scratch scratch;
    const auto log = scratch.path() / "log", file = scratch.path() / "two words; $(it's)";
    runChild({.arguments = {"touch", file}, .log = log});
    ASSERT_TRUE(std::filesystem::remove(file));
    const std::string line = readTextFile(log);
    ASSERT_TRUE(line.starts_with("$ touch "));
    EXPECT_TRUE(runChild({.arguments = {"sh", "-c", line.substr(2)}, .log = {}}).succeeded());
    EXPECT_TRUE(std::filesystem::exists(file)) << line;
}

TEST(ChildProcess, ALogThatCannotBeWrittenIsAnError) {
    EXPECT_THROW(runChild({.arguments = {"true"}, .log = "/dev/full"}), Error);
    EXPECT_THROW(runChild({.arguments = {"true"}, .log = "/does/not/exist/log"}), Error);
}

TEST(FindProgram, SearchesThePathUnlessThereIsASlash) {
    const test::Scratch scratch;
    EXPECT_FALSE(findProgram("true").empty());
    EXPECT_TRUE(findProgram("no-such-program-here").empty());
    EXPECT_EQ(findProgram("/bin/true"), "/bin/true");
    EXPECT_TRUE(findProgram(scratch.write("text", "")).empty()) << "not executable";
    EXPECT_TRUE(findProgram(scratch.path() / "").empty()) << "a folder";
}

TEST(LineSplitter, SplitsPiecesAtLineBreaksAndCarriageReturns) {
    Lines lines;
    LineSplitter splitter([&](std::string_view line) { lines.emplace_back(line); }, 8);
    for (const char* piece : {"on", "e\ntw", "o\rthree\r\n", "0123456789"}) splitter.add(piece);
    splitter.finish();
    EXPECT_EQ(lines, (Lines{"one", "two", "three", "", "01234567", "89"}));
}

}  // namespace
}  // namespace splat
