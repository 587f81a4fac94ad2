#include <splatwright/device.h>

#include <filesystem>
#include <new>
#include <optional>
#include <stdexcept>

#include <gtest/gtest.h>

#include <splatwright/api/device_access.h>
#include <splatwright/api/translate.h>
#include <splatwright/gpu/check.h>
#include <splatwright/render.h>
#include <splatwright/train/model/step_report.h>
#include "api/library.h"
#include "support/test_device.h"

namespace splatwright {
namespace {

using namespace test;

TEST(LibraryDevice, IsChosenByIndexByAPartOfItsNameOrBecauseItIsSoftware) {
    const std::vector<DeviceInfo> devices = listDevices();
    ASSERT_FALSE(devices.empty());
    for (size_t i = 0; i < devices.size(); ++i) {
        if (!devices[i].unsuitable.empty()) continue;
        const Device device({.device = std::to_string(i)});
        EXPECT_EQ(device.index(), i);
        EXPECT_EQ(device.name(), devices[i].name);
        EXPECT_EQ(device.isSoftware(), devices[i].type == "cpu");
        EXPECT_GT(device.memory(), 0u);
        EXPECT_NE(Device({.device = devices[i].name.substr(0, 6)}).name().find(devices[i].name.substr(0, 6)), std::string::npos);
    }
    EXPECT_TRUE(Device({.software = true}).isSoftware());
}

TEST(LibraryDevice, RefusesUnknownNamesAndFeatures) {
    expectError<InputError>([] { Device({.device = "no such device"}); }, {"'no such device' was not found", "0 ("});
    expectError<InputError>([] { Device({.device = "99"}); }, {"'99'"});
    expectError<InputError>([] { Device({.device = "0", .software = true}); }, {"'0'", "software"});
    expectError<InputError>([] { Device({.disabled = {"no-such-feature"}}); }, {"no-such-feature"});
}

TEST(LibraryDevice, KeepsToAProfile) {
    const auto pictureIn = [](const std::string& profile) {
        Device device({.software = true, .profile = profile});
        Renderer renderer(device, someSplats(10, 1));
        return renderer.render(frontCamera()).pixels;
    };
    EXPECT_EQ(pictureIn("bare").size(), pictureIn("").size());
    EXPECT_FALSE(Device({.software = true, .profile = "adreno-7xx"}).notProven().empty()) << "which has subgroups of 64";
    EXPECT_TRUE(Device({.software = true}).notProven().empty());
    expectError<InputError>([] { Device({.software = true, .profile = "no-such-class"}); }, {"'no-such-class'", "mali-g7xx"});
    expectError<Error>([] { Device({.software = true, .profile = "rpi5"}); }, {"storage buffers"});
}

TEST(LibraryDevice, MayBeMovedBelowWhatUsesIt) {
    std::optional<Device> home;
    Device device({.software = true});
    Renderer renderer(device, someSplats(10, 0));
    home = std::move(device);
    EXPECT_EQ(renderer.render(frontCamera()).width, 48);
    EXPECT_GT(home->memoryInUse(), 0u);
}

TEST(LibraryDevice, OutOfMemoryLeavesWhatIsThere) {
    splat::gpu::DeviceOptions options = splat::testDeviceOptions();
    options.memoryLimit = 40u << 20u;
    Device device = DeviceAccess::make(options);
    EXPECT_EQ(device.memory(), options.memoryLimit);
    Renderer renderer(device, someSplats(10, 0));
    const ImageF before = renderer.render(frontCamera());
    expectError<OutOfMemory>([&] { renderer.render(frontCamera(4096, 4096)); }, {"MiB"});
    EXPECT_EQ(renderer.render(frontCamera()).pixels, before.pixels);
    expectError<OutOfMemory>([&] { renderer.setSplats(someSplats(200'000, 3)); }, {"MiB"});
    expectError<InputError>([&] { renderer.render(frontCamera()); }, {"there are no splats"});
    renderer.setSplats(someSplats(10, 0));
    EXPECT_EQ(renderer.render(frontCamera()).pixels, before.pixels);
    EXPECT_LE(device.memoryPeak(), options.memoryLimit);
}

TEST(LibraryDevice, SaysThatItIsLost) {
    const auto render = [](uint64_t lostAt) {
        splat::gpu::DeviceOptions options = splat::testDeviceOptions();
        options.loseAtSubmission = lostAt;
        Device device = DeviceAccess::make(options);
        Renderer renderer(device, someSplats(10, 0));
        for (int i = 0; i < 50; ++i) renderer.render(frontCamera());
    };
    expectError<DeviceLost>([&] { render(1); }, {"lost"});
    expectError<DeviceLost>([&] { render(45); }, {"lost"});
}

/// A call of the library within which this is thrown.
template <class Thrown>
auto within(const Thrown& thrown) {
    return [=] { translated([&] { throw Thrown(thrown); }); };
}

TEST(LibraryErrors, HaveOnePublicTypeForEachKind) {
    expectError<Error>(within(splat::Error("a disk")), {"a disk"});
    expectError<InputError>(within(splat::InputError("a setting")), {"a setting"});
    expectError<OutOfMemory>(within(splat::gpu::OutOfMemory("a buffer")), {"a buffer"});
    expectError<OutOfMemory>(within(std::bad_alloc()), {"host"});
    expectError<DeviceLost>(within(splat::gpu::DeviceLost("a device")), {"a device"});
    expectError<Diverged>(within(splat::Diverged({}, "a step")), {"a step"});
    expectError<Error>(within(std::filesystem::filesystem_error("a folder", std::error_code())), {"a folder"});
}

TEST(LibraryErrors, LeaveOthersAsTheyAre) {
    EXPECT_THROW(within(std::logic_error("a fault of the library"))(), std::logic_error);
    EXPECT_THROW(within(3)(), int);
}

}  // namespace
}  // namespace splatwright
