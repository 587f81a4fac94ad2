#include <splatwright/core/file.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include <splatwright/core/error.h>
#include <splatwright/core/threads.h>

namespace splat {

namespace fs = std::filesystem;

namespace {

// Parts of a temporary's name.
constexpr std::string_view kTemporary = ".tmp";
constexpr size_t kTemporaryDigits = 16, kLongestName = 255;

enum class Kind { regular, output, stream, refused };

/// Kind of file at a path. The file that standard output goes to is written through that stream, because a replacement would miss the rest.
Kind kindOf(const struct stat& there) {
    if (S_ISDIR(there.st_mode) || S_ISBLK(there.st_mode) || S_ISSOCK(there.st_mode)) return Kind::refused;
    if (!S_ISREG(there.st_mode)) return Kind::stream;
    struct stat out {};
    const bool isOutput = fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == there.st_dev && out.st_ino == there.st_ino;
    return isOutput ? Kind::output : Kind::regular;
}

}  // namespace

fs::path temporaryBeside(const fs::path& path) {
    std::random_device source;
    const uint64_t bits = uint64_t{source()} << 32u | source();
    const std::string end = fmt::format("{}{:0{}x}", kTemporary, bits, kTemporaryDigits);
    return path.parent_path() / (path.filename().string().substr(0, kLongestName - end.size()) + end);
}

bool isTemporaryOf(std::string_view name, std::string_view of) {
    const std::string start = std::string(of.substr(0, kLongestName - kTemporary.size() - kTemporaryDigits)) + std::string(kTemporary);
    return name.size() == start.size() + kTemporaryDigits && name.starts_with(start) &&
           name.find_first_not_of("0123456789abcdef", start.size()) == std::string_view::npos;
}

AtomicFile::AtomicFile(fs::path path) : path_(std::move(path)) {
    struct stat there {};
    const bool exists = stat(path_.c_str(), &there) == 0;
    if (!exists && errno != ENOENT) fail();
    const Kind kind = exists ? kindOf(there) : Kind::regular;
    if (kind == Kind::refused) {
        const char* found = S_ISDIR(there.st_mode) ? "a folder" : S_ISBLK(there.st_mode) ? "a disk" : "a socket";
        throw InputError("{}: is {}, expected a file or a new path", path_.string(), found);
    }
    if (kind == Kind::regular) {
        if (exists && access(path_.c_str(), W_OK) != 0) fail();  // a rename would not check
        target_ = path_;  // or the target of its symbolic links, which may not exist yet; stat() has refused loops
        std::error_code failed;
        while (fs::is_symlink(target_, failed)) target_ = target_.parent_path() / fs::read_symlink(target_, failed);
        const fs::path temporary = temporaryBeside(target_);
        descriptor_ = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (descriptor_ < 0) fail();
        temporary_ = temporary;                                  // from here on the destructor removes it
        if (exists) fchmod(descriptor_, there.st_mode & 0777u);  // fails if the file system has no permissions
    } else {
        std::fflush(stdout);
        descriptor_ = kind == Kind::output ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)  // a new descriptor would start at the beginning
                                           : open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
        if (descriptor_ < 0) fail();
    }
}

AtomicFile::~AtomicFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!temporary_.empty()) unlink(temporary_.c_str());
}

void AtomicFile::fail() const { throw Error("{}: cannot be written: {}", path_.string(), std::strerror(errno)); }

void AtomicFile::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail();
        bytes = bytes.subspan(static_cast<size_t>(written));
    }
}

void AtomicFile::writeAt(off_t offset, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = pwrite(descriptor_, bytes.data(), bytes.size(), offset);
        if (written < 0 && errno != EINTR) fail();
        const auto done = static_cast<size_t>(std::max<ssize_t>(0, written));
        offset += static_cast<off_t>(done);
        bytes = bytes.subspan(done);
    }
}

void AtomicFile::writeParts(size_t bytes, size_t parts, const std::function<void(size_t, const Put&)>& make) {
    if (temporary_.empty()) return writeInOrder(parts, make);
    const off_t start = lseek(descriptor_, 0, SEEK_CUR);
    if (start < 0) fail();
    const Put put = [&](size_t offset, std::span<const std::byte> part) { writeAt(start + static_cast<off_t>(offset), part); };
    parallelFor(parts, [&](size_t part) { make(part, put); });
    if (lseek(descriptor_, start + static_cast<off_t>(bytes), SEEK_SET) < 0) fail();
}

void AtomicFile::writeInOrder(size_t parts, const std::function<void(size_t, const Put&)>& make) {
    std::map<size_t, std::vector<std::byte>> early;
    size_t next = 0;
    const Put put = [&](size_t offset, std::span<const std::byte> bytes) {
        if (offset != next) return static_cast<void>(early.emplace(offset, std::vector(bytes.begin(), bytes.end())));
        write(bytes);
        next += bytes.size();
        for (auto first = early.begin(); first != early.end() && first->first == next; first = early.erase(first)) {
            write(first->second);
            next += first->second.size();
        }
    };
    for (size_t part = 0; part < parts; ++part) make(part, put);
}

void AtomicFile::sync() {
    if (!temporary_.empty() && fsync(descriptor_) != 0) fail();
}

void AtomicFile::close() {
    if (::close(std::exchange(descriptor_, -1)) != 0) fail();
}

void AtomicFile::commit() {
    close();
    if (temporary_.empty()) return;
    if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail();
    temporary_.clear();
}

void writeFileAtomically(const fs::path& path, std::span<const std::byte> bytes) {
    AtomicFile file(path);
    file.write(bytes);
    file.commit();
}

void writeFileAtomically(const fs::path& path, const std::string& text) { writeFileAtomically(path, std::as_bytes(std::span(text))); }

void checkWritable(const fs::path& path) {
    std::error_code failed;
    const fs::file_type type = fs::status(path, failed).type();
    if (type == fs::file_type::fifo || type == fs::file_type::character) return;  // opening would wait for a reader or affect the device
    const AtomicFile unwritten(path);
}

}  // namespace splat
