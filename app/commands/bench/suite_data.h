#pragma once

#include <filesystem>
#include <functional>

#include <nlohmann/json_fwd.hpp>

#include <splatwright/train/suite/suite.h>

namespace splat::app {

/// Tells the dataset of a scene from others: path and reading, or the options that make a procedural one; and of a path, number and bytes of its files.
nlohmann::json describeSuiteData(const SuiteScene& scene, const std::filesystem::path& data);

/// Writes the procedural dataset of a scene, unless it is already there with the same options.
void makeSuiteData(const SuiteScene& scene, const std::filesystem::path& data, const std::function<void(size_t, size_t)>& progress);

}  // namespace splat::app
