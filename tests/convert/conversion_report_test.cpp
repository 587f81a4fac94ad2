// What writing splats costs, in renders, for every writer.
#include <splatwright/convert/conversion_report.h>

#include <cmath>
#include <limits>
#include <map>

#include <nlohmann/json.hpp>

#include <splatwright/core/rng.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/formats/page/page_viewer.h>
#include "../scene/scratch.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"

namespace splat {
namespace {

constexpr double kIdentical = std::numeric_limits<double>::infinity();

/// Least PSNR of renders of what a writer wrote, dB. Formats of floats are exact but for logarithms and the like.
const std::map<std::string_view, double> kLeastPsnr{
    {"compressed-ply", 40},
    {"ply", kIdentical},
    {"ply-ascii", kIdentical},
    {"ply-big-endian", kIdentical},
    {"sog", 40},
    {"sog-folder", 40},
    {"splat", 34},
    {"spz", 40},
    {"spz-v1", 40},
    {"spz-v2", 40},
    {"spz-v4", 40},
    {"spz-8bit", 40},
    {"glb", 90},
    {"glb-spz", 40},
    {"html", 40},
    {"usda", 90},
};

/// Splats on a ball, with sizes, colours and view dependence in the ranges that training gives them.
Gaussians ball(size_t count) {
    Rng rng(7);
    Gaussians g;
    g.resize(count, 1);
    const auto within = [&](double low, double high) { return static_cast<float>(rng.uniform(low, high)); };
    for (size_t i = 0; i < count; ++i) {
        const glm::vec3 normal = glm::normalize(glm::dvec3(rng.normal(), rng.normal(), rng.normal()));
        g.means[i] = normal;
        g.rotations[i] = glm::vec4(rng.normal(), rng.normal(), rng.normal(), rng.normal());
        g.logScales[i] = {within(-4, -2.5), within(-4, -2.5), within(-6, -4)};
        g.logitOpacities[i] = within(-2, 4);
        g.sh[4 * i] = 1.2F * normal + glm::vec3(within(-0.3, 0.3));
        for (size_t k = 1; k < 4; ++k) g.sh[4 * i + k] = {within(-0.05, 0.05), within(-0.05, 0.05), within(-0.05, 0.05)};
    }
    return g;
}

ConversionReport compared(const Gaussians& written, const Gaussians& readBack) {
    return compareRenders(testDevice(), testSort(), written, readBack);
}

TEST(ConversionReport, EveryWriterKeepsRenders) {
    const Gaussians splats = ball(3000);
    for (const SplatWriter* writer : splatWriters()) {
        SCOPED_TRACE(writer->name);
        if (std::string_view(writer->name) == "html" && pageViewer().empty()) continue;
        ASSERT_TRUE(kLeastPsnr.contains(writer->name)) << "say what it keeps";
        const test::Scratch scratch;
        const SplatFormat& format = splatFormatOf(*writer);
        const auto file = scratch.path() / (writer->fileName ? writer->fileName : std::string("a") + format.extension);
        writer->write(file, splats);
        const ConversionReport report = compared(splats, format.read(file));
        EXPECT_GE(report.psnr, kLeastPsnr.at(writer->name));
        EXPECT_LE(report.worstPsnr, report.psnr);
        EXPECT_GT(bytesOfModel(file), 2000u);
    }
}

/// A level of a real scene, 8406 splats of degree 2; the bounds are those of engine/scene/formats/README.md. Of `.splat`, which has no
/// view-dependent colours, the renders without them count.
TEST(ConversionReport, WritersKeepRendersOfARealScene) {
    const auto file = std::filesystem::path(SPLAT_SHARED_DATA) / "splats/playbot/4_0";
    if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is not on this machine";
    Gaussians splats = readSplats(file);
    for (const char* name : {"compressed-ply", "spz", "sog", "splat"}) {
        SCOPED_TRACE(name);
        if (name == std::string_view("splat")) setShDegree(splats, 0);
        const test::Scratch scratch;
        const SplatWriter& writer = splatWriterByName(name);
        const SplatFormat& format = splatFormatOf(writer);
        const auto written = scratch.path() / (std::string("a") + format.extension);
        writer.write(written, splats);
        const ConversionReport report = compared(splats, format.read(written));
        EXPECT_GE(report.psnr, kLeastPsnr.at(name));
        RecordProperty(name, fmt::format("{:.2f} dB, {:.2f} in the worst view", report.psnr, report.worstPsnr));
    }
}

TEST(ConversionReport, AFolderHasTheBytesOfItsFiles) {
    const test::Scratch scratch;
    scratch.write("lone.ply", "12345");
    scratch.write("model/meta.json", "123");
    scratch.write("model/means_l.webp", "1234567");
    EXPECT_EQ(bytesOfModel(scratch.path() / "lone.ply"), 5u);
    EXPECT_EQ(bytesOfModel(scratch.path() / "model/meta.json"), 10u);
}

/// A splat that changes by a known amount: half as bright everywhere.
TEST(ConversionReport, IsThePsnrOfShownValues) {
    Gaussians grey;
    grey.resize(1, 0);
    grey.means[0] = glm::vec3(0);
    grey.logScales[0] = glm::vec3(10);  // far larger than the circle of cameras
    grey.logitOpacities[0] = 30;
    grey.sh[0] = glm::vec3(0);  // a colour of 0.5
    Gaussians darker = grey;
    darker.sh[0] = glm::vec3(-0.25F / 0.28209479F);
    const ConversionReport report = compared(grey, darker);
    EXPECT_NEAR(report.psnr, -20 * std::log10(0.25 * 0.99), 0.2);
    EXPECT_NEAR(report.worstPsnr, report.psnr, 0.2);
    Gaussians bright = grey, brighter = grey;
    bright.sh[0] = glm::vec3(5);
    brighter.sh[0] = glm::vec3(9);
    EXPECT_EQ(compared(bright, brighter).psnr, kIdentical) << "both are white";
}

TEST(ConversionReport, TheWorstViewDiffersMost) {
    const Gaussians splats = ball(500);
    Gaussians turned = splats;
    for (size_t i = 0; i < splats.count(); ++i) turned.sh[4 * i + 3] += glm::vec3(0.3F);  // from one side only
    const ConversionReport report = compared(splats, turned);
    EXPECT_LT(report.worstPsnr, report.psnr - 0.5);
    EXPECT_EQ(report.splats, 500u);
}

TEST(ConversionReport, SaysWhatItFound) {
    const ConversionReport same{.psnr = kIdentical, .worstPsnr = kIdentical, .bytes = 100, .splats = 8},
        other{.psnr = 41.239, .worstPsnr = 39.5, .bytes = 10, .splats = 4};
    EXPECT_EQ(toText(same), "renders of 8 views before and after writing: identical\n100 bytes, 12.50 per splat\n");
    EXPECT_EQ(toText(other),
              "renders of 8 views before and after writing: PSNR 41.24 dB, 39.50 in the worst view\n10 bytes, 2.50 per splat\n");
    const nlohmann::json json = toJson(same);
    EXPECT_TRUE(json["psnr"].is_null() && json["identical"]) << json;
    EXPECT_EQ(toJson(other)["psnr"], 41.239);
    EXPECT_EQ(toJson(other)["bytes_per_splat"], 2.5);
}

}  // namespace
}  // namespace splat
