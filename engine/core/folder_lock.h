#pragma once

#include <filesystem>

#include <splatwright/core/platform/file.h>

namespace splat {

/// An exclusive lock on a run's folder. The file `run.lock` names the process that holds it and is locked by the operating system; on file systems
/// without locks, process id and start time show whether the holder still runs.
class FolderLock {
public:
    /// Takes the lock; a lock of a process that has ended is taken over with a warning. Throws InputError if another process holds it.
    explicit FolderLock(const std::filesystem::path& folder);
    /// Releases the lock and removes the file.
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

    /// Throws InputError if another process on this machine holds the lock. Does not take the lock.
    static void refuseIfHeld(const std::filesystem::path& folder);

private:
    bool tryToTake();
    void takeOver() const;
    void sign() const;

    std::filesystem::path folder_, path_;
    platform::File file_;
};

}  // namespace splat
