#include <splatwright/core/names.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include <splatwright/core/error.h>
#include <splatwright/core/platform/file.h>

namespace splat {

namespace {

constexpr size_t kHashDigits = 16;
constexpr size_t kShortest = 32;        // bytes; leaves room for some of the text before "~" and the hash
constexpr size_t kLongestOutput = 120;  // bytes; the tightest file systems (eCryptfs) allow 143 with the ending and AtomicFile's

uint8_t byteAt(std::string_view text, size_t i) { return static_cast<uint8_t>(text[i]); }

struct Character {
    char32_t code = 0;
    size_t bytes = 1;
};

/// The well-formed UTF-8 sequence at the start of the text (Unicode 15, table 3-7); nothing if there is none.
std::optional<Character> decoded(std::string_view text) {
    const uint8_t first = byteAt(text, 0);
    if (first < 0x80) return Character{first, 1};
    const size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return std::nullopt;
    char32_t code = first & (0xffu >> (bytes + 1));
    for (size_t i = 1; i < bytes; ++i) {
        if ((byteAt(text, i) & 0xc0u) != 0x80) return std::nullopt;
        code = code << 6u | (byteAt(text, i) & 0x3fu);
    }
    constexpr std::array<char32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};  // a longer form of a smaller code is no UTF-8
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    if (code < kLeast[bytes] || surrogate || code > 0x10ffff) return std::nullopt;
    return Character{code, bytes};
}

/// Control characters, line separators, and marks that reverse the direction of the text around them.
bool isControl(char32_t code) {
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return true;
    const bool separator = code == 0x2028 || code == 0x2029;
    const bool direction =
        code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
    return separator || direction;
}

/// Whether a character is kept unescaped in a name.
bool isPlain(const Character& c) { return !isControl(c.code) && c.code != '\\'; }

void appendEscaped(std::string& out, uint8_t byte) {
    switch (byte) {
        case '\\': out += "\\\\"; break;
        case '\n': out += "\\n"; break;
        case '\t': out += "\\t"; break;
        case '\r': out += "\\r"; break;
        default: out += fmt::format("\\x{:02x}", byte);
    }
}

/// Processes the text by characters: those for which `keeps` returns true stay, the bytes of others are escaped.
template <class Keeps>
std::string escaped(std::string_view text, const Keeps& keeps) {
    std::string out;
    out.reserve(text.size());
    for (size_t i = 0; i < text.size();) {
        const auto character = decoded(text.substr(i));
        const size_t bytes = character ? character->bytes : 1;
        if (character && keeps(*character, i)) {
            out += text.substr(i, bytes);
        } else {
            for (size_t b = i; b < i + bytes; ++b) appendEscaped(out, byteAt(text, b));
        }
        i += bytes;
    }
    return out;
}

/// Cuts to at most this number of bytes, between two characters of UTF-8.
std::string_view cut(std::string_view text, size_t longest) {
    if (text.size() <= longest) return text;
    while (longest > 0 && (byteAt(text, longest) & 0xc0u) == 0x80) --longest;
    return text.substr(0, longest);
}

}  // namespace

std::string hashOf(std::string_view text) {
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < text.size(); ++i) hash = (hash ^ byteAt(text, i)) * 0x100000001b3;
    return fmt::format("{:0{}x}", hash, kHashDigits);
}

std::string escapedName(std::string_view bytes) {
    return escaped(bytes, [](const Character& c, size_t) { return isPlain(c); });
}

std::string printable(std::string_view text) {
    return escaped(text, [&](const Character& c, size_t at) {
        return !isControl(c.code) || (c.code == '\n' && text.substr(at + 1).starts_with("  "));
    });
}

std::string indented(std::string_view text) {
    while (text.ends_with('\n')) text.remove_suffix(1);
    std::string out;
    for (const char c : text) {
        out += c;
        if (c == '\n') out += "  ";
    }
    return out;
}

std::string shortened(std::string_view text, size_t longest) {
    SPLAT_CHECK(longest >= kShortest, "{}", longest);
    if (text.size() <= longest) return std::string(text);
    return fmt::format("{}~{}", cut(text, longest - 1 - kHashDigits), hashOf(text));
}

std::string OutputNames::take(std::string_view name, std::string_view ending) {
    std::string stem(name.empty() ? "view" : name);
    std::ranges::replace(stem, '/', '_');
    std::string plain = escapedName(stem);
    std::ranges::replace_if(
        plain, [](char c) { return c == '\\' || platform::refusedInNames().find(c) != std::string_view::npos; }, '_');
    if (!platform::reservedNameIn(plain).empty()) plain += '_';
    if (plain != stem || plain.size() > kLongestOutput)
        plain = fmt::format("{}~{}", cut(plain, kLongestOutput - 1 - kHashDigits), hashOf(name));
    std::string free = plain;
    for (int copy = 2; !taken_.insert(free).second; ++copy) free = fmt::format("{}_{}", plain, copy);
    return free + std::string(ending);
}

}  // namespace splat
