#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <splatwright/scene/cameras/named_view.h>

namespace splat {

/// A way to keep a list of cameras in files.
struct CameraList {
    const char* name;
    const char* ending;  ///< of its files, with the dot; or the name of one in a folder that it is
    const char* help;
    /// Throws InputError, with path and property.
    std::vector<NamedView> (*read)(const std::filesystem::path& path);
    /// Throws Error if it cannot be written.
    void (*write)(const std::filesystem::path& path, const std::vector<NamedView>& views);
};

/// Our camera file (scene/cameras/camera_file.h), the cameras.json of Inria's trainer, and a folder with a model of COLMAP.
std::span<const CameraList> cameraLists();

/// Throws InputError listing the names.
const CameraList& cameraListByName(std::string_view name);

/// Reads any of them: a folder is a dataset of any format, a JSON file is known by its contents. Distortions of lenses are left out.
std::vector<NamedView> readCameraList(const std::filesystem::path& path);

}  // namespace splat
