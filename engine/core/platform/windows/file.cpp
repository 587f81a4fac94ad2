#include <splatwright/core/platform/file.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include <splatwright/core/platform/windows/api.h>

namespace splat::platform {

namespace fs = std::filesystem;

namespace {

constexpr DWORD kReadersAndWriters = FILE_SHARE_READ | FILE_SHARE_WRITE, kEverybody = kReadersAndWriters | FILE_SHARE_DELETE;
constexpr DWORD kAppend = FILE_APPEND_DATA | FILE_READ_ATTRIBUTES | SYNCHRONIZE;
constexpr size_t kMostBytes = size_t{1} << 30u;  // of one transfer: the system counts in 32 bits

/// How CreateFile opens for a purpose.
struct Opening {
    DWORD access, share, disposition, flags;
};

Opening openingFor(OpenFor purpose) {
    switch (purpose) {
        case OpenFor::reading: return {GENERIC_READ, kEverybody, OPEN_EXISTING, 0};
        case OpenFor::readingUnfollowed: return {GENERIC_READ, kEverybody, OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT};
        case OpenFor::writing: return {GENERIC_WRITE, kReadersAndWriters, OPEN_EXISTING, 0};
        case OpenFor::appending: return {kAppend, kReadersAndWriters, OPEN_EXISTING, 0};
        case OpenFor::logging: return {kAppend, kReadersAndWriters, OPEN_ALWAYS, 0};
        case OpenFor::creating: return {GENERIC_WRITE, FILE_SHARE_READ, CREATE_NEW, 0};
        case OpenFor::locking: return {GENERIC_READ | GENERIC_WRITE, kReadersAndWriters, OPEN_ALWAYS, FILE_FLAG_OPEN_REPARSE_POINT};
    }
    return {};
}

OVERLAPPED at(uint64_t offset) {
    OVERLAPPED place{};
    place.Offset = static_cast<DWORD>(offset);
    place.OffsetHigh = static_cast<DWORD>(offset >> 32u);
    return place;
}

DWORD countOf(size_t bytes) { return static_cast<DWORD>(std::min(bytes, kMostBytes)); }

/// Whether two handles are of one file.
bool isSame(HANDLE a, HANDLE b) {
    BY_HANDLE_FILE_INFORMATION first, second;
    return GetFileType(a) == FILE_TYPE_DISK && GetFileInformationByHandle(a, &first) && GetFileInformationByHandle(b, &second) &&
           first.dwVolumeSerialNumber == second.dwVolumeSerialNumber && first.nFileIndexHigh == second.nFileIndexHigh &&
           first.nFileIndexLow == second.nFileIndexLow;
}

/// What is at a path, opened to look at only; `flags` say whether links are followed.
File look(const fs::path& path, DWORD flags) {
    return fileOf(
        CreateFileW(path.c_str(), FILE_READ_ATTRIBUTES, kEverybody, nullptr, OPEN_EXISTING, flags | FILE_FLAG_BACKUP_SEMANTICS, nullptr));
}

/// Replaces a file that others have open, who keep it as it was, as on other systems. Windows 10 can since 2016, on its own file system.
bool replaceOpen(const fs::path& from, const fs::path& to) {
    const File file = fileOf(CreateFileW(from.c_str(), DELETE | SYNCHRONIZE, kEverybody, nullptr, OPEN_EXISTING, 0, nullptr));
    const std::wstring name = fs::absolute(to).wstring();
    const size_t bytes = name.size() * sizeof(wchar_t);
    std::vector<std::byte> memory(sizeof(FILE_RENAME_INFO) + bytes);
    auto* rename = new (memory.data()) FILE_RENAME_INFO{};
    rename->Flags = FILE_RENAME_FLAG_REPLACE_IF_EXISTS | FILE_RENAME_FLAG_POSIX_SEMANTICS;
    rename->FileNameLength = static_cast<DWORD>(bytes);
    std::memcpy(rename->FileName, name.data(), bytes);
    constexpr auto kRenameEx = static_cast<FILE_INFO_BY_HANDLE_CLASS>(22);  // FileRenameInfoEx, which mingw-w64 10 hides
    return SetFileInformationByHandle(handleOf(file), kRenameEx, rename, static_cast<DWORD>(memory.size())) != 0;
}

}  // namespace

File::File(const fs::path& path, OpenFor purpose, std::error_code& failed) {
    const Opening how = openingFor(purpose);
    handle_ = reinterpret_cast<intptr_t>(CreateFileW(path.c_str(), how.access, how.share, nullptr, how.disposition, how.flags, nullptr));
    failed = errorIf(!isOpen());
}

File File::ofStandardOutput(std::error_code& failed) {
    HANDLE copy = INVALID_HANDLE_VALUE;
    const HANDLE process = GetCurrentProcess();
    const bool copied = DuplicateHandle(process, GetStdHandle(STD_OUTPUT_HANDLE), process, &copy, 0, FALSE, DUPLICATE_SAME_ACCESS);
    failed = errorIf(!copied);
    return fileOf(copy);
}

std::error_code File::close() { return errorIf(isOpen() && !CloseHandle(reinterpret_cast<HANDLE>(release()))); }

std::error_code File::readAt(uint64_t offset, std::span<std::byte> to, size_t& count) const {
    count = 0;
    while (count < to.size()) {
        OVERLAPPED place = at(offset + count);
        DWORD done = 0;
        const bool read = ReadFile(handleOf(*this), to.data() + count, countOf(to.size() - count), &done, &place);
        if (!read && GetLastError() != ERROR_HANDLE_EOF) return lastError();
        if (done == 0) break;
        count += done;
    }
    return {};
}

std::error_code File::write(std::span<const std::byte>& bytes) const {
    while (!bytes.empty()) {
        DWORD written = 0;
        if (!WriteFile(handleOf(*this), bytes.data(), countOf(bytes.size()), &written, nullptr)) return lastError();
        bytes = bytes.subspan(written);
    }
    return {};
}

std::error_code File::writeAt(uint64_t offset, std::span<const std::byte> bytes) const {
    while (!bytes.empty()) {
        OVERLAPPED place = at(offset);
        DWORD written = 0;
        if (!WriteFile(handleOf(*this), bytes.data(), countOf(bytes.size()), &written, &place)) return lastError();
        offset += written;
        bytes = bytes.subspan(written);
    }
    return {};
}

std::error_code File::position(uint64_t& found) const {
    LARGE_INTEGER at{};
    const bool failed = !SetFilePointerEx(handleOf(*this), {}, &at, FILE_CURRENT);
    found = static_cast<uint64_t>(at.QuadPart);
    return errorIf(failed);
}

std::error_code File::setPosition(uint64_t position) const {
    LARGE_INTEGER to{};
    to.QuadPart = static_cast<LONGLONG>(position);
    return errorIf(!SetFilePointerEx(handleOf(*this), to, nullptr, FILE_BEGIN));
}

std::error_code File::resize(uint64_t bytes) const {
    FILE_END_OF_FILE_INFO end{};
    end.EndOfFile.QuadPart = static_cast<LONGLONG>(bytes);
    return errorIf(!SetFileInformationByHandle(handleOf(*this), FileEndOfFileInfo, &end, sizeof(end)));
}

std::error_code File::sync() const { return errorIf(!FlushFileBuffers(handleOf(*this))); }

/// A new file has those that its folder hands on; only read-only files, which are not replaced, have others.
void File::setPermissions(fs::perms /*permissions*/) const {}

std::error_code File::size(uint64_t& found) const {
    LARGE_INTEGER bytes{};
    const bool failed = !GetFileSizeEx(handleOf(*this), &bytes);
    found = static_cast<uint64_t>(bytes.QuadPart);
    return errorIf(failed);
}

bool File::isRegular() const {
    FILE_ATTRIBUTE_TAG_INFO about{};
    if (GetFileType(handleOf(*this)) != FILE_TYPE_DISK) return false;
    if (!GetFileInformationByHandleEx(handleOf(*this), FileAttributeTagInfo, &about, sizeof(about))) return false;
    // Links and mount points; files that are kept in a cloud have other tags.
    const bool isLink = (about.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 && IsReparseTagNameSurrogate(about.ReparseTag);
    return !isLink && (about.FileAttributes & FILE_ATTRIBUTE_DIRECTORY) == 0;
}

/// Folders of a user hand on that others may not write.
bool File::isPrivate() const { return isRegular(); }

bool File::isAt(const fs::path& path) const { return isSame(handleOf(*this), handleOf(look(path, FILE_FLAG_OPEN_REPARSE_POINT))); }

File::Lock File::tryLock() const {
    OVERLAPPED beyond = at(uint64_t{1} << 62u);  // others cannot read what is locked, so that is a byte behind the content
    if (LockFileEx(handleOf(*this), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &beyond)) return Lock::taken;
    const DWORD reason = GetLastError();
    return reason == ERROR_LOCK_VIOLATION || reason == ERROR_IO_PENDING ? Lock::held : Lock::unsupported;
}

void File::removeAndClose(const fs::path& path) {
    close();
    DeleteFileW(path.c_str());  // fails if somebody has opened it for locking since: it is his
}

bool isStandardOutput(const fs::path& path) { return isSame(GetStdHandle(STD_OUTPUT_HANDLE), handleOf(look(path, 0))); }

std::error_code whyNotWritable(const fs::path& path) {
    const DWORD attributes = GetFileAttributesW(path.c_str());
    if (attributes == INVALID_FILE_ATTRIBUTES) return lastError();
    return (attributes & FILE_ATTRIBUTE_READONLY) != 0 ? std::make_error_code(std::errc::permission_denied) : std::error_code();
}

std::string reservedNameIn(const fs::path& path) {
    for (const fs::path& part : path) {
        const std::string name = part.string();
        std::string device = name.substr(0, name.find_first_of(".: "));  // whatever follows
        std::ranges::transform(device, device.begin(), [](char c) { return 'a' <= c && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
        const bool isNumbered =
            device.size() == 4 && (device.starts_with("COM") || device.starts_with("LPT")) && device[3] >= '1' && device[3] <= '9';
        if (isNumbered || device == "CON" || device == "PRN" || device == "AUX" || device == "NUL") return name;
    }
    return {};
}

std::string_view refusedInNames() { return "<>:\"|?*"; }

/// A reader that shares nothing, a virus scanner say, holds up a replacement as long as it has the file open; most have it for a moment.
std::error_code replace(const fs::path& from, const fs::path& to) {
    constexpr int kTries = 50;
    constexpr auto kPause = std::chrono::milliseconds(20);
    for (int i = 0;; ++i) {
        if (MoveFileExW(from.c_str(), to.c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)) return {};
        const DWORD reason = GetLastError();
        const std::error_code failed = lastError();
        if (reason != ERROR_ACCESS_DENIED && reason != ERROR_SHARING_VIOLATION) return failed;
        if (replaceOpen(from, to)) return {};
        if (i == kTries) return failed;
        std::this_thread::sleep_for(kPause);
    }
}

std::string temporaryFolderVariable() { return "TMP"; }

/// The folder for temporary files belongs to the user.
std::error_code createPrivateFolder(const fs::path& beginning, fs::path& made) {
    std::random_device source;
    for (;;) {
        made = beginning;
        made += fmt::format("-{:08x}", source());
        if (CreateDirectoryW(made.c_str(), nullptr)) return {};
        if (GetLastError() != ERROR_ALREADY_EXISTS) return lastError();
    }
}

}  // namespace splat::platform
