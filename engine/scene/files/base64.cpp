#include <splatwright/scene/files/base64.h>

#include <cstdint>

namespace splat {
namespace {

/// The six bits of a character; -1 for a foreign one.
int bitsOf(char c) {
    if ('A' <= c && c <= 'Z') return c - 'A';
    if ('a' <= c && c <= 'z') return c - 'a' + 26;
    if ('0' <= c && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

}  // namespace

std::optional<std::vector<std::byte>> bytesOfBase64(std::string_view text) {
    for (int padding = 0; padding < 2 && text.ends_with('='); ++padding) text.remove_suffix(1);
    if (text.size() % 4 == 1) return std::nullopt;
    std::vector<std::byte> bytes;
    bytes.reserve(text.size() / 4 * 3 + 2);
    uint32_t word = 0, bits = 0;
    for (const char c : text) {
        const int six = bitsOf(c);
        if (six < 0) return std::nullopt;
        word = word << 6u | static_cast<uint32_t>(six);
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        bytes.push_back(static_cast<std::byte>(word >> bits));
    }
    return bytes;
}

std::string base64Of(std::span<const std::byte> bytes) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (size_t i = 0; i < bytes.size(); i += 3) {
        const size_t count = std::min<size_t>(3, bytes.size() - i);
        uint32_t word = 0;
        for (size_t k = 0; k < 3; ++k) word = word << 8u | (k < count ? std::to_integer<uint32_t>(bytes[i + k]) : 0);
        for (size_t k = 0; k < 4; ++k) text += k <= count ? kDigits[word >> (18 - 6 * k) & 63u] : '=';
    }
    return text;
}

}  // namespace splat
