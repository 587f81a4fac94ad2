#include <splatwright/core/folder_lock.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <optional>
#include <sstream>
#include <utility>

#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/log.h>
#include <splatwright/core/names.h>
#include <splatwright/core/parse_json.h>

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
    uint64_t started = 0;  ///< clock ticks after boot; distinguishes it from a later process with the same id
    std::string host, boot;
};

/// The file's content without trailing white space; empty if it cannot be read, for example because the process has ended.
std::string textOf(const fs::path& path) {
    try {
        std::string text = readTextFile(path);
        while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.pop_back();
        return text;
    } catch (const InputError&) {
        return {};
    }
}

/// Start time of a running process; none if no process with this id is running.
std::optional<uint64_t> startOf(int64_t id) {
    const std::string text = textOf(fmt::format("/proc/{}/stat", id));
    const size_t name = text.rfind(')');  // end of the name, which may contain any character
    if (name == std::string::npos) return std::nullopt;
    std::istringstream fields(text.substr(name + 1));
    std::string state, field;
    fields >> state;
    if (state == "Z" || state == "X") return std::nullopt;  // ended, but not yet reaped by its parent
    constexpr int kFromStateToStart = 18;                   // fields between them, proc(5)
    for (int i = 0; i < kFromStateToStart; ++i) fields >> field;
    uint64_t started = 0;
    return fields >> started ? std::optional(started) : std::nullopt;
}

Process thisProcess() {
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    return {getpid(), startOf(getpid()).value_or(0), host.data(), textOf("/proc/sys/kernel/random/boot_id")};
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

std::optional<Process> holderIn(int descriptor) {
    std::string text(kMostBytes, '\0');
    const ssize_t bytes = pread(descriptor, text.data(), text.size(), 0);
    return parsed(text.substr(0, static_cast<size_t>(std::max<ssize_t>(bytes, 0))));
}

std::string describe(const std::optional<Process>& holder) {
    return holder ? fmt::format("process {} on {}", holder->id, shortened(escapedName(holder->host), 80)) : "another process";
}

bool isAlive(const Process& holder, const Process& self) { return holder.boot == self.boot && startOf(holder.id) == holder.started; }

[[noreturn]] void refuse(const fs::path& folder, const std::optional<Process>& holder) {
    throw InputError("{}: {} is training into this folder; wait for it to end, or choose another folder", folder.string(),
                     describe(holder));
}

/// Opens the file without following a link and without blocking on a FIFO. Returns -1 if there is nothing to read, for any reason.
int openLock(const fs::path& path, int flags) {
    const int descriptor = open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644);
    struct stat status {};
    const bool refused = descriptor < 0 && errno != ELOOP;
    if (refused && (flags & O_CREAT) == 0) return descriptor;
    if (refused) throw Error("{}: cannot be written: {}", path.string(), std::strerror(errno));
    if (descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) return descriptor;
    if (descriptor >= 0) close(descriptor);
    throw InputError("{}: not a regular file, expected the lock file of a run, or none", path.string());
}

}  // namespace

FolderLock::FolderLock(const fs::path& folder) : folder_(folder), path_(folder / kLockFile) {
    try {
        for (int tries = 1; !tryToTake(); ++tries) {
            if (tries == kTries) refuse(folder_, std::nullopt);
        }
        takeOver();
        sign();
    } catch (...) {
        if (descriptor_ >= 0) close(descriptor_);
        throw;
    }
}

FolderLock::~FolderLock() {
    if (descriptor_ < 0) return;
    unlink(path_.c_str());  // while the lock is still held
    close(descriptor_);
}

/// Returns false if the previous holder has removed the file in between.
bool FolderLock::tryToTake() {
    descriptor_ = openLock(path_, O_RDWR | O_CREAT);
    // A file system without locks reports another error; then the file's content decides.
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) refuse(folder_, holderIn(descriptor_));
    struct stat open {
    }, there{};
    const bool isThere = fstat(descriptor_, &open) == 0 && lstat(path_.c_str(), &there) == 0;
    if (isThere && open.st_ino == there.st_ino && open.st_dev == there.st_dev) return true;
    close(std::exchange(descriptor_, -1));
    return false;
}

/// Throws InputError unless the process named in the file has ended.
void FolderLock::takeOver() const {
    const auto holder = holderIn(descriptor_);
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
    const bool written =
        ftruncate(descriptor_, 0) == 0 && pwrite(descriptor_, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
    if (!written) throw Error("{}: cannot be written: {}", path_.string(), std::strerror(errno));
}

void FolderLock::refuseIfHeld(const fs::path& folder) {
    const int descriptor = openLock(folder / kLockFile, O_RDONLY);
    if (descriptor < 0) return;
    const auto holder = holderIn(descriptor);
    close(descriptor);
    if (holder && isAlive(*holder, thisProcess())) refuse(folder, holder);
}

}  // namespace splat
