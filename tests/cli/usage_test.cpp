#include <regex>

#include "run.h"

#include <regex>
#include <set>

#include <splatwright/train/settings/settings.h>

namespace splat {
namespace {

using namespace test;

struct HelpCase {
    const char* command;
    std::vector<std::string> parts;  ///< options with their defaults and units
};

class Help : public testing::TestWithParam<HelpCase> {};

TEST_P(Help, ListsOptionsWithDefaults) {
    const Outcome outcome = splatwright({GetParam().command, "--help"});
    expectSuccess(outcome);
    expectParts(outcome.out, GetParam().parts);
    expectParts(outcome.out,
                {"--device", "--validate", "--disable", "--capture", "--memory-limit MiB", "--verbose", "--quiet", "--version"});
}

INSTANTIATE_TEST_SUITE_P(
    Commands, Help,
    testing::Values(HelpCase{"info", {"--json", "--report FILE"}},
                    HelpCase{"synth",
                             {"OUT", "--scene NAME [garden]", "--views N [48]", "--size WxH [320x240]", "pixels", "--region-share N [0]",
                              "--transients N [0]", "--seed S [0]"}},
                    HelpCase{"prepare",
                             {"INPUT", "-o,--out DATASET", "--frames N [150]", "--colmap PATH", "--camera-model NAME [SIMPLE_RADIAL]",
                              "--mapper NAME [incremental]", "--distance", "metres", "--metric NAME", "gps"}},
                    HelpCase{"train",
                             {"--strategy NAME [budget]",
                              "mcmc:",
                              "fixed:",
                              "--steps N [10000]",
                              "--max-splats N [600000]",
                              "--quality NAME",
                              "--budget-mib N",
                              "--checkpoint-every N [5000]",
                              "--resume FILE",
                              "--prepare",
                              "--preset NAME|FILE",
                              "balanced, best, default, fast, gsplat, mcmc, object",
                              "--downscale 1|2|4|8|auto [1]",
                              "--images DIR",
                              "--test-every N [8]",
                              "--seed S [42]",
                              "--accumulate NAME [subtile]",
                              "--deterministic",
                              "--eval-at",
                              "--config",
                              "--set",
                              "--init NAME|FILE [sfm]",
                              "--save FILE",
                              "--force",
                              "--background R,G,B [0,0,0]",
                              "learning rates",
                              "lr_means=0.00016",
                              "scene extents",
                              "init_opacity=0.1",
                              "densify_until=7500",
                              "steps",
                              "strategy default:",
                              "grow_grad2d=0.0002",
                              "strategy mcmc:",
                              "grow_factor=1.05",
                              "Defaults of strategy default:",
                              "Defaults of strategy mcmc:",
                              "densify_until=25000",
                              "noise_lr=500000",
                              "Presets:",
                              "preset=balanced"}},
                    HelpCase{"render",
                             {"--data", "--camera", "world_to_camera", "--orbit", "--split NAME [test]", "--size WxH", "800x600",
                              "--up X,Y,Z [0,-1,0]", "--background R,G,B [0,0,0]", "--mode NAME [colour]", "normal: Direction",
                              "--as NAME [png]", "exr: ", "mp4: ", "--fps N [30]", "--half"}},
                    HelpCase{"convert",
                             {"IN... OUT", "--from NAME", "--to NAME", "spz-v4:", "--summary", "--json", "--report", "--force",
                              "--translate X,Y,Z", "--frame FROM,TO", "--min-opacity X", "(0 to 1)", "--sh-degree N", "--morton",
                              "--grid COLUMNSxROWS", "--jitter X [0]", "--seen DATA", "--seen-weight X"}},
                    HelpCase{
                        "eval",
                        {"--split NAME [test]", "--json", "--lpips WEIGHTS", "--downscale 1|2|4|8|auto [1]", "--background R,G,B [0,0,0]"}},
                    HelpCase{"explain",
                             {"SPLATS", "DATA", "--pixel X,Y (required)", "(each 0 to 8191)", "--view NAME", "--html FILE", "--json FILE",
                              "--downscale 1|2|4|8|auto [auto]"}},
                    HelpCase{"bench",
                             {"sort:", "scan:", "cdf:", "forward:", "backward:", "step:", "all:", "SPLATS DATA:", "--classic",
                              "--json FILE", "--html FILE"}}),
    [](const auto& test) { return std::string(test.param.command); });

/// Names of the settings for --set and --config that a command's help lists.
std::set<std::string> listedSettings(const std::string& command) {
    const Outcome outcome = splatwright({command, "--help"});
    expectSuccess(outcome);
    std::set<std::string> names;
    const std::regex row("\n  ([a-z0-9_]+)=");
    for (std::sregex_iterator found(outcome.out.begin(), outcome.out.end(), row), end; found != end; ++found) names.insert((*found)[1]);
    return names;
}

TEST(Usage, HelpListsTheSettingsThatActOnWhatTheCommandTrains) {
    const std::set<std::string> ofFit = listedSettings("fit"), ofTrain = listedSettings("train");
    TrainSettings settings;
    for (const SettingField& field : settingFields(settings)) {
        const std::string name(field.name);
        const SettingUse use = field.about.use;
        EXPECT_FALSE(use == SettingUse::scenes && ofFit.contains(name)) << name;
        EXPECT_FALSE(use == SettingUse::pictures && ofTrain.contains(name)) << name;
        EXPECT_FALSE(use == SettingUse::both && ofTrain.contains(name) && !ofFit.contains(name)) << name;
    }
    for (const char* name : {"grow_grad2d", "sh_degree", "grid_size", "refine_poses", "depth"}) {
        EXPECT_FALSE(ofFit.contains(name)) << name;
        EXPECT_TRUE(ofTrain.contains(name)) << name;
    }
    EXPECT_TRUE(ofFit.contains("file_loss"));
    EXPECT_FALSE(ofTrain.contains("file_loss"));
}

TEST(Usage, HelpListsTheCommands) {
    const Outcome outcome = splatwright({"--help"});
    expectSuccess(outcome);
    expectParts(outcome.out, {"info", "synth", "train", "render", "eval", "bench"});
}

TEST(Usage, VersionIsPrinted) {
    const Outcome outcome = splatwright({"--version"});
    expectSuccess(outcome);
    EXPECT_TRUE(std::regex_search(outcome.out, std::regex(R"(^\d+\.\d+\.\d+\+([0-9a-f]{12}(\.changed\.[0-9a-f]{8})?|unknown)\n$)")))
        << outcome.out;
}

struct MistakeCase {
    const char* name;
    std::vector<std::string> arguments;
    std::vector<std::string> parts;
};

class Mistake : public testing::TestWithParam<MistakeCase> {};

TEST_P(Mistake, EndsWithTwoAndSaysWhatWasExpected) {
    const Scratch scratch;
    Arguments arguments = GetParam().arguments;
    for (std::string& argument : arguments) {
        if (argument == "OUT") argument = (scratch.path() / "out").string();
    }
    expectFailure(splatwright(arguments), 2, GetParam().parts);
    EXPECT_TRUE(fs::is_empty(scratch.path()));
}

const auto kMistakes = testing::Values(
    MistakeCase{"NoCommand", {}, {"subcommand is required"}}, MistakeCase{"UnknownCommand", {"frobnicate"}, {"frobnicate", "train"}},
    MistakeCase{"UnknownOption", {"synth", "OUT", "--frobnicate"}, {"--frobnicate"}}, MistakeCase{"MissingArgument", {"train"}, {"DATA"}},
    MistakeCase{"MissingOut", {"train", "data"}, {"--out"}},
    MistakeCase{"NotANumber", {"synth", "OUT", "--views", "many"}, {"--views", "many"}},
    MistakeCase{"BadSize", {"synth", "OUT", "--size", "64"}, {"--size", "'64'", "WIDTHxHEIGHT"}},
    MistakeCase{"UnknownScene", {"synth", "OUT", "--scene", "moon"}, {"moon", "garden"}},
    MistakeCase{"UnknownStrategy",
                {"train", "d", "-o", "OUT", "--strategy", "magic"},
                {"strategy", "'magic'", "default, mcmc, budget, fixed, picture"}},
    MistakeCase{"UnknownRow", {"train", "d", "-o", "OUT", "--accumulate", "magic"}, {"magic", "bucket", "fixed-point"}},
    MistakeCase{"DeterministicWithAtomics",
                {"train", "d", "-o", "OUT", "--deterministic", "--accumulate", "bucket"},
                {"deterministic", "'bucket'", "'fixed-point'"}},
    MistakeCase{"DeterministicWithTimes",
                {"train", "d", "-o", "OUT", "--deterministic", "--accumulate", "auto"},
                {"deterministic", "'auto'", "'fixed-point'"}},
    MistakeCase{"ClampedByAnyMethod",
                {"train", "d", "-o", "OUT", "--accumulate", "auto", "--set", "clamp_gradients=true"},
                {"clamp_gradients", "'auto'", "'tree-cas'"}},
    MistakeCase{"UnknownSetting", {"train", "d", "-o", "OUT", "--set", "lr_mean=1"}, {"--set", "'lr_mean'", "lr_means"}},
    MistakeCase{"NoAssignment", {"train", "d", "-o", "OUT", "--set", "lr_means"}, {"--set", "KEY=VALUE"}},
    MistakeCase{"OutOfRange", {"train", "d", "-o", "OUT", "--steps", "0"}, {"--steps", "'0'", "1 to 10000000"}},
    MistakeCase{"GivenTwice", {"train", "d", "-o", "OUT", "--steps", "5", "--set", "steps=6"}, {"steps", "twice"}},
    MistakeCase{"BadDownscale", {"train", "d", "-o", "OUT", "--downscale", "3"}, {"--downscale", "'3'", "1, 2, 4, 8 or auto"}},
    MistakeCase{"EvalAfterTheEnd", {"train", "d", "-o", "OUT", "--steps", "5", "--eval-at", "2,6"}, {"--eval-at", "6", "1 to 5"}},
    MistakeCase{"CaptureAfterTheEnd", {"train", "d", "-o", "OUT", "--steps", "5", "--capture", "6"}, {"--capture", "6", "1 to 5"}},
    MistakeCase{"OrbitOfMinusOne", {"render", "a.ply", "-o", "OUT", "--orbit", "-1"}, {"--orbit", "'-1'", "1 to 10000"}},
    MistakeCase{"EndlessOrbit", {"render", "a.ply", "-o", "OUT", "--orbit", "1e10"}, {"--orbit", "'1e10'", "1 to 10000"}},
    MistakeCase{"NegativeSeed", {"synth", "OUT", "--seed", "-1"}, {"--seed", "'-1'", "0 to 18446744073709551615"}},
    MistakeCase{"HugeSize", {"view", "--size", "8193x1"}, {"--size", "'8193x1'", "1 to 8192"}},
    MistakeCase{"CaptureOfStepNought", {"train", "d", "-o", "OUT", "--capture", "0"}, {"--capture", "'0'", "1 to 10000000"}},
    MistakeCase{"InfiniteRate", {"train", "d", "-o", "OUT", "--set", "lr_means=1e300"}, {"lr_means", "'1e300'", "0 to 10"}},
    MistakeCase{"NoDirection", {"render", "a.ply", "-o", "OUT", "--up", "0,0,0"}, {"--up", "'0,0,0'", "not all 0"}},
    MistakeCase{"BenchIntoAFolder", {"bench", "scan", "--json", "/"}, {"/: is a folder", "expected a file"}},
    MistakeCase{"CaptureOfNothing", {"info", "--capture", "1"}, {"--capture", "info"}},
    MistakeCase{"UnknownPreset",
                {"train", "d", "-o", "OUT", "--preset", "slow"},
                {"--preset", "'slow'", "balanced, best, default, fast, gsplat, mcmc, object"}},
    MistakeCase{"MissingCheckpoint", {"train", "d", "-o", "OUT", "--resume", "/none"}, {"/none", "No such file"}},
    MistakeCase{"NoMemoryAtAll", {"info", "--memory-limit", "0"}, {"--memory-limit"}},
    MistakeCase{"MissingConfig", {"train", "d", "-o", "OUT", "--config", "/none.json"}, {"/none.json"}},
    MistakeCase{"MissingDataset", {"train", "/none", "-o", "OUT"}, {"/none", "no such dataset"}},
    MistakeCase{"MissingSplats", {"eval", "/none.ply", "/none"}, {"/none.ply"}},
    MistakeCase{"UnknownLens", {"prepare", "in", "-o", "OUT", "--camera-model", "WIDE"}, {"--camera-model", "'WIDE'", "OPENCV_FISHEYE"}},
    MistakeCase{"NothingToRender", {"render", "/none.ply", "-o", "OUT"}, {"--data, --camera and --orbit"}},
    MistakeCase{"TwoThingsToRender", {"render", "/none.ply", "-o", "OUT", "--orbit", "3", "--data", "d"}, {"found 2"}},
    MistakeCase{"UnknownMode", {"render", "a.ply", "-o", "OUT", "--mode", "colours"}, {"--mode", "'colours'", "colour", "normal"}},
    MistakeCase{"FilmWithoutTime", {"render", "a.ply", "-o", "OUT", "--fps", "0"}, {"--fps", "'0'", "1 to 240"}},
    MistakeCase{"UnknownFiles", {"render", "a.ply", "-o", "OUT", "--as", "bmp"}, {"--as", "'bmp'", "png, exr, npy, mp4, webm"}},
    MistakeCase{"ClassicScan", {"bench", "scan", "--classic"}, {"--classic", "'scan'", "sort alone"}},
    MistakeCase{"BenchPageIntoAFolder", {"bench", "scan", "--html", "/"}, {"/: is a folder", "expected a file"}},
    MistakeCase{"UnknownBenchmark", {"bench", "sort", "hash"}, {"'hash'", "sort, scan, cdf, forward, backward, step or all"}},
    MistakeCase{"SplatsWithoutData", {"bench", "all", "a.ply"}, {"'a.ply'", "SPLATS and DATA"}},
    MistakeCase{"FilesForAPrimitive", {"bench", "scan", "a.ply", "data"}, {"'a.ply data'", "step or all"}},
    MistakeCase{"SizesOfAScene", {"bench", "forward", "step", "--n", "5"}, {"--n", "'forward step'", "no numbers of items"}},
    MistakeCase{"TooManyFiles", {"bench", "step", "a.ply", "data", "more"}, {"'a.ply data more'", "SPLATS and DATA"}},
    MistakeCase{"BenchOfMissingSplats", {"bench", "all", "/none.ply", "/none"}, {"/none.ply"}},
    MistakeCase{"SceneBenchIntoAFolder", {"bench", "step", "--html", "/"}, {"/: is a folder", "expected a file"}},
    MistakeCase{"UnknownDevice", {"info", "--device", "no such device"}, {"--device", "no such device"}},
    MistakeCase{"UnknownFeature", {"info", "--disable", "magic"}, {"--disable", "magic", "timestamps"}});

INSTANTIATE_TEST_SUITE_P(All, Mistake, kMistakes, [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace splat
