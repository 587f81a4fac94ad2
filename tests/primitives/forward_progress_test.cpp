// Whether groups go on while others wait, by the driver or by a self test.
#include <splatwright/primitives/forward_progress.h>

#include <algorithm>
#include <optional>

#include <gtest/gtest.h>

#include "support/test_device.h"

namespace splat::primitives {
namespace {

/// Where groups go on, the self test passes sooner or later. On software Vulkan only with few groups, and not each time: threads take runs of
/// groups, so that one waits for a whole run of another, which the system may hold up, and a loop ends after some 65,000 rounds whatever it asks for.
bool passesSometime(gpu::Device& device) {
    constexpr uint32_t kFewGroups = 8;
    for (int attempt = 0; attempt < 20; ++attempt) {
        if (testForwardProgress(device, UINT32_MAX, kFewGroups)) return true;
    }
    return false;
}

TEST(ForwardProgress, IsKnownOfDriversAndOfNoOther) {
    EXPECT_EQ(gpu::driverMakesProgress(VK_DRIVER_ID_NVIDIA_PROPRIETARY), true);
    EXPECT_EQ(gpu::driverMakesProgress(VK_DRIVER_ID_MESA_RADV), true);
    EXPECT_EQ(gpu::driverMakesProgress(VK_DRIVER_ID_MOLTENVK), false);
    EXPECT_EQ(gpu::driverMakesProgress(VK_DRIVER_ID_MESA_LLVMPIPE), true);
    EXPECT_EQ(gpu::driverMakesProgress(VK_DRIVER_ID_ARM_PROPRIETARY), std::nullopt);
}

TEST(ForwardProgress, OfADriverIsAFeatureOfItsDevices) {
    gpu::Probe probe;
    const auto hasProgress = [&](VkDriverId driver) {
        probe.properties12.driverID = driver;
        const auto& rows = gpu::featureTable();
        return std::ranges::find(rows, gpu::Feature::forwardProgress, &gpu::FeatureRow::feature)->present(probe);
    };
    EXPECT_TRUE(hasProgress(VK_DRIVER_ID_NVIDIA_PROPRIETARY));
    EXPECT_FALSE(hasProgress(VK_DRIVER_ID_MOLTENVK));
    EXPECT_TRUE(hasProgress(VK_DRIVER_ID_ARM_PROPRIETARY)) << "the self test has the last word";
}

TEST(ForwardProgress, OfTheTestDeviceIsThatOfItsDriver) {
    const ForwardProgress found = forwardProgress(testDevice());
    EXPECT_EQ(found.present, testDevice().has(gpu::Feature::forwardProgress)) << found.reason;
    if (found.present) {
        EXPECT_TRUE(passesSometime(testDevice()));
    }
    EXPECT_EQ(missingForwardProgress(testDevice()).empty(), found.present);
}

TEST(ForwardProgress, SwitchedOffIsMissing) {
    gpu::Device device(testDeviceOptions({"forward-progress"}));
    EXPECT_FALSE(forwardProgress(device).present);
    EXPECT_EQ(missingForwardProgress(device), "'forward-progress'");
}

/// Without a poll every group but the first waits in vain, as where no other group goes on.
TEST(ForwardProgress, FailsItsTestWhereGroupsWaitInVain) { EXPECT_FALSE(testForwardProgress(testDevice(), 0)); }

}  // namespace
}  // namespace splat::primitives
