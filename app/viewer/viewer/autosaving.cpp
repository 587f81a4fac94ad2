#include "viewer/viewer/autosaving.h"

#include <utility>

#include <fmt/format.h>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/log.h>
#include <splatwright/core/platform/program.h>
#include "viewer/scene/workspace.h"
#include "viewer/window/clock.h"

namespace splat::app {

namespace fs = std::filesystem;

namespace {

constexpr int kMostViewers = 64;  // that run, or have ended without leaving

fs::path lockOf(const fs::path& file) {
    fs::path lock = file;
    return lock.replace_extension(".lock");
}

}  // namespace

fs::path Autosaving::defaultFolder() {
    const fs::path folder = platform::userConfigFolder();
    return folder.empty() ? folder : folder / "autosave";
}

Autosaving::Autosaving(const fs::path& folder, double seconds) : seconds_(seconds), last_(now()) {
    std::error_code failed;
    if (folder.empty()) return;
    fs::create_directories(folder, failed);
    for (int number = 1; number <= kMostViewers && !own_; ++number) {
        const fs::path file = folder / fmt::format("{}{}", number, kProjectEnding);
        Slot slot{file, platform::File(lockOf(file), platform::OpenFor::locking, failed)};
        if (!slot.lock.isOpen() || slot.lock.tryLock() != platform::File::Lock::taken) continue;
        if (!mayExist(file)) {
            own_ = std::move(slot);
        } else if (!left_) {
            left_ = std::move(slot);
        }
    }
}

Autosaving::~Autosaving() {
    for (std::optional<Slot>* slot : {&own_, &left_})
        if (*slot) (*slot)->lock.removeAndClose(lockOf((*slot)->file));
}

void Autosaving::update(Workspace& work) {
    if (!own_ || now() - last_ < seconds_ || work.busy()) return;
    try {
        work.autosave(own_->file);
    } catch (const std::exception& problem) {
        spdlog::warn("autosave: {}", problem.what());
    }
    last_ = now();
}

void Autosaving::recover(Workspace& work) {
    if (!left_) throw InputError("there is nothing to recover");
    work.recover(left_->file);
    end();
    own_ = std::exchange(left_, {});
}

void Autosaving::discard() {
    if (left_) remove(*left_);
    left_.reset();
}

void Autosaving::end() {
    if (own_) remove(*own_);
    own_.reset();
}

void Autosaving::remove(Slot& slot) {
    std::error_code ignored;
    fs::remove(slot.file, ignored);
    fs::remove_all(projectFolder(slot.file), ignored);
    slot.lock.removeAndClose(lockOf(slot.file));
}

}  // namespace splat::app
