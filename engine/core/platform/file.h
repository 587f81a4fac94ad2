#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace splat::platform {

/// Why the last call of the system failed. Its text is the same on every system, for what each of them knows.
std::error_code lastError();

/// What a file is opened for. Programs that this one starts inherit none of them.
enum class OpenFor {
    reading,
    readingUnfollowed,  ///< follows no link, and does not wait for the writer of a FIFO
    writing,            ///< what is there, a device say, from its beginning
    appending,          ///< what is there
    logging,            ///< appends, and makes a new file if there is none
    creating,           ///< fails if anything is there
    locking,            ///< reads and writes, follows no link, and makes a new file if there is none
};

/// A file of the system, closed in the end. Its functions return why they failed, or no error.
class File {
public:
    File() = default;
    /// Not open if it cannot be opened; `failed` then says why.
    File(const std::filesystem::path& path, OpenFor purpose, std::error_code& failed);
    /// Takes over a descriptor (POSIX) or HANDLE (Windows); -1: none.
    explicit File(intptr_t handle) : handle_(handle) {}
    ~File() { close(); }
    File(File&& other) noexcept : handle_(other.release()) {}
    File& operator=(File&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }

    /// Where standard output goes, at its present position, under a number of its own.
    static File ofStandardOutput(std::error_code& failed);

    bool isOpen() const { return handle_ != -1; }
    intptr_t handle() const { return handle_; }
    /// Gives the handle to the caller, who closes it.
    intptr_t release() { return std::exchange(handle_, -1); }
    std::error_code close();

    /// Reads at an offset, with other threads; fewer bytes than asked for only where the file ends.
    std::error_code readAt(uint64_t offset, std::span<std::byte> to, size_t& count) const;
    /// Writes all bytes, and takes what it has written off their front.
    std::error_code write(std::span<const std::byte>& bytes) const;
    /// Writes all bytes at an offset, with other threads.
    std::error_code writeAt(uint64_t offset, std::span<const std::byte> bytes) const;
    std::error_code position(uint64_t& found) const;
    std::error_code setPosition(uint64_t position) const;
    std::error_code resize(uint64_t bytes) const;
    /// Waits until the data is on disk.
    std::error_code sync() const;
    /// Read, write and execute for user, group and others, where the file system has them.
    void setPermissions(std::filesystem::perms permissions) const;

    std::error_code size(uint64_t& found) const;
    bool isRegular() const;
    /// A regular file of this user that no other may write.
    bool isPrivate() const;
    /// Whether this is what is found at the path, without following a link.
    bool isAt(const std::filesystem::path& path) const;

    enum class Lock { taken, held, unsupported };
    /// Locks the file for this process until it is closed, without waiting. Others can still read it.
    Lock tryLock() const;
    /// Removes the file, whose path this is, and closes it; nobody who has opened it since loses a file that he then locks unnoticed.
    void removeAndClose(const std::filesystem::path& path);

private:
    intptr_t handle_ = -1;
};

/// Whether standard output goes to the file at the path.
bool isStandardOutput(const std::filesystem::path& path);

/// Why this user may not write what is at the path; no error if he may.
std::error_code whyNotWritable(const std::filesystem::path& path);

/// The first name in the path that the system keeps for a device, wherever it stands; empty if there is none, as always on POSIX.
std::string reservedNameIn(const std::filesystem::path& path);

/// Characters that no name of a file has, besides slashes.
std::string_view refusedInNames();

/// Puts the file at `from` to the place of one that may be at `to`: others see the one or the other.
std::error_code replace(const std::filesystem::path& from, const std::filesystem::path& to);

/// The variable of the environment that names the folder for temporary files.
std::string temporaryFolderVariable();

/// Makes a new folder that only this user can read, whose name begins so, and sets `made` to its path.
std::error_code createPrivateFolder(const std::filesystem::path& beginning, std::filesystem::path& made);

}  // namespace splat::platform
