#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <lcms2.h>

namespace splat::test {

/// 0 to 1: cyan, magenta, yellow, black.
using Inks = std::array<double, 4>;

/// A printer whose inks darken and tint paper in proportion, differently each.
inline std::array<double, 3> labOf(const Inks& inks) {
    return {100 - 100 * (inks[0] + 2 * inks[1] + 3 * inks[2] + 4 * inks[3]) / 10, 20 * (inks[1] - inks[0]), 20 * (inks[2] - inks[1])};
}

/// The printer's ICC profile: a table of its corners, with CIE L*a*b* as version 2 encodes it.
inline std::string printersProfile() {
    std::vector<uint16_t> table;
    for (int i = 0; i < 16; ++i) {
        const auto [l, a, b] = labOf({double(i >> 3 & 1), double(i >> 2 & 1), double(i >> 1 & 1), double(i & 1)});
        for (const double code : {l / 100 * 0xff00, (a + 128) * 256, (b + 128) * 256})
            table.push_back(static_cast<uint16_t>(std::lround(code)));
    }
    const cmsHPROFILE profile = cmsCreateProfilePlaceholder(nullptr);
    cmsSetProfileVersion(profile, 2.1);
    cmsSetDeviceClass(profile, cmsSigOutputClass);
    cmsSetColorSpace(profile, cmsSigCmykData);
    cmsSetPCS(profile, cmsSigLabData);
    cmsPipeline* pipeline = cmsPipelineAlloc(nullptr, 4, 3);
    cmsPipelineInsertStage(pipeline, cmsAT_END, cmsStageAllocCLut16bit(nullptr, 2, 4, 3, table.data()));
    EXPECT_TRUE(cmsWriteTag(profile, cmsSigAToB0Tag, pipeline));
    cmsPipelineFree(pipeline);
    cmsUInt32Number size = 0;
    cmsSaveProfileToMem(profile, nullptr, &size);
    std::string bytes(size, '\0');
    EXPECT_TRUE(cmsSaveProfileToMem(profile, bytes.data(), &size));
    cmsCloseProfile(profile);
    return bytes;
}

}  // namespace splat::test
