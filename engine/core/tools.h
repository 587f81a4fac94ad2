#pragma once

#include <filesystem>
#include <string_view>

namespace splat {

/// The file of a program that others make, and this one runs: `given`, or found on the PATH. Throws InputError if the given one cannot be executed, and Error
/// with the packages that have it if there is none.
std::filesystem::path requireTool(std::string_view name, const std::filesystem::path& given = {});

}  // namespace splat
