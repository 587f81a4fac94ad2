#include "core/file.h"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <utility>

#include "core/error.h"

namespace splat {

namespace fs = std::filesystem;

std::string readTextFile(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in || fs::is_directory(path)) throw InputError("{}: cannot be read: {}", path.string(), std::strerror(in ? EISDIR : errno));
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (in.bad()) throw InputError("{}: reading failed: {}", path.string(), std::strerror(errno));
    return text;
}

std::vector<std::byte> readFile(const fs::path& path) {
    const std::string text = readTextFile(path);
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

AtomicFile::AtomicFile(fs::path path) : path_(std::move(path)), temporary_(path_.string() + fmt::format(".tmp{}", getpid())) {
    descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail();
}

AtomicFile::~AtomicFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    std::error_code ignored;
    if (!committed_) fs::remove(temporary_, ignored);
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

void AtomicFile::sync() {
    if (fsync(descriptor_) != 0) fail();
}

void AtomicFile::close() {
    if (::close(std::exchange(descriptor_, -1)) != 0) fail();
}

void AtomicFile::commit() {
    close();
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail();
    committed_ = true;
}

void writeFileAtomically(const fs::path& path, std::span<const std::byte> bytes) {
    AtomicFile file(path);
    file.write(bytes);
    file.commit();
}

void writeFileAtomically(const fs::path& path, const std::string& text) { writeFileAtomically(path, std::as_bytes(std::span(text))); }

}  // namespace splat
