#include "run.h"

#include <map>

#include <splatwright/core/platform/file.h>
#include <splatwright/scene/formats/ply.h>
#include <splatwright/scene/images/image_file.h>

namespace splat {
namespace {

using namespace test;

struct FullRun : testing::Test {
    fs::path out(const char* name = "out") const { return scratch.path() / name; }

    /// A short run of few splats; options go before what the file says.
    Outcome train(const fs::path& folder, Arguments more = {}) const {
        Arguments arguments{"train", data, "-o", folder, "--config", config};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return splatwright(arguments);
    }

    std::vector<std::string> filesOf(const fs::path& folder) const {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
        std::ranges::sort(names);
        return names;
    }

    Scratch scratch;
    fs::path data = tinyDataset(scratch);
    fs::path config = scratch.write("small.json", R"({"steps": 20, "log_every": 5, "init": "random", "init_count": 100})");
};

TEST_F(FullRun, TrainsEvaluatesAndRenders) {
    const Outcome trained = train(out(), {"--validate", "--steps", "8", "--eval-at", "4", "--init", "sfm", "--set", "log_every=2"});
    expectSuccess(trained);
    expectParts(trained.out, {"8 in", "8000", "PSNR", "SSIM", out().string(), "splats.ply", "strip.png"});
    expectParts(trained.err, {"training 8/8"});
    EXPECT_EQ(filesOf(out()), (std::vector<std::string>{"checkpoint.splat-ckpt", "log.jsonl", "metrics.json", "splats.ply", "strip.png"}));

    const json metrics = metricsOf(out());
    EXPECT_EQ(metrics["steps"], 8);
    EXPECT_EQ(metrics["splats"], readPly(out() / "splats.ply").count());
    EXPECT_EQ(metrics["waits_in_steps"], 0);
    EXPECT_GT(metrics["train_seconds"], 0);
    EXPECT_GT(metrics["total_seconds"], metrics["train_seconds"]);
    EXPECT_GT(metrics["peak_device_mib"], 1);
    EXPECT_FALSE(metrics["stages"].empty());
    ASSERT_EQ(metrics["views"].size(), 1u);
    EXPECT_EQ(metrics["views"][0]["name"], "0000.png");
    EXPECT_EQ(metrics["settings"]["log_every"], 2);

    std::vector<int> steps;
    for (const json& line : logOf(out())) {
        steps.push_back(line["step"]);
        EXPECT_EQ(line.contains("psnr"), steps.back() % 4 == 0);
        for (const char* key : {"loss", "splats", "ms_per_step"}) EXPECT_TRUE(line[key].is_number()) << key;
    }
    EXPECT_EQ(steps, (std::vector<int>{2, 4, 6, 8}));

    // The file is evaluated as the model was.
    const Outcome evaluated = splatwright({"eval", out() / "splats.ply", data, "--json", "--validate"});
    expectSuccess(evaluated);
    EXPECT_NEAR(json::parse(evaluated.out)["psnr"].get<double>(), metrics["psnr"].get<double>(), 0.01);
    expectParts(splatwright({"eval", out() / "splats.ply", data, "--split", "train"}).out, {"PSNR", "0001.png", "0005.png", "mean"});

    expectSuccess(splatwright({"render", out() / "splats.ply", "--data", data, "--split", "all", "-o", out("renders"), "--size", "32x24"}));
    EXPECT_EQ(filesOf(out("renders")).size(), 6u);
    EXPECT_EQ(readImageHeader(out("renders") / "0005.png").size.width, 32);
}

TEST_F(FullRun, SaysInItsLastLineIfItIsHardlyBetterThanFlatPictures) {
    const Outcome trained = train(out(), {"--steps", "1"});
    expectSuccess(trained);
    const size_t line = trained.out.rfind('\n', trained.out.size() - 2) + 1;
    EXPECT_TRUE(trained.out.substr(line).starts_with("warning the renders are hardly better than flat")) << trained.out;
}

TEST_F(FullRun, TrainsAntialiasedWithExposuresAndPoses) {
    const Outcome trained =
        train(out(), {"--validate", "--set", "antialiased=true", "--set", "exposure=true", "--set", "refine_poses=true"});
    expectSuccess(trained);
    expectParts(trained.out, {"cameras.json"});
    EXPECT_TRUE(readPly(out() / "splats.ply").antialiased);
    const json cameras = json::parse(readTextFile(out() / "cameras.json"));
    EXPECT_GT(cameras.size(), 1u);
    expectSuccess(splatwright({"render", out() / "splats.ply", "--camera", out() / "cameras.json", "-o", out("renders")}));
    EXPECT_EQ(filesOf(out("renders")).size(), cameras.size());
    const Outcome evaluated = splatwright({"eval", out() / "splats.ply", data, "--json"});
    expectSuccess(evaluated);
    EXPECT_NEAR(json::parse(evaluated.out)["psnr"], metricsOf(out())["psnr"], 0.05);
}

TEST_F(FullRun, DeterministicRunsAreTheSameBytes) {
    for (const char* name : {"a", "b"}) expectSuccess(train(out(name), {"--deterministic", "--seed", "7"}));
    EXPECT_EQ(readFile(out("a") / "splats.ply"), readFile(out("b") / "splats.ply"));
    EXPECT_EQ(metricsOf(out("a"))["settings"]["accumulate"], "fixed-point");
}

TEST_F(FullRun, OptionsGoBeforeTheConfigFile) {
    expectSuccess(train(out(), {"--steps", "3", "--set", "init_count=90"}));
    const json metrics = metricsOf(out());
    EXPECT_EQ(metrics["steps"], 3);
    EXPECT_EQ(metrics["settings"]["log_every"], 5);
    EXPECT_EQ(metrics["splats"], 90);
}

TEST_F(FullRun, SettingsOfARunStartItAgain) {
    expectSuccess(train(out("a"), {"--deterministic"}));
    const fs::path settings = scratch.write("config.json", metricsOf(out("a"))["settings"].dump());
    expectSuccess(splatwright({"train", data, "-o", out("b"), "--config", settings}));
    EXPECT_EQ(readFile(out("a") / "splats.ply"), readFile(out("b") / "splats.ply"));
}

TEST_F(FullRun, MetricsOfARunStartItAgain) {
    expectSuccess(train(out("a"), {"--deterministic", "--seed", "7", "--set", "sh_degree=1", "--steps", "3"}));
    for (const char* option : {"--config", "--preset"}) {
        expectSuccess(splatwright({"train", data, "-o", out("b"), "--force", option, out("a") / "metrics.json"}));
        EXPECT_EQ(metricsOf(out("a"))["settings"], metricsOf(out("b"))["settings"]) << option;
        EXPECT_EQ(readFile(out("a") / "splats.ply"), readFile(out("b") / "splats.ply")) << option;
    }
    const fs::path wrong = scratch.write("metrics.json", R"({"psnr": 20, "settings": {"lr_mean": 1}})");
    expectFailure(train(out("c"), {"--preset", wrong}), 2, {wrong.string() + ": settings: ", "'lr_mean'", "lr_means"});
}

TEST_F(FullRun, WithoutTestViewsThereIsNoScore) {
    expectSuccess(train(out(), {"--test-every", "0"}));
    const json metrics = metricsOf(out());
    EXPECT_TRUE(metrics["psnr"].is_null());
    EXPECT_TRUE(metrics["views"].empty());
    EXPECT_TRUE(fs::exists(out() / "strip.png"));
    EXPECT_FALSE(logOf(out()).back().contains("psnr"));
    expectFailure(splatwright({"eval", out() / "splats.ply", data, "--test-every", "0"}), 2, {"'test'", "--split all"});
}

TEST_F(FullRun, ForceOverwritesARun) {
    expectSuccess(train(out()));
    expectFailure(train(out()), 2, {"--force"});
    expectSuccess(train(out(), {"--force", "--set", "init_count=80"}));
    EXPECT_EQ(readPly(out() / "splats.ply").count(), 80u);
    EXPECT_EQ(logOf(out()).size(), 4u);
}

TEST_F(FullRun, CtrlCSavesWhatThereIs) {
    const auto loggedALine = [&] {
        std::error_code ignored;
        const auto size = fs::file_size(out() / "log.jsonl", ignored);
        return !ignored && size > 0;
    };
    const Outcome outcome =
        splatwright({"train", data, "-o", out(), "--config", config, "--steps", "1000000"}, {.interruptWhen = loggedALine});
    EXPECT_EQ(outcome.code, kInterrupted) << outcome.err;
    expectParts(outcome.out, {"interrupted", "splats.ply"});
    const json metrics = metricsOf(out());
    EXPECT_GT(metrics["steps"], 0);
    EXPECT_LT(metrics["steps"], 1000000);
    EXPECT_TRUE(metrics["psnr"].is_null());
    EXPECT_EQ(readPly(out() / "splats.ply").count(), 100u);
}

TEST_F(FullRun, RendersCamerasOfAFileAndOrbits) {
    expectSuccess(train(out(), {"-q"}));
    const fs::path cameras = scratch.write("cameras.json", R"([
        {"name": "left/first", "width": 40, "height": 30, "fl_x": 40, "fl_y": 40, "cx": 20, "cy": 15,
         "world_to_camera": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 4], [0, 0, 0, 1]]},
        {"width": 40, "height": 30, "fl_x": 40, "fl_y": 40, "cx": 20, "cy": 15,
         "world_to_camera": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 5], [0, 0, 0, 1]]}])");
    expectSuccess(splatwright({"render", out() / "splats.ply", "--camera", cameras, "-o", out("renders")}));
    expectSuccess(splatwright({"render", out() / "splats.ply", "--orbit", "2", "--size", "48x36", "-o", out("renders")}));
    EXPECT_EQ(filesOf(out("renders")), (std::vector<std::string>{"camera_0001.png", "left_first.png", "orbit_0000.png", "orbit_0001.png"}));
    EXPECT_EQ(readImageHeader(out("renders") / "orbit_0001.png").size.height, 36);
}

