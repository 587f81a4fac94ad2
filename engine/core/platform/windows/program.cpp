#include <splatwright/core/platform/program.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <sstream>

#include <fmt/format.h>

#include <splatwright/core/platform/windows/api.h>

namespace splat::platform {

namespace fs = std::filesystem;

namespace {

/// A variable of the environment; empty if there is none.
std::wstring variable(const wchar_t* name) {
    const wchar_t* value = _wgetenv(name);
    return value ? value : L"";
}

fs::path ownFolderIn(const wchar_t* name) {
    const fs::path folder = variable(name);
    return folder.empty() ? folder : folder / "splatwright";
}

}  // namespace

// main()'s own words are in the code page of old programs, which has not every character.
std::vector<std::string> commandLine(int /*argc*/, char** /*argv*/) {
    int count = 0;
    const std::unique_ptr<wchar_t*, decltype(&LocalFree)> words(CommandLineToArgvW(GetCommandLineW(), &count), LocalFree);
    std::vector<std::string> texts;
    for (int i = 0; i < count; ++i) texts.push_back(utf8(words.get()[i]));
    return texts;
}

fs::path programFile() {
    std::wstring path(MAX_PATH, L'\0');
    for (;;) {
        const DWORD words = GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size()));
        if (words < path.size()) return path.substr(0, words);
        path.resize(2 * path.size());  // it was cut
    }
}

std::string buildOfProgram() {
    std::error_code failed;
    const auto size = fs::file_size(programFile(), failed);
    const auto time = failed ? fs::file_time_type() : fs::last_write_time(programFile(), failed);
    return failed ? "unknown" : fmt::format("{:x}-{:x}", size, time.time_since_epoch().count());
}

void holdProcess() {
    auto* suspend = systemFunction<LONG WINAPI(HANDLE)>("NtSuspendProcess");
    if (suspend) suspend(GetCurrentProcess());
}

void setEnvironment(const char* name, const char* value) { _wputenv_s(wide(name).c_str(), wide(value).c_str()); }

void* loadedLibrary(std::string_view name) { return GetModuleHandleW((wide(name) + L".dll").c_str()); }

void* functionIn(void* library, const char* name) { return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(library), name)); }

fs::path userFolder() { return variable(L"USERPROFILE"); }

fs::path userCacheFolder() { return ownFolderIn(L"LOCALAPPDATA"); }

fs::path userConfigFolder() { return ownFolderIn(L"APPDATA"); }

std::vector<fs::path> fontFiles() {
    const fs::path fonts = fs::path(variable(L"SystemRoot")) / "Fonts";
    return {fonts / "segoeui.ttf", fonts / "tahoma.ttf", fonts / "arial.ttf"};
}

bool isProgram(const fs::path& file) {
    std::error_code ignored;
    return fs::is_regular_file(file, ignored) && file.extension() == ".exe";
}

/// Batch files are left out: what reads their arguments is a shell.
std::vector<fs::path> programFiles(const fs::path& name) {
    if (name.extension() == ".exe") return {name};
    return {fs::path(name).concat(".exe")};
}

std::vector<fs::path> programFolders() {
    std::vector<fs::path> folders;
    std::wistringstream path(variable(L"PATH"));
    for (std::wstring folder; std::getline(path, folder, L';');) {
        if (!folder.empty()) folders.emplace_back(folder);
    }
    return folders;
}

}  // namespace splat::platform
