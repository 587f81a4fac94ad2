#pragma once

#include <filesystem>
#include <string>

namespace splat {

/// The file itself if there is one; else the same name with one of the usual endings added or put in place of its own, as the NeRF
/// datasets leave the ending out and rescaled folders often change it; else the path as it was, for the message that it is missing.
std::filesystem::path findImage(const std::filesystem::path& wanted);

/// The folder that --images names: below the dataset where there is such a folder, else as it stands.
std::filesystem::path otherImageFolder(const std::filesystem::path& dataset, const std::filesystem::path& images);

/// A name that is safe to join to any folder: without root, "." and "..".
std::string safeName(const std::filesystem::path& path);

}  // namespace splat
