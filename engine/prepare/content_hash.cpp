#include <splatwright/prepare/content_hash.h>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/names.h>

namespace splat::prepare {

std::string hashOfFile(const std::filesystem::path& path, const std::function<void()>& check) {
    constexpr size_t kPiece = size_t{4} << 20u;
    std::ifstream file = openInput(path);
    std::string piece(kPiece, '\0'), hashes;
    do {
        if (check) check();
        file.read(piece.data(), kPiece);
        if (file.bad()) throw InputError("{}: cannot be read", path.string());
        hashes += hashOf(std::string_view(piece).substr(0, static_cast<size_t>(file.gcount())));
    } while (file);
    return hashOf(hashes);
}

}  // namespace splat::prepare
