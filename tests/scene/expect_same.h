#pragma once

#include <gtest/gtest.h>

#include "scene/gaussians.h"

namespace splat {

/// Equal to the bit.
inline void expectSame(const Gaussians& found, const Gaussians& expected) {
    EXPECT_EQ(found.shDegree, expected.shDegree);
    EXPECT_EQ(found.antialiased, expected.antialiased);
    EXPECT_EQ(found.means, expected.means);
    EXPECT_EQ(found.rotations, expected.rotations);
    EXPECT_EQ(found.logScales, expected.logScales);
    EXPECT_EQ(found.logitOpacities, expected.logitOpacities);
    EXPECT_EQ(found.sh, expected.sh);
}

}  // namespace splat
