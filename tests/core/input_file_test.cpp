#include <splatwright/core/input_file.h>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <cstring>

#include "../scene/scratch.h"

namespace splat {
namespace {

namespace fs = std::filesystem;
using namespace test;

/// Opening a FIFO would wait for ever: then the test ends by a signal.
struct InputFile : testing::Test {
    InputFile() { alarm(20); }
    ~InputFile() override { alarm(0); }

    fs::path fifo() const {
        const fs::path path = scratch.path() / "fifo";
        EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
        return path;
    }
    fs::path socketFile() const {
        sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
        const fs::path path = scratch.path() / "socket";
        std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
        const int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
        EXPECT_EQ(bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        close(descriptor);
        return path;
    }
    fs::path loop() const {
        fs::create_symlink("loop", scratch.path() / "loop");
        return scratch.path() / "loop";
    }

    Scratch scratch;
};

TEST_F(InputFile, WhatIsNoRegularFileIsRefusedByItsKind) {
    struct Case {
        fs::path path;
        std::string why;
    };
    for (const Case& c :
         {Case{fifo(), "is a FIFO, expected a regular file"}, Case{socketFile(), "is a socket, expected a regular file"},
          Case{"/dev/null", "is a device, expected a regular file"}, Case{"/dev/zero", "is a device"},
          Case{scratch.path(), "is a directory, expected a regular file"}, Case{loop(), "Too many levels of symbolic links"},
          Case{scratch.path() / "none", "No such file"}, Case{scratch.write("file", "") / "below", "Not a directory"}}) {
        const std::vector<std::string> parts{c.path.string() + ": cannot be read: " + c.why};
        expectInputError([&] { openInput(c.path); }, parts);
        expectInputError([&] { readFile(c.path); }, parts);
        expectInputError([&] { readTextFile(c.path); }, parts);
        expectInputError([&] { RandomAccessFile{c.path}; }, parts);
        EXPECT_NE(whyNotReadable(c.path).find(c.why), std::string::npos) << whyNotReadable(c.path);
    }
}

TEST_F(InputFile, ALinkToAFileIsThatFileAndALinkToAFifoAFifo) {
    fs::create_symlink(scratch.write("file", "text"), scratch.path() / "good");
    fs::create_symlink(fifo(), scratch.path() / "bad");
    EXPECT_EQ(readTextFile(scratch.path() / "good"), "text");
    expectInputError([&] { readTextFile(scratch.path() / "bad"); }, {"is a FIFO"});
}

/// Root may read everything, so the test does without being root for a while.
struct WithoutRights {
    WithoutRights() { EXPECT_TRUE(!root || seteuid(kNobody) == 0); }
    ~WithoutRights() { EXPECT_TRUE(!root || seteuid(0) == 0); }
    static constexpr uid_t kNobody = 65534;
    bool root = geteuid() == 0;
};

TEST_F(InputFile, PermissionDeniedIsNotNoSuchFile) {
    const fs::path file = scratch.write("file", "text"), inside = scratch.write("folder/file", "text");
    fs::permissions(scratch.path(), fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
    fs::permissions(file, fs::perms::none);
    fs::permissions(inside.parent_path(), fs::perms::none);
    {
        const WithoutRights nobody;
        for (const fs::path& path : {file, inside}) {
            expectInputError([&] { readFile(path); }, {path.string(), "Permission denied"});
            EXPECT_TRUE(mayExist(path));
        }
        EXPECT_FALSE(mayExist(scratch.path() / "none"));
    }
    fs::permissions(inside.parent_path(), fs::perms::owner_all);
}

TEST_F(InputFile, FilesComeWhole) {
    for (const size_t size : {0u, 1u, 4095u, 4096u, 4097u, 100'000u, (4u << 20u) - 1, 4u << 20u, (8u << 20u) + 1}) {
        std::string content(size, ' ');
        for (size_t i = 0; i < size; ++i) content[i] = static_cast<char>(i * 7 + i / 256);
        const fs::path path = scratch.write("file", content);
        EXPECT_EQ(readTextFile(path), content);
        const auto bytes = readFile(path);
        EXPECT_TRUE(bytes.size() == size && std::memcmp(bytes.data(), content.data(), size) == 0) << size;
    }
    EXPECT_NE(readTextFile("/proc/self/status").find("VmRSS"), std::string::npos) << "a file whose size is said to be 0";
}

TEST_F(InputFile, PartsAreReadAtTheirOffset) {
    const fs::path path = scratch.write("file", "0123456789");
    const RandomAccessFile file(path);
    EXPECT_EQ(file.size(), 10u);
    const auto part = [&](uint64_t offset, size_t bytes) {
        std::string text(bytes, ' ');
        file.read(offset, std::as_writable_bytes(std::span(text)));
        return text;
    };
    EXPECT_EQ(part(3, 4), "3456");
    EXPECT_EQ(part(0, 10), "0123456789");
    EXPECT_EQ(part(20, 0), "");
    expectInputError([&] { part(8, 3); }, {path.string(), "found 10 bytes, expected at least 11"});
    expectInputError([&] { part(100, 1); }, {path.string(), "expected at least 101"});
}

TEST_F(InputFile, OnlyWhatCertainlyIsNotThereDoesNotExist) {
    for (const fs::path& path : {fifo(), loop(), scratch.path(), fs::path("/dev/null")}) EXPECT_TRUE(mayExist(path)) << path;
    EXPECT_FALSE(mayExist(scratch.path() / "none"));
    EXPECT_FALSE(mayExist(scratch.write("file", "") / "below"));
}

}  // namespace
}  // namespace splat
