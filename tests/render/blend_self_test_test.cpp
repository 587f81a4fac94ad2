// The self test of the blend's kernels: right ones pass, and what gives wrong results is not run again.
#include <splatwright/render/blend_self_test.h>

#include <set>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/all.h"
#include "kernels/blend_backward_pixel_library.h"
#include "kernels/blend_backward_pixel_library_cas.h"
#include "kernels/blend_subgroup.h"
#include "kernels/blend_subtile.h"
#include "support/accumulation_rows.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"

namespace splat {
namespace {

class AccumulationSelfTest : public testing::TestWithParam<std::string> {};

TEST_P(AccumulationSelfTest, RightGradientsPass) {
    EXPECT_EQ(testAccumulation(testDevice(), testSort(), accumulationByName(GetParam())), "");
    EXPECT_EQ(testDevice().validationMessages(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Rows, AccumulationSelfTest, testing::ValuesIn(accumulationNames()), accumulationTestName);

TEST(BlendSelfTest, TheRightPicturePasses) { EXPECT_EQ(testBlend(testDevice(), testSort()), ""); }

/// A kernel's code with one instruction in the place of another with the same operands, wherever it stands.
std::vector<uint32_t> withOther(std::span<const uint32_t> code, uint32_t opcode, uint32_t other) {
    std::vector<uint32_t> changed(code.begin(), code.end());
    size_t found = 0;
    for (size_t at = 5; at < changed.size(); at += changed[at] >> 16u) {
        if ((changed[at] & 0xffffu) != opcode) continue;
        changed[at] = (changed[at] & 0xffff0000u) | other;
        ++found;
    }
    EXPECT_GT(found, 0u) << "no instruction " << opcode;
    return changed;
}

constexpr uint32_t kFAdd = 129, kFMul = 133, kGroupFAdd = 350, kGroupFMul = 352;  // SPIR-V

/// A device of its own, whose kernels may be replaced.
struct WrongDevice {
    gpu::Device device{testDeviceOptions()};
    primitives::RadixSort sort{device};

    void replace(const gpu::KernelInfo& kernel, uint32_t opcode, uint32_t other) {
        device.replaceKernels({{kernel.name, withOther(kernel.code, opcode, other)}});
    }
};

TEST(BlendSelfTest, SumsOfTheWrongLanesAreNoticedAndOtherKernelsTakeTheirPlace) {
    const gpu::KernelInfo& kernel = kernels::blend_backward_pixel_library::info();
    const gpu::KernelInfo& withoutFloats = kernels::blend_backward_pixel_library_cas::info();
    const AccumulationRow& row = accumulationByName("library");
    WrongDevice wrong;
    if (!wrong.device.runs(kernel)) GTEST_SKIP() << "the kernel needs " << missingFor(wrong.device, kernel);
    wrong.replace(kernel, kGroupFAdd, kGroupFMul);
    EXPECT_NE(testAccumulation(wrong.device, wrong.sort, row), "");
    for (const gpu::KernelInfo* each : row.withSubgroups()) wrong.device.exclude(*each);
    EXPECT_FALSE(wrong.device.runs(kernel) || wrong.device.runs(withoutFloats));
    EXPECT_NE(missingFor(wrong.device, kernel).find("self test"), std::string::npos) << missingFor(wrong.device, kernel);
    EXPECT_EQ(testAccumulation(wrong.device, wrong.sort, row), "") << "with the kernel that takes its place";
}

TEST(BlendSelfTest, AWrongPictureIsNoticed) {
    for (const gpu::KernelInfo* kernel : {&kernels::blend_subgroup::info(), &kernels::blend_subtile::info()}) {
        WrongDevice wrong;
        if (!wrong.device.runs(*kernel)) GTEST_SKIP() << "the kernel needs " << missingFor(wrong.device, *kernel);
        wrong.replace(*kernel, kFMul, kFAdd);
        EXPECT_NE(testBlend(wrong.device, wrong.sort), "") << kernel->name;
        EXPECT_TRUE(wrong.device.runs(*kernel)) << "the test alone changes nothing";
    }
}

/// A kernel with subgroup operations that no self test knows could give wrong gradients.
TEST(BlendSelfTest, KnowsEveryBackwardKernelWithSubgroupOperations) {
    std::set<std::string> known;
    for (const AccumulationRow* row : accumulationTable()) {
        if (!row->withSubgroups) continue;
        for (const gpu::KernelInfo* kernel : row->withSubgroups()) known.insert(kernel->name);
    }
    for (const gpu::KernelInfo* kernel : kernels::all()) {
        const std::string name = kernel->name;
        if (name.starts_with("blend_backward_") && hasSubgroupOperations(*kernel)) {
            EXPECT_TRUE(known.contains(name)) << name;
        }
    }
    EXPECT_GE(known.size(), 9u);
}

}  // namespace
}  // namespace splat
