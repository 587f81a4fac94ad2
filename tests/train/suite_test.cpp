#include <splatwright/train/suite/suite.h>

#include <functional>

#include <gtest/gtest.h>

#include "../scene/scratch.h"

namespace splat {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::Scratch;

json smallest() { return {{"scenes", {{{"name", "toy"}, {"synth", json::object()}}}}, {"presets", {"default"}}, {"seeds", {1}}}; }

TEST(Suite, IsReadWithItsDefaults) {
    const Scratch scratch;
    const Suite suite = readSuite(scratch.write("s.json", smallest().dump()));
    ASSERT_EQ(suite.scenes.size(), 1u);
    EXPECT_EQ(suite.scenes[0].name, "toy");
    EXPECT_EQ(suite.scenes[0].synth->views, SynthOptions{}.views);
    ASSERT_EQ(suite.presets.size(), 1u);
    EXPECT_EQ(suite.presets[0].name, "default");
    EXPECT_EQ(suite.presets[0].preset, "default");
    EXPECT_EQ(suite.seeds, std::vector<uint32_t>{1});
}

TEST(Suite, PathsStartAtItsFolder) {
    const Scratch scratch;
    fs::create_directories(scratch.path() / "sets/fox");
    fs::create_directories(scratch.path() / "suites");
    scratch.write("sets/mine.json", "{}");
    json root = smallest();
    root["scenes"] = {{{"name", "fox"}, {"data", "../sets/fox"}, {"dataset", "colmap"}, {"images", "small"}}};
    root["presets"] = {{{"name", "mine"}, {"preset", "../sets/mine.json"}}, {{"name", "m"}, {"preset", "mcmc"}}};
    const Suite suite = readSuite(scratch.write("suites/s.json", root.dump()));
    EXPECT_EQ(suite.scenes[0].data, (scratch.path() / "sets/fox").lexically_normal());
    EXPECT_EQ(suite.scenes[0].reading.format, "colmap");
    EXPECT_EQ(suite.scenes[0].reading.images, "small");
    EXPECT_EQ(suite.presets[0].preset, (scratch.path() / "sets/mine.json").lexically_normal());
    EXPECT_EQ(suite.presets[1].preset, "mcmc");
}

TEST(Suite, OptionsOfAProceduralSceneAreRead) {
    const Scratch scratch;
    json root = smallest();
    root["scenes"][0]["synth"] = {{"scene", "object"},      {"views", 5}, {"size", "64x48"}, {"region_share", 3}, {"transients", 4},
                                  {"colour_changes", 0.25}, {"seed", 9}};
    const SynthOptions synth = *readSuite(scratch.write("s.json", root.dump())).scenes[0].synth;
    EXPECT_EQ(synth.scene, "object");
    EXPECT_EQ(synth.views, 5);
    EXPECT_EQ(synth.width, 64);
    EXPECT_EQ(synth.height, 48);
    EXPECT_EQ(synth.regionShare, 3);
    EXPECT_EQ(synth.transients, 4);
    EXPECT_EQ(synth.colourChanges, 0.25F);
    EXPECT_EQ(synth.seed, 9u);
}

TEST(Suite, SettingsOfThePresetWinOverTheScenesAndThoseOverTheSuites) {
    const Scratch scratch;
    json root = smallest();
    root["settings"] = {{"steps", 1}, {"log_every", 1}, {"test_every", 1}};
    root["scenes"][0]["settings"] = {{"log_every", 2}, {"test_every", 2}};
    root["presets"] = {{{"name", "p"}, {"settings", {{"test_every", 3}}}}};
    const Suite suite = readSuite(scratch.write("s.json", root.dump()));
    EXPECT_EQ(suite.settingsOf(suite.scenes[0], suite.presets[0], 7),
              (json{{"steps", 1}, {"log_every", 2}, {"test_every", 3}, {"seed", 7}}));
}

/// tests/bench of the repository.
fs::path repositorysSuite(const char* name) { return fs::path(SPLAT_SHADERS).parent_path() / "tests/bench" / name; }

TEST(Suite, TheSmallOneOfTheRepositoryIsValid) {
    const Suite suite = readSuite(repositorysSuite("suite_small.json"));
    EXPECT_EQ(suite.scenes.size(), 2u);
    for (const SuiteScene& scene : suite.scenes) EXPECT_TRUE(scene.synth) << scene.name << ": needs no file";
}

TEST(Suite, TheOneThatDecidesRecipesIsValid) {
    if (!fs::exists(SPLAT_SHARED_DATA)) GTEST_SKIP() << "no " << SPLAT_SHARED_DATA;
    EXPECT_EQ(readSuite(repositorysSuite("suite.json")).scenes.size(), 7u);
    EXPECT_EQ(readSuite(repositorysSuite("suite_few.json")).scenes.size(), 4u);
}

struct HostileSuite {
    const char* name;
    std::function<void(json&)> change;
    std::vector<std::string> parts;  ///< of the message
};

void PrintTo(const HostileSuite& suite, std::ostream* out) { *out << suite.name; }

class SuiteRefuses : public testing::TestWithParam<HostileSuite> {};

TEST_P(SuiteRefuses, NamingFileKeyFoundAndExpected) {
    const Scratch scratch;
    json root = smallest();
    GetParam().change(root);
    const fs::path file = scratch.write("s.json", root.dump());
    const std::string message = test::inputErrorOf([&] { readSuite(file); });
    EXPECT_TRUE(message.starts_with(file.string())) << message;
    for (const std::string& part : GetParam().parts) EXPECT_NE(message.find(part), std::string::npos) << "'" << part << "' in " << message;
}

HostileSuite named(const char* name, const json& folder) {
    return {name, [folder](json& root) { root["scenes"][0]["name"] = folder; }, {"scenes[0]", "name", "expected"}};
}

INSTANTIATE_TEST_SUITE_P(
    Files, SuiteRefuses,
    testing::Values(
        named("Parent", ".."), named("Slash", "a/b"), named("Absolute", "/tmp"), named("Empty", ""), named("Hidden", ".git"),
        named("Option", "-o"), named("NewLine", "a\nb"), named("Blank", " "), named("Reserved", "data"), named("Result", "suite.json"),
        named("Lock", "run.lock"), named("Long", std::string(65, 'a')), named("Number", 5), named("Null", nullptr),
        named("Unicode", "f\xC3\xBCr"), named("Zero", std::string("a\0b", 3)),
        HostileSuite{"PresetSlash", [](json& root) { root["presets"] = {"../default"}; }, {"presets[0]", "../default", "folder name"}},
        HostileSuite{"PresetKind", [](json& root) { root["presets"] = {3}; }, {"presets[0]", "found 3", "expected an object"}},
        HostileSuite{"SameScene", [](json& root) { root["scenes"].push_back(root["scenes"][0]); }, {"scenes", "'toy'", "twice"}},
        HostileSuite{"SamePreset",
                     [](json& root) {
                         root["presets"] = {"mcmc", "mcmc"};
                     },
                     {"presets", "'mcmc'", "twice"}},
        HostileSuite{"SameSeed",
                     [](json& root) {
                         root["seeds"] = {1, 2, 1};
                     },
                     {"seeds[2]", "found 1", "once"}},
        HostileSuite{"SeedKind", [](json& root) { root["seeds"] = {1.5}; }, {"seeds[0]", "found 1.5", "whole number"}},
        HostileSuite{"SeedRange", [](json& root) { root["seeds"] = {-1}; }, {"seeds[0]", "found -1", "0 to 4294967295"}},
        HostileSuite{"NoSeeds", [](json& root) { root["seeds"] = json::array(); }, {"seeds", "found []", "list"}},
        HostileSuite{"NoScenes", [](json& root) { root.erase("scenes"); }, {"scenes", "missing"}},
        HostileSuite{"UnknownKey", [](json& root) { root["seed"] = 1; }, {"'seed'", "seeds"}},
        HostileSuite{"UnknownSceneKey", [](json& root) { root["scenes"][0]["setings"] = 1; }, {"scenes[0]", "'setings'", "settings"}},
        HostileSuite{
            "UnknownSynthKey", [](json& root) { root["scenes"][0]["synth"]["view"] = 1; }, {"scenes[0]: synth", "'view'", "views"}},
        HostileSuite{"UnknownSetting",
                     [](json& root) {
                         root["settings"] = {{"stepz", 1}};
                     },
                     {"settings", "'stepz'", "steps"}},
        HostileSuite{"SettingKind",
                     [](json& root) {
                         root["settings"] = {{"steps", "1"}};
                     },
                     {"settings", "steps", "\"1\"", "a number"}},
        HostileSuite{"SettingRange",
                     [](json& root) {
                         root["settings"] = {{"steps", 0}};
                     },
                     {"settings", "steps", "'0'", "1 to"}},
        HostileSuite{"SeedAsSetting",
                     [](json& root) {
                         root["settings"] = {{"seed", 1}};
                     },
                     {"settings", "seed", "`seeds`"}},
        HostileSuite{"SettingsKind", [](json& root) { root["settings"] = 1; }, {"settings", "number", "object"}},
        HostileSuite{"BothDataAndSynth", [](json& root) { root["scenes"][0]["data"] = "."; }, {"scenes[0]", "either data or synth"}},
        HostileSuite{"Neither", [](json& root) { root["scenes"][0].erase("synth"); }, {"scenes[0]", "either data or synth"}},
        HostileSuite{"MissingData",
                     [](json& root) {
                         root["scenes"][0] = {{"name", "a"}, {"data", "nowhere"}};
                     },
                     {"scenes[0]: data", "nowhere", "does not exist"}},
        HostileSuite{"DataKind",
                     [](json& root) {
                         root["scenes"][0] = {{"name", "a"}, {"data", 1}};
                     },
                     {"scenes[0]: data", "found 1"}},
        HostileSuite{"ViewsRange", [](json& root) { root["scenes"][0]["synth"]["views"] = 0; }, {"synth: views", "found 0", "1 to"}},
        HostileSuite{"ColoursRange",
                     [](json& root) { root["scenes"][0]["synth"]["colour_changes"] = 1.5; },
                     {"synth: colour_changes", "found 1.5", "0 to 1"}},
        HostileSuite{
            "ColoursKind", [](json& root) { root["scenes"][0]["synth"]["colour_changes"] = "a"; }, {"synth: colour_changes", "a number"}},
        HostileSuite{"SizeText", [](json& root) { root["scenes"][0]["synth"]["size"] = "64"; }, {"synth: size", "\"64\"", "WIDTHxHEIGHT"}},
        HostileSuite{"SizeRange", [](json& root) { root["scenes"][0]["synth"]["size"] = "0x9000"; }, {"synth: size", "1 to 8192"}},
        HostileSuite{"SynthScene", [](json& root) { root["scenes"][0]["synth"]["scene"] = "gardn"; }, {"synth: scene", "gardn", "garden"}},
        HostileSuite{"Format", [](json& root) { root["scenes"][0]["dataset"] = "nerf"; }, {"scenes[0]: dataset", "nerf", "colmap"}},
        HostileSuite{"List", [](json& root) { root = json::array(); }, {"found []", "expected an object"}}),
    [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace splat
