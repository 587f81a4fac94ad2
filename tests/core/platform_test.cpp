// What differs between systems, tested alike on each. Programs that are started are this one, with another filter: no other is on every system.
#include <splatwright/core/platform/console.h>
#include <splatwright/core/platform/file.h>
#include <splatwright/core/platform/machine.h>
#include <splatwright/core/platform/pipes.h>
#include <splatwright/core/platform/process.h>
#include <splatwright/core/platform/program.h>
#include <splatwright/core/platform/stop_requests.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include <splatwright/core/child_process.h>
#include <splatwright/core/file.h>
#include <splatwright/core/folder_lock.h>
#include <splatwright/core/names.h>
#include <splatwright/core/output_folder.h>
#include <splatwright/core/threads.h>
#include "../scene/scratch.h"

namespace splat {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::Scratch;

/// Tests that are no tests, but what the program does when another test starts it.
struct DISABLED_Started : testing::Test {};

/// How this program is started as one of them.
std::vector<std::string> thisProgramAs(const std::string& name) {
    return {fs::absolute(testing::internal::GetArgvs()[0]).string(), "--gtest_also_run_disabled_tests",
            "--gtest_filter=DISABLED_Started." + name};
}

TEST_F(DISABLED_Started, SpeaksOnBothStreams) {
    std::cout << "first\n" << std::flush;
    std::cerr << "second\n" << std::flush;
    std::_Exit(3);
}

TEST_F(DISABLED_Started, RepeatsItsInput) {
    platform::prepareStreams();
    std::vector<char> bytes(100'000);
    while (const size_t count = std::fread(bytes.data(), 1, bytes.size(), stdin)) std::fwrite(bytes.data(), 1, count, stdout);
    std::fflush(stdout);
    std::_Exit(0);
}

TEST_F(DISABLED_Started, RepeatsItsWords) {
    platform::prepareStreams();
    const std::vector<std::string> words = testing::internal::GetArgvs();
    for (size_t i = 3; i < words.size(); ++i) std::cout << '<' << words[i] << ">\n" << std::flush;
    std::_Exit(0);
}

TEST_F(DISABLED_Started, EndsWhenItIsAsked) {
    const platform::StopRequests requests;
    std::cout << "ready\n" << std::flush;
    while (platform::StopRequests::first() == platform::StopRequest::none) std::this_thread::sleep_for(10ms);
    std::_Exit(128 + static_cast<int>(platform::StopRequests::first()));
}

TEST_F(DISABLED_Started, WaitsForEver) { std::this_thread::sleep_for(10min); }

TEST(Paths, HaveNamesOfEveryScript) {
    const Scratch scratch;
    for (const char8_t* name : {u8"Ελληνικά", u8"中文", u8"кириллица", u8"العربية", u8"emoji 🙂 and blanks"}) {
        const fs::path folder = scratch.path() / fs::path(name), file = folder / fs::path(name);
        fs::create_directory(folder);
        writeFileAtomically(file, std::string("old"));
        writeFileAtomically(file, std::string("new"));
        EXPECT_EQ(readTextFile(file), "new");
        EXPECT_EQ(readTextFile(file.string()), "new") << "text is UTF-8";
        EXPECT_EQ(fs::directory_iterator(folder)->path(), file);
        EXPECT_EQ(RandomAccessFile(file).size(), 3u);
    }
}

TEST(Paths, OfTextsAreReadAsUtf8) {
    std::string text;
    for (const char8_t* character :
         {u8"\u007f", u8"\u0080", u8"\u07ff", u8"\u0800", u8"\ud7ff", u8"\uffff", u8"\U00010000", u8"\U0010ffff", u8"🙂"}) {
        text += reinterpret_cast<const char*>(character);
        EXPECT_EQ(fs::path(text).string(), text);
        EXPECT_TRUE(fs::path(text) == fs::path(reinterpret_cast<const char8_t*>(text.c_str()))) << text;
    }
    for (int i = 0; i < 6; ++i) text += "a" + text;  // no buffer of a conversion ends between characters for all
    EXPECT_EQ(fs::path(text).string(), text);
    for (const std::string bytes : {"\xff", "\x80", "a\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf0\x9f\x99", "\344\270a"}) {
        const std::string read = fs::path(bytes).string();
        if (platform::systemName().starts_with("Windows"))
            EXPECT_NE(read.find("\uFFFD"), std::string::npos) << escapedName(bytes) << " as " << escapedName(read);
        else
            EXPECT_EQ(read, bytes) << "names are bytes on POSIX";
    }
}

TEST(Paths, HaveTemporariesWithWholeCharacters) {
    const Scratch scratch;
    for (const std::string before : {"", "a", "aa"}) {
        std::string name = before;
        while (name.size() + 3 <= 255) name += "中";
        writeFileAtomically(scratch.path() / name, name);
        EXPECT_EQ(readTextFile(scratch.path() / name), name);
        const std::string temporary = temporaryBeside(scratch.path() / name).filename().string();
        EXPECT_TRUE(isTemporaryOf(temporary, name)) << temporary;
        EXPECT_EQ(escapedName(temporary), temporary);
    }
}

TEST(Paths, HaveNoNamesOfDevices) {
    const Scratch scratch;
    for (const char* name : {"con", "NUL.ply", "aux.tar.gz", "prn", "Com1", "lpt9.txt", "aux /a.ply"}) {
        const fs::path path = scratch.path() / name;
        const std::string reserved = platform::reservedNameIn(path);
        EXPECT_EQ(reserved.empty(), !platform::systemName().starts_with("Windows")) << name;
        if (reserved.empty()) continue;
        const auto isRefused = [&](const auto& use) { test::expectInputError(use, {name, "keeps the name '", "expected another name"}); };
        isRefused([&] { AtomicFile{path}; });
        isRefused([&] { OutputFolder{path}; });
        isRefused([&] { openInput(path); });
        isRefused([&] { requireExisting(path, "is missing"); });
    }
    for (const char* name : {"console", "com", "com0", "nul1", "a.con", "aux_/a"}) EXPECT_EQ(platform::reservedNameIn(name), "") << name;
}

TEST(Paths, MayBeLong) {
    const Scratch scratch;
    fs::path folder = scratch.path();
    while (folder.string().size() < 300) folder /= "a folder whose name is forty letters long";
    fs::create_directories(folder);
    const FolderLock lock(folder);
    writeFileAtomically(folder / "file", std::string("content"));
    EXPECT_EQ(readTextFile(folder / "file"), "content");
}

TEST(Folders, AreListedAndRemovedHoweverLongTheirPath) {
    const Scratch scratch;
    const fs::path top = scratch.path() / "top";
    fs::path folder = top;
    while (folder.string().size() < 300) folder /= "a folder whose name is forty letters long";
    std::set<fs::path> expected{folder / "中文", folder / "中文" / "a", folder / "中文" / "b", folder / "file"};
    fs::create_directories(folder / "中文");
    for (const fs::path& path : expected)
        if (path != folder / "中文") writeFileAtomically(path, std::string("content"));
    std::set<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) EXPECT_TRUE(found.insert(entry.path()).second) << entry.path();
    EXPECT_EQ(found, expected);
    EXPECT_GE(fs::remove_all(top), 5u);
    EXPECT_FALSE(fs::exists(top));
}

TEST(Folders, SayWhyTheyCannotBeListed) {
    const Scratch scratch;
    const fs::path file = scratch.path() / "file";
    writeFileAtomically(file, std::string("content"));
    std::error_code problem;
    EXPECT_EQ(fs::directory_iterator(file, problem), fs::directory_iterator());
    EXPECT_EQ(problem, std::errc::not_a_directory);
    EXPECT_EQ(fs::directory_iterator(scratch.path() / "nothing", problem), fs::directory_iterator());
    EXPECT_EQ(problem, std::errc::no_such_file_or_directory);
    fs::create_directory(scratch.path() / "empty");
    EXPECT_EQ(fs::directory_iterator(scratch.path() / "empty"), fs::directory_iterator());
}

TEST(Files, AreReplacedWhileTheyAreRead) {
    const Scratch scratch;
    const fs::path path = scratch.write("file", "the old one");
    const RandomAccessFile reader(path);
    writeFileAtomically(path, std::string("the new one is longer"));
    EXPECT_EQ(readTextFile(path), "the new one is longer");
    std::string found(11, '\0');
    reader.read(0, std::as_writable_bytes(std::span(found)));
    EXPECT_EQ(found, "the old one");
}

TEST(Files, SayWhyTheyCannotBeOpened) {
    const Scratch scratch;
    std::error_code failed;
    const platform::File none(scratch.path() / "none", platform::OpenFor::reading, failed);
    EXPECT_FALSE(none.isOpen());
    EXPECT_EQ(failed, std::errc::no_such_file_or_directory) << failed.message();
    const platform::File second(scratch.write("there", "old"), platform::OpenFor::creating, failed);
    EXPECT_EQ(failed, std::errc::file_exists) << failed.message();
    EXPECT_THROW(writeFileAtomically(scratch.path() / "no folder/file", std::string("text")), Error);
}

TEST(Files, AreAppendedToAndCut) {
    const Scratch scratch;
    const fs::path path = scratch.path() / "log";
    for (const std::string text : {"one ", "two "}) {
        std::error_code failed;
        const platform::File file(path, platform::OpenFor::logging, failed);
        auto bytes = std::as_bytes(std::span(text));
        EXPECT_FALSE(failed || file.write(bytes)) << failed.message();
        EXPECT_TRUE(bytes.empty());
    }
    EXPECT_EQ(readTextFile(path), "one two ");
    std::error_code failed;
    const platform::File file(path, platform::OpenFor::locking, failed);
    EXPECT_FALSE(file.resize(3));
    EXPECT_EQ(readTextFile(path), "one");
    EXPECT_TRUE(file.isRegular() && file.isAt(path));
    EXPECT_FALSE(file.isAt(scratch.write("another", "one")));
}

TEST(Files, AreLockedByOneAndReadByAll) {
    const Scratch scratch;
    const fs::path path = scratch.write("lock", "who");
    std::error_code failed;
    platform::File first(path, platform::OpenFor::locking, failed), second(path, platform::OpenFor::locking, failed);
    EXPECT_EQ(first.tryLock(), platform::File::Lock::taken);
    EXPECT_EQ(second.tryLock(), platform::File::Lock::held);
    std::string text(3, '\0');
    size_t count = 0;
    EXPECT_FALSE(second.readAt(0, std::as_writable_bytes(std::span(text)), count));
    EXPECT_EQ(text, "who");
    first.close();
    EXPECT_EQ(second.tryLock(), platform::File::Lock::taken);
    second.removeAndClose(path);
    EXPECT_FALSE(fs::exists(path));
}

TEST(FolderLocks, AreHeldByOneAndLeaveNothing) {
    const Scratch scratch;
    for (int round = 0; round < 2; ++round) {
        const FolderLock lock(scratch.path());
        const std::vector<std::string> parts{fmt::format("process {} on ", platform::thisProcess()), "is training into this folder"};
        test::expectInputError([&] { FolderLock{scratch.path()}; }, parts);
        test::expectInputError([&] { FolderLock::refuseIfHeld(scratch.path()); }, parts);
    }
    EXPECT_TRUE(fs::is_empty(scratch.path()));
    FolderLock::refuseIfHeld(scratch.path());
}

TEST(FolderLocks, OfProcessesThatHaveEndedAreTakenOver) {
    const Scratch scratch;
    std::string left;
    {
        const FolderLock lock(scratch.path());
        left = readTextFile(scratch.path() / "run.lock");
    }
    const std::string own = fmt::format("\"started\":{}", platform::startOfProcess(platform::thisProcess()).value());
    ASSERT_NE(left.find(own), std::string::npos) << left;
    scratch.write("run.lock", left);
    test::expectInputError([&] { FolderLock{scratch.path()}; }, {"is training into this folder"});
    scratch.write("run.lock", left.replace(left.find(own), own.size(), "\"started\":1"));
    FolderLock::refuseIfHeld(scratch.path());
    const FolderLock lock(scratch.path());
}

TEST(Programs, EndWithTheirCodeAndBothStreams) {
    std::vector<std::string> lines;
    const ChildResult result =
        runChild({.arguments = thisProgramAs("SpeaksOnBothStreams"), .log = {}, .onLine = [&](std::string_view line) {
                      if (line == "first" || line == "second") lines.emplace_back(line);
                  }});
    EXPECT_EQ(result.code, 3);
    EXPECT_EQ(result.ending(), "exit code 3");
    std::ranges::sort(lines);
    EXPECT_EQ(lines, (std::vector<std::string>{"first", "second"}));
}

TEST(Programs, TakeInputAsItIs) {
    std::vector<std::byte> piece(300'000);
    for (size_t i = 0; i < piece.size(); ++i) piece[i] = static_cast<std::byte>(i * 7);
    std::string received;
    int pieces = 0;
    const auto input = [&] { return pieces++ < 4 ? std::span<const std::byte>(piece) : std::span<const std::byte>(); };
    const auto take = [&](std::span<const std::byte> bytes) { received.append(reinterpret_cast<const char*>(bytes.data()), bytes.size()); };
    EXPECT_TRUE(runChild({.arguments = thisProgramAs("RepeatsItsInput"), .log = {}, .onOutput = take, .input = input}).succeeded());
    const std::string sent(reinterpret_cast<const char*>(piece.data()), piece.size());
    EXPECT_TRUE(received.ends_with(sent + sent + sent + sent)) << received.size();
}

TEST(Programs, GetTheirWordsAsTheyAre) {
    std::vector<std::string> arguments = thisProgramAs("RepeatsItsWords");
    std::string expected, said;
    for (const std::string word :
         {"", "two words", R"(a "quotation")", R"(ends with a backslash \)", R"(C:\a folder\)", R"(\\"x\"\)", "\t", "'*?"}) {
        arguments.push_back(word);
        expected += "<" + word + ">\n";
    }
    const auto take = [&](std::span<const std::byte> bytes) { said.append(reinterpret_cast<const char*>(bytes.data()), bytes.size()); };
    EXPECT_TRUE(runChild({.arguments = arguments, .log = {}, .onOutput = take}).succeeded());
    EXPECT_TRUE(said.ends_with(expected)) << said;
}

TEST(Programs, AreEndedByAnException) {
    const auto begin = std::chrono::steady_clock::now();
    bool started = false;
    const auto check = [&] {
        if (started) throw Error("stop");
    };
    EXPECT_THROW(
        runChild(
            {.arguments = thisProgramAs("WaitsForEver"), .log = {}, .onLine = [&](std::string_view) { started = true; }, .check = check}),
        Error);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 30s);
}

TEST(Programs, CanBeAskedToEnd) {
    platform::Pipes pipes(false);
    platform::Process process(thisProgramAs("EndsWhenItIsAsked"), pipes.programs());
    pipes.closePrograms();
    std::string said;
    bool asked = false;
    const auto begin = std::chrono::steady_clock::now();
    const auto take = [&](std::span<const std::byte> bytes) { said.append(reinterpret_cast<const char*>(bytes.data()), bytes.size()); };
    while (!process.ended()) {
        pipes.exchange({.output = take, .errors = take, .input = {}}, 50ms);
        ASSERT_LT(std::chrono::steady_clock::now() - begin, 60s) << said;
        if (!asked && said.find("ready") != std::string::npos) asked = process.terminate();
    }
    EXPECT_EQ(process.ending().code, 128 + static_cast<int>(platform::StopRequest::terminate)) << said;
}

TEST(Programs, AreFoundByPathAndName) {
    const std::string own = thisProgramAs("")[0];
    EXPECT_FALSE(findProgram(own).empty());
    EXPECT_TRUE(findProgram("no-such-program-here").empty());
    EXPECT_TRUE(findProgram(fs::path(own).parent_path().string()).empty()) << "a folder";
    EXPECT_THROW(runChild({.arguments = {"no-such-program-here"}, .log = {}}), Error);
}

TEST(Machine, HasWhatReportsAndLocksNeed) {
    EXPECT_GT(platform::physicalMemory(), uint64_t{1} << 28u);
    for (const std::string& text :
         {platform::hostName(), platform::bootId(), platform::processorName(), platform::systemName(), platform::buildOfProgram()})
        EXPECT_FALSE(text.empty());
    EXPECT_FALSE(platform::startOfProcess(0x7ffffff0));
    for (const fs::path& folder : {platform::userCacheFolder(), platform::userConfigFolder()})
        EXPECT_TRUE(folder.empty() || (folder.is_absolute() && folder.filename() == "splatwright")) << folder;
}

TEST(Machine, CountsTheTimeOfAThread) {
    const double before = threadMicroseconds();
    volatile double sum = 0;
    const auto begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - begin < 100ms) sum = sum + 1;
    EXPECT_GT(threadMicroseconds() - before, 5000);
    std::this_thread::sleep_for(1ms);
    EXPECT_LT(threadMicroseconds() - before, 1e6);
}

}  // namespace
}  // namespace splat
