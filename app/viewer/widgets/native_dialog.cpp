#include "viewer/widgets/native_dialog.h"

#include <variant>

#include <portable_file_dialogs.h>

namespace splat::app {

namespace fs = std::filesystem;

struct NativeDialog::Shown {
    std::variant<pfd::open_file, pfd::save_file, pfd::select_folder> dialog;

    bool isReady() const {
        return std::visit([](const auto& d) { return d.ready(0); }, dialog);
    }
    fs::path answer() {
        if (auto* const open = std::get_if<pfd::open_file>(&dialog)) {
            const std::vector<std::string> files = open->result();
            return files.empty() ? "" : files.front();
        }
        if (auto* const save = std::get_if<pfd::save_file>(&dialog)) return save->result();
        return std::get<pfd::select_folder>(dialog).result();
    }
};

NativeDialog::NativeDialog() = default;
NativeDialog::~NativeDialog() { close(); }

/// The search starts processes and waits for them.
void NativeDialog::enable() {
    looking_ = std::async(std::launch::async, [] { return pfd::settings::available(); });
}

bool NativeDialog::isAvailable() {
    if (looking_.valid()) available_ = looking_.get();
    return available_;
}

void NativeDialog::show(Kind kind, const std::string& title, const fs::path& start, const std::vector<Filter>& filters) {
    std::vector<std::string> words;
    for (const Filter& filter : filters) words.insert(words.end(), {filter.name, filter.patterns});
    const std::string path = start.string();
    switch (kind) {
        case Kind::open: shown_.reset(new Shown{pfd::open_file(title, path, words)}); break;
        case Kind::save: shown_.reset(new Shown{pfd::save_file(title, path, words)}); break;
        case Kind::folder: shown_.reset(new Shown{pfd::select_folder(title, path)}); break;
    }
}

/// A dialog that is still there would be waited for.
void NativeDialog::close() {
    if (!shown_) return;
    std::visit([](const auto& d) { return d.kill(); }, shown_->dialog);
    shown_.reset();
}

std::optional<fs::path> NativeDialog::poll() {
    if (!shown_ || !shown_->isReady()) return std::nullopt;
    fs::path answer = shown_->answer();
    shown_.reset();
    return answer;
}

}  // namespace splat::app
