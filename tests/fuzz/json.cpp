#include <nlohmann/json.hpp>

#include <splatwright/core/parse_json.h>
#include "memory_file.h"

/// What is read is copied, compared and written: all of these recurse.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    return splat::fuzz::readInput(data, size, [](const std::filesystem::path& path) {
        const nlohmann::json value = splat::readJson(path), copy = value;
        if (copy != value || splat::parseJson(value.dump(), "again") != value) std::abort();
    });
}
