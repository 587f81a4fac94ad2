#include <splatwright/prepare/own_files.h>

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/core/names.h>
#include <splatwright/core/parse_json.h>

namespace splat::prepare {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::array<std::string_view, 2> kLinked{"images", "masks"};
constexpr const char* kRecord = "made.json";
constexpr const char* kStaged = "new";

/// Links keep the time of the file that they link to, and a moved file keeps its own.
std::string stampOf(const fs::path& file) {
    std::error_code ignored;
    return fmt::format("{} {}", fs::file_size(file, ignored), fs::last_write_time(file, ignored).time_since_epoch().count());
}

bool isThere(const fs::path& path) {
    std::error_code failed;
    return fs::symlink_status(path, failed).type() != fs::file_type::not_found;
}

bool isFolder(const fs::path& path) {
    std::error_code ignored;
    return fs::symlink_status(path, ignored).type() == fs::file_type::directory;
}

/// Files at or below a path, relative to the folder. Links to folders are not followed.
std::vector<fs::path> filesBelow(const fs::path& folder, const fs::path& top) {
    if (!isFolder(folder / top)) return isThere(folder / top) ? std::vector{top} : std::vector<fs::path>();
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder / top)) {
        if (!isFolder(entry.path())) files.push_back(entry.path().lexically_relative(folder));
    }
    return files;
}

bool isBelow(const std::string& name, std::string_view top) {
    return name.starts_with(top) && (name.size() == top.size() || name[top.size()] == '/');
}

}  // namespace

std::string Origin::text() const {
    return fmt::format("{} {}", kind == "video" ? "the video" : kind == "photographs" ? "the photographs of" : "the dataset", input);
}

Origin originOf(std::string kind, const fs::path& input) {
    std::error_code failed;
    const fs::path whole = fs::canonical(input, failed);
    return {.kind = std::move(kind), .input = escapedName((failed ? fs::absolute(input).lexically_normal() : whole).generic_string())};
}

OwnFiles::OwnFiles(fs::path folder) : folder_(std::move(folder)) {
    const fs::path path = folder_ / kWorkFolder / kRecord;
    if (!mayExist(path)) return;
    const json record = readJson(path);
    const bool good = record.is_object() && record.contains("kind") && record["kind"].is_string() && record.contains("input") &&
                      record["input"].is_string() && record.contains("files") && record["files"].is_object();
    if (!good)
        throw InputError("{}: is no record of a dataset's files, expected kind, input and files; choose another folder", path.string());
    origin_ = {.kind = record["kind"], .input = record["input"]};
    for (const auto& [name, stamps] : record["files"].items()) {
        for (const json& stamp : stamps) {
            if (stamp.is_string()) files_[name].insert(stamp.get<std::string>());
        }
    }
}

void OwnFiles::write() const {
    json record{{"kind", origin_->kind}, {"input", origin_->input}, {"files", json::object()}};
    for (const auto& [name, stamps] : files_) record["files"][name] = stamps;
    const std::string text = record.dump(1) + "\n";
    AtomicFile file(folder_ / kWorkFolder / kRecord);
    file.write(std::as_bytes(std::span(text)));
    file.sync();
    file.commit();
}

/// A changed file with another link is ours as well: it was changed through that link, where it stays.
bool OwnFiles::isOwn(const fs::path& file) const {
    const auto found = files_.find(escapedName(file.generic_string()));
    std::error_code failed;
    const fs::path path = folder_ / file;
    if (found == files_.end() || fs::symlink_status(path, failed).type() != fs::file_type::regular) return false;
    return found->second.contains(stampOf(path)) || fs::hard_link_count(path, failed) > 1;
}

std::vector<fs::path> OwnFiles::ownBelow(std::string_view top) const {
    std::vector<fs::path> files = filesBelow(folder_, top);
    std::erase_if(files, [this](const fs::path& file) { return !isOwn(file); });
    return files;
}

size_t OwnFiles::recorded(std::string_view top) const {
    return static_cast<size_t>(std::ranges::count_if(files_, [&](const auto& file) { return isBelow(file.first, top); }));
}

void OwnFiles::refresh() {
    bool changed = false;
    for (const std::string_view top : kLinked) {
        for (const fs::path& file : ownBelow(top))
            changed |= files_[escapedName(file.generic_string())].insert(stampOf(folder_ / file)).second;
    }
    if (changed) write();
}

fs::path OwnFiles::stage() const {
    const fs::path folder = folder_ / kWorkFolder / kStaged;
    std::error_code failed;
    fs::remove_all(folder, failed);
    if (!failed) fs::create_directories(folder, failed);
    if (failed) throw Error("{}: cannot be emptied: {}", folder.string(), failed.message());
    return folder;
}

