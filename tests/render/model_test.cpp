// Buffers of a model's attributes: every number goes in and out, and none takes more than its share of what can be bound.
#include <splatwright/render/model.h>

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include <splatwright/gpu/check.h>
#include <splatwright/scene/gaussians/attributes.h>
#include "scene/expect_same.h"
#include "support/numbered_gaussians.h"
#include "support/test_device.h"

namespace splat {
namespace {

std::vector<std::byte> randomBytes(size_t count, uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<std::byte> bytes(count);
    for (std::byte& b : bytes) b = static_cast<std::byte>(random());
    return bytes;
}

struct Shape {
    uint32_t words, planes;
};
class PlanarBuffers : public testing::TestWithParam<Shape> {
protected:
    PlanarBuffer make(uint32_t capacity) const { return {testDevice(), "numbers", GetParam().words, GetParam().planes, capacity}; }
};

TEST_P(PlanarBuffers, NoBufferTakesMoreThanItsShare) {
    const PlanarBuffer planes = make(100);
    uint64_t bytes = 0;
    for (const gpu::Buffer& buffer : planes.buffers()) {
        EXPECT_LE(buffer.bytes(), std::max(uint64_t{PlanarBuffer::kMostBytes}, planes.bytes()) * 100);
        bytes += buffer.bytes();
    }
    EXPECT_EQ(bytes, planes.bytes() * planes.planes() * 100);
}

TEST_P(PlanarBuffers, GiveBackEveryByteOfEveryPlane) {
    const PlanarBuffer planes = make(64);
    const auto bytes = randomBytes(planes.bytes() * planes.planes() * 37, 5);
    planes.upload(testDevice(), bytes);
    EXPECT_EQ(planes.download(testDevice(), 37), bytes);
    for (uint32_t p = 0; p < planes.planes(); ++p) {
        const auto found = testDevice().download<std::byte>(planes.slice(p, 3, 2), 2 * planes.bytes());
        const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>((37 * p + 3) * planes.bytes());
        EXPECT_TRUE(std::equal(found.begin(), found.end(), begin)) << "plane " << p;
    }
    EXPECT_THROW((void)planes.slice(planes.planes(), 0, 1), std::logic_error);
    EXPECT_THROW((void)planes.slice(0, 60, 5), std::logic_error);
}

TEST_P(PlanarBuffers, APlaneLiesWhereKernelsReadIt) {
    const PlanarBuffer planes = make(64);
    const auto bytes = randomBytes(planes.bytes() * planes.planes() * 37, 7);
    planes.upload(testDevice(), bytes);
    const uint64_t each = 37 * planes.bytes();
    for (uint32_t p = 0; p < planes.planes(); ++p) {
        const gpu::Buffer& buffer = planes.buffers()[p / planes.planesPerBuffer()];
        const auto found = testDevice().download<std::byte>(buffer.slice(p % planes.planesPerBuffer() * 64 * planes.bytes(), each), each);
        EXPECT_TRUE(std::equal(found.begin(), found.end(), bytes.begin() + static_cast<std::ptrdiff_t>(p * each))) << "plane " << p;
    }
}

TEST_P(PlanarBuffers, RangesMoveToWhereTheyAreTold) {
    PlanarBuffer planes = make(64);
    const auto bytes = randomBytes(planes.bytes() * planes.planes() * 64, 6);
    planes.upload(testDevice(), bytes);
    PlanarBuffer* all[] = {&planes};
    const GaussianMove moves[] = {{.from = 0, .to = 30, .count = 10}, {.from = 40, .to = 0, .count = 20}};
    resize(testDevice(), all, moves, 96);
    EXPECT_EQ(planes.capacity(), 96u);
    const auto found = planes.download(testDevice(), 96);
    const size_t each = planes.bytes();
    for (size_t p = 0; p < planes.planes(); ++p) {
        for (size_t i = 0; i < 96 * each; ++i) {
            const size_t gaussian = i / each;
            std::byte expected{0};
            for (const GaussianMove& m : moves)
                if (gaussian >= m.to && gaussian < m.to + m.count) expected = bytes[p * 64 * each + i - m.to * each + m.from * each];
            ASSERT_EQ(found[p * 96 * each + i], expected) << "plane " << p << ", Gaussian " << gaussian;
        }
    }
}

std::vector<Shape> shapes() {
    std::vector<Shape> all{{1, 1}, {5, 7}, {20, 3}};
    for (const AttributeRow& row : kAttributes)
        for (const uint32_t numbers : {1u, 2u}) all.push_back({numbers * row.words, row.planes});
    return all;
}
std::string nameOf(const testing::TestParamInfo<Shape>& info) {
    return fmt::format("{}Words{}Planes{}", info.param.words, info.param.planes, info.index);
}
INSTANTIATE_TEST_SUITE_P(Shapes, PlanarBuffers, testing::ValuesIn(shapes()), nameOf);

TEST(Model, EveryNumberComesBackAtEveryDegree) {
    GaussianModel model(testDevice(), 80);
    for (int degree = kMaxShDegree; degree >= 0; --degree) {
        Gaussians g = numberedGaussians(71, degree, 1000.0f * static_cast<float>(degree));
        g.antialiased = degree % 2 == 1;
        model.upload(testDevice(), g);
        expectSame(model.download(testDevice(), degree), g);
        const Gaussians whole = model.download(testDevice(), kMaxShDegree);
        for (const AttributeRow& row : kAttributes) {
            for (uint32_t plane = 0; plane < row.planes; ++plane) {
                const bool has = plane < planesAt(row, degree);
                const auto expected = has ? gather(g, row, plane) : std::vector<float>(71 * row.words);
                EXPECT_EQ(gather(whole, row, plane), expected) << row.section << " " << plane << " of degree " << degree;
            }
        }
    }
}

TEST(Model, ARangeIsWrittenAndReadWithoutTouchingOthers) {
    GaussianModel model(testDevice(), 80);
    const Gaussians all = numberedGaussians(80, 3), some = numberedGaussians(20, 3, 50'000);
    model.upload(testDevice(), all);
    model.upload(testDevice(), some, 30);
    expectSame(model.download(testDevice(), 3, 30, 20), some);
    const Gaussians found = model.download(testDevice(), 3);
    Gaussians expected = all;
    for (size_t i = 0; i < 20; ++i) copyGaussian(expected, 30 + i, some, i);
    expectSame(found, expected);
}

/// A kernel's struct as the generator makes them, with members for some attributes.
struct FakeKernel {
    gpu::BufferSlice means, rotationsMoments, other;
    std::array<gpu::BufferSlice, 4> shRest;
    uint32_t capacity = 0, kAntialiased = 0;
    template <class Visit>
    void forEachBuffer(Visit&& visit) {
        visit("means", std::span<gpu::BufferSlice>(&means, 1));
        visit("rotationsMoments", std::span<gpu::BufferSlice>(&rotationsMoments, 1));
        visit("other", std::span<gpu::BufferSlice>(&other, 1));
        visit("shRest", std::span<gpu::BufferSlice>(shRest));
    }
};

TEST(Model, BindsWhatAKernelHasMembersFor) {
    GaussianModel model(testDevice(), 80);
    model.antialiased = true;
    const FakeKernel kernel = withModel(FakeKernel{}, model);
    EXPECT_EQ(kernel.means.buffer, gpu::BufferSlice(model[Attribute::means]).buffer);
    for (size_t i = 0; i < kernel.shRest.size(); ++i)
        EXPECT_EQ(kernel.shRest[i].buffer, gpu::BufferSlice(model[Attribute::shRest].buffers()[i]).buffer) << i;
    EXPECT_FALSE(kernel.other);
    EXPECT_FALSE(kernel.rotationsMoments);
    EXPECT_EQ(kernel.capacity, 80u);
    EXPECT_EQ(kernel.kAntialiased, 1u);
    FakeKernel moments;
    const AttributeBuffers buffers(testDevice(), "moments of", &AttributeRow::momentWords, 80);
    buffers.bind(moments, "Moments");
    EXPECT_EQ(moments.rotationsMoments.buffer, gpu::BufferSlice(buffers[Attribute::rotations]).buffer);
    EXPECT_FALSE(moments.means);
}

}  // namespace
}  // namespace splat
