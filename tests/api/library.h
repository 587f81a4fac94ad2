#pragma once

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <splatwright/device.h>
#include <splatwright/error.h>
#include <splatwright/scene.h>

namespace splatwright::test {

/// The library's device that tests run on, with validation, chosen by the environment as support/test_device.h says. Made on first use.
Device& testDevice();

/// `count` splats of a degree in front of frontCamera(), each different.
Splats someSplats(size_t count, int shDegree);

Camera frontCamera(int width = 48, int height = 36);

/// Fails unless the action throws exactly this error, with all of this in its message.
template <class Expected>
void expectError(const std::function<void()>& action, const std::vector<std::string>& parts) {
    try {
        action();
        ADD_FAILURE() << "no error, expected one with '" << (parts.empty() ? "" : parts[0]) << "'";
    } catch (const Error& error) {
        EXPECT_EQ(typeid(error), typeid(Expected)) << error.what();
        for (const std::string& part : parts)
            EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << "'" << part << "' in: " << error.what();
    } catch (const std::exception& other) {
        ADD_FAILURE() << "an error that is none of the library's: " << other.what();
    }
}

/// A way to make a camera that is not valid, and what the message then has.
struct BadCamera {
    std::string name;
    std::function<void(Camera&)> spoil;
    std::string message;
};
const std::vector<BadCamera>& badCameras();

/// The same for splats.
struct BadSplats {
    std::string name;
    std::function<void(Splats&)> spoil;
    std::string message;
};
const std::vector<BadSplats>& badSplats();

void expectSameBits(const Splats& a, const Splats& b);

}  // namespace splatwright::test
