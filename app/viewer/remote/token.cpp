#include "viewer/remote/token.h"

#include <random>

#include <fmt/format.h>

namespace splat::app {

std::string randomToken() {
    std::random_device random;
    std::string token;
    for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", static_cast<uint32_t>(random()));
    return token;
}

bool isToken(std::string_view text, std::string_view token) {
    if (token.empty()) return false;
    size_t different = text.size() ^ token.size();
    for (size_t i = 0; i < text.size(); ++i) different |= static_cast<size_t>(text[i] ^ token[i % token.size()]);
    return different == 0;
}

}  // namespace splat::app
