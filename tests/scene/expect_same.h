#pragma once

#include <gtest/gtest.h>

#include <splatwright/scene/gaussians/attributes.h>

namespace splat {

/// Equal to the bit.
inline void expectSame(const Gaussians& found, const Gaussians& expected) {
    EXPECT_EQ(found.shDegree, expected.shDegree);
    EXPECT_EQ(found.antialiased, expected.antialiased);
    EXPECT_TRUE(found.extras == expected.extras);
    ASSERT_EQ(found.count(), expected.count());
    if (found.shDegree != expected.shDegree) return;
    for (const AttributeRow& row : kAttributes)
        for (uint32_t plane = 0; plane < planesAt(row, found.shDegree); ++plane)
            EXPECT_EQ(gather(found, row, plane), gather(expected, row, plane)) << row.section << ", plane " << plane;
}

}  // namespace splat
