#include <splatwright/core/platform/windows/api.h>

#include <array>

namespace splat::platform {

std::error_code lastError() {
    const std::error_code own(static_cast<int>(GetLastError()), std::system_category());
    const std::error_condition common = own.default_error_condition();
    return common.category() == std::generic_category() ? std::error_code(common.value(), common.category()) : own;
}

std::wstring wide(std::string_view utf8) {
    const auto bytes = static_cast<int>(utf8.size());
    std::wstring text(static_cast<size_t>(MultiByteToWideChar(CP_UTF8, 0, utf8.data(), bytes, nullptr, 0)), L'\0');
    MultiByteToWideChar(CP_UTF8, 0, utf8.data(), bytes, text.data(), static_cast<int>(text.size()));
    return text;
}

std::string utf8(std::wstring_view wide) {
    const auto words = static_cast<int>(wide.size());
    std::string text(static_cast<size_t>(WideCharToMultiByte(CP_UTF8, 0, wide.data(), words, nullptr, 0, nullptr, nullptr)), '\0');
    WideCharToMultiByte(CP_UTF8, 0, wide.data(), words, text.data(), static_cast<int>(text.size()), nullptr, nullptr);
    return text;
}

std::string registryText(const wchar_t* key, const wchar_t* name) {
    std::array<wchar_t, 256> text{};
    DWORD bytes = sizeof(text);
    const LSTATUS failed = RegGetValueW(HKEY_LOCAL_MACHINE, key, name, RRF_RT_REG_SZ, nullptr, text.data(), &bytes);
    return failed == ERROR_SUCCESS ? utf8(text.data()) : std::string();
}

std::filesystem::path programFile() {
    std::wstring path(MAX_PATH, L'\0');
    for (;;) {
        const DWORD words = GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size()));
        if (words < path.size()) return path.substr(0, words);
        path.resize(2 * path.size());  // it was cut
    }
}

}  // namespace splat::platform
