#include "viewer/widgets/file_dialog.h"

#include <algorithm>
#include <utility>

#include <fmt/ranges.h>
#include <imgui.h>

#include <imgui_stdlib.h>

#include <splatwright/core/names.h>
#include "viewer/files/written_files.h"
#include "viewer/window/style.h"

namespace splat::app {

namespace fs = std::filesystem;

namespace {

constexpr float kKindWidth = 150;  // points, of the list of kinds

bool isOf(const FileKind& kind, const fs::path& path) {
    return kind.isWholeName ? path.filename() == kind.ending : endsIn(path, kind.ending);
}

}  // namespace

void FileDialog::open(std::string title, std::vector<std::string> endings, Chosen chosen, Wanted wanted) {
    saves_ = false;
    name_.clear();
    kinds_.clear();
    endings_ = std::move(endings);
    show(std::move(title), std::move(chosen), wanted == Wanted::file ? NativeDialog::Kind::open : NativeDialog::Kind::folder);
}

void FileDialog::save(std::string title, std::string name, std::string ending, Chosen chosen) {
    std::vector<FileKind> kinds;
    if (!ending.empty()) kinds.push_back({.name = "", .ending = std::move(ending)});
    save(std::move(title), std::move(name), std::move(kinds),
         [chosen = std::move(chosen)](const fs::path& path, const FileKind&) { chosen(path); });
}

void FileDialog::save(std::string title, std::string name, std::vector<FileKind> kinds, ChosenAs chosen) {
    saves_ = true;
    name_ = std::move(name);
    kinds_ = std::move(kinds);
    kind_ = 0;
    followName();
    stem_ = fs::path(name_).stem().string();
    endings_.clear();
    for (const FileKind& kind : kinds_)
        if (std::ranges::find(endings_, kind.ending) == endings_.end()) endings_.push_back(kind.ending);
    show(
        std::move(title),
        [this, chosen = std::move(chosen)](const fs::path& path) { chosen(path, kinds_.empty() ? FileKind{} : kinds_[kind_]); },
        NativeDialog::Kind::save);
}

void FileDialog::show(std::string title, Chosen chosen, NativeDialog::Kind kind) {
    title_ = std::move(title);
    chosen_ = std::move(chosen);
    open_ = begins_ = true;
    allFiles_ = inFolder_ = entered_ = false;
    std::error_code ignored;
    const fs::path& last = saves_ ? saveFolder : openFolder;
    enter(fs::is_directory(last, ignored) ? last : fs::current_path());
    if (desktop_.isAvailable()) desktop_.show(kind, title_, saves_ ? folder_ / name_ : folder_, filters());
}

std::vector<NativeDialog::Filter> FileDialog::filters() const {
    std::vector<NativeDialog::Filter> filters;
    for (const FileKind& kind : kinds_) filters.push_back({kind.name, kind.isWholeName ? kind.ending : "*" + kind.ending});
    if (kinds_.empty() && !endings_.empty()) filters.push_back({"Files to open", fmt::format("*{}", fmt::join(endings_, " *"))});
    filters.push_back({"All files", "*"});
    return filters;
}

std::function<void()> FileDialog::takeChosen() {
    if (const auto answer = desktop_.poll()) takeAnswer(*answer);
    return std::exchange(done_, nullptr);
}

/// The desktop has asked before replacing a file, but not of a name without its ending. What is refused stays in the dialog inside the window.
void FileDialog::takeAnswer(const fs::path& path) {
    open_ = !path.empty();
    if (!open_) return;
    enter(path.parent_path());
    name_ = escapedName(path.filename().string());
    followName();
    const fs::path whole = withEnding(path);
    replaces_ = whole == path;
    accept(whole);
}

/// Takes pointer and keys while the desktop asks.
void FileDialog::drawWaiting() {
    constexpr const char* kTitle = "Choose a file";
    if (!desktop_.isOpen() && !ImGui::IsPopupOpen(kTitle)) return;
    if (!ImGui::IsPopupOpen(kTitle)) ImGui::OpenPopup(kTitle);
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
    constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;
    if (!ImGui::BeginPopupModal(kTitle, nullptr, kFlags)) return;
    ImGui::TextUnformatted("The desktop asks for it, in a window of its own.");
    if (ImGui::Button("Cancel")) press("Escape");
    if (!desktop_.isOpen()) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
}

void FileDialog::press(std::string_view chord) {
    if (chord == "Enter") entered_ = true;
    if (chord != "Escape") return;
    open_ = false;
    desktop_.close();
}

/// Folders first, then files, each by name; what cannot be read is said and leaves the list as it is.
void FileDialog::enter(const fs::path& folder) {
    std::vector<Entry> found;
    std::error_code problem;
    for (fs::directory_iterator it(folder, fs::directory_options::skip_permission_denied, problem), end; !problem && it != end;
         it.increment(problem)) {
        const std::string name = it->path().filename().string();
        if (name.starts_with('.')) continue;
        std::error_code ignored;
        const bool isFolder = it->is_directory(ignored);
        found.push_back({.name = name, .label = escapedName(name), .folder = isFolder, .bytes = isFolder ? 0 : it->file_size(ignored)});
    }
    problem_ = problem ? printable(fmt::format("{}: {}", folder.string(), problem.message())) : "";
    if (problem) return;
    std::ranges::sort(found, {}, [](const Entry& e) { return std::pair(!e.folder, e.name); });
    entries_ = std::move(found);
    folder_ = fs::absolute(folder).lexically_normal();
    folderText_ = escapedName(folder_.generic_string());
    replaces_ = false;
}

/// A name that was typed before Enter came is in the fields by then.
void FileDialog::draw() {
    drawWaiting();
    if (desktop_.isOpen()) return;
    if (!open_ && !ImGui::IsPopupOpen(title_.c_str())) return;
    if (!ImGui::IsPopupOpen(title_.c_str())) {
        ImGui::OpenPopup(title_.c_str());
        begins_ = true;
    }
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowSize({std::min(points(720), screen.x - points(20)), std::min(points(520), screen.y - points(20))},
                             ImGuiCond_Appearing);
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Appearing, {0.5F, 0.5F});
    bool stays = true;
    if (!ImGui::BeginPopupModal(title_.c_str(), &stays, ImGuiWindowFlags_NoSavedSettings)) return;
    drawContents();
    open_ = open_ && stays;
    if (!open_) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
}

