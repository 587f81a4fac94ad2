#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "../scene/scratch.h"

namespace splat::test {

/// VK_ICD_FILENAMES for a machine with two devices: Mesa's software Vulkan (./bootstrap.sh deps installs it, or VK_ICD_FILENAMES is its driver
/// file), by two driver files. Empty where that is not installed.
inline std::string twoDevices(const Scratch& scratch) {
    namespace fs = std::filesystem;
    std::error_code none;
    const char* chosen = std::getenv("VK_ICD_FILENAMES");  // NOLINT(concurrency-mt-unsafe): tests that set it are alone
    const fs::path folder = chosen ? fs::path(chosen).parent_path() : "/usr/share/vulkan/icd.d";
    for (const auto& driver : fs::directory_iterator(folder, none)) {
        if (!driver.path().filename().string().starts_with("lvp_icd")) continue;
        const fs::path copy = scratch.path() / "second_driver.json";
        fs::copy_file(driver.path(), copy, fs::copy_options::skip_existing);
        return driver.path().string() + ":" + copy.string();
    }
    return {};
}

}  // namespace splat::test
