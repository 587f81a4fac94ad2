#pragma once

#include <filesystem>

namespace splat {

/// The right to write a run into a folder. Its file (`run.lock`) names the process that has it; the operating system's own lock on that file
/// says whether it still does, and where a file system has no locks, process id and start time do.
class FolderLock {
public:
    /// Takes the lock, also that of a process which is gone, and says so. Throws InputError naming the process that holds it.
    explicit FolderLock(const std::filesystem::path& folder);
    /// Gives it back and removes the file.
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

    /// Throws InputError naming the process of this machine that holds the lock; takes nothing.
    static void refuseIfHeld(const std::filesystem::path& folder);

private:
    bool tryToTake();
    void takeOver() const;
    void sign() const;

    std::filesystem::path folder_, path_;
    int descriptor_ = -1;
};

}  // namespace splat
