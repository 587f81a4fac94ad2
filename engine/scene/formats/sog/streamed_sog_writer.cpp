#include <splatwright/scene/formats/sog/streamed_sog_writer.h>

#include <numeric>
#include <optional>
#include <utility>

#include <fmt/ranges.h>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/scene/formats/sog/sog.h>

namespace splat {
namespace {

constexpr const char* kArchiveExtension = ".ssog";
constexpr size_t kMostEncoding = 8;  // files at a time: half of each encoding runs on one thread

std::string text(const glm::vec3& v) { return fmt::format("[{},{},{}]", v.x, v.y, v.z); }

std::string boxText(const char* name, const glm::vec3& low, const glm::vec3& high) {
    return fmt::format(R"("{}":{{"min":{},"max":{}}})", name, text(low), text(high));
}

std::string leafText(const DetailNode& node) {
    std::vector<std::string> levels;
    for (size_t level = 0; level < node.levels.size(); ++level) {
        const SplatRange& range = node.levels[level];
        if (range.count > 0)
            levels.push_back(fmt::format(R"("{}":{{"file":{},"offset":{},"count":{}}})", level, range.file, range.first, range.count));
    }
    std::string leaf = fmt::format(R"({{{},"lods":{{{}}})", boxText("bound", node.low, node.high), fmt::join(levels, ","));
    leaf += "," + boxText("core", node.coreLow, node.coreHigh);
    if (!node.differences.empty()) leaf += fmt::format(R"(,"errors":[{}])", fmt::join(node.differences, ","));
    if (!node.errors.empty()) leaf += fmt::format(R"(,"pixelSizes":[{}])", fmt::join(node.errors, ","));
    return leaf + "}";
}

struct Tree {
    std::string text;
    glm::vec3 low, high;
};

/// Nodes that follow each other are near each other, so halves of the list are parts of the scene.
Tree treeOf(std::span<const DetailNode> nodes) {
    if (nodes.size() == 1) return {leafText(nodes[0]), nodes[0].low, nodes[0].high};
    const Tree first = treeOf(nodes.first(nodes.size() / 2)), second = treeOf(nodes.subspan(nodes.size() / 2));
    const glm::vec3 low = glm::min(first.low, second.low), high = glm::max(first.high, second.high);
    return {fmt::format(R"({{{},"children":[{},{}]}})", boxText("bound", low, high), first.text, second.text), low, high};
}

}  // namespace

bool namesStreamedSog(const std::filesystem::path& path) {
    return path.filename() == kStreamedSogList || path.extension() == kArchiveExtension;
}

StreamedSogWriter::StreamedSogWriter(std::filesystem::path path, uint32_t levels, ClusterVectors cluster, size_t splatsPerFile)
    : path_(std::move(path)),
      archive_(path_.extension() == kArchiveExtension),
      cluster_(std::move(cluster)),
      splatsPerFile_(splatsPerFile),
      units_(levels),
      counts_(levels) {
    checkWritable(path_);
    if (!archive_) std::filesystem::remove(path_);
}

void StreamedSogWriter::startFile(size_t level) {
    Unit& unit = units_[level];
    unit.file = static_cast<uint32_t>(files_.size());
    files_.push_back(fmt::format("{}_{}/{}", level, unit.number++, kSogMeta));
}

SplatRange StreamedSogWriter::append(size_t level, const Gaussians& splats) {
    Unit& unit = units_.at(level);
    const size_t count = splats.count();
    if (count == 0) return {};
    if (unit.splats.count() + count > splatsPerFile_) end(level);
    if (unit.splats.count() == 0) {
        startFile(level);
        unit.splats = formOf(splats);
    }
    const SplatRange range{unit.file, static_cast<uint32_t>(unit.splats.count()), static_cast<uint32_t>(count)};
    splat::append(unit.splats, splats);
    counts_[level] += count;
    return range;
}

void StreamedSogWriter::add(DetailNode node) {
    SPLAT_CHECK(node.levels.size() == units_.size(), "{} levels, expected {}", node.levels.size(), units_.size());
    nodes_.push_back(std::move(node));
}

void StreamedSogWriter::end(size_t level) {
    Unit& unit = units_.at(level);
    if (unit.splats.count() == 0) return;
    if (encoding_.size() == kMostEncoding) putOldest();
    std::optional<VectorClusters> palette;
    if (cluster_) palette = sogPalette(path_, unit.splats, cluster_);
    encoding_.push_back(
        {std::filesystem::path(files_[unit.file]).parent_path().generic_string(),
         std::async(std::launch::async, [path = path_, splats = std::exchange(unit.splats, {}), palette = std::move(palette)]() mutable {
             return encodeSog(path, splats, SogOrder::asTheyAre, palette ? std::move(*palette) : sogPalette(path, splats));
         })});
}

void StreamedSogWriter::putOldest() {
    Encoding oldest = std::move(encoding_.front());
    encoding_.pop_front();
    for (ZipEntry& entry : oldest.files.get()) put(oldest.folder + "/" + entry.name, std::move(entry.bytes));
}

void StreamedSogWriter::put(const std::string& name, std::vector<std::byte> bytes) {
    bytes_ += bytes.size();
    if (archive_) return entries_.push_back({name, std::move(bytes)});
    const std::filesystem::path file = path_.parent_path() / name;
    std::filesystem::create_directories(file.parent_path());
    writeFileAtomically(file, bytes);
}

std::string StreamedSogWriter::list() const {
    const uint64_t count = std::accumulate(counts_.begin(), counts_.end(), uint64_t{0});
    return fmt::format(
        R"({{"version":1,"asset":{{"generator":"Splatwright"}},"count":{},"counts":[{}],"lodLevels":{},"lodErrors":{},"filenames":["{}"],"tree":{}}})",
        count, fmt::join(counts_, ","), units_.size(), !nodes_.front().differences.empty(), fmt::join(files_, R"(",")"),
        treeOf(nodes_).text);
}

void StreamedSogWriter::finish() {
    if (nodes_.empty()) throw InputError("{}: found no splats to write, expected at least one", path_.string());
    for (size_t level = 0; level < units_.size(); ++level) end(level);
    while (!encoding_.empty()) putOldest();
    const std::string text = list();
    if (!archive_) return writeFileAtomically(path_, text);
    const auto bytes = std::as_bytes(std::span(text));
    entries_.push_back({kStreamedSogList, {bytes.begin(), bytes.end()}});
    writeFileAtomically(path_, packZip(entries_));
}

}  // namespace splat
