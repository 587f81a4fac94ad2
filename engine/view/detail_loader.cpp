#include <splatwright/view/detail_loader.h>

#include <algorithm>

#include <splatwright/scene/gaussians/selected.h>

namespace splat {

std::vector<LoadedLevel> levelsIn(const Gaussians& file, const StreamedSog& scene, std::span<const DetailLevel> levels) {
    std::vector<LoadedLevel> found;
    for (const DetailLevel& level : levels) {
        const SplatRange& range = scene.nodes()[level.node].levels[level.level];
        found.push_back({level, slice(file, range.first, range.count)});
    }
    return found;
}

DetailLoader::DetailLoader(const StreamedSog& scene) : scene_(scene), broken_(scene.files()), thread_([this] { run(); }) {}

DetailLoader::~DetailLoader() {
    {
        const std::lock_guard lock(lock_);
        stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void DetailLoader::ask(std::vector<DetailLevel> levels) {
    {
        const std::lock_guard lock(lock_);
        std::erase_if(levels, [&](const DetailLevel& level) {
            const auto is = [&](const LoadedLevel& loaded) { return loaded.of == level; };
            return std::ranges::find(reading_, level) != reading_.end() || std::ranges::any_of(loaded_, is);
        });
        asked_ = std::move(levels);
    }
    changed_.notify_all();
}

std::vector<LoadedLevel> DetailLoader::take(size_t splats) {
    std::vector<LoadedLevel> taken;
    {
        const std::lock_guard lock(lock_);
        size_t count = 0;
        auto end = loaded_.begin();
        while (end != loaded_.end() && (count == 0 || count + end->splats.count() <= splats)) count += (end++)->splats.count();
        std::move(loaded_.begin(), end, std::back_inserter(taken));
        loaded_.erase(loaded_.begin(), end);
        waiting_ -= count;
    }
    changed_.notify_all();
    return taken;
}

bool DetailLoader::idle() const {
    const std::lock_guard lock(lock_);
    return asked_.empty() && reading_.empty() && loaded_.empty();
}

std::string DetailLoader::takeProblem() {
    const std::lock_guard lock(lock_);
    return std::exchange(problem_, "");
}

/// Waits for something to read: all that is asked for of the first one's file.
std::vector<DetailLevel> DetailLoader::next(std::unique_lock<std::mutex>& lock) {
    const auto fileOf = [&](const DetailLevel& level) { return scene_.nodes()[level.node].levels[level.level].file; };
    changed_.wait(lock, [&] {
        std::erase_if(asked_, [&](const DetailLevel& level) { return broken_[fileOf(level)]; });
        return stop_ || (!asked_.empty() && waiting_ < kMostWaiting);
    });
    std::vector<DetailLevel> levels;
    if (stop_) return levels;
    const uint32_t file = fileOf(asked_.front());
    std::ranges::copy_if(asked_, std::back_inserter(levels), [&](const DetailLevel& level) { return fileOf(level) == file; });
    std::erase_if(asked_, [&](const DetailLevel& level) { return fileOf(level) == file; });
    return levels;
}

void DetailLoader::run() {
    std::unique_lock lock(lock_);
    for (;;) {
        reading_ = next(lock);
        if (reading_.empty()) return;
        const uint32_t file = scene_.nodes()[reading_.front().node].levels[reading_.front().level].file;
        const std::vector<DetailLevel> levels = reading_;
        lock.unlock();
        std::vector<LoadedLevel> loaded;
        std::string problem;
        try {
            loaded = levelsIn(scene_.readFile(file), scene_, levels);
        } catch (const std::exception& error) {  // bad_alloc as well: the file may ask for anything
            problem = error.what();
        }
        lock.lock();
        reading_.clear();
        if (!problem.empty()) {
            broken_[file] = true;
            problem_ = problem;
        }
        for (LoadedLevel& level : loaded) {
            waiting_ += level.splats.count();
            loaded_.push_back(std::move(level));
        }
    }
}

}  // namespace splat
