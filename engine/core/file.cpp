#include <splatwright/core/file.h>

#include <cstdio>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include <splatwright/core/error.h>
#include <splatwright/core/threads.h>

namespace splat {

namespace fs = std::filesystem;

namespace {

// Parts of a temporary's name.
constexpr std::string_view kTemporary = ".tmp";
constexpr size_t kTemporaryDigits = 16, kLongestName = 255;

/// What cannot be written as a file, in words; nothing for what can.
const char* refusedKind(fs::file_type type) {
    switch (type) {
        case fs::file_type::directory: return "a folder";
        case fs::file_type::block: return "a disk";
        case fs::file_type::socket: return "a socket";
        default: return nullptr;
    }
}

/// The first bytes of a name, without a part of a UTF-8 character at their end.
std::string_view startOf(std::string_view name, size_t most) {
    const auto continues = [&](size_t at) { return at > 0 && at < name.size() && (static_cast<unsigned char>(name[at]) & 0xc0u) == 0x80; };
    size_t end = most;
    while (continues(end) && end + 3 > most) --end;  // not further: other bytes are no characters at all
    return name.substr(0, end);
}

}  // namespace

void requireUsableName(const fs::path& path) {
    if (const std::string why = whyReserved(path); !why.empty()) throw InputError("{}: cannot be written: {}", path.string(), why);
}

fs::path temporaryBeside(const fs::path& path) {
    std::random_device source;
    const uint64_t bits = uint64_t{source()} << 32u | source();
    const std::string end = fmt::format("{}{:0{}x}", kTemporary, bits, kTemporaryDigits);
    return path.parent_path() / (std::string(startOf(path.filename().string(), kLongestName - end.size())) + end);
}

bool isTemporaryOf(std::string_view name, std::string_view of) {
    const std::string start = std::string(startOf(of, kLongestName - kTemporary.size() - kTemporaryDigits)) + std::string(kTemporary);
    return name.size() == start.size() + kTemporaryDigits && name.starts_with(start) &&
           name.find_first_not_of("0123456789abcdef", start.size()) == std::string_view::npos;
}

AtomicFile::AtomicFile(fs::path path) : path_(std::move(path)) {
    requireUsableName(path_);
    std::error_code failed;
    const fs::file_status there = fs::status(path_, failed);
    if (failed != std::errc::no_such_file_or_directory) require(failed);
    if (const char* found = refusedKind(there.type())) throw InputError("{}: is {}, expected a file or a new path", path_.string(), found);
    // The file that standard output goes to is written through that stream, because a replacement would miss the rest.
    const bool isOutput = fs::is_regular_file(there) && platform::isStandardOutput(path_);
    if (isOutput || fs::is_other(there))
        openDirectly(isOutput);
    else
        openBeside(there);
}

void AtomicFile::openBeside(const fs::file_status& there) {
    if (fs::exists(there)) require(platform::whyNotWritable(path_));  // a rename would not check
    target_ = path_;  // or the target of its symbolic links, which may not exist yet; status() has refused loops
    std::error_code failed;
    while (fs::is_symlink(target_, failed)) target_ = target_.parent_path() / fs::read_symlink(target_, failed);
    const fs::path temporary = temporaryBeside(target_);
    file_ = platform::File(temporary, platform::OpenFor::creating, failed);
    require(failed);
    temporary_ = temporary;  // from here on the destructor removes it
    if (fs::exists(there)) file_.setPermissions(there.permissions());
}

void AtomicFile::openDirectly(bool isOutput) {
    std::fflush(stdout);
    std::error_code failed;
    file_ = isOutput ? platform::File::ofStandardOutput(failed)  // a new descriptor would start at the beginning
                     : platform::File(path_, platform::OpenFor::writing, failed);
    require(failed);
}

AtomicFile::~AtomicFile() {
    file_.close();
    std::error_code ignored;
    if (!temporary_.empty()) fs::remove(temporary_, ignored);
}

void AtomicFile::require(std::error_code failed) const {
    if (failed) throw Error("{}: cannot be written: {}", path_.string(), failed.message());
}

void AtomicFile::write(std::span<const std::byte> bytes) { require(file_.write(bytes)); }

void AtomicFile::writeParts(size_t bytes, size_t parts, const std::function<void(size_t, const Put&)>& make) {
    if (temporary_.empty()) return writeInOrder(parts, make);
    uint64_t start = 0;
    require(file_.position(start));
    const Put put = [&](size_t offset, std::span<const std::byte> part) { require(file_.writeAt(start + offset, part)); };
    parallelFor(parts, [&](size_t part) { make(part, put); });
    require(file_.setPosition(start + bytes));
}

void AtomicFile::writeInOrder(size_t parts, const std::function<void(size_t, const Put&)>& make) {
    std::map<size_t, std::vector<std::byte>> early;
    size_t next = 0;
    const Put put = [&](size_t offset, std::span<const std::byte> bytes) {
        if (offset != next) return static_cast<void>(early.emplace(offset, std::vector(bytes.begin(), bytes.end())));
        write(bytes);
        next += bytes.size();
        for (auto first = early.begin(); first != early.end() && first->first == next; first = early.erase(first)) {
            write(first->second);
            next += first->second.size();
        }
    };
    for (size_t part = 0; part < parts; ++part) make(part, put);
}

void AtomicFile::sync() {
    if (!temporary_.empty()) require(file_.sync());
}

void AtomicFile::commit() {
    require(file_.close());
    if (temporary_.empty()) return;
    require(platform::replace(temporary_, target_));
    temporary_.clear();
}

void writeFileAtomically(const fs::path& path, std::span<const std::byte> bytes) {
    AtomicFile file(path);
    file.write(bytes);
    file.commit();
}

void writeFileAtomically(const fs::path& path, const std::string& text) { writeFileAtomically(path, std::as_bytes(std::span(text))); }

void checkWritable(const fs::path& path) {
    std::error_code failed;
    const fs::file_type type = fs::status(path, failed).type();
    if (type == fs::file_type::fifo || type == fs::file_type::character) return;  // opening would wait for a reader or affect the device
    const AtomicFile unwritten(path);
}

}  // namespace splat
