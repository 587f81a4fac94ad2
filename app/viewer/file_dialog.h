#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace splat::app {

/// Chooses a file or folder, in the viewer's own window: looks the same everywhere and needs no desktop.
class FileDialog {
public:
    using Chosen = std::function<void(const std::filesystem::path&)>;

    /// One that exists: splats, a dataset folder, a script.
    void open(std::string title, Chosen chosen);
    /// One to be written, whose ending is added where the name has none; asks before it replaces one.
    void save(std::string title, std::string name, std::string ending, Chosen chosen);
    bool isOpen() const { return open_; }

    void draw();
    /// What is to be done with what was chosen since the last call, if anything; between two frames, whose pictures it may take away.
    std::function<void()> takeChosen() { return std::exchange(done_, nullptr); }

private:
    struct Entry {
        std::string name;
        bool folder = false;
        uintmax_t bytes = 0;
    };

    void show(std::string title, Chosen chosen);
    void enter(const std::filesystem::path& folder);
    void drawFolderBar();
    void drawEntries(float height);
    void drawFooter();
    void choose();
    std::filesystem::path chosenPath() const;

    bool open_ = false, begins_ = false, saves_ = false, replaces_ = false;
    std::string title_, ending_;
    Chosen chosen_;
    std::function<void()> done_;
    std::filesystem::path folder_;
    std::string folderText_, name_, problem_;
    std::vector<Entry> entries_;
};

}  // namespace splat::app
