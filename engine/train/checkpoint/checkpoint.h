#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/train/checkpoint/checkpoint_section.h>

namespace splat {

/// State from which a run can resume: a JSON header with small values, and sections with buffers of the device.
struct Checkpoint {
    nlohmann::ordered_json header = nlohmann::ordered_json::object();
    std::vector<CheckpointSection> sections;
    std::filesystem::path path;  ///< file that it was read from; starts every message

    bool has(std::string_view section) const;
    /// Throws InputError if there is no section of this name, or its stride differs.
    const CheckpointSection& section(std::string_view name, uint32_t stride) const;

    /// A value of the header. Throws InputError if it is missing, of another type or out of T's range.
    template <class T>
    T value(std::string_view key) const {
        const auto found = header.find(key);
        if (found == header.end()) throw InputError("{}: {} is missing, expected in a checkpoint's header", path.string(), key);
        try {
            return converted<T>(*found);
        } catch (const std::exception&) {  // of the library, or of an empty optional
            throw InputError("{}: {} is {}, expected another type or range", path.string(), key, jsonText(*found));
        }
    }

private:
    template <class T>
    static T converted(const nlohmann::ordered_json& value) {
        if constexpr (std::same_as<T, std::vector<uint32_t>>) {
            T numbers;
            for (const auto& element : value.template get_ref<const nlohmann::ordered_json::array_t&>())
                numbers.push_back(wholeNumber<uint32_t>(element).value());
            return numbers;
        } else if constexpr (std::integral<T> && !std::same_as<T, bool>) {
            return wholeNumber<T>(value).value();
        } else {
            return value.get<T>();
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
/// Writes the file atomically and durably: at any time the path has the old checkpoint or the new one. Throws Error if it cannot be written.
void writeCheckpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);

/// Whether the file begins like a checkpoint. Throws InputError naming the path if it cannot be read.
bool isCheckpoint(const std::filesystem::path& path);

/// Reads a checkpoint. Throws InputError if the file is not a checkpoint, has another version, or is truncated or damaged; checksums cover every byte.
Checkpoint readCheckpoint(const std::filesystem::path& path);

/// Number of training views of the checkpoint's run. Throws InputError if the checkpoint does not contain it.
size_t trainingViewsOf(const Checkpoint& checkpoint);

}  // namespace splat
