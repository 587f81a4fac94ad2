#pragma once

#include <filesystem>
#include <string>

#include <splatwright/prepare/prepare.h>

namespace splat::prepare {

/// Copies a dataset that has poses and moves it to a frame of its own: images (hard links, or copies), sparse/0 and transforms.json, whichever of both
/// it had. `format`: "colmap" (binary; keypoints and tracks are kept) or "transforms" (without points, COLMAP triangulates some if it is there).
/// Throws InputError for a dataset that cannot be read or a folder that holds something else, Error if something cannot be written.
Report copyDataset(const Settings& settings, const std::string& format, Observer& observer);

}  // namespace splat::prepare
