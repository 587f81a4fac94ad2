#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <csignal>
#include <functional>

#include <gtest/gtest.h>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include "../scene/scratch.h"

namespace splat {
namespace {

namespace fs = std::filesystem;
using test::Scratch;

struct AtomicFiles : testing::Test {
    fs::path at(const char* name) const { return scratch.path() / name; }
    size_t entries() const { return static_cast<size_t>(std::distance(fs::directory_iterator(scratch.path()), {})); }
    static mode_t modeOf(const fs::path& path) {
        struct stat found {};
        EXPECT_EQ(lstat(path.c_str(), &found), 0) << path;
        return found.st_mode;
    }
    static std::string refusal(const fs::path& path, const std::string& content = "new") {
        try {
            writeFileAtomically(path, content);
        } catch (const Error& problem) {
            return problem.what();
        }
        return "written";
    }

    /// The kernel's device of this name and minor number: a node of the test's own where it may make one, so that a fault costs no machine its
    /// /dev/null.
    fs::path device(const char* name, unsigned minor) const {
        const bool made = mknod(at(name).c_str(), S_IFCHR | 0666u, makedev(1, minor)) == 0 && std::ofstream(at(name)).is_open();
        return made ? at(name) : fs::path("/dev") / name;
    }

    /// What the function says where its process may have other limits than the tests'.
    static std::string inAnotherProcess(const std::function<std::string()>& function) {
        int ends[2] = {};
        EXPECT_EQ(pipe(ends), 0);
        const pid_t child = fork();
        if (child == 0) {
            const std::string said = function();
            _exit(write(ends[1], said.data(), said.size()) == static_cast<ssize_t>(said.size()) ? 0 : 1);
        }
        close(ends[1]);
        std::string said(4096, '\0');
        said.resize(static_cast<size_t>(std::max<ssize_t>(0, read(ends[0], said.data(), said.size()))));
        close(ends[0]);
        waitpid(child, nullptr, 0);
        return said;
    }

