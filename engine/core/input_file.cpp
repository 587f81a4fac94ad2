#include <splatwright/core/input_file.h>

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

const char* kindOf(fs::file_type type) {
    switch (type) {
        case fs::file_type::directory: return "a directory";
        case fs::file_type::fifo: return "a FIFO";
        case fs::file_type::socket: return "a socket";
        default: return "a device";
    }
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
    std::error_code failed;
    const fs::file_status about = fs::status(path, failed);
    if (fs::is_regular_file(about)) return "";
    if (const std::string why = whyReserved(path); !why.empty()) return why;
    return failed ? failed.message() : fmt::format("is {}, expected a regular file", kindOf(about.type()));
}

std::string whyReserved(const fs::path& path) {
    const std::string name = platform::reservedNameIn(path);
    return name.empty() ? "" : fmt::format("Windows keeps the name '{}' for a device, expected another name", name);
}

void requireExisting(const fs::path& path, std::string_view missing) {
    std::error_code failed;
    const fs::file_status about = fs::status(path, failed);
    if (fs::is_directory(about) || fs::is_regular_file(about)) return;
    if (const std::string why = whyReserved(path); !why.empty()) throw InputError("{}: {}", path.string(), why);
    if (about.type() == fs::file_type::not_found) throw InputError("{}: {}", path.string(), missing);
}

bool mayExist(const fs::path& path) {
    std::error_code ignored;
    return fs::status(path, ignored).type() != fs::file_type::not_found;
}

std::ifstream openInput(const fs::path& path) {
    if (const std::string why = whyNotReadable(path); !why.empty()) throw InputError("{}: cannot be read: {}", path.string(), why);
    std::ifstream in(path, std::ios::binary);
    if (!in) throw InputError("{}: cannot be read: {}", path.string(), std::strerror(errno));
    return in;
}

RandomAccessFile::RandomAccessFile(fs::path path) : path_(std::move(path)) {
    if (const std::string why = whyNotReadable(path_); !why.empty()) throw InputError("{}: cannot be read: {}", path_.string(), why);
    std::error_code failed;
    file_ = platform::File(path_, platform::OpenFor::reading, failed);
    if (!failed) failed = file_.size(size_);
    if (failed) throw InputError("{}: cannot be read: {}", path_.string(), failed.message());
}

void RandomAccessFile::read(uint64_t offset, std::span<std::byte> to) const {
    size_t found = 0;
    if (const std::error_code failed = file_.readAt(offset, to, found))
        throw InputError("{}: reading failed: {}", path_.string(), failed.message());
    if (found < to.size()) throw InputError("{}: found {} bytes, expected at least {}", path_.string(), offset + found, offset + to.size());
}

std::string readTextFile(const fs::path& path) { return readAll<std::string>(path); }

std::vector<std::byte> readFile(const fs::path& path) { return readAll<std::vector<std::byte>>(path); }

}  // namespace splat
