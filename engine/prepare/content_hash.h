#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace splat::prepare {

/// Hexadecimal digits that tell contents of files apart, whatever their names and times are: hashOf() of the hashes of its pieces. `check` is called
/// between pieces. Throws InputError naming the path if it cannot be read.
std::string hashOfFile(const std::filesystem::path& path, const std::function<void()>& check = {});

}  // namespace splat::prepare