    Scratch scratch;
};

TEST_F(AtomicFiles, TakeThePlaceOfAFileAndKeepItsPermissions) {
    for (const mode_t mode : {0600u, 0644u, 0755u, 0660u}) {
        scratch.write("file", "old");
        ASSERT_EQ(chmod(at("file").c_str(), mode), 0);
        writeFileAtomically(at("file"), std::string("new"));
        EXPECT_EQ(readTextFile(at("file")), "new");
        EXPECT_EQ(modeOf(at("file")) & 07777u, mode);
    }
    EXPECT_EQ(entries(), 1u);
}

TEST_F(AtomicFiles, NewOnesFollowTheUmask) {
    for (const mode_t mask : {0022u, 0077u, 0002u}) {
        const mode_t before = umask(mask);
        writeFileAtomically(at("file"), std::string("new"));
        umask(before);
        EXPECT_EQ(modeOf(at("file")) & 07777u, 0666u & ~mask);
        fs::remove(at("file"));
    }
}

TEST_F(AtomicFiles, GoThroughLinksAndLeaveThem) {
    fs::create_directory(at("folder"));
    scratch.write("folder/file", "old");
    fs::create_symlink("folder/file", at("link"));
    fs::create_symlink("link", at("linked link"));
    fs::create_symlink("folder/new", at("dangling"));
    writeFileAtomically(at("linked link"), std::string("new"));
    writeFileAtomically(at("dangling"), std::string("newer"));
    EXPECT_EQ(readTextFile(at("folder") / "file"), "new");
    EXPECT_EQ(readTextFile(at("folder") / "new"), "newer");
    for (const char* link : {"link", "linked link", "dangling"}) EXPECT_TRUE(fs::is_symlink(at(link))) << link;
}

TEST_F(AtomicFiles, WriteToADeviceAndLeaveIt) {
    const fs::path null = device("null", 3), full = device("full", 7);
    const size_t before = entries();
    EXPECT_EQ(refusal(null), "written");
    EXPECT_TRUE(fs::is_character_file(null));
    EXPECT_EQ(refusal(full), full.string() + ": cannot be written: No space left on device");
    EXPECT_TRUE(fs::is_character_file(full));
    fs::create_symlink(null, at("link"));
    EXPECT_EQ(refusal(at("link")), "written");
    EXPECT_TRUE(fs::is_symlink(at("link")));
    EXPECT_TRUE(fs::is_character_file(null));
    EXPECT_EQ(entries(), before + 1);
}

TEST_F(AtomicFiles, WriteToAPipeAndLeaveIt) {
    ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
    const int reader = open(at("pipe").c_str(), O_RDWR | O_NONBLOCK);  // a reader that waits for nobody
    writeFileAtomically(at("pipe"), std::string("through"));
    std::string found(100, '\0');
    found.resize(static_cast<size_t>(std::max<ssize_t>(0, read(reader, found.data(), found.size()))));
    close(reader);
    EXPECT_EQ(found, "through");
    EXPECT_TRUE(fs::is_fifo(at("pipe")));
    checkWritable(at("pipe"));  // without a reader it must not wait
}

/// Writes "head" and so many bytes, each of which says where it is, in parts of two halves, of which the later one comes first.
void writeInParts(const fs::path& path, size_t bytes, size_t partBytes) {
    AtomicFile file(path);
    file.write(std::as_bytes(std::span("head", 4)));
    file.writeParts(bytes, (bytes + partBytes - 1) / partBytes, [&](size_t part, const AtomicFile::Put& put) {
        const size_t first = part * partBytes, end = std::min(bytes, first + partBytes), half = first + (end - first) / 2;
        std::vector<std::byte> text(end - first);
        for (size_t i = first; i < end; ++i) text[i - first] = static_cast<std::byte>('a' + i % 26);
        put(half, std::span(text).subspan(half - first));
        if (half > first) put(first, std::span(text).first(half - first));
    });
    file.write(std::as_bytes(std::span("tail", 4)));
    file.commit();
}

std::string partsOf(size_t bytes) {
    std::string text = "head";
    for (size_t i = 0; i < bytes; ++i) text += static_cast<char>('a' + i % 26);
    return text + "tail";
}

TEST_F(AtomicFiles, TakePartsThatThreadsMake) {
    for (const size_t bytes : {0u, 1u, 99u, 100u, 101u, 1000u})
        for (const size_t partBytes : {1u, 7u, 100u, 5000u}) {
            writeInParts(at("file"), bytes, partBytes);
            EXPECT_EQ(readTextFile(at("file")), partsOf(bytes)) << bytes << " in parts of " << partBytes;
        }
}

TEST_F(AtomicFiles, GivePartsToAPipeInTheirOrder) {
    ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
    const int reader = open(at("pipe").c_str(), O_RDWR | O_NONBLOCK);
    writeInParts(at("pipe"), 1000, 7);
    std::string found(2000, '\0');
    found.resize(static_cast<size_t>(std::max<ssize_t>(0, read(reader, found.data(), found.size()))));
    close(reader);
    EXPECT_EQ(found, partsOf(1000));
}

TEST_F(AtomicFiles, APartThatCannotBeMadeLeavesTheOldFile) {
    scratch.write("file", "old");
    EXPECT_THROW(AtomicFile(at("file")).writeParts(100, 10, [](size_t, const AtomicFile::Put&) { throw Error("no"); }), Error);
    EXPECT_EQ(readTextFile(at("file")), "old");
    EXPECT_EQ(entries(), 1u);
    const std::string said = inAnotherProcess([&] {
        const rlimit limit{50, 50};
        setrlimit(RLIMIT_FSIZE, &limit);
        std::signal(SIGXFSZ, SIG_IGN);
        try {
            writeInParts(at("file"), 1000, 10);
        } catch (const Error& problem) {
            return std::string(problem.what());
        }
        return std::string("written");
    });
    EXPECT_EQ(said, at("file").string() + ": cannot be written: File too large");
    EXPECT_EQ(readTextFile(at("file")), "old");
}

TEST_F(AtomicFiles, RefuseWhatNoFileCanReplace) {
    fs::create_directory(at("folder"));
    const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    at("socket").string().copy(address.sun_path, sizeof address.sun_path - 1);
    ASSERT_EQ(bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    fs::create_symlink("loop", at("loop"));
    const size_t before = entries();
    EXPECT_EQ(refusal(at("folder")), at("folder").string() + ": is a folder, expected a file or a new path");
    EXPECT_EQ(refusal(at("socket")), at("socket").string() + ": is a socket, expected a file or a new path");
    EXPECT_EQ(refusal(at("loop")), at("loop").string() + ": cannot be written: Too many levels of symbolic links");
    EXPECT_EQ(refusal(at("none") / "file"), (at("none") / "file").string() + ": cannot be written: No such file or directory");
    EXPECT_THROW(writeFileAtomically(at("folder"), std::string()), InputError);
    EXPECT_THROW(checkWritable(at("folder")), InputError);
    EXPECT_THROW(checkWritable(at("none") / "file"), Error);
    EXPECT_EQ(entries(), before);
    close(listener);
}

TEST_F(AtomicFiles, LeaveTheOldFileWhereTheyAreNotFinished) {
    scratch.write("file", "old");
    { AtomicFile(at("file")).write(std::as_bytes(std::span("half"))); }
    checkWritable(at("file"));
    EXPECT_EQ(readTextFile(at("file")), "old");
    EXPECT_EQ(entries(), 1u);
}

TEST_F(AtomicFiles, AFullDiskLeavesTheOldFileWhole) {
    scratch.write("file", "old");
    const std::string said = inAnotherProcess([&] {
        const rlimit limit{1000, 1000};
        setrlimit(RLIMIT_FSIZE, &limit);
        std::signal(SIGXFSZ, SIG_IGN);
        return refusal(at("file"), std::string(5000, 'x'));
    });
    EXPECT_EQ(said, at("file").string() + ": cannot be written: File too large");
    EXPECT_EQ(readTextFile(at("file")), "old");
    EXPECT_EQ(entries(), 1u);
}

TEST_F(AtomicFiles, WriteProtectionHolds) {
    scratch.write("file", "old");
    fs::permissions(scratch.path(), fs::perms::all);
    fs::permissions(at("file"), fs::perms::owner_read | fs::perms::others_read);
    const std::string said = inAnotherProcess([&] {
        constexpr uid_t kNobody = 65534;
        if (geteuid() == 0 && setuid(kNobody) != 0) return std::string("setuid failed");  // root may write everything
        return refusal(at("file"));
    });
    EXPECT_EQ(said, at("file").string() + ": cannot be written: Permission denied");
    EXPECT_EQ(readTextFile(at("file")), "old");
    EXPECT_EQ(entries(), 1u);
}

/// Somebody who can write into the folder may guess how a temporary is called.
TEST_F(AtomicFiles, TemporariesHaveNamesThatNobodyKnows) {
    const fs::path path = at("file");
    EXPECT_NE(temporaryBeside(path), temporaryBeside(path));
    EXPECT_EQ(temporaryBeside(path).parent_path(), scratch.path());
    EXPECT_TRUE(temporaryBeside(path).filename().string().starts_with("file.tmp"));
    const std::string longest(255, 'n');
    EXPECT_EQ(temporaryBeside(longest).string().size(), 255u);
    EXPECT_TRUE(isTemporaryOf(temporaryBeside(path).filename().string(), "file"));
    EXPECT_TRUE(isTemporaryOf(temporaryBeside(longest).string(), longest));
    for (const char* other : {"file", "file.tmp", "file.tmpl", "file.tmp0123456789abcde", "file.tmp0123456789abcdef0",
                              "file.tmp0123456789abcdeg", "other.tmp0123456789abcdef", "a file.tmp0123456789abcdef"})
        EXPECT_FALSE(isTemporaryOf(other, "file")) << other;
    writeFileAtomically(at(longest.c_str()), std::string("fits"));
    EXPECT_EQ(readTextFile(at(longest.c_str())), "fits");
}

}  // namespace
}  // namespace splat
