#pragma once

#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace splat::app {

/// A file dialog of the desktop: zenity or kdialog on Linux, the system's on Windows and macOS. It runs in a process or a thread of its own, so that
/// frames go on.
class NativeDialog {
public:
    enum class Kind { open, save, folder };
    struct Filter {
        std::string name;
        std::string patterns;  ///< "*.ply *.spz"
    };

    NativeDialog();
    /// Closes the dialog.
    ~NativeDialog();
    NativeDialog(const NativeDialog&) = delete;
    NativeDialog& operator=(const NativeDialog&) = delete;

    /// Looks for the desktop's dialogs, on another thread; before that there are none.
    void enable();
    bool isAvailable();

    /// start: the folder, or the file's proposed path.
    void show(Kind kind, const std::string& title, const std::filesystem::path& start, const std::vector<Filter>& filters);
    bool isOpen() const { return shown_ != nullptr; }
    void close();
    /// The answer, once: a path, or an empty one if nothing was chosen.
    std::optional<std::filesystem::path> poll();

private:
    struct Shown;

    std::future<bool> looking_;
    bool available_ = false;
    std::unique_ptr<Shown> shown_;
};

}  // namespace splat::app
