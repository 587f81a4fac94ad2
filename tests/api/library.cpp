#include "api/library.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include <splatwright/api/device_access.h>
#include "support/test_device.h"

namespace splatwright::test {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::unique_ptr<Device> shared;

/// Fails a test in which a validation layer spoke, and takes the device down before the loader unloads.
class ValidationIsSilent : public testing::EmptyTestEventListener {
    void OnTestEnd(const testing::TestInfo& info) override {
        const uint64_t messages = DeviceAccess::engine(*shared).validationMessages();
        if (std::exchange(seen_, messages) != messages) ADD_FAILURE() << "validation spoke during " << info.name();
    }
    void OnTestProgramEnd(const testing::UnitTest&) override { shared.reset(); }
    uint64_t seen_ = 0;
};

template <class T>
bool sameBits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

}  // namespace

Device& testDevice() {
    if (!shared) {
        shared = std::make_unique<Device>(DeviceAccess::make(splat::testDeviceOptions()));
        testing::UnitTest::GetInstance()->listeners().Append(new ValidationIsSilent);
    }
    return *shared;
}

Splats someSplats(size_t count, int shDegree) {
    Splats s;
    s.shDegree = shDegree;
    const auto coefficients = static_cast<size_t>((shDegree + 1) * (shDegree + 1));
    auto value = [n = 0u]() mutable { return std::sin(static_cast<float>(++n) * 12.9898f); };
    for (size_t i = 0; i < count; ++i) {
        s.positions.push_back({value(), value(), 3 + value()});
        s.logScales.push_back({-2 + value(), -2 + value(), -2 + value()});
        s.rotations.push_back({1 + value() / 2, value(), value(), value()});
        s.logitOpacities.push_back(2 * value());
        for (size_t k = 0; k < coefficients; ++k) s.sh.push_back({value(), value(), value()});
    }
    return s;
}

Camera frontCamera(int width, int height) {
    Camera camera{.width = width, .height = height};
    camera.fx = camera.fy = width;
    camera.cx = width / 2.0;
    camera.cy = height / 2.0;
    return camera;
}

const std::vector<BadCamera>& badCameras() {
    static const std::vector<BadCamera> all{
        {"no width", [](Camera& c) { c.width = 0; }, "width"},
        {"negative height", [](Camera& c) { c.height = -3; }, "height"},
        {"a side too long", [](Camera& c) { c.width = 8193; }, "8192"},
        {"no focal length", [](Camera& c) { c.fx = 0; }, "focal length fx is 0"},
        {"NaN as focal length", [](Camera& c) { c.fy = kNan; }, "focal length fy is nan"},
        {"a principal point far outside", [](Camera& c) { c.cx = 1e6; }, "principal point cx is 1000000"},
        {"a mirror",
         [](Camera& c) {
             c.rotation[0] = {-1, 0, 0};
         },
         "rotation"},
        {"a scale",
         [](Camera& c) {
             c.rotation = {{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}};
         },
         "rotation"},
        {"NaN in the rotation", [](Camera& c) { c.rotation[2][1] = kNan; }, "rotation"},
        {"NaN in the translation", [](Camera& c) { c.translation[1] = kNan; }, "translation is 0, nan, 0"},
        {"a translation too far", [](Camera& c) { c.translation[2] = 1e13; }, "translation"},
    };
    return all;
}

const std::vector<BadSplats>& badSplats() {
    static const std::vector<BadSplats> all{
        {"negative degree", [](Splats& s) { s.shDegree = -1; }, "shDegree is -1, expected 0 to 3"},
        {"degree too high", [](Splats& s) { s.shDegree = 4; }, "shDegree is 4, expected 0 to 3"},
        {"another degree", [](Splats& s) { s.shDegree = 0; }, "sh has 12 elements, expected 3"},
        {"one position more", [](Splats& s) { s.positions.push_back({}); }, "logScales has 3 elements, expected 4"},
        {"one scale less", [](Splats& s) { s.logScales.pop_back(); }, "logScales has 2 elements, expected 3"},
        {"one rotation less", [](Splats& s) { s.rotations.pop_back(); }, "rotations has 2 elements, expected 3"},
        {"no opacities", [](Splats& s) { s.logitOpacities.clear(); }, "logitOpacities has 0 elements, expected 3"},
        {"one coefficient more", [](Splats& s) { s.sh.push_back({}); }, "sh has 13 elements, expected 12"},
    };
    return all;
}

void expectSameBits(const Splats& a, const Splats& b) {
    EXPECT_EQ(a.shDegree, b.shDegree);
    EXPECT_EQ(a.antialiased, b.antialiased);
    EXPECT_TRUE(sameBits(a.positions, b.positions));
    EXPECT_TRUE(sameBits(a.logScales, b.logScales));
    EXPECT_TRUE(sameBits(a.rotations, b.rotations));
    EXPECT_TRUE(sameBits(a.logitOpacities, b.logitOpacities));
    EXPECT_TRUE(sameBits(a.sh, b.sh));
}

}  // namespace splatwright::test
