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

std::wstring quoted(const std::wstring& word) {
    std::wstring text = L"\"";
    size_t backslashes = 0;
    for (const wchar_t c : word) {
        if (c == L'"') text.append(backslashes + 1, L'\\');
        text += c;
        backslashes = c == L'\\' ? backslashes + 1 : 0;
    }
    return text.append(backslashes, L'\\') + L'"';
}

std::string registryText(const wchar_t* key, const wchar_t* name) {
    std::array<wchar_t, 256> text{};
    DWORD bytes = sizeof(text);
    const LSTATUS failed = RegGetValueW(HKEY_LOCAL_MACHINE, key, name, RRF_RT_REG_SZ, nullptr, text.data(), &bytes);
    return failed == ERROR_SUCCESS ? utf8(text.data()) : std::string();
}

}  // namespace splat::platform