TEST_F(FullRun, AccumulationMethodsAreVerifiedOnItsSplats) {
    expectSuccess(train(out(), {"-q", "--set", "init_count=30"}));
    const fs::path file = scratch.path() / "rows.json";
    const Outcome outcome = splatwright(
        {"bench", "accumulate", out() / "splats.ply", data, "--views", "2", "--runs", "1", "--absolute", "--json", file, "--validate"});
    expectSuccess(outcome);
    expectParts(outcome.out, {"0001.png", "method", "speed-up", "subtile", "library"});
    const json written = json::parse(readTextFile(file));
    EXPECT_TRUE(written["device"].is_string());
    EXPECT_EQ(written["absolute"], true);
    ASSERT_EQ(written["views"].size(), 2u);
    for (const json& view : written["views"]) {
        EXPECT_GT(view["instances"], 0);
        std::map<std::string, int> rows;
        for (const json& row : view["rows"]) {
            ++rows[row["method"]];
            for (const char* key : {"median_ms", "min_ms", "max_ms", "relative_error"}) EXPECT_TRUE(row[key].is_number()) << key;
            EXPECT_EQ(row["verified"], true) << row;
        }
        EXPECT_EQ(rows["atomic"], 1);
        EXPECT_EQ(rows["subgroup"], 9);
        EXPECT_EQ(rows["serial"], 9);
        if (!view.contains("one_splat_share")) continue;  // no subgroups
        EXPECT_EQ(view["one_splat_share"], 1);
        EXPECT_EQ(view["pairs_by_active_lanes"].size(), view["subgroup_lanes"].get<size_t>() + 1);
    }
}

