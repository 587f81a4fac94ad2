#include "support/test_device.h"

#include <cstdlib>
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

}  // namespace

gpu::DeviceOptions testDeviceOptions(std::vector<std::string> disabled) {
    const char* device = std::getenv("SPLAT_DEVICE");
    if (const char* list = std::getenv("SPLAT_DISABLE")) {
        std::stringstream names(list);
        for (std::string name; std::getline(names, name, ',');) {
            if (name != "all") {
                disabled.push_back(name);
                continue;
            }
            for (const gpu::FeatureRow& row : gpu::featureTable()) disabled.emplace_back(row.name);
        }
    }
    const char* validate = std::getenv("SPLAT_VALIDATE");
    return {.device = device ? device : "", .disabled = std::move(disabled), .validate = !validate || std::string_view(validate) != "0"};
}

gpu::Device& testDevice() {
    if (!shared) {
        shared = std::make_unique<gpu::Device>(testDeviceOptions());
        testing::UnitTest::GetInstance()->listeners().Append(new ValidationIsSilent);
    }
    return *shared;
}

}  // namespace splat
