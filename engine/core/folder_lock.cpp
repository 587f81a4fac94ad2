#include <splatwright/core/folder_lock.h>

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/log.h>
#include <splatwright/core/names.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/core/platform/machine.h>

namespace splat {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kLockFile = "run.lock";
constexpr size_t kMostBytes = 4096;  // of a lock file; normally about 150
constexpr int kTries = 100;          // attempts to take a lock that others release in between

/// A process on a machine; `boot` identifies the machine's current uptime.
struct Process {
    int64_t id = 0;
    uint64_t started = 0;  ///< distinguishes it from a later process with the same id
    std::string host, boot;
};

Process thisProcess() {
    const int64_t id = platform::thisProcess();
    return {id, platform::startOfProcess(id).value_or(0), platform::hostName(), platform::bootId()};
}

/// None for a file that no run has written completely; it is empty if the process was killed too early.
std::optional<Process> parsed(const std::string& text) {
    try {
        const json object = parseJson(text, kLockFile);
        return Process{object.at("pid").get<int64_t>(), object.at("started").get<uint64_t>(), object.at("host").get<std::string>(),
                       object.at("boot").get<std::string>()};
    } catch (const InputError&) {
        return std::nullopt;
    } catch (const json::exception&) {
        return std::nullopt;
    }
}

std::optional<Process> holderIn(const platform::File& file) {
    std::string text(kMostBytes, '\0');
    size_t bytes = 0;
    file.readAt(0, std::as_writable_bytes(std::span(text)), bytes);
    return parsed(text.substr(0, bytes));
}

std::string describe(const std::optional<Process>& holder) {
    return holder ? fmt::format("process {} on {}", holder->id, shortened(escapedName(holder->host), 80)) : "another process";
}

bool isAlive(const Process& holder, const Process& self) {
    return holder.boot == self.boot && platform::startOfProcess(holder.id) == holder.started;
}

[[noreturn]] void refuse(const fs::path& folder, const std::optional<Process>& holder) {
    throw InputError("{}: {} is training into this folder; wait for it to end, or choose another folder", folder.string(),
                     describe(holder));
}

/// Opens the file without following a link and without blocking on a FIFO. Not open if there is nothing to read, for any reason.
platform::File openLock(const fs::path& path, platform::OpenFor purpose) {
    std::error_code failed;
    platform::File file(path, purpose, failed);
    if (file.isOpen() ? !file.isRegular() : failed == std::errc::too_many_symbolic_link_levels)
        throw InputError("{}: not a regular file, expected the lock file of a run, or none", path.string());
    if (failed && purpose == platform::OpenFor::locking) throw Error("{}: cannot be written: {}", path.string(), failed.message());
    return file;
}

}  // namespace

FolderLock::FolderLock(const fs::path& folder) : folder_(folder), path_(folder / kLockFile) {
    for (int tries = 1; !tryToTake(); ++tries) {
        if (tries == kTries) refuse(folder_, std::nullopt);
    }
    takeOver();
    sign();
}

FolderLock::~FolderLock() { file_.removeAndClose(path_); }

/// Returns false if the previous holder has removed the file in between.
bool FolderLock::tryToTake() {
    file_ = openLock(path_, platform::OpenFor::locking);
    // A file system without locks reports that; then the file's content decides.
    if (file_.tryLock() == platform::File::Lock::held) refuse(folder_, holderIn(file_));
    return file_.isAt(path_);
}

/// Throws InputError unless the process named in the file has ended.
void FolderLock::takeOver() const {
    const auto holder = holderIn(file_);
    if (!holder) return;
    const Process self = thisProcess();
    if (isAlive(*holder, self)) refuse(folder_, holder);
    // On another machine its state is unknown; this machine before a reboot does not count.
    if (holder->boot != self.boot && holder->host != self.host) {
        throw InputError("{}: {} is training into this folder or has left its lock; choose another folder or, if it has ended, remove {}",
                         folder_.string(), describe(holder), path_.string());
    }
    spdlog::warn("{}: taking over the lock of {}, which has ended", folder_.string(), describe(holder));
}

void FolderLock::sign() const {
    const Process self = thisProcess();
    const json object{{"pid", self.id}, {"started", self.started}, {"host", escapedName(self.host)}, {"boot", escapedName(self.boot)}};
    const std::string text = jsonText(object) + "\n";
    std::error_code failed = file_.resize(0);
    if (!failed) failed = file_.writeAt(0, std::as_bytes(std::span(text)));
    if (failed) throw Error("{}: cannot be written: {}", path_.string(), failed.message());
}

void FolderLock::refuseIfHeld(const fs::path& folder) {
    const platform::File file = openLock(folder / kLockFile, platform::OpenFor::readingUnfollowed);
    if (!file.isOpen()) return;
    const auto holder = holderIn(file);
    if (holder && isAlive(*holder, thisProcess())) refuse(folder, holder);
}

}  // namespace splat