void FileDialog::drawContents() {
    if (ImGui::Button("Up")) enter(folder_.parent_path());
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-1);
    ImGui::InputText("##folder", &folderText_);
    const bool enters = inFolder_ && std::exchange(entered_, false);
    inFolder_ = ImGui::IsItemActive();
    const bool isPresent = folderText_ == escapedName(folder_.generic_string());  // which may have other bytes than its text
    if (enters) enter(isPresent ? folder_ : fs::path(folderText_));
    drawEntries(-3.6F * ImGui::GetFrameHeightWithSpacing());
    drawFooter();
}

void FileDialog::drawEntries(float height) {
    ImGui::BeginChild("entries", {0, height}, true);
    fs::path entered;
    for (size_t i = 0; i < entries_.size(); ++i) {
        const Entry& e = entries_[i];
        const bool fits = std::ranges::any_of(endings_, [&](const std::string& ending) { return endsIn(e.name, ending); });
        if (!e.folder && !allFiles_ && !endings_.empty() && !fits) continue;
        ImGui::PushID(static_cast<int>(i));
        const bool clicked = ImGui::Selectable("##entry", name_ == e.label, ImGuiSelectableFlags_AllowDoubleClick);
        ImGui::PopID();
        if (clicked) {
            name_ = e.label;
            replaces_ = false;
            followName();
            if (ImGui::IsMouseDoubleClicked(0) && e.folder) entered = folder_ / e.name;
            if (ImGui::IsMouseDoubleClicked(0) && !e.folder) choose();
        }
        ImGui::SameLine(ImGui::GetStyle().WindowPadding.x);
        ImGui::TextUnformatted((e.folder ? e.label + "/" : e.label).c_str());  // an ImGui label would read ## in it
        if (e.folder) continue;
        const auto bytes = static_cast<double>(e.bytes);
        const std::string size =
            e.bytes >= 1u << 20 ? fmt::format("{:.1f} MiB", bytes / (1 << 20)) : fmt::format("{:.1f} KiB", bytes / (1 << 10));
        ImGui::SameLine();
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(size.c_str()).x);
        ImGui::TextDisabled("%s", size.c_str());
    }
    ImGui::EndChild();
    if (entered.empty()) return;
    name_.clear();
    enter(entered);
}

