#include "../scene/format_samples.h"
#include "../train/lpips_samples.h"

#include "run.h"

namespace splat {
namespace {

using namespace test;

/// Two views of hardly more than the 31x31 pixels that AlexNet needs, because each takes a second, a model, and random weights of AlexNet.
struct EvalLpips : testing::Test {
    fs::path views() const {
        expectSuccess(splatwright({"synth", scratch.path() / "data", "--views", "2", "--size", "36x32", "-q"}));
        return scratch.path() / "data";
    }
    static std::string weightsFile() {
        const std::string content = lpipsContent(randomLpipsWeights(lpipsNetworks()[1], 1));
        return lpipsPrefix(content) + content;
    }

    Outcome eval(Arguments more) const {
        more.insert(more.begin(), {"eval", splats, data, "--split", "all"});
        return splatwright(more);
    }

    const Scratch scratch;
    const fs::path data = views();
    const fs::path splats = scratch.write("a.ply", kSplatSamples.at("PLY")().back().content);
    const fs::path weights = scratch.write("weights.lpips", weightsFile());
};

TEST_F(EvalLpips, IsReportedPerViewAndAsTheirMean) {
    const Outcome outcome = eval({"--lpips", weights, "--json", "--validate"});
    expectSuccess(outcome);
    const json found = json::parse(outcome.out);
    double sum = 0;
    for (const json& view : found["views"]) {
        EXPECT_GT(view["lpips"].get<double>(), 0) << view["name"];
        sum += view["lpips"].get<double>();
    }
    EXPECT_EQ(found["views"].size(), 2u);
    EXPECT_NEAR(found["lpips"].get<double>(), sum / 2, 1e-12);
    expectParts(eval({"--lpips", weights}).out, {"SSIM    LPIPS\n", fmt::format("  {:.4f}\n", sum / 2)});
}

TEST_F(EvalLpips, IsAbsentWithoutWeights) {
    const json found = json::parse(eval({"--json"}).out);
    EXPECT_TRUE(found.contains("ssim"));
    EXPECT_FALSE(found.contains("lpips"));
    EXPECT_FALSE(found["views"][0].contains("lpips"));
    EXPECT_EQ(eval({}).out.find("LPIPS"), std::string::npos);
}

TEST_F(EvalLpips, UnreadableWeightsAreWrongInput) {
    const fs::path missing = scratch.path() / "missing.lpips";
    expectFailure(eval({"--lpips", missing}), 2, {missing.string()});
    expectFailure(eval({"--lpips", ""}), 2, {"cannot be read"});
    fs::resize_file(weights, fs::file_size(weights) - 1);
    expectFailure(eval({"--lpips", weights}), 2, {weights.string(), "truncated"});
}

TEST_F(EvalLpips, TooSmallImagesAreWrongInput) {
    expectFailure(eval({"--lpips", weights, "--downscale", "2"}), 2, {"0000.png", "18x16", "31x31", "alexnet"});
}

}  // namespace
}  // namespace splat
