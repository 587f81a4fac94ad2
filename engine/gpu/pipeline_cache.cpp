#include <splatwright/gpu/pipeline_cache.h>

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include <fmt/format.h>

#include <splatwright/core/file.h>
#include <splatwright/core/log.h>
#include <splatwright/core/platform/file.h>
#include <splatwright/core/platform/program.h>
#include <splatwright/gpu/check.h>

namespace splat::gpu {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kPrefix = "pipelines-";
constexpr std::array<char, 8> kMagic{'S', 'P', 'L', 'A', 'T', 'P', 'I', 'P'};

struct Header {
    std::array<char, 8> magic = kMagic;
    uint64_t bytes = 0;     ///< that follow
    uint32_t checksum = 0;  ///< of them
    uint32_t key = 0;       ///< checksum of device and driver
};

uint32_t checksumOf(std::span<const std::byte> bytes) {
    return static_cast<uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

/// What a driver's data depends on.
std::vector<std::byte> keyOf(const VkPhysicalDeviceProperties& properties) {
    std::vector<std::byte> key(sizeof(properties.pipelineCacheUUID));
    std::memcpy(key.data(), properties.pipelineCacheUUID, key.size());
    for (const uint32_t number : {properties.vendorID, properties.deviceID, properties.driverVersion, properties.apiVersion}) {
        const auto bytes = std::as_bytes(std::span(&number, 1));
        key.insert(key.end(), bytes.begin(), bytes.end());
    }
    return key;
}

/// A regular file of this user that no other may write; else nothing.
std::vector<std::byte> readOwnFile(const fs::path& path, size_t most) {
    std::error_code failed;
    const platform::File file(path, platform::OpenFor::readingUnfollowed, failed);
    uint64_t size = 0;
    if (failed || !file.isPrivate() || file.size(size) || size > most) return {};
    std::vector<std::byte> bytes(static_cast<size_t>(size));
    size_t found = 0;
    file.readAt(0, bytes, found);
    bytes.resize(found);
    return bytes;
}

/// Removes the oldest of our files in the folder, and of what killed processes left of them, beyond the number that may stay.
void removeOldest(const fs::path& folder, size_t most) {
    std::vector<std::pair<fs::file_time_type, fs::path>> files;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(kPrefix)) files.emplace_back(entry.last_write_time(ignored), entry.path());
    }
    if (files.size() <= most) return;
    std::ranges::sort(files);
    for (size_t i = 0; i < files.size() - most; ++i) fs::remove(files[i].second, ignored);
}

}  // namespace

PipelineCache::PipelineCache(VkDevice device, VkPhysicalDevice physical, const fs::path& folder) : device_(device) {
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(physical, &properties);
    key_ = keyOf(properties);
    if (!folder.empty()) file_ = folder / fmt::format("{}{:08x}-{}", kPrefix, checksumOf(key_), platform::buildOfProgram());
    const std::vector<std::byte> data = read();
    loadedBytes_ = data.size();
    cache_ = make(data);
    if (!cache_) cache_ = make({});  // a driver that dislikes its own data
}

PipelineCache::~PipelineCache() { vkDestroyPipelineCache(device_, cache_, nullptr); }

VkPipelineCache PipelineCache::make(const std::vector<std::byte>& data) const {
    const VkPipelineCacheCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO, .initialDataSize = data.size(), .pInitialData = data.data()};
    VkPipelineCache cache = VK_NULL_HANDLE;
    return vkCreatePipelineCache(device_, &info, nullptr, &cache) == VK_SUCCESS ? cache : VK_NULL_HANDLE;
}

std::vector<std::byte> PipelineCache::read() const {
    if (file_.empty()) return {};
    std::vector<std::byte> bytes = readOwnFile(file_, kMostBytes);
    Header header;
    if (bytes.size() < sizeof(header)) return {};
    std::memcpy(&header, bytes.data(), sizeof(header));
    const std::span data = std::span(bytes).subspan(sizeof(header));
    if (header.magic != kMagic || header.bytes != data.size() || header.key != checksumOf(key_) || header.checksum != checksumOf(data)) {
        spdlog::debug("{}: not a pipeline cache of this device, or damaged: it is written again", file_.string());
        return {};
    }
    bytes.erase(bytes.begin(), bytes.begin() + sizeof(header));
    return bytes;
}

std::vector<std::byte> PipelineCache::dataOf(VkPipelineCache cache) const {
    size_t size = 0;
    if (vkGetPipelineCacheData(device_, cache, &size, nullptr) != VK_SUCCESS) return {};
    std::vector<std::byte> data(size);
    if (vkGetPipelineCacheData(device_, cache, &size, data.data()) != VK_SUCCESS) return {};
    data.resize(size);
    return data;
}

void PipelineCache::save() {
    if (file_.empty() || !cache_ || dataOf(cache_).size() <= loadedBytes_) return;
    if (const VkPipelineCache others = make(read())) {
        vkMergePipelineCaches(device_, cache_, 1, &others);
        vkDestroyPipelineCache(device_, others, nullptr);
    }
    const std::vector<std::byte> data = dataOf(cache_);
    if (data.empty() || sizeof(Header) + data.size() > kMostBytes) return;
    const Header header{.bytes = data.size(), .checksum = checksumOf(data), .key = checksumOf(key_)};
    std::vector<std::byte> bytes(sizeof(header));
    std::memcpy(bytes.data(), &header, sizeof(header));
    bytes.insert(bytes.end(), data.begin(), data.end());
    try {
        fs::create_directories(file_.parent_path());
        if (fs::exists(fs::symlink_status(file_)) && !fs::is_regular_file(fs::symlink_status(file_))) return;
        writeFileAtomically(file_, bytes);
        fs::permissions(file_, fs::perms::owner_read | fs::perms::owner_write);  // readOwnFile() refuses what others may write
        loadedBytes_ = data.size();
        removeOldest(file_.parent_path(), kMostFiles);
    } catch (const std::exception& problem) {
        spdlog::debug("pipelines are not kept: {}", problem.what());
    }
}

}  // namespace splat::gpu
