#pragma once

#include <filesystem>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <splatwright/scene/cameras/named_view.h>

namespace splat {

/// Description of the file for --help.
inline constexpr const char* kCameraFileHelp =
    "JSON: one camera or a list. A camera has width, height, fl_x, fl_y, cx, cy (pixels), world_to_camera (4 rows of 4 numbers; COLMAP's "
    "axes: x right, y down, z forward) and optionally name";

/// One view of the file.
nlohmann::ordered_json cameraJson(const NamedView& view);

/// Throws InputError with path, property, found and expected.
std::vector<NamedView> readCameraFile(const std::filesystem::path& path);

/// Writes a list that readCameraFile reads. Throws Error if the file cannot be written.
void writeCameraFile(const std::filesystem::path& path, const std::vector<NamedView>& views);

}  // namespace splat
