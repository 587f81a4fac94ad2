#pragma once

#include <filesystem>
#include <string>

namespace splat {

/// Finds an image file: the path itself, or with a common image extension added (NeRF datasets omit it) or substituted (rescaled folders often
/// change it). Returns the path unchanged if there is no such file.
std::filesystem::path findImage(const std::filesystem::path& wanted);

/// The folder that --images names: below the dataset if it exists there, else the path itself.
std::filesystem::path otherImageFolder(const std::filesystem::path& dataset, const std::filesystem::path& images);

/// The path without root, "." and "..", so that it is safe to append to any folder.
std::string safeName(const std::filesystem::path& path);

/// Folders that paths in a dataset may refer to.
struct PathBounds {
    std::filesystem::path dataset;  ///< the dataset's folder
    std::filesystem::path images;   ///< an additional image folder; empty: none
    bool allowOutside = false;      ///< --allow-outside: any file
};

/// Normalises a path from a dataset's file, relative to `folder` or absolute; backslashes become slashes. Throws InputError, starting with `what`,
/// if the path is outside the bounds, contains a zero byte or is too long. Symbolic links are not resolved.
std::filesystem::path checkedPath(const std::string& what, const std::string& name, const std::filesystem::path& folder,
                                  const PathBounds& bounds);

/// safeName() of a file relative to a folder.
std::string nameBelow(const std::filesystem::path& folder, const std::filesystem::path& file);

}  // namespace splat
