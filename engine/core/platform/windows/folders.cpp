// libstdc++ lists folders with functions of mingw-w64, to which a path has at most 260 characters. Each program is linked with these in their place
// (engine/CMakeLists.txt); like all else they take what Windows takes, 32,767 characters with the manifest.
#include <dirent.h>
#include <cerrno>
#include <cwchar>
#include <memory>
#include <string>

#include <splatwright/core/platform/windows/api.h>

namespace {

/// What libstdc++ holds as a _WDIR, of which it knows no member.
struct Folder {
    HANDLE search = INVALID_HANDLE_VALUE;
    WIN32_FIND_DATAW found{};
    bool hasNext = false;  ///< found was not returned yet
    _wdirent entry{};
};

Folder& folderOf(_WDIR* listing) { return *reinterpret_cast<Folder*>(listing); }

/// 0 for a folder; else what opendir() says.
int problemOf(const wchar_t* path) {
    const DWORD attributes = GetFileAttributesW(path);
    if (attributes == INVALID_FILE_ATTRIBUTES) return GetLastError() == ERROR_ACCESS_DENIED ? EACCES : ENOENT;
    return attributes & FILE_ATTRIBUTE_DIRECTORY ? 0 : ENOTDIR;
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names

extern "C" _WDIR* __wrap__wopendir(const wchar_t* path) {
    errno = problemOf(path);
    if (errno != 0) return nullptr;
    auto folder = std::make_unique<Folder>();
    folder->search = FindFirstFileW((path + std::wstring(L"\\*")).c_str(), &folder->found);
    folder->hasNext = folder->search != INVALID_HANDLE_VALUE;
    if (!folder->hasNext && GetLastError() != ERROR_FILE_NOT_FOUND) {  // an empty drive has not even "."
        errno = EACCES;
        return nullptr;
    }
    return reinterpret_cast<_WDIR*>(folder.release());
}

extern "C" _wdirent* __wrap__wreaddir(_WDIR* listing) {
    Folder& folder = folderOf(listing);
    if (!folder.hasNext) return nullptr;
    std::wcscpy(folder.entry.d_name, folder.found.cFileName);
    folder.hasNext = FindNextFileW(folder.search, &folder.found) != 0;
    return &folder.entry;
}

extern "C" int __wrap__wclosedir(_WDIR* listing) {
    const std::unique_ptr<Folder> folder(&folderOf(listing));
    if (folder->search != INVALID_HANDLE_VALUE) FindClose(folder->search);
    return 0;
}

// NOLINTEND(bugprone-reserved-identifier)
