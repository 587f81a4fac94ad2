#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace splat::app {

/// Chooses a file or folder, in the viewer's own window: looks the same everywhere and needs no desktop.
class FileDialog {
public:
    using Chosen = std::function<void(const std::filesystem::path&)>;

    /// One that exists: a file that ends in one of these, or a folder.
    void open(std::string title, std::vector<std::string> endings, Chosen chosen);
    /// One to be written, whose ending is added where the name has none and which may have no other; asks before it replaces one.
    void save(std::string title, std::string name, std::string ending, Chosen chosen);
    bool isOpen() const { return open_; }
    /// What it asks for, and the name that is entered.
    const std::string& title() const { return title_; }
    const std::string& name() const { return name_; }

    /// A key that is the dialog's while it is open: Escape closes it, Enter goes to the folder that is being typed, else confirms.
    void press(std::string_view chord);

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
    bool isShown(const Entry& entry) const;
    std::filesystem::path chosenPath() const;

    bool open_ = false, begins_ = false, saves_ = false, replaces_ = false;
    bool allFiles_ = false;                     ///< those of other endings too
    bool inFolder_ = false, entered_ = false;   ///< whether the folder is being typed; Enter since the last draw()
    std::string title_;
    std::vector<std::string> endings_;          ///< none: of any
    Chosen chosen_;
    std::function<void()> done_;
    std::filesystem::path folder_;
    std::string folderText_, name_, problem_;
    std::vector<Entry> entries_;
};

}  // namespace splat::app
