#include "ksplat_samples.h"

#include <splatwright/scene/formats/formats.h>
#include "peak_memory.h"
#include "scratch.h"

namespace splat {
namespace {

using namespace test;

Gaussians readContent(const std::string& content) {
    const Scratch scratch;
    return readSplats(scratch.write("a.ksplat", content));
}

Gaussians read(const KsplatFile& file) { return readContent(file.content()); }

void expectRefused(const KsplatFile& file, std::vector<std::string> parts) {
    parts.emplace_back("a.ksplat");
    expectInputError([&] { read(file); }, parts);
}

TEST(Ksplat, ReadsARecordByHand) {
    Bytes record;
    for (const uint16_t steps : std::array<uint16_t, 3>{0, 32767, 65534}) record.put(steps);  // -5, 0, 5 from the centre
    for (const uint16_t half : std::array<uint16_t, 7>{0x3c00, 0x3800, 0x4000, 0x3c00, 0, 0xbc00, 0})
        record.put(half);  // scales 1, 0.5, 2; rotation 1, 0, -1, 0
    record.put(std::array<uint8_t, 4>{255, 0, 51, 51});
    for (uint8_t byte = 0; byte < 9; ++byte) record.put(static_cast<uint8_t>(30 * byte));
    KsplatFile file{.splats = 1, .mode = 2};
    file.sections.push_back({.splats = 1,
                             .maxSplats = 1,
                             .bucketSplats = 256,
                             .blockSize = 10,
                             .bucketBytes = 12,
                             .partialSizes = {1},
                             .centres = {{1, 2, 3}},
                             .degree = 1,
                             .records = record.content()});
    const Gaussians g = read(file);
    EXPECT_LT(glm::distance(g.means[0], glm::vec3(-4, 2, 8)), 1e-5f);
    EXPECT_LT(glm::distance(g.logScales[0], glm::vec3(0, -std::log(2.0f), std::log(2.0f))), 1e-6f);
    EXPECT_LT(glm::distance(g.rotations[0], glm::vec4(std::sqrt(0.5f), 0, -std::sqrt(0.5f), 0)), 1e-6f);
    EXPECT_NEAR(g.logitOpacities[0], -std::log(4.0f), 1e-6f);
    EXPECT_LT(glm::distance(g.sh[0], glm::vec3(0.5f, -0.5f, -0.3f) / 0.28209479f), 1e-5f);
    const auto value = [](float byte) { return -1.5f + byte / 255 * 3; };  // the usual bounds, as the header has none
    EXPECT_LT(glm::distance(g.sh[1], glm::vec3(value(0), value(90), value(180))), 1e-5f);
    EXPECT_LT(glm::distance(g.sh[2], glm::vec3(value(30), value(120), value(210))), 1e-5f);
    EXPECT_LT(glm::distance(g.sh[3], glm::vec3(value(60), value(150), value(240))), 1e-5f);
    file.sections[0].range = 65534;  // steps of half the size, the first as far from the centre as before
    EXPECT_LT(glm::distance(read(file).means[0], glm::vec3(-4, -0.5f, 3)), 1e-4f);
}

TEST(Ksplat, SectionsOfALowerDegreeHaveNoHigherCoefficients) {
    const Gaussians two = randomSplats(4, 2), none = randomSplats(3, 0);
    KsplatFile file = ksplatFile(two, 1);
    file.sections.insert(file.sections.begin(), ksplatSection(none, 0, 3, 1));
    file.splats += 3;
    file.sections.push_back({.maxSplats = 0, .degree = 3});  // an empty section says nothing of the degree
    file.sections.back().bucketBytes = 12;
    const Gaussians g = read(file);
    ASSERT_EQ(g.count(), 7u);
    ASSERT_EQ(g.shDegree, 2);
    for (size_t i = 0; i < 3; ++i) {
        EXPECT_LT(glm::distance(g.means[i], none.means[i]), 0.001f);
        for (size_t k = 1; k < 9; ++k) EXPECT_EQ(g.sh[9 * i + k], glm::vec3(0));
    }
    for (size_t i = 0; i < 4; ++i) {
        EXPECT_LT(glm::distance(g.means[3 + i], two.means[i]), 0.001f);
        EXPECT_LT(glm::distance(g.sh[9 * (3 + i) + 8], two.sh[9 * i + 8]), 0.001f);
    }
}

TEST(Ksplat, ABucketMayBeEmpty) {
    const Gaussians g = randomSplats(3, 0);
    KsplatFile file = ksplatFile(g, 1);
    KsplatFile::Section& s = file.sections[0];
    s.partialSizes = {0, 1, 0, 1};
    s.centres = {glm::vec3(9), s.centres[0], glm::vec3(9), s.centres[1]};
    s.buckets = 4, s.partialBuckets = 4;
    expectNear(read(file), g, ksplatSample(1, 1, 0).steps);
}

TEST(Ksplat, ManySplatsAreReadInSlicesBucketByBucket) {
    const Gaussians g = randomSplats(20'000, 1);
    expectNear(read(ksplatFile(g, 1)), g, ksplatSample(1, 1, 1).steps);
}

TEST(Ksplat, ScalesAndRotationsOfZeroAreReadAndOthersThatAreNoneAreNamed) {
    Gaussians g = randomSplats(3, 0);
    g.logScales[1].y = -std::numeric_limits<float>::infinity();
    g.rotations[1] = glm::vec4(0);
    const Gaussians found = read(ksplatFile(g, 0));
    EXPECT_LT(found.logScales[1].y, -80);
    EXPECT_EQ(found.rotations[1], glm::vec4(1, 0, 0, 0));
    KsplatFile negative = ksplatFile(g, 0);
    const float scale = -1;
    std::memcpy(&negative.sections[1].records[12], &scale, sizeof scale);
    expectRefused(negative, {"scale of splat 2"});
    KsplatFile distant = ksplatFile(g, 1);
    distant.sections[0].blockSize = std::numeric_limits<float>::infinity();
    expectRefused(distant, {"position of splat 0"});
}

TEST(Ksplat, HeadersThatLieAreNamed) {
    const KsplatFile good = ksplatFile(randomSplats(9, 1), 1);
    const auto with = [&](auto change) {
        KsplatFile file = good;
        change(file, file.sections[1]);
        return file;
    };
    using Section = KsplatFile::Section;
    expectRefused(with([](KsplatFile& f, Section&) { f.major = 1; }), {"the version is 1.1, expected 0.1"});
    expectRefused(with([](KsplatFile& f, Section&) { f.minor = 0; }), {"the version is 0.0, expected 0.1"});
    expectRefused(with([](KsplatFile& f, Section&) { f.mode = 3; }), {"the compression mode is 3, expected 0 to 2"});
    expectRefused(with([](KsplatFile& f, Section&) { f.splats = 10; }), {"the sections have 9 splats, expected 10"});
    expectRefused(with([](KsplatFile& f, Section&) { f.splats = 0, f.sections = {}; }), {"0 splats", "at least one"});
    expectRefused(with([](KsplatFile&, Section& s) { s.degree = 4; }), {"the SH degree is 4, expected 0 to 3"});
    expectRefused(with([](KsplatFile&, Section& s) { s.splats = 6; }), {"splats in a section is 6, expected 0 to 5"});
    expectRefused(with([](KsplatFile&, Section& s) { s.bucketBytes = 16; }), {"bytes per bucket is 16, expected 12"});
    expectRefused(with([](KsplatFile&, Section& s) { s.fullBuckets = 2; }), {"buckets in use is 4, expected 0 to 3"});
    expectRefused(with([](KsplatFile&, Section& s) { s.partialSizes[1] = 0; }), {"buckets of a section have 3 splats, expected 4"});
    std::string content = good.content();
    content[4] = 100;
    expectInputError([&] { readContent(content); }, {"the number of sections is 100, expected 0 to"});
}

TEST(Ksplat, CountsThatTheFileCannotHoldTakeNoMemory) {
    KsplatFile file = ksplatFile(randomSplats(9, 1), 1);
    const auto peak = [](const KsplatFile& lying, const std::vector<std::string>& parts) {
        return peakOf([&] { expectRefused(lying, parts); });
    };
    constexpr uint32_t kMany = 0xffffffff;
    constexpr uint64_t kMiB = 1 << 20;
    KsplatFile splats = ksplatFile(randomSplats(9, 1), 0), buckets = file, partial = file, full = file;
    splats.splats = kMany, splats.sections[1].splats = splats.sections[1].maxSplats = kMany;
    EXPECT_LT(peak(splats, {"ends while reading the splats"}), 8 * kMiB);
    buckets.sections[1].buckets = kMany;
    EXPECT_LT(peak(buckets, {"ends while reading the centres"}), 8 * kMiB);
    partial.sections[1].partialBuckets = kMany;
    EXPECT_LT(peak(partial, {"ends while reading the sizes"}), 8 * kMiB);
    full.sections[1].fullBuckets = kMany;
    EXPECT_LT(peak(full, {"buckets in use"}), 8 * kMiB);
}

}  // namespace
}  // namespace splat
