#include <array>

#include <nlohmann/json.hpp>

#include <splatwright/core/parse_json.h>
#include <splatwright/core/settings.h>
#include <splatwright/train/densify/default_settings.h>
#include <splatwright/train/densify/mcmc_settings.h>
#include <splatwright/train/parts/exposure_settings.h>
#include <splatwright/train/settings/settings.h>
#include "memory_file.h"

namespace splat {
namespace {

constexpr std::array<std::string_view, 2> kChoices{"default", "mcmc"};

}  // namespace

// The tables that these come from belong to libraries that need Vulkan.
std::span<const std::string_view> strategyChoices() { return kChoices; }
std::span<const std::string_view> accumulateChoices() { return kChoices; }
std::vector<SettingsPart> strategySettings() {
    return {SettingsPart::byDefault<DefaultStrategySettings>(), SettingsPart::byDefault<McmcSettings>()};
}
std::vector<SettingsPart> stepPartSettings() { return {SettingsPart::byDefault<ExposureSettings>()}; }

}  // namespace splat

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    return splat::fuzz::readInput(data, size, [](const std::filesystem::path& path) {
        splat::TrainSettings settings;
        const auto fields = splat::settingFields(settings);
        splat::settingsFromJson(fields, splat::readJson(path), path.string());
        splat::TrainSettings again;  // what was accepted can be written and read back
        splat::settingsFromJson(splat::settingFields(again), splat::settingsToJson(fields), "again");
    });
}
