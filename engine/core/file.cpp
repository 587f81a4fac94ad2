#include "core/file.h"

#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <fstream>

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

void writeFileAtomically(const fs::path& path, std::span<const std::byte> bytes) {
    const fs::path temporary = path.string() + fmt::format(".tmp{}", getpid());
    {
        std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
        out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        out.close();
        if (!out) {
            const int reason = errno;
            std::error_code ignored;
            fs::remove(temporary, ignored);
            throw Error("{}: cannot be written: {}", path.string(), std::strerror(reason));
        }
    }
    std::error_code failed;
    fs::rename(temporary, path, failed);
    if (failed) throw Error("{}: cannot be written: {}", path.string(), failed.message());
}

void writeFileAtomically(const fs::path& path, const std::string& text) { writeFileAtomically(path, std::as_bytes(std::span(text))); }

}  // namespace splat