TEST_F(FullRun, AccumulationIsChosenAndTheChoiceIsLogged) {
    const Outcome trained = train(out(), {"--accumulate", "auto", "--steps", "180", "--set", "init_count=20", "--validate"});
    expectSuccess(trained);
    const json metrics = metricsOf(out());
    EXPECT_EQ(metrics["settings"]["accumulate"], "auto");
    EXPECT_EQ(metrics["waits_in_steps"], 0);
    ASSERT_EQ(metrics["accumulation"].size(), 1u);
    const json& decision = metrics["accumulation"][0];
    EXPECT_GT(decision["ms"], 0);
    EXPECT_GT(decision["next_ms"], 0);
    expectParts(trained.err,
                {fmt::format("step {}: accumulation by {}", decision["step"].get<int>(), decision["method"].get<std::string>()),
                 "next " + decision["next"].get<std::string>()});
    expectSuccess(train(out(), {"--force", "--set", "deterministic=true"}));
    EXPECT_FALSE(metricsOf(out()).contains("accumulation"));
    expectSuccess(splatwright({"train", data, "-o", out("b"), "--config", out() / "metrics.json"}));
}

/// Takes over 10 s: it is every variant of every benchmark, with validation.
TEST_F(FullRun, AllBenchmarksRunOnItsSplats) {
    expectSuccess(train(out(), {"-q", "--set", "init_count=15"}));
    const fs::path file = scratch.path() / "rows.json", page = scratch.path() / "page.html";
    const Outcome outcome =
        splatwright({"bench", "all", out() / "splats.ply", data, "--n", "1000", "--json", file, "--html", page, "--validate"});
    expectSuccess(outcome);
    const json written = json::parse(readTextFile(file));
    EXPECT_TRUE(written["driver"].is_string());
    std::map<std::string, int> rows;
    for (const json& row : written["rows"]) {
        ++rows[row["bench"]];
        EXPECT_EQ(row["verified"], true) << row;
        EXPECT_EQ(row.contains("subject"), row["n"] != 1000) << row;
    }
    for (const char* bench : {"sort-32", "scan", "cdf-build", "step"}) EXPECT_GT(rows[bench], 0) << bench;
    EXPECT_EQ(rows["forward"], 3);
    EXPECT_EQ(rows["backward"] % 3, 0);
    EXPECT_GT(rows["backward"], 3 * 20);
    const std::string html = readTextFile(page);
    for (const char* part : {"Driver: ", "times as fast as atomic", "<h2>Speed-up</h2>", "blend backward", "0001.png"})
        EXPECT_NE(html.find(part), std::string::npos) << part;
}

