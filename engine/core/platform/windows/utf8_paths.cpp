// libstdc++ makes a std::filesystem::path of a std::string with mbrtowc(), by the locale of C, which is never UTF-8 in msvcrt.dll. Each program is
// linked with this function in its place (engine/CMakeLists.txt), so that a path of a text is what it is on other systems, and what path::string()
// takes it for: UTF-8. A byte that is no text becomes U+FFFD, as Windows itself reads it: paths come from files of others, and what they name is then
// missing, where libstdc++ would throw from whatever makes the path. Other texts that are not of this program, such as words of the command line, go
// through wide() and utf8().
#include <cwchar>

#include <splatwright/core/platform/windows/api.h>

namespace {

constexpr size_t kIncomplete = static_cast<size_t>(-2);

/// Bytes of the character that begins with this one; 0: none does.
size_t lengthOf(unsigned char first) {
    if (first < 0x80) return 1;
    if (first < 0xc2) return 0;
    if (first < 0xe0) return 2;
    if (first < 0xf0) return 3;
    return first < 0xf5 ? 4 : 0;
}

/// Takes one byte.
size_t replace(wchar_t* word) {
    *word = 0xfffd;
    return 1;
}

}  // namespace

/// A character beyond the first 65536 takes two words: the first call gives one for three of its bytes, the next call the other for the last byte.
extern "C" size_t __wrap_mbrtowc(wchar_t* word, const char* text, size_t size, mbstate_t* state) {  // NOLINT(bugprone-reserved-identifier)
    if (size == 0) return kIncomplete;
    if (*state != 0) {
        *word = static_cast<wchar_t>(*state);
        *state = 0;
        return 1;
    }
    const size_t length = lengthOf(static_cast<unsigned char>(*text));
    if (length == 0 || length > size) return replace(word);
    wchar_t words[2]{};
    if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, static_cast<int>(length), words, 2) == 0) return replace(word);
    *word = words[0];
    if (words[1] == 0) return *word == 0 ? 0 : length;
    *state = words[1];
    return 3;
}
