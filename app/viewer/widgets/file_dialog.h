#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "viewer/widgets/native_dialog.h"

namespace splat::app {

/// A kind of file that can be chosen for what is saved.
struct FileKind {
    std::string name;
    std::string ending;
    std::string help{};
    bool isWholeName = false;  ///< the ending is the only name that such a file can have
};

/// Chooses files with the desktop's dialog, or, where there is none and for scripts, with one inside the viewer's window.
class FileDialog {
public:
    using Chosen = std::function<void(const std::filesystem::path&)>;
    using ChosenAs = std::function<void(const std::filesystem::path&, const FileKind&)>;

    std::filesystem::path openFolder, saveFolder;  ///< of the last files; empty: the current one

    /// From now on, asks with the desktop's dialogs if it has some.
    void useDesktop() { desktop_.enable(); }

    /// Opens an existing file with one of these endings, or a folder. Desktops' dialogs choose either: then `wanted` says which.
    enum class Wanted { file, folder };
    void open(std::string title, std::vector<std::string> endings, Chosen chosen, Wanted wanted = Wanted::file);
    /// Chooses a file to write. Adds the ending if it is missing, refuses others, and asks before replacing a file.
    void save(std::string title, std::string name, std::string ending, Chosen chosen);
    /// The same for several kinds: the first with the name's ending at first, then one that is chosen from a list or by typing its ending.
    void save(std::string title, std::string name, std::vector<FileKind> kinds, ChosenAs chosen);
    bool isOpen() const { return open_; }
    /// The title, and the entered name: UTF-8, whatever bytes a chosen file's name has.
    const std::string& title() const { return title_; }
    const std::string& name() const { return name_; }
    /// The folder whose entries it shows.
    const std::filesystem::path& folder() const { return folder_; }

    /// Handles a key while open: Escape closes it, Enter goes to the typed folder or confirms.
    void press(std::string_view chord);

    void draw();
    /// The action for the file chosen since the last call, if any. Run it between frames, because it may destroy their pictures.
    std::function<void()> takeChosen();

private:
    struct Entry {
        std::string name;   ///< any bytes
        std::string label;  ///< as text that can be shown and edited
        bool folder = false;
        uintmax_t bytes = 0;
    };

    void show(std::string title, Chosen chosen, NativeDialog::Kind kind);
    std::vector<NativeDialog::Filter> filters() const;
    void takeAnswer(const std::filesystem::path& path);
    void drawWaiting();
    void enter(const std::filesystem::path& folder);
    void drawContents();
    void drawEntries(float height);
    void drawFooter();
    void choose();
    /// Takes a file that may be opened or written, or says why not.
    void accept(const std::filesystem::path& path);
    std::filesystem::path withEnding(std::filesystem::path path) const;
    void drawKinds();
    void setKind(size_t kind);
    /// Takes on the kind that the name's ending stands for, if any.
    void followName();

    NativeDialog desktop_;
    bool open_ = false, begins_ = false, saves_ = false, replaces_ = false;
    bool allFiles_ = false;                    ///< also files with other endings
    bool inFolder_ = false, entered_ = false;  ///< whether the folder field has the focus; Enter since the last draw()
    std::string title_;
    std::vector<std::string> endings_;  ///< empty: any
    std::vector<FileKind> kinds_;       ///< of what is saved; empty: any
    size_t kind_ = 0;
    std::string stem_;  ///< name without its ending, for kinds to come
    Chosen chosen_;
    std::function<void()> done_;
    std::filesystem::path folder_;
    std::string folderText_, name_, problem_;  ///< the fields hold text: of an entry its label
    std::vector<Entry> entries_;
};

}  // namespace splat::app