TEST(Bench, MakesAndTrainsASceneOfItsOwn) {
    const Scratch scratch;
    const fs::path file = scratch.path() / "rows.json", temporary = scratch.path() / "tmp";
    fs::create_directory(temporary);
    const auto in = [](const fs::path& folder) {
        return RunOptions{.environment = {{platform::temporaryFolderVariable(), folder.string()}}};
    };
    const Outcome outcome = splatwright({"bench", "forward", "--json", file}, in(temporary));
    expectSuccess(outcome);
    EXPECT_EQ(json::parse(readTextFile(file))["rows"].size(), 3u);
    EXPECT_TRUE(fs::is_empty(temporary)) << "the scene's folder is removed";
    expectFailure(splatwright({"bench", "forward"}, in(scratch.path() / "none")), 1, {platform::temporaryFolderVariable()});
}

TEST(Bench, OfAccumulationNeedsSplatsAndStandsAlone) {
    EXPECT_EQ(splatwright({"bench", "accumulate"}).code, 2);
    EXPECT_EQ(splatwright({"bench", "accumulate", "splats.ply"}).code, 2);
    expectFailure(splatwright({"bench", "accumulate", "none.ply", "none"}), 2, {"none.ply"});
    expectFailure(splatwright({"bench", "scan", "accumulate", "none.ply", "none"}), 2, {"bench accumulate", "no other benchmark"});
    const Outcome help = splatwright({"bench", "accumulate", "--help"});
    expectSuccess(help);
    expectParts(help.out, {"SPLATS", "DATA", "--views N [1]", "--runs N [21]", "--absolute", "--json FILE", "--downscale"});
}

TEST(Bench, RowsAreVerifiedAndWritten) {
    const Scratch scratch;
    const fs::path file = scratch.path() / "rows.json";
    const Outcome outcome = splatwright({"bench", "scan", "--n", "3000", "--json", file});
    expectSuccess(outcome);
    const json written = json::parse(readTextFile(file));
    EXPECT_TRUE(written["device"].is_string());
    ASSERT_FALSE(written["rows"].empty());
    for (const json& row : written["rows"]) {
        for (const char* key : {"bench", "variant", "n", "median_ms", "min_ms", "max_ms", "verified"})
            EXPECT_TRUE(row.contains(key)) << key;
        EXPECT_EQ(row["verified"], true);
    }
}

TEST(Bench, ARunThatEndsEarlyHasWrittenWhatItMeasured) {
    const Scratch scratch;
    const fs::path file = scratch.path() / "rows.json", page = scratch.path() / "page.html";
    const Outcome outcome = splatwright({"bench", "scan", "--n", "3000,100000000", "--memory-limit", "64", "--json", file, "--html", page});
    expectFailure(outcome, 1, {"MiB"});
    const json rows = json::parse(readTextFile(file))["rows"];
    ASSERT_FALSE(rows.empty());
    for (const json& row : rows) EXPECT_EQ(row["n"], 3000);
    EXPECT_NE(readTextFile(page).find("3000"), std::string::npos);
}

TEST(Bench, ClassicSortsMakeATableAndAPage) {
    const Scratch scratch;
    const fs::path file = scratch.path() / "rows.json", page = scratch.path() / "page.html";
    const Outcome outcome = splatwright({"bench", "sort", "--classic", "--n", "32,1000", "--json", file, "--html", page});
    expectSuccess(outcome);
    EXPECT_NE(outcome.out.find("sort-classic, ms: median [minimum, maximum]"), std::string::npos);
    const json written = json::parse(readTextFile(file));
    EXPECT_TRUE(written["machine"].is_string());
    EXPECT_EQ(written["rows"].size(), 12u);
    const std::string html = readTextFile(page);
    for (const char* part : {"std::sort", "cpu-radix", "cpu-bitonic", "gpu-odd-even", "gpu-bitonic", "gpu-radix", "<svg", "<td>1000</td>"})
        EXPECT_NE(html.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace splat
