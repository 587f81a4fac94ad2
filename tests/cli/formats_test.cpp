#include "../scene/format_samples.h"

#include "run.h"

namespace splat {
namespace {

using namespace test;

/// Whatever command takes splats takes them in every format of the table.
class FormatOfSplats : public testing::TestWithParam<const SplatFormat*> {
protected:
    const Scratch scratch;
    const fs::path splats = scratch.write(std::string("a") + GetParam()->extension, kSplatSamples.at(GetParam()->name)().back().content);
};

TEST_P(FormatOfSplats, IsRenderedAndEvaluated) {
    expectSuccess(splatwright({"render", splats, "--orbit", "1", "--size", "16x16", "-o", scratch.path() / "out"}));
    EXPECT_TRUE(fs::exists(scratch.path() / "out" / "orbit_0000.png"));
    expectParts(splatwright({"eval", splats, tinyDataset(scratch)}).out, {"PSNR", "mean"});
}

TEST_P(FormatOfSplats, IsNamedByTheHelp) {
    for (const char* command : {"render", "eval", "view"}) expectParts(splatwright({command, "--help"}).out, {GetParam()->name});
}

INSTANTIATE_TEST_SUITE_P(Rows, FormatOfSplats, testing::ValuesIn(splatFormats().begin(), splatFormats().end()), rowName);

}  // namespace
}  // namespace splat