/// Throws InputError if something at the path is not ours, or a folder above it is a link to one elsewhere.
void OwnFiles::checkFree(const fs::path& file) const {
    for (fs::path above = file.parent_path(); !above.empty(); above = above.parent_path()) {
        if (isThere(folder_ / above) && !isFolder(folder_ / above) && !isOwn(above))
            throw InputError("{}: is no folder of the dataset's own, expected a folder or nothing; move it away, or choose another folder",
                             (folder_ / above).string());
    }
    if (!isThere(folder_ / file) || isOwn(file)) return;
    throw InputError("{}: was not made here, or changed since, and is not replaced; move it away, or choose another folder",
                     (folder_ / file).string());
}

/// A model of the user's, such as an edited one, would stay beside other images.
void OwnFiles::checkReplaceable(std::span<const std::string_view> tops) const {
    for (const std::string_view top : tops) {
        if (std::ranges::find(kLinked, top) != kLinked.end()) continue;
        for (const fs::path& file : filesBelow(folder_, top)) checkFree(file);
    }
}

/// A dataset of something else is not mixed with the user's files.
void OwnFiles::checkUnmixed(const fs::path& staged, std::span<const std::string_view> tops) const {
    for (const std::string_view top : tops) {
        if (!isFolder(staged / top)) continue;
        for (const fs::path& file : filesBelow(folder_, top)) {
            if (!isOwn(file))
                throw InputError("{}: was not made here, or changed since, and would be mixed with other files; choose another folder",
                                 (folder_ / file).string());
        }
    }
}

/// With the folders that it leaves empty.
void OwnFiles::remove(const fs::path& file) const {
    std::error_code failed;
    fs::remove(folder_ / file, failed);
    if (failed) throw Error("{}: cannot be removed: {}", (folder_ / file).string(), failed.message());
    for (fs::path above = file.parent_path(); !above.empty() && fs::remove(folder_ / above, failed); above = above.parent_path()) {
    }
}

void OwnFiles::release(std::string_view top) {
    std::erase_if(files_, [&](const auto& file) { return isBelow(file.first, top); });
}

void OwnFiles::place(const Origin& origin, std::span<const std::string_view> tops) {
    const fs::path staged = folder_ / kWorkFolder / kStaged;
    std::vector<fs::path> files = filesBelow(staged, "");
    for (const fs::path& file : files) checkFree(file);
    checkReplaceable(tops);
    if (origin_ && *origin_ != origin) checkUnmixed(staged, tops);
    std::map<std::string, Stamps> after;
    for (const fs::path& file : files) after[escapedName(file.generic_string())] = {stampOf(staged / file)};
    for (const auto& [name, stamps] : files_) {
        if (std::ranges::none_of(tops, [&](std::string_view top) { return isBelow(name, top); })) after.try_emplace(name, stamps);
    }
    origin_ = origin;
    for (const auto& [name, stamps] : after) files_[name].insert(stamps.begin(), stamps.end());
    write();
    // From here on both the old and the new files are on record: a call that ends in between leaves none that the next one takes for the user's.
    for (const std::string_view top : tops) {
        for (const fs::path& file : ownBelow(top)) remove(file);
    }
    for (const fs::path& file : files) {
        std::error_code failed;
        fs::create_directories((folder_ / file).parent_path(), failed);
        fs::remove(folder_ / file, failed);  // a rename between two links of one file does nothing
        fs::rename(staged / file, folder_ / file, failed);
        if (failed) throw Error("{}: cannot be written: {}", (folder_ / file).string(), failed.message());
    }
    files_ = std::move(after);
    write();
}

void checkFolder(const fs::path& folder, const Origin& origin, bool force, bool inPlace) {
    std::error_code ignored;
    if (folder.empty()) throw InputError("the path of the dataset is empty, expected a folder");
    if (!fs::exists(folder, ignored)) return;
    if (!fs::is_directory(folder, ignored)) throw InputError("{}: is a file, expected a folder or a new path", folder.string());
    const OwnFiles own(folder);
    if (own.origin() == origin || (own.hasRecord() && force)) return;
    if (own.hasRecord())
        throw InputError("{}: was made of {}, found {}; choose another folder, or replace what was made there with `force`",
                         folder.string(), own.origin()->text(), origin.text());
    const auto remainsOfStart = [](const fs::directory_entry& entry) {
        return entry.path().filename() == kWorkFolder || entry.path().filename() == kLogFile;
    };
    if (std::ranges::all_of(fs::directory_iterator(folder), remainsOfStart)) return;
    if (mayExist(folder / "sparse") || mayExist(folder / "transforms.json"))
        throw InputError("{}: holds a dataset already, without a record that this command made it; expected a new folder", folder.string());
    if (!inPlace) throw InputError("{}: is not empty, expected a new folder or one that this command made", folder.string());
}

}  // namespace splat::prepare