void FileDialog::drawFooter() {
    ImGui::SetNextItemWidth(kinds_.size() < 2 ? -1 : -points(kKindWidth));
    if (std::exchange(begins_, false)) ImGui::SetKeyboardFocusHere();
    if (ImGui::InputTextWithHint("##name", saves_ ? "name" : "name; empty: this folder", &name_, ImGuiInputTextFlags_AutoSelectAll)) {
        replaces_ = false;
        followName();
    }
    drawKinds();
    const bool entered = std::exchange(entered_, false);
    const std::string label = replaces_ ? "Replace" : saves_ ? "Save" : name_.empty() ? "Open this folder" : "Open";
    if (ImGui::Button(label.c_str()) || entered) choose();
    ImGui::SameLine();
    if (ImGui::Button("Cancel")) open_ = false;
    if (!endings_.empty()) {
        ImGui::SameLine();
        ImGui::Checkbox("all files", &allFiles_);
        if (ImGui::IsItemHovered()) ImGui::SetTooltip("else: %s", fmt::format("{}", fmt::join(endings_, ", ")).c_str());
    }
    ImGui::SameLine();
    ImGui::TextUnformatted(replaces_ ? "A file of this name is there already." : problem_.c_str());
}

void FileDialog::followName() {
    const fs::path name(name_);
    if (kinds_.empty() || isOf(kinds_[kind_], name)) return;
    const auto found = std::ranges::find_if(kinds_, [&](const FileKind& kind) { return isOf(kind, name); });
    if (found != kinds_.end()) kind_ = static_cast<size_t>(found - kinds_.begin());
}

void FileDialog::setKind(size_t kind) {
    const FileKind& before = kinds_[kind_];
    if (!before.isWholeName) stem_ = isOf(before, name_) ? name_.substr(0, name_.size() - before.ending.size()) : name_;
    kind_ = kind;
    name_ = kinds_[kind].isWholeName ? kinds_[kind].ending : stem_ + kinds_[kind].ending;
    replaces_ = false;
}

/// The list of kinds, beside the name.
void FileDialog::drawKinds() {
    if (kinds_.size() < 2) return;
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-1);
    if (!ImGui::BeginCombo("##kind", kinds_[kind_].name.c_str(), ImGuiComboFlags_HeightLargest)) return;
    for (size_t i = 0; i < kinds_.size(); ++i) {
        if (ImGui::Selectable(kinds_[i].name.c_str(), i == kind_)) setKind(i);
        if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", kinds_[i].help.c_str());
    }
    ImGui::EndCombo();
}

fs::path FileDialog::withEnding(fs::path path) const {
    if (saves_ && path.extension().empty() && !kinds_.empty()) path += kinds_[kind_].ending;
    return path;
}

void FileDialog::choose() {
    if (name_.empty()) return accept(saves_ ? fs::path() : folder_);
    // The entry of this label; else the name as it was typed.
    const auto entry = std::ranges::find(entries_, name_, &Entry::label);
    accept(withEnding(folder_ / (entry == entries_.end() ? name_ : entry->name)));
}

void FileDialog::accept(const fs::path& path) {
    std::error_code ignored;
    const bool exists = !path.empty() && fs::exists(path, ignored);
    if (path.empty() || (!saves_ && !exists)) {
        problem_ = path.empty() ? "A name is missing." : "There is nothing of this name.";
        return;
    }
    if (saves_ && !kinds_.empty() && !isOf(kinds_[kind_], path)) {
        problem_ = fmt::format("The name has to end in {}.", fmt::join(endings_, ", "));
        return;
    }
    if (saves_ && exists && !std::exchange(replaces_, true)) return;
    open_ = false;
    (saves_ ? saveFolder : openFolder) = folder_;
    done_ = [chosen = chosen_, path] { chosen(path); };
}

}  // namespace splat::app
