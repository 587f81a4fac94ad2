#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/error.h"

namespace splat {

/// A named block of a checkpoint: elements of `stride` bytes each.
struct CheckpointSection {
    std::string name;
    uint32_t stride = 1;
    std::vector<std::byte> bytes;
};

/// What a run needs to go on: a header for people and small values, and sections for what lies on the device.
struct Checkpoint {
    nlohmann::ordered_json header = nlohmann::ordered_json::object();
    std::vector<CheckpointSection> sections;
    std::filesystem::path path;  ///< where it was read from; starts every message

    /// Throws InputError naming file and section when there is none of this name, or its stride is another.
    const CheckpointSection& section(std::string_view name, uint32_t stride) const;

    /// A value of the header; throws InputError naming file and key when it is missing or of another type.
    template <class T>
    T value(std::string_view key) const {
        const auto found = header.find(key);
        if (found == header.end()) throw InputError("{}: {} is missing, expected in a checkpoint's header", path.string(), key);
        try {
            return found->get<T>();
        } catch (const nlohmann::json::exception&) {
            throw InputError("{}: {} is {}, expected another type", path.string(), key, found->dump());
        }
    }
};

/// The file, little-endian:
///
///     "SPLATCKP"  u32 version  u32 0x01020304  u64 bytes of the header  u32 crc32 of these 32 bytes (0 for itself) and the header  u32 0
///     header      JSON; its `sections` list name, bytes, stride and crc32 of each section
///     sections    in that order, each at the next multiple of 64 bytes, with zeros between
///     "SPLATEND"
///
/// Writes it atomically and durably: at any moment the path has the old checkpoint or the new one. Throws Error naming the path.
void writeCheckpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);

/// Throws InputError with path, property, found and expected for what is no checkpoint, of another version, truncated or damaged: no byte
/// can change without being noticed.
Checkpoint readCheckpoint(const std::filesystem::path& path);

}  // namespace splat
