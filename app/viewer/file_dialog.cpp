#include "viewer/file_dialog.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>

#include <imgui_stdlib.h>

namespace splat::app {

namespace fs = std::filesystem;

namespace {

std::string sizeText(uintmax_t bytes) {
    if (bytes >= 1u << 20) return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20));
    return fmt::format("{:.1f} KiB", static_cast<double>(bytes) / (1 << 10));
}

}  // namespace

void FileDialog::open(std::string title, Chosen chosen) {
    saves_ = false;
    name_.clear();
    show(std::move(title), std::move(chosen));
}

void FileDialog::save(std::string title, std::string name, std::string ending, Chosen chosen) {
    saves_ = true;
    name_ = std::move(name);
    ending_ = std::move(ending);
    show(std::move(title), std::move(chosen));
}

void FileDialog::show(std::string title, Chosen chosen) {
    title_ = std::move(title);
    chosen_ = std::move(chosen);
    open_ = begins_ = true;
    enter(folder_.empty() ? fs::current_path() : folder_);
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
        found.push_back({.name = name, .folder = isFolder, .bytes = isFolder ? 0 : it->file_size(ignored)});
    }
    problem_ = problem ? fmt::format("{}: {}", folder.string(), problem.message()) : "";
    if (problem) return;
    std::ranges::sort(found, {}, [](const Entry& e) { return std::pair(!e.folder, e.name); });
    entries_ = std::move(found);
    folder_ = fs::absolute(folder).lexically_normal();
    folderText_ = folder_.string();
    replaces_ = false;
}

void FileDialog::draw() {
    if (!open_) return;
    if (std::exchange(begins_, false)) ImGui::OpenPopup(title_.c_str());
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowSize({std::min(720.0F, screen.x - 40), std::min(520.0F, screen.y - 40)}, ImGuiCond_Appearing);
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Appearing, {0.5F, 0.5F});
    if (!ImGui::BeginPopupModal(title_.c_str(), &open_)) return;
    drawFolderBar();
    drawEntries(-3.6F * ImGui::GetFrameHeightWithSpacing());
    drawFooter();
    if (!open_) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
}

void FileDialog::drawFolderBar() {
    if (ImGui::Button("Up")) enter(folder_.parent_path());
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-1);
    if (ImGui::InputText("##folder", &folderText_, ImGuiInputTextFlags_EnterReturnsTrue)) enter(folderText_);
}

void FileDialog::drawEntries(float height) {
    ImGui::BeginChild("entries", {0, height}, true);
    fs::path entered;
    for (const Entry& e : entries_) {
        const std::string label = e.folder ? e.name + "/" : e.name;
        if (ImGui::Selectable(label.c_str(), name_ == e.name, ImGuiSelectableFlags_AllowDoubleClick)) {
            name_ = e.name;
            replaces_ = false;
            if (ImGui::IsMouseDoubleClicked(0) && e.folder) entered = folder_ / e.name;
            if (ImGui::IsMouseDoubleClicked(0) && !e.folder) choose();
        }
        if (e.folder) continue;
        ImGui::SameLine(ImGui::GetWindowWidth() - 120);
        ImGui::TextDisabled("%s", sizeText(e.bytes).c_str());
    }
    ImGui::EndChild();
    if (entered.empty()) return;
    name_.clear();
    enter(entered);
}

fs::path FileDialog::chosenPath() const {
    if (name_.empty()) return saves_ ? fs::path() : folder_;
    fs::path path = folder_ / name_;
    if (saves_ && path.extension().empty()) path += ending_;
    return path;
}

void FileDialog::drawFooter() {
    ImGui::SetNextItemWidth(-1);
    const bool entered =
        ImGui::InputTextWithHint("##name", saves_ ? "name" : "name; empty: this folder", &name_, ImGuiInputTextFlags_EnterReturnsTrue);
    const std::string label = replaces_ ? "Replace" : saves_ ? "Save" : name_.empty() ? "Open this folder" : "Open";
    if (ImGui::Button(label.c_str()) || entered) choose();
    ImGui::SameLine();
    if (ImGui::Button("Cancel")) open_ = false;
    ImGui::SameLine();
    ImGui::TextUnformatted(replaces_ ? "A file of this name is there already." : problem_.c_str());
}

void FileDialog::choose() {
    const fs::path path = chosenPath();
    std::error_code ignored;
    const bool exists = !path.empty() && fs::exists(path, ignored);
    if (path.empty() || (!saves_ && !exists)) {
        problem_ = path.empty() ? "A name is missing." : "There is nothing of this name.";
        return;
    }
    if (saves_ && exists && !std::exchange(replaces_, true)) return;
    open_ = false;
    done_ = [chosen = chosen_, path] { chosen(path); };
}

}  // namespace splat::app
