#pragma once

#include <filesystem>
#include <optional>

#include <splatwright/core/platform/file.h>

namespace splat::app {

class Workspace;

/// Saves what is open now and then, so that a viewer that was killed loses little. Each viewer has a file of its own in the user's folder, locked while
/// it runs and removed when it leaves: one that is there and not locked was left by a viewer that ended otherwise.
class Autosaving {
public:
    /// seconds: between two. Without locks or a folder nothing is saved.
    Autosaving(const std::filesystem::path& folder, double seconds);
    /// Leaves autosaves that have not been removed to be recovered, but no locks.
    ~Autosaving();
    Autosaving(const Autosaving&) = delete;
    Autosaving& operator=(const Autosaving&) = delete;

    /// Saves if it is time. A file that cannot be written is no error, but for the log.
    void update(Workspace& work);
    /// An autosave of a viewer that ended without leaving.
    bool hasLeft() const { return left_.has_value(); }
    /// Opens that, and goes on in its file. Throws InputError if there is none, or if it cannot be read.
    void recover(Workspace& work);
    /// Removes it.
    void discard();
    /// Removes this viewer's own, when it leaves as it should.
    void end();

    /// In the user's folder; empty if he has none.
    static std::filesystem::path defaultFolder();

private:
    /// A file and its lock.
    struct Slot {
        std::filesystem::path file;
        platform::File lock;
    };
    static void remove(Slot& slot);

    double seconds_, last_;
    std::optional<Slot> own_, left_;
};

}  // namespace splat::app
