#pragma once

#include <filesystem>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "viewer/named_view.h"

namespace splat::app {

/// What --help says of the file.
inline constexpr const char* kCameraFileHelp =
    "JSON: one camera or a list. A camera has width, height, fl_x, fl_y, cx, cy (pixels), world_to_camera (4 rows of 4 numbers; COLMAP's "
    "axes: "
    "x right, y down, z forward) and, if it likes, name";

/// A view as the file has it.
nlohmann::ordered_json cameraJson(const NamedView& view);

/// Throws InputError with path, property, found and expected.
std::vector<NamedView> readCameraFile(const std::filesystem::path& path);

/// Writes a list that readCameraFile reads. Throws Error when the place cannot be written.
void writeCameraFile(const std::filesystem::path& path, const std::vector<NamedView>& views);

}  // namespace splat::app
