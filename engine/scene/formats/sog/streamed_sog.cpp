#include <splatwright/scene/formats/sog/streamed_sog.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/scene/formats/sog/sog.h>
#include <splatwright/scene/formats/sog/sog_section.h>
#include <splatwright/scene/gaussians/selected.h>

namespace splat {
namespace {

using nlohmann::json;

constexpr int64_t kMostSplats = int64_t{1} << 31U;
// Of ours; `bound` and `errors` are splat-transform's.
constexpr const char *kErrors = "pixelSizes", *kCore = "core";

/// Numbers of a node, one per level, none of them negative; empty if it has none.
std::vector<float> numbersOf(const SogSection& node, const char* key, uint32_t levels) {
    if (!node.has(key)) return {};
    std::vector<float> numbers = node.numbers(key, levels);
    for (const float number : numbers)
        if (number < 0) node.refuse(key, number, "0 and more");
    return numbers;
}

/// Distance of splats that cover a surface of the node's size: where no errors were measured.
float spacing(const DetailNode& node, uint32_t count) {
    return count == 0 ? 0 : glm::distance(node.low, node.high) / std::sqrt(static_cast<float>(count));
}

SplatRange rangeOf(const SogSection& level, size_t files) {
    return {.file = static_cast<uint32_t>(level.whole("file", 0, static_cast<int64_t>(files) - 1)),
            .first = static_cast<uint32_t>(level.whole("offset", 0, kMostSplats)),
            .count = static_cast<uint32_t>(level.whole("count", 0, kMostSplats))};
}

DetailNode leafOf(const SogSection& node, uint32_t levels, size_t files) {
    const SogSection bound = node.section("bound"), ranges = node.section("lods");
    DetailNode leaf;
    leaf.low = leaf.coreLow = bound.vec3("min");
    leaf.high = leaf.coreHigh = bound.vec3("max");
    if (node.has(kCore)) {
        const SogSection core = node.section(kCore);
        leaf.coreLow = core.vec3("min");
        leaf.coreHigh = core.vec3("max");
    }
    leaf.levels.resize(levels);
    for (uint32_t level = 0; level < levels; ++level) {
        const std::string key = std::to_string(level);
        if (ranges.has(key.c_str())) leaf.levels[level] = rangeOf(ranges.section(key.c_str()), files);
    }
    leaf.errors = numbersOf(node, kErrors, levels);
    leaf.differences = numbersOf(node, "errors", levels);
    if (leaf.errors.empty())
        for (uint32_t level = 0; level < levels; ++level) leaf.errors.push_back(level == 0 ? 0 : spacing(leaf, leaf.levels[level].count));
    for (uint32_t level = 1; level < levels; ++level) leaf.errors[level] = std::max(leaf.errors[level], leaf.errors[level - 1]);
    return leaf;
}

void collectLeaves(const SogSection& node, uint32_t levels, size_t files, std::vector<DetailNode>& leaves) {
    if (!node.has("children")) return leaves.push_back(leafOf(node, levels, files));
    for (const json& child : node.list("children", 1, SIZE_MAX)) collectLeaves({node.where() + ": children", child}, levels, files, leaves);
}

/// A file that two names stood for could be counted, and read, any number of times.
void requireEachOnce(const SogSection& top, std::span<const std::string> files) {
    std::set<std::filesystem::path> names;
    for (const std::string& file : files)
        if (!names.insert(std::filesystem::path(file).lexically_normal()).second) top.refuse("filenames", file, "each file once");
}

}  // namespace

StreamedSog::StreamedSog(const std::filesystem::path& path) : path_(path) {
    if (std::filesystem::is_directory(path_)) path_ /= kStreamedSogList;
    if (isStreamedArchive(path_)) archive_ = std::make_unique<ZipReader>(path_);
    const std::vector<std::byte> list = archive_ ? archive_->read(kStreamedSogList) : splat::readFile(path_);
    readList({reinterpret_cast<const char*>(list.data()), list.size()});
}

void StreamedSog::readList(std::string_view text) {
    const std::string where = archive_ ? fmt::format("{}: {}", path_.string(), kStreamedSogList) : path_.string();
    const json document = parseJson(text, where);
    const SogSection top(where, document);
    if (top.has("version") && document["version"] != 1) top.refuse("version", document["version"], "1 or none");
    levels_ = static_cast<uint32_t>(top.whole("lodLevels", 1, kMostDetailLevels));
    files_ = top.files("filenames", 1);
    requireEachOnce(top, files_);
    if (top.has("environment") && !document["environment"].is_null()) surroundings_ = top.file("environment");
    collectLeaves(top.section("tree"), levels_, files_.size(), nodes_);
    std::vector<uint64_t> named(files_.size());
    counts_.resize(files_.size());
    for (const DetailNode& node : nodes_)
        for (const SplatRange& range : node.levels) {
            named[range.file] += range.count;  // ranges of a file do not overlap
            counts_[range.file] = std::max({counts_[range.file], uint64_t{range.first} + range.count, named[range.file]});
        }
}

uint64_t StreamedSog::count(uint32_t level) const {
    uint64_t count = 0;
    for (const DetailNode& node : nodes_) count += node.levels.at(level).count;
    return count;
}

Extent StreamedSog::extent() const {
    glm::vec3 low(std::numeric_limits<float>::max()), high(-low);
    for (const DetailNode& node : nodes_) {
        low = glm::min(low, node.coreLow);
        high = glm::max(high, node.coreHigh);
    }
    return {.centre = glm::dvec3(low + high) * 0.5, .radius = std::max(0.25 * static_cast<double>(glm::distance(low, high)), 1e-6)};
}

std::vector<std::byte> StreamedSog::bytesOf(const std::string& name) const {
    if (!archive_) return splat::readFile(path_.parent_path() / name);
    const std::lock_guard lock(archiveLock_);
    return archive_->read(name);
}

Gaussians StreamedSog::read(const std::string& meta) const {
    const std::filesystem::path folder = std::filesystem::path(meta).parent_path();
    const SogSource source{.path = archive_ ? path_ : path_.parent_path() / meta,
                           .read = [&](const std::string& name) { return bytesOf((folder / name).generic_string()); }};
    return readSog(source, bytesOf(meta));
}

Gaussians StreamedSog::readFile(size_t file) const {
    Gaussians splats = read(files_.at(file));
    if (splats.count() < counts_[file])
        throw InputError("{}: {} has {} splats, expected at least {}", path_.string(), files_[file], splats.count(), counts_[file]);
    return splats;
}

Gaussians StreamedSog::surroundings() const { return surroundings_.empty() ? Gaussians{} : read(surroundings_); }

Gaussians StreamedSog::readLevel(uint32_t level) const {
    Gaussians all = surroundings();
    const auto add = [&](const Gaussians& splats) {
        if (splats.shDegree > all.shDegree) setShDegree(all, splats.shDegree);
        all.antialiased = splats.antialiased;
        append(all, splats);
    };
    std::vector<std::vector<SplatRange>> ranges(files_.size());
    for (const DetailNode& node : nodes_)
        if (const SplatRange& range = node.levels.at(level); range.count > 0) ranges[range.file].push_back(range);
    for (size_t file = 0; file < files_.size(); ++file) {
        if (ranges[file].empty()) continue;
        const Gaussians splats = readFile(file);  // first, because it checks the list's numbers
        std::vector<uint32_t> indices;
        for (const SplatRange& range : ranges[file])
            for (uint32_t i = 0; i < range.count; ++i) indices.push_back(range.first + i);
        add(selected(splats, indices));
    }
    return all;
}

bool isStreamedArchive(const std::filesystem::path& path) {
    char head[kZipSignature.size()] = {};
    openInput(path).read(head, sizeof head);
    return std::string_view(head, sizeof head) == kZipSignature && ZipReader(path).has(kStreamedSogList);
}

bool isStreamedSog(const std::filesystem::path& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) return std::filesystem::is_regular_file(path / kStreamedSogList, ignored);
    if (!std::filesystem::is_regular_file(path, ignored)) return false;
    return path.filename() == kStreamedSogList || (path.extension() == ".ssog" && isStreamedArchive(path));
}

}  // namespace splat
