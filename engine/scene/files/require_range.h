#pragma once

#include <filesystem>

#include <splatwright/core/error.h>

namespace splat {

/// Throws InputError with path, property, found and expected unless least <= found <= most.
template <class Value>
void requireRange(const std::filesystem::path& path, const char* property, Value found, Value least, Value most) {
    if (least <= found && found <= most) return;
    throw InputError("{}: {} is {}, expected {} to {}", path.string(), property, found, least, most);
}

}  // namespace splat
