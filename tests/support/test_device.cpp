#include "support/test_device.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <sstream>
#include <string_view>

#include <gtest/gtest.h>

namespace splat {

namespace {

std::unique_ptr<gpu::Device> shared;

/// Fails the run when a validation layer spoke, and takes the device down before the loader unloads.
class ValidationIsSilent : public testing::EmptyTestEventListener {
    void OnTestEnd(const testing::TestInfo& info) override {
        if (!shared || shared->validationMessages() == seen_) return;
        seen_ = shared->validationMessages();
        ADD_FAILURE() << "validation spoke during " << info.name();
    }
    void OnTestProgramEnd(const testing::UnitTest&) override { shared.reset(); }
    uint64_t seen_ = 0;
};

gpu::Validation testValidation() {
    const char* text = std::getenv("SPLAT_VALIDATE");
    if (text && std::string_view(text) == "0") return gpu::Validation::kNone;
    return text && std::string_view(text) == "core" ? gpu::Validation::kCore : gpu::Validation::kSynchronization;
}

std::vector<std::string> featureNames() {
    std::vector<std::string> names;
    for (const gpu::FeatureRow& row : gpu::featureTable()) names.emplace_back(row.name);
    return names;
}

}  // namespace

std::vector<std::string> featuresOrAll() {
    std::vector<std::string> names = featureNames();
    names.emplace_back("all");
    return names;
}

gpu::DeviceOptions testDeviceOptions(std::vector<std::string> disabled) {
    const char* device = std::getenv("SPLAT_DEVICE");
    if (const char* list = std::getenv("SPLAT_DISABLE")) {
        std::stringstream names(list);
        for (std::string name; std::getline(names, name, ',');) disabled.push_back(name);
    }
    if (std::erase(disabled, "all") > 0) std::ranges::copy(featureNames(), std::back_inserter(disabled));
    const char* profile = std::getenv("SPLAT_PROFILE");
    return {
        .device = device ? device : "", .disabled = std::move(disabled), .profile = profile ? profile : "", .validation = testValidation()};
}

gpu::DeviceOptions optionsOfLittleMemory() {
    gpu::DeviceOptions options = testDeviceOptions();
    options.profile = "mali-g7xx";
    return options;
}

gpu::Device& testDevice() {
    if (!shared) {
        shared = std::make_unique<gpu::Device>(testDeviceOptions());
        testing::UnitTest::GetInstance()->listeners().Append(new ValidationIsSilent);
    }
    return *shared;
}

}  // namespace splat
