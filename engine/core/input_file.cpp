#include <splatwright/core/input_file.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <splatwright/core/error.h>
#include <splatwright/core/memory.h>
#include <splatwright/core/threads.h>

namespace splat {

namespace fs = std::filesystem;

namespace {

const char* kindOf(mode_t mode) {
    if (S_ISDIR(mode)) return "a directory";
    if (S_ISFIFO(mode)) return "a FIFO";
    if (S_ISSOCK(mode)) return "a socket";
    return "a device";
}

constexpr size_t kPartBytes = size_t{4} << 20u;  // per thread and step

void readInParts(const fs::path& path, std::span<std::byte> to) {
    const RandomAccessFile file(path);
    parallelSlices(to.size(), kPartBytes, [&](size_t begin, size_t end) { file.read(begin, to.subspan(begin, end - begin)); });
}

/// Reads to the end, which may be beyond the size that the file system reports, as for files of /proc.
template <class Content>
Content readAll(const fs::path& path) {
    constexpr size_t kLeastBytes = 4096;
    std::ifstream in = openInput(path);
    std::error_code unknown;
    const auto size = fs::file_size(path, unknown);
    Content content;
    resizeFast(content, unknown ? kLeastBytes : static_cast<size_t>(size) + 1);
    size_t done = 0;
    if (!unknown && size >= kPartBytes) {
        done = static_cast<size_t>(size);
        readInParts(path, std::as_writable_bytes(std::span(content).first(done)));
        in.seekg(static_cast<std::streamoff>(done));
    }
    for (;;) {
        in.read(reinterpret_cast<char*>(content.data() + done), static_cast<std::streamsize>(content.size() - done));
        done += static_cast<size_t>(in.gcount());
        if (in.bad()) throw InputError("{}: reading failed: {}", path.string(), std::strerror(errno));
        const bool ended = done < content.size();
        content.resize(ended ? done : content.size() + std::max(kLeastBytes, content.size() / 2));
        if (ended) return content;
    }
}

}  // namespace

std::string whyNotReadable(const fs::path& path) {
    struct stat about {};
    if (stat(path.c_str(), &about) != 0) return std::strerror(errno);
    return S_ISREG(about.st_mode) ? "" : fmt::format("is {}, expected a regular file", kindOf(about.st_mode));
}

bool mayExist(const fs::path& path) {
    struct stat about {};
    return stat(path.c_str(), &about) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

std::ifstream openInput(const fs::path& path) {
    if (const std::string why = whyNotReadable(path); !why.empty()) throw InputError("{}: cannot be read: {}", path.string(), why);
    std::ifstream in(path, std::ios::binary);
    if (!in) throw InputError("{}: cannot be read: {}", path.string(), std::strerror(errno));
    return in;
}

RandomAccessFile::RandomAccessFile(fs::path path) : path_(std::move(path)) {
    if (const std::string why = whyNotReadable(path_); !why.empty()) throw InputError("{}: cannot be read: {}", path_.string(), why);
    descriptor_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat about {};
    if (descriptor_ < 0 || fstat(descriptor_, &about) != 0) {
        const int reason = errno;
        if (descriptor_ >= 0) close(descriptor_);
        throw InputError("{}: cannot be read: {}", path_.string(), std::strerror(reason));
    }
    size_ = static_cast<uint64_t>(about.st_size);
}

RandomAccessFile::~RandomAccessFile() { close(descriptor_); }

void RandomAccessFile::read(uint64_t offset, std::span<std::byte> to) const {
    while (!to.empty()) {
        const ssize_t done = pread(descriptor_, to.data(), to.size(), static_cast<off_t>(offset));
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) throw InputError("{}: reading failed: {}", path_.string(), std::strerror(errno));
        if (done == 0) throw InputError("{}: found {} bytes, expected at least {}", path_.string(), offset, offset + to.size());
        offset += static_cast<uint64_t>(done);
        to = to.subspan(static_cast<size_t>(done));
    }
}

std::string readTextFile(const fs::path& path) { return readAll<std::string>(path); }

std::vector<std::byte> readFile(const fs::path& path) { return readAll<std::vector<std::byte>>(path); }

}  // namespace splat
