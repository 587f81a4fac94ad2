#include <splatwright/gpu/device.h>

#include <cstdlib>

#include <gtest/gtest.h>

#include <splatwright/core/error.h>
#include "support/test_device.h"
#include "support/two_devices.h"

namespace splat::gpu {
namespace {

TEST(Device, OneThatCannotShowPicturesIsPassedOverUnlessItIsNamed) {
    const test::Scratch scratch;
    const std::string drivers = test::twoDevices(scratch);
    if (drivers.empty()) GTEST_SKIP() << "Mesa's software Vulkan has no driver file in /usr/share/vulkan/icd.d";
    const char* before = std::getenv("VK_ICD_FILENAMES");
    const std::string driver = before ? before : "";
    setenv("VK_ICD_FILENAMES", drivers.c_str(), 1);
    DeviceOptions options{.validation = testDeviceOptions().validation};
    size_t asked = 0;
    options.showsPictures = [&](VkInstance, VkPhysicalDevice, uint32_t) { return asked++ > 0; };
    EXPECT_EQ(Device(options).index(), 1u);
    options.showsPictures = [](VkInstance, VkPhysicalDevice, uint32_t) { return false; };
    EXPECT_THROW(const Device none(options), Error);
    options.device = "0";
    EXPECT_EQ(Device(options).index(), 0u) << "whoever shows pictures there says why it does not work";
    before ? setenv("VK_ICD_FILENAMES", driver.c_str(), 1) : unsetenv("VK_ICD_FILENAMES");
}

}  // namespace
}  // namespace splat::gpu
