#include <splatwright/core/platform/file.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <splatwright/core/platform/posix/descriptor.h>

namespace splat::platform {

namespace fs = std::filesystem;

namespace {

int flagsFor(OpenFor purpose) {
    switch (purpose) {
        case OpenFor::reading: return O_RDONLY;
        case OpenFor::readingUnfollowed: return O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
        case OpenFor::writing: return O_WRONLY | O_NOCTTY;
        case OpenFor::appending: return O_WRONLY | O_APPEND;
        case OpenFor::logging: return O_WRONLY | O_CREAT | O_APPEND;
        case OpenFor::creating: return O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
        case OpenFor::locking: return O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK;
    }
    return O_RDONLY;
}

/// Of a new file, before the umask. Others do not need to write a lock file.
mode_t modeFor(OpenFor purpose) { return purpose == OpenFor::locking ? 0644 : 0666; }

std::error_code errorIf(bool failed) { return failed ? lastError() : std::error_code(); }

bool isSame(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

}  // namespace

std::error_code lastError() { return {errno, std::generic_category()}; }

File::File(const fs::path& path, OpenFor purpose, std::error_code& failed)
    : handle_(open(path.c_str(), flagsFor(purpose) | O_CLOEXEC, modeFor(purpose))) {
    failed = errorIf(!isOpen());
}

File File::ofStandardOutput(std::error_code& failed) {
    File file(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0));
    failed = errorIf(!file.isOpen());
    return file;
}

std::error_code File::close() { return errorIf(isOpen() && ::close(static_cast<int>(release())) != 0); }

std::error_code File::readAt(uint64_t offset, std::span<std::byte> to, size_t& count) const {
    count = 0;
    while (count < to.size()) {
        const ssize_t done = pread(descriptorOf(*this), to.data() + count, to.size() - count, static_cast<off_t>(offset + count));
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return lastError();
        if (done == 0) break;
        count += static_cast<size_t>(done);
    }
    return {};
}

std::error_code File::write(std::span<const std::byte>& bytes) const {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptorOf(*this), bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return lastError();
        bytes = bytes.subspan(static_cast<size_t>(written));
    }
    return {};
}

std::error_code File::writeAt(uint64_t offset, std::span<const std::byte> bytes) const {
    while (!bytes.empty()) {
        const ssize_t written = pwrite(descriptorOf(*this), bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return lastError();
        offset += static_cast<uint64_t>(written);
        bytes = bytes.subspan(static_cast<size_t>(written));
    }
    return {};
}

std::error_code File::position(uint64_t& found) const {
    const off_t at = lseek(descriptorOf(*this), 0, SEEK_CUR);
    found = static_cast<uint64_t>(at);
    return errorIf(at < 0);
}

std::error_code File::setPosition(uint64_t position) const {
    return errorIf(lseek(descriptorOf(*this), static_cast<off_t>(position), SEEK_SET) < 0);
}

std::error_code File::resize(uint64_t bytes) const { return errorIf(ftruncate(descriptorOf(*this), static_cast<off_t>(bytes)) != 0); }

std::error_code File::sync() const { return errorIf(fsync(descriptorOf(*this)) != 0); }

void File::setPermissions(fs::perms permissions) const {
    fchmod(descriptorOf(*this), static_cast<mode_t>(permissions) & 0777u);  // fails if the file system has none
}

std::error_code File::size(uint64_t& found) const {
    struct stat about {};
    const bool failed = fstat(descriptorOf(*this), &about) != 0;
    found = static_cast<uint64_t>(about.st_size);
    return errorIf(failed);
}

bool File::isRegular() const {
    struct stat about {};
    return fstat(descriptorOf(*this), &about) == 0 && S_ISREG(about.st_mode);
}

bool File::isPrivate() const {
    struct stat about {};
    return fstat(descriptorOf(*this), &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid() &&
           (about.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool File::isAt(const fs::path& path) const {
    struct stat here {
    }, there{};
    return fstat(descriptorOf(*this), &here) == 0 && lstat(path.c_str(), &there) == 0 && isSame(here, there);
}

File::Lock File::tryLock() const {
    if (flock(descriptorOf(*this), LOCK_EX | LOCK_NB) == 0) return Lock::taken;
    return errno == EWOULDBLOCK ? Lock::held : Lock::unsupported;
}

void File::removeAndClose(const fs::path& path) {
    unlink(path.c_str());  // while the lock is still held
    close();
}

bool isStandardOutput(const fs::path& path) {
    struct stat out {
    }, there{};
    return fstat(STDOUT_FILENO, &out) == 0 && stat(path.c_str(), &there) == 0 && isSame(out, there);
}

std::error_code whyNotWritable(const fs::path& path) { return errorIf(access(path.c_str(), W_OK) != 0); }

std::string reservedNameIn(const fs::path& /*path*/) { return {}; }

std::string_view refusedInNames() { return {}; }

std::error_code replace(const fs::path& from, const fs::path& to) { return errorIf(std::rename(from.c_str(), to.c_str()) != 0); }

std::string temporaryFolderVariable() { return "TMPDIR"; }

std::error_code createPrivateFolder(const fs::path& beginning, fs::path& made) {
    std::string name = beginning.string() + "-XXXXXX";
    const bool failed = mkdtemp(name.data()) == nullptr;
    made = name;
    return errorIf(failed);
}

}  // namespace splat::platform
