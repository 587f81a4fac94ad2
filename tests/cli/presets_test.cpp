#include "run.h"

namespace splat {
namespace {

using namespace test;

struct Presets : testing::Test {
    /// The settings that a run of one pass with these options says it had.
    json settings(Arguments more) const {
        Arguments arguments{"train",        data,    "-o",          scratch.path() / "out", "--force", "--set",
                            "max_passes=1", "--set", "min_steps=1", "--downscale",          "4",       "-q"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        expectSuccess(splatwright(arguments));
        return metricsOf(scratch.path() / "out")["settings"];
    }

    static void expectSettings(const json& found, const json& expected) {
        for (const auto& [name, value] : expected.items()) EXPECT_EQ(found[name], value) << name;
    }

    Scratch scratch;
    fs::path data = tinyDataset(scratch);
};

const json kCommon{{"densify_from", 500},  {"densify_interval", 100}, {"lr_means", 1.6e-4},        {"lr_means_final", 1.6e-6},
                   {"lr_opacities", 0.05}, {"lr_scales", 0.005},      {"lr_rotations", 0.001},     {"lr_sh0", 0.0025},
                   {"ssim_lambda", 0.2},   {"sh_degree", 3},          {"sh_degree_interval", 1000}};
const json kRecipe{{"prune_opacity", 0.005}, {"lr_sh_rest", 1.25e-4}, {"antialiased", false}, {"random_background", false}};

TEST_F(Presets, DefaultIsBalancedAndWhatTrainsIfNothingIsSaid) {
    const json found = settings({});
    EXPECT_EQ(found, settings({"--preset", "balanced"}));
    EXPECT_EQ(found, settings({"--preset", "default"}));
    EXPECT_EQ(found, settings({"--quality", "0.5"}));
}

TEST_F(Presets, StrategyDefaultDepartsFromTheStandardRecipeWhereThatGains) {
    const json found = settings({"--strategy", "default"});
    expectSettings(found, kCommon);
    expectSettings(found, {{"strategy", "default"},
                           {"antialiased", true},
                           {"random_background", true},
                           {"lr_sh_rest", 3e-4},
                           {"densify_until", 15000},
                           {"long_axis_split", true},
                           {"prune_opacity", 0.02},
                           {"reset_every", 0},
                           {"absolute_gradients", true},
                           {"grow_grad2d", 4e-4},
                           {"grow_scale3d", 0.0},
                           {"prune_scale3d", 0.1},
                           {"prune_scale_from", 3000},
                           {"scale2d_until", 0},
                           {"opacity_reg", 0.0},
                           {"scale_reg", 0.0}});
}

TEST_F(Presets, GsplatIsTheStandardRecipe) {
    const json found = settings({"--preset", "gsplat"});
    expectSettings(found, kCommon);
    expectSettings(found, kRecipe);
    expectSettings(found, {{"strategy", "default"},    {"densify_until", 15000},   {"reset_every", 3000},
                           {"reset_opacity", 0.01},    {"grow_grad2d", 2e-4},      {"grow_scale3d", 0.01},
                           {"grow_scale2d", 0.05},     {"long_axis_split", false}, {"prune_scale3d", 0.1},
                           {"prune_scale2d", 0.15},    {"prune_scale_from", 3000}, {"scale2d_until", 0},
                           {"init_opacity", 0.1},      {"init_scale", 1.0},        {"absolute_gradients", false},
                           {"revised_opacity", false}, {"opacity_reg", 0.0},       {"noise_lr", 0.0},
                           {"scale_reg", 0.0},         {"colour_test", false}});
}

TEST_F(Presets, McmcIsTheRecipeOfItsPaper) {
    const json found = settings({"--preset", "mcmc"});
    expectSettings(found, kCommon);
    expectSettings(found, kRecipe);
    expectSettings(found, {{"strategy", "mcmc"},
                           {"max_splats", 1'000'000},
                           {"densify_until", 25000},
                           {"noise_lr", 5e5},
                           {"opacity_reg", 0.01},
                           {"scale_reg", 0.01},
                           {"init_opacity", 0.5},
                           {"init_scale", 0.1},
                           {"grow_factor", 1.05}});
}

TEST_F(Presets, OthersAreSettingsThatExist) {
    const json budget{{"strategy", "budget"},      {"lr_scales", 0.01},     {"score", "gradient-sum"}, {"opacity_reg", 0.0},
                      {"prune_opacity", 0.02},     {"lr_sh_rest", 0.0004},  {"antialiased", true},     {"start_downscale", 2},
                      {"random_background", true}, {"withhold", 12},        {"growth_gain", 0.1},      {"splat_pixels", 24.0},
                      {"colour_test", true},       {"opaque_below", 0.004}, {"lr_opacities", 0.025}};
    const std::map<std::string, json> own{{"fast",
                                           {{"steps", 6400},
                                            {"densify_until", 4300},
                                            {"full_size_from", 2700},
                                            {"sh_degree_interval", 300},
                                            {"max_splats", 400'000},
                                            {"grow_power", 2.0},
                                            {"lr_final_factor", 0.4},
                                            {"average_steps", 800}}},
                                          {"balanced",
                                           {{"steps", 10'000},
                                            {"densify_until", 7500},
                                            {"full_size_from", 3000},
                                            {"sh_degree_interval", 600},
                                            {"max_splats", 600'000},
                                            {"grow_power", 2.0},
                                            {"lr_final_factor", 0.3},
                                            {"average_steps", 1000}}},
                                          {"best",
                                           {{"steps", 10'500},
                                            {"densify_until", 7000},
                                            {"full_size_from", 3000},
                                            {"sh_degree_interval", 600},
                                            {"max_splats", 1'200'000},
                                            {"grow_power", 1.5},
                                            {"lr_final_factor", 0.3},
                                            {"average_steps", 1000}}}};
    for (const auto& [name, expected] : own) {
        const json found = settings({"--preset", name});
        expectSettings(found, budget);
        expectSettings(found, expected);
    }
    expectSettings(settings({"--preset", "object", "--set", "init_count=500"}),
                   {{"strategy", "mcmc"}, {"max_splats", 300'000}, {"init", "random"}, {"init_count", 500}, {"noise_lr", 5e5}});
}

/// Runs of builds in which strategy default was the standard recipe.
TEST_F(Presets, SettingsOfOlderRunsMeanWhatTheyMeantThen) {
    const fs::path run =
        scratch.write("metrics.json", R"({"settings": {"strategy": "default", "reset_every": 1500, "prune_opacity": 0.005}})");
    expectSettings(settings({"--config", run}), {{"prune_scale_from", 1500}, {"long_axis_split", false}});
    const fs::path without = scratch.write("none.json", R"({"settings": {"strategy": "default", "reset_every": 0}})");
    EXPECT_GT(settings({"--config", without})["prune_scale_from"], 30'000) << "no reset, no pruning by size";
    const fs::path budget = scratch.write("budget.json", R"({"settings": {"strategy": "budget", "reset_every": 3000}})");
    expectSettings(settings({"--config", budget}), {{"long_axis_split", true}});
}

TEST_F(Presets, LaterLayersGoOverEarlierOnes) {
    const fs::path preset = scratch.write("mine.json", R"({"strategy": "mcmc", "noise_lr": 1, "opacity_reg": 1, "scale_reg": 1})");
    const fs::path config = scratch.write("config.json", R"({"opacity_reg": 2, "scale_reg": 2})");
    expectSettings(settings({"--preset", preset, "--config", config, "--set", "scale_reg=3"}),
                   {{"init_opacity", 0.5}, {"noise_lr", 1.0}, {"opacity_reg", 2.0}, {"scale_reg", 3.0}});
    expectSettings(settings({"--preset", preset, "--strategy", "default"}), {{"init_opacity", 0.1}, {"noise_lr", 1.0}});
}

}  // namespace
}  // namespace splat
