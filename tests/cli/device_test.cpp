#include <cstdlib>

#include "commands/info_report.h"
#include "run.h"

namespace splat {
namespace {

using namespace test;

const RunOptions kNoDriver{.environment = {{"VK_DRIVER_FILES", "/nonexistent"}, {"VK_ICD_FILENAMES", "/nonexistent"}}};

json info() {
    const Outcome outcome = splatwright({"info", "--json"});
    expectSuccess(outcome);
    return json::parse(outcome.out);
}

TEST(Device, InfoHasTheKeysOfTheContract) {
    const json found = info();
    int used = 0;
    for (const json& device : found["devices"]) {
        for (const char* key : {"index", "name", "type", "api", "driver", "memory", "used", "unsuitable"})
            EXPECT_TRUE(device.contains(key)) << key;
        used += device["used"].get<bool>() ? 1 : 0;
    }
    EXPECT_EQ(used, 1);
    EXPECT_TRUE(found["features"]["timestamps"].is_boolean());
    EXPECT_TRUE(found["sort"]["variant"].is_string());
    EXPECT_EQ(found["sort"]["self_test"], true);
    for (const char* name : {"scan", "compaction", "cdf"}) {
        EXPECT_TRUE(found["sums"][name]["variant"].is_string()) << name;
        EXPECT_EQ(found["sums"][name]["self_test"], true) << name;
    }
    EXPECT_TRUE(found["kernels_not_run"].is_object());
    EXPECT_TRUE(found["blend"].is_string() && found["forward_progress"].is_string());
    EXPECT_TRUE(found["subgroups"]["size"].is_number());
    EXPECT_GE(found["slang"].get<std::string>(), "2026");
    EXPECT_GE(found["limits"]["storage_buffer_bytes"], 1 << 27);
    const json& budget = found["memory_budget"];
    EXPECT_TRUE(budget.is_null() || budget["bytes"].get<uint64_t>() >= budget["used"].get<uint64_t>()) << budget;
}

/// The file has what is printed, and nothing that tells whose it is.
TEST(Device, AReportCanBeGivenAway) {
    const Scratch scratch;
    const fs::path home = scratch.path() / "somebody", file = home / "report.json";
    fs::create_directory(home);
    const Outcome outcome = splatwright({"info", "--json", "--report", file.string()}, {.environment = {{"HOME", home.string()}}});
    expectSuccess(outcome);
    const std::string text = readTextFile(file);
    const json report = json::parse(text), printed = json::parse(outcome.out);
    for (const auto& [key, value] : printed.items()) {
        if (key == "memory_budget") continue;  // of another moment
        EXPECT_EQ(report[key], value) << key;
    }
    EXPECT_TRUE(report["version"].is_string() && report["machine"].is_string());
    EXPECT_GE(report["timings"].size(), 3u);
    for (const json& row : report["timings"]) EXPECT_EQ(row["verified"], true) << row;
    EXPECT_EQ(text.find("somebody"), std::string::npos);
}

TEST(Device, AReportSaysWhyThereIsNoDevice) {
    const Scratch scratch;
    const fs::path file = scratch.path() / "report.json";
    expectFailure(splatwright({"info", "--report", file.string()}, kNoDriver), 1, {"no Vulkan device was found"});
    const json report = json::parse(readTextFile(file));
    EXPECT_NE(report["error"].get<std::string>().find("no Vulkan device was found"), std::string::npos);
    EXPECT_TRUE(report["machine"].is_string());
    expectFailure(splatwright({"info", "--report", (scratch.path() / "none/report.json").string()}), 1, {"none/report.json"});
}

/// Drivers name their files in errors.
TEST(Device, AReportSaysNotWhereTheHomeFolderIs) {
    const char* home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): nothing here sets variables
    if (!home || std::string(home).size() < 2) GTEST_SKIP() << "there is no home folder";
    const Scratch scratch;
    const fs::path file = scratch.path() / "report.json";
    app::writeInfoReport(file, {{"error", fmt::format("{0}/driver.so and {0}/icd.json are missing", home)}});
    EXPECT_EQ(json::parse(readTextFile(file))["error"], "~/driver.so and ~/icd.json are missing");
}

TEST(Device, EveryFeatureCanBeSwitchedOff) {
    Arguments arguments{"info", "--json"};
    const json everything = info();
    for (const auto& [feature, present] : everything["features"].items()) arguments.insert(arguments.end(), {"--disable", feature});
    const Outcome outcome = splatwright(arguments);
    expectSuccess(outcome);
    const json found = json::parse(outcome.out);
    for (const auto& [name, present] : found["features"].items()) EXPECT_EQ(present, false) << name;
    for (const auto& [name, test] : found["sums"].items()) EXPECT_EQ(test["variant"], "portable") << name;
    for (const char* kernel : {"scan_write", "blend_subgroup", "sort_histogram_u16"})
        EXPECT_TRUE(found["kernels_not_run"].contains(kernel)) << kernel;
}

TEST(Device, EachFeatureCanBeSwitchedOffAlone) {
    const json everything = info();
    for (const auto& [feature, present] : everything["features"].items()) {
        const Outcome outcome = splatwright({"info", "--json", "--disable", feature});
        expectSuccess(outcome);
        const json found = json::parse(outcome.out);
        EXPECT_EQ(found["features"][feature], false) << feature;
        EXPECT_EQ(found["sort"]["self_test"], true) << "without " << feature;
        for (const auto& [name, test] : found["sums"].items()) EXPECT_EQ(test["self_test"], true) << name << " without " << feature;
    }
}

TEST(Device, InfoSaysWhyVariantsAreSelectedOrNot) {
    const Outcome outcome = splatwright({"info", "--json", "--disable", "forward-progress"});
    expectSuccess(outcome);
    const json found = json::parse(outcome.out);
    int selected = 0, lookBack = 0;
    for (const json& variant : found["sort"]["variants"]) {
        selected += variant["selected"].get<bool>() ? 1 : 0;
        lookBack += variant["reason"] == "needs 'forward-progress'" ? 1 : 0;
    }
    EXPECT_GE(selected, 1);
    EXPECT_GE(lookBack, 2);
    EXPECT_EQ(found["sums"]["scan"]["variants"].size(), 3u);
    EXPECT_EQ(found["features"]["forward-progress"], false);
    EXPECT_EQ(outcome.out.find("faster"), std::string::npos) << "nothing was timed";
    const std::string text = splatwright({"info", "--disable", "forward-progress"}).out;
    for (const json& variant : found["sort"]["variants"]) {
        const std::string name = variant["name"];
        const std::string reason = variant["reason"];
        EXPECT_NE(text.find(fmt::format("  {}{:<20} {}\n", variant["selected"].get<bool>() ? '*' : ' ', name, reason)), std::string::npos)
            << name;
    }
}

TEST(Device, AProfileIsKeptToAndItsGapsAreSaid) {
    const Outcome outcome = splatwright({"info", "--json", "--profile", "mali-g7xx"});
    expectSuccess(outcome);
    const json found = json::parse(outcome.out);
    EXPECT_EQ(found["profile"]["name"], "mali-g7xx");
    EXPECT_EQ(found["limits"]["shared_memory_bytes"], 16384);
    EXPECT_LE(found["limits"]["storage_buffers_per_kernel"], 64);
    for (const char* feature : {"float-atomics", "timestamps", "forward-progress"}) EXPECT_EQ(found["features"][feature], false) << feature;
    EXPECT_TRUE(found["kernels_not_run"].contains("sort_scatter_portable16"));
    EXPECT_FALSE(found["kernels_not_run"].contains("scan_write_portable_u64")) << "a small one takes its place";
    for (const json& what : found["profile"]["not_proven"]) {
        const std::string gap = what;
        expectParts(outcome.err, {gap});
        expectParts(splatwright({"info", "--profile", "mali-g7xx"}).out, {"not proven here: " + gap});
    }
    EXPECT_TRUE(info()["profile"].is_null());
}

TEST(Device, AProfileOfNoClassIsSaidToBeForTests) {
    expectParts(splatwright({"info", "--profile", "moltenvk"}).out, {"profile moltenvk: Apple GPUs, MoltenVK\n"});
    expectParts(splatwright({"info", "--profile", "bare"}).out, {"profile bare: for tests of fallbacks, no class of devices\n"});
    EXPECT_TRUE(json::parse(splatwright({"info", "--json", "--profile", "bare"}).out)["profile"]["class"].is_null());
}

TEST(Device, AProfileThatCannotBeUsedOrIsUnknownIsRefused) {
    expectFailure(splatwright({"info", "--profile", "rpi5"}), 1, {"rpi5", "8 storage buffers per kernel, expected at least 31"});
    expectFailure(splatwright({"--profile", "voodoo2", "info"}), 2, {"--profile", "voodoo2", "moltenvk"});
}

TEST(Device, GlobalOptionsStandOnEitherSideOfTheCommand) {
    EXPECT_EQ(json::parse(splatwright({"--disable", "timestamps", "info", "--json"}).out)["features"]["timestamps"], false);
    EXPECT_EQ(json::parse(splatwright({"info", "--disable", "timestamps", "--json"}).out)["features"]["timestamps"], false);
}

TEST(Device, NoVulkanDeviceIsSaid) { expectFailure(splatwright({"info"}, kNoDriver), 1, {"no Vulkan device was found"}); }

TEST(Device, NoVulkanDeviceLeavesNothingBehind) {
    const Scratch scratch;
    const fs::path data = tinyDataset(scratch);
    const fs::path out = scratch.path() / "out";
    expectFailure(splatwright({"train", data, "-o", out}, kNoDriver), 1, {"no Vulkan device was found"});
    EXPECT_FALSE(fs::exists(out));
}

/// On a device whose buffers are small, because as many splats as no buffer holds have to be placed first.
TEST(Device, TooManySplatsNameTheBufferThatDoesNotFit) {
    const Scratch scratch;
    const fs::path data = tinyDataset(scratch);
    const fs::path out = scratch.path() / "out";
    constexpr uint64_t kMostBytes = 48;  // of a buffer, per splat
    constexpr uint64_t kLimit = 1 << 20;
    const Outcome outcome = splatwright({"train", data, "-o", out, "--init", "random", "--binding-limit", std::to_string(kLimit), "--set",
                                         "splat_pixels=0", "--set", fmt::format("init_count={}", kLimit / kMostBytes + 1)});
    expectFailure(outcome, 1, {"buffer 'gaussian sh_rest 0'", "MiB"});
    EXPECT_FALSE(fs::exists(out));
}

/// The loader hides drivers that call themselves portability drivers, as MoltenVK does, from programs that do not ask for them.
TEST(Device, DriversWithRulesOfTheirOwnAreFound) {
    const auto isLavapipe = [](const fs::path& file) { return file.filename().string().starts_with("lvp_icd"); };
    const fs::path drivers = "/usr/share/vulkan/icd.d";
    fs::path found;
    for (const auto& entry : fs::directory_iterator(drivers))
        if (isLavapipe(entry.path())) found = entry.path();
    ASSERT_FALSE(found.empty()) << drivers;
    json manifest = json::parse(readTextFile(found));
    manifest["ICD"]["is_portability_driver"] = true;
    const Scratch scratch;
    const fs::path file = scratch.path() / "portability.json";
    writeFileAtomically(file, manifest.dump());
    expectSuccess(splatwright({"info"}, {.environment = {{"VK_DRIVER_FILES", file.string()}, {"VK_ICD_FILENAMES", file.string()}}}));
}

/// The layer refuses to make a device without the extension that it lists (tests/portability).
TEST(Device, RulesOfADeviceAreAskedFor) {
    const std::string layer = "VK_LAYER_SPLATWRIGHT_portability";
    const fs::path folder = fs::path(SPLAT_BINARY).parent_path().parent_path() / "portability";
    const RunOptions portable{
        .environment = {{"VK_ADD_LAYER_PATH", folder.string()}, {"VK_LAYER_PATH", folder.string()}, {"VK_INSTANCE_LAYERS", layer}}};
    ASSERT_TRUE(fs::exists(folder / "layer.json"));
    const Outcome outcome = splatwright({"info", "--json"}, portable);
    expectSuccess(outcome);
    EXPECT_EQ(outcome.err.find("Failed to find"), std::string::npos) << outcome.err;
}

TEST(Device, ValidationMessagesEndWithThree) {
    // Best practices are no business of ours, but their messages are messages: the layer always finds some.
    const RunOptions chatty{.environment = {{"VK_LAYER_ENABLES", "VK_VALIDATION_FEATURE_ENABLE_BEST_PRACTICES_EXT"}}};
    expectFailure(splatwright({"info", "--validate"}, chatty), 3, {"validation:", "messages"});
    expectSuccess(splatwright({"info", "--validate"}));
}

}  // namespace
}  // namespace splat
