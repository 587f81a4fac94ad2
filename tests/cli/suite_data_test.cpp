#include "commands/bench/suite_data.h"

#include <set>

#include <gtest/gtest.h>

namespace splat::app {
namespace {

/// A dataset is made again when any of its options changes.
TEST(SuiteData, EveryOptionOfAProceduralSceneIsDescribed) {
    const auto changed = [](auto&& change) {
        SynthOptions options;
        change(options);
        SuiteScene scene;
        scene.synth = options;
        return describeSuiteData(scene, "data").dump();
    };
    const std::set<std::string> descriptions{
        changed([](SynthOptions&) {}),
        changed([](SynthOptions& o) { o.scene = "hall"; }),
        changed([](SynthOptions& o) { o.views = 7; }),
        changed([](SynthOptions& o) { o.width = 80; }),
        changed([](SynthOptions& o) { o.height = 60; }),
        changed([](SynthOptions& o) { o.seed = 3; }),
        changed([](SynthOptions& o) { o.regionShare = 5; }),
        changed([](SynthOptions& o) { o.transients = 30; }),
        changed([](SynthOptions& o) { o.colourChanges = 0.3F; }),
    };
    EXPECT_EQ(descriptions.size(), 9u);
}

}  // namespace
}  // namespace splat::app
