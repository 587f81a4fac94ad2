// `bench train`: suites of training runs.
#include <cmath>
#include <map>

#include <splatwright/scene/images/image_file.h>
#include "../support/two_devices.h"
#include "own_lock.h"
#include "run.h"

namespace splat {
namespace {

using namespace test;

constexpr int kSteps = 4;

json toy(const std::string& name, int seed) {
    return {{"name", name}, {"synth", {{"scene", "object"}, {"views", 9}, {"size", "32x24"}, {"seed", seed}}}};
}

/// Two scenes, two presets and two seeds of a few steps.
json smallSuite() {
    json suite;
    suite["scenes"] = json::array({toy("left", 1), toy("right", 2)});
    suite["presets"] = json::array({"default", {{"name", "slow"}, {"preset", "default"}, {"settings", {{"lr_means", 1e-6}}}}});
    suite["seeds"] = json::array({1, 2});
    suite["settings"] = {{"steps", kSteps}, {"strategy", "fixed"}, {"log_every", 1}, {"init", "random"}, {"init_count", 20}};
    return suite;
}

json oneRun() {
    json suite = smallSuite();
    suite["scenes"].erase(1);
    suite["presets"].erase(1);
    suite["seeds"].erase(1);
    return suite;
}

/// A run of 399 small steps, which an interrupt finds under way on every machine.
json longRun() {
    json suite = oneRun();
    suite["settings"].update({{"steps", 800}, {"max_passes", 57}, {"min_steps", 1}});  // over seven views
    return suite;
}

class BenchTrain : public testing::Test {
protected:
    Outcome run(const json& suite, Arguments more = {}, const RunOptions& options = {}) const {
        const fs::path file = scratch_.write("suite.json", suite.dump());
        Arguments words{"bench", "train", file, "-o", out_};
        words.insert(words.end(), more.begin(), more.end());
        return splatwright(words, options);
    }
    json results() const { return json::parse(readTextFile(out_ / "suite.json")); }
    /// When each run's metrics were written.
    std::map<std::string, fs::file_time_type> times() const {
        std::map<std::string, fs::file_time_type> found;
        for (const auto& entry : fs::recursive_directory_iterator(out_)) {
            if (entry.path().filename() == "metrics.json") found[fs::relative(entry.path().parent_path(), out_)] = entry.last_write_time();
        }
        return found;
    }
    /// Names of the runs that were trained since.
    std::vector<std::string> trainedSince(const std::map<std::string, fs::file_time_type>& before) const {
        std::vector<std::string> names;
        for (const auto& [name, time] : times()) {
            if (!before.contains(name) || before.at(name) != time) names.push_back(name);
        }
        return names;
    }

    const Scratch scratch_;
    const fs::path out_ = scratch_.path() / "out";
};

double worstViewOf(const json& metrics) {
    double worst = 1e9;
    for (const json& view : metrics["views"]) worst = std::min(worst, view["psnr"].get<double>());
    return worst;
}

void expectFiguresOf(const json& run, const fs::path& out) {
    const json metrics = metricsOf(out / run["name"].get<std::string>());
    const json& figures = run["figures"];
    EXPECT_EQ(figures["psnr"], metrics["psnr"]);
    EXPECT_EQ(figures["ssim"], metrics["ssim"]);
    EXPECT_EQ(figures["worst_view"], worstViewOf(metrics));
    EXPECT_EQ(figures["worst_decile"], worstViewOf(metrics)) << "of two views";
    EXPECT_EQ(figures["splats"], metrics["splats"]);
    EXPECT_EQ(figures["seconds"], metrics["train_seconds"]);
    EXPECT_EQ(figures["peak_mib"], metrics["peak_device_mib"]);
    EXPECT_EQ(run["settings"], metrics["settings"]);
    EXPECT_EQ(run["seed"], metrics["settings"]["seed"]);
    EXPECT_EQ(metrics["steps"], kSteps);
}

/// Figures by scene and preset; "" is the mean over scenes.
std::map<std::pair<std::string, std::string>, json> byName(const json& list) {
    std::map<std::pair<std::string, std::string>, json> found;
    for (const json& entry : list)
        found[{entry["scene"].is_null() ? "" : entry["scene"].get<std::string>(), entry["preset"]}] = entry["figures"];
    return found;
}

/// PSNR of a scene and preset for seeds 1 and 2, from the runs' own files.
std::pair<double, double> psnrOf(const fs::path& out, const std::string& scene, const std::string& preset) {
    const auto psnr = [&](int seed) { return metricsOf(out / scene / preset / fmt::format("seed-{}", seed))["psnr"].get<double>(); };
    return {psnr(1), psnr(2)};
}

/// Mean and deviation of two values are their middle and their distance over the root of two.
void expectSpread(const json& figures, double a, double b) {
    EXPECT_EQ(figures["psnr"]["seeds"], 2);
    EXPECT_NEAR(figures["psnr"]["mean"].get<double>(), (a + b) / 2, 1e-9);
    EXPECT_NEAR(figures["psnr"]["deviation"].get<double>(), std::abs(a - b) / std::sqrt(2.0), 1e-9);
}

/// With two pairs, Student's t is 12.7062 and the standard error half the distance.
void expectInterval(const json& figures, double a, double b) {
    const double half = 12.7062047 * std::abs(a - b) / 2;
    EXPECT_EQ(figures["psnr"]["pairs"], 2);
    EXPECT_NEAR(figures["psnr"]["mean"].get<double>(), (a + b) / 2, 1e-9);
    EXPECT_NEAR(figures["psnr"]["low"].get<double>(), (a + b) / 2 - half, 1e-6);
    EXPECT_NEAR(figures["psnr"]["high"].get<double>(), (a + b) / 2 + half, 1e-6);
}

/// The page loads nothing: no address, and no source but data.
void expectSelfContained(const std::string& html) {
    EXPECT_EQ(html.find("http"), std::string::npos);
    EXPECT_EQ(html.find("href"), std::string::npos);
    EXPECT_EQ(html.find("url("), std::string::npos);
    EXPECT_EQ(html.find("<script"), std::string::npos);
    for (size_t at = html.find("src="); at != std::string::npos; at = html.find("src=", at + 1))
        EXPECT_EQ(html.substr(at, 38), "src=\"data:image/png;base64,iVBORw0KGgo") << "a PNG's first bytes";
}

size_t countOf(const std::string& text, const std::string& part) {
    size_t count = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

/// PSNR of the render beside its ground truth, 32x24 pixels each below a caption.
double psnrOfStrip(const fs::path& file) {
    constexpr int kWidth = 32, kHeight = 24, kRender = kWidth + 4;
    const Image8 strip = readImage(file);
    EXPECT_EQ(strip.width, 2 * (kWidth + 4) + kWidth);
    double squares = 0;
    for (int y = strip.height - kHeight; y < strip.height; ++y) {
        for (int x = 0; x < kWidth; ++x) {
            for (size_t c = 0; c < 3; ++c) squares += std::pow(int{strip.at(x, y)[c]} - int{strip.at(x + kRender, y)[c]}, 2);
        }
    }
    return 10 * std::log10(255.0 * 255.0 * 3 * kWidth * kHeight / squares);
}

/// The picture of a scene and preset is that of the view with the lowest PSNR of all seeds, rendered as it was scored.
void expectWorstView(const fs::path& folder) {
    const double first = worstViewOf(metricsOf(folder / "seed-1")), second = worstViewOf(metricsOf(folder / "seed-2"));
    const fs::path worst = folder / (first <= second ? "seed-1" : "seed-2"), other = folder / (first <= second ? "seed-2" : "seed-1");
    EXPECT_FALSE(fs::exists(other / "worst_view.png"));
    EXPECT_NEAR(psnrOfStrip(worst / "worst_view.png"), std::min(first, second), 0.01);
}

/// Evaluations have the time of training in the log; the last one's is the run's.
void expectTimesOfEvaluations(const fs::path& folder) {
    double last = 0;
    std::vector<int> steps;
    for (const json& line : logOf(folder)) {
        EXPECT_EQ(line.contains("seconds"), line.contains("psnr"));
        if (!line.contains("seconds")) continue;
        EXPECT_GT(line["seconds"], last);
        last = line["seconds"];
        steps.push_back(line["step"]);
    }
    EXPECT_EQ(steps, (std::vector<int>{1, 2, kSteps}));
    EXPECT_EQ(last, metricsOf(folder)["train_seconds"]);
}

TEST_F(BenchTrain, ReportsFiguresSpreadsAndDifferencesAndRepeatsOnlyWhatChanged) {
    json suite = smallSuite();
    const Outcome outcome = run(suite, {"--compare", "default"});
    expectSuccess(outcome);
    expectParts(outcome.out, {"left\n", "right\n", "mean over scenes\n", "difference to default", "worst tenth", " ± "});
    const json all = results();
    ASSERT_EQ(all["runs"].size(), 8u);
    for (const json& each : all["runs"]) expectFiguresOf(each, out_);
    EXPECT_EQ(all["runs"][1]["settings"]["lr_means"], 1e-6);

    auto means = byName(all["means"]), differences = byName(all["comparison"]["differences"]);
    ASSERT_EQ(means.size(), 6u);
    ASSERT_EQ(differences.size(), 3u);
    const auto [a, b] = psnrOf(out_, "left", "default");
    const auto [c, d] = psnrOf(out_, "right", "default");
    const auto [e, f] = psnrOf(out_, "left", "slow");
    const auto [g, h] = psnrOf(out_, "right", "slow");
    expectSpread(means[std::pair("left", "default")], a, b);
    expectSpread(means[std::pair("right", "slow")], g, h);
    expectSpread(means[std::pair("", "default")], (a + c) / 2, (b + d) / 2);
    expectInterval(differences[std::pair("left", "slow")], e - a, f - b);
    expectInterval(differences[std::pair("", "slow")], (e + g - a - c) / 2, (f + h - b - d) / 2);

    const std::string html = readTextFile(out_ / "suite.html");
    expectSelfContained(html);
    EXPECT_EQ(countOf(html, "<table>"), 6u) << "figures and differences of two scenes and of their mean";
    EXPECT_EQ(countOf(html, "<svg"), 4u);
    EXPECT_EQ(countOf(html, "<polyline"), 16u) << "a line per run and chart";
    EXPECT_EQ(countOf(html, "<img"), 4u) << "a worst view per scene and preset";
    expectParts(html, {"Vulkan", all["runs"][0]["version"], "left/default/seed-", "right/slow/seed-"});
    expectTimesOfEvaluations(out_ / "left/slow/seed-2");
    for (const char* folder : {"left/default", "right/slow"}) expectWorstView(out_ / folder);

    // Nothing changed: nothing is trained.
    const auto before = times();
    expectSuccess(run(suite));
    EXPECT_EQ(trainedSince(before), std::vector<std::string>{});
    EXPECT_EQ(results()["runs"], all["runs"]);
    // One preset changed.
    suite["presets"][1]["settings"]["lr_means"] = 2e-6;
    expectSuccess(run(suite));
    EXPECT_EQ(trainedSince(before),
              (std::vector<std::string>{"left/slow/seed-1", "left/slow/seed-2", "right/slow/seed-1", "right/slow/seed-2"}));
    // A seed was added, and a scene has other data.
    const auto later = times();
    suite["presets"].erase(1);
    suite["seeds"] = json::array({2, 3});
    suite["scenes"][1]["synth"]["seed"] = 5;
    expectSuccess(run(suite));
    EXPECT_EQ(trainedSince(later), (std::vector<std::string>{"left/default/seed-3", "right/default/seed-2", "right/default/seed-3"}));
    EXPECT_EQ(results()["runs"].size(), 4u);
}

TEST_F(BenchTrain, AFailedRunIsNamedAndTheOthersContinue) {
    const fs::path data = tinyDataset(scratch_, "broken");
    const std::string image = readTextFile(data / "images/0003.png");
    writeFileAtomically(data / "images/0003.png", image.substr(0, image.size() / 2));
    json suite = oneRun();
    const json broken{{"name", "broken"}, {"data", data.string()}};
    suite["scenes"].insert(suite["scenes"].begin(), broken);
    // Some starters ignore SIGCHLD, with which the system forgets how programs end: a failed run would count as done.
    const Outcome outcome = run(suite, {}, {.inChild = [] { std::signal(SIGCHLD, SIG_IGN); }});
    expectFailure(outcome, 1, {"broken/default/seed-1: exit code 2: ", "0003.png"});
    ASSERT_EQ(results()["runs"].size(), 1u);
    EXPECT_EQ(results()["runs"][0]["scene"], "left");
    // Mended, it is trained, and only it.
    const auto before = times();
    writeFileAtomically(data / "images/0003.png", image);
    expectSuccess(run(suite));
    EXPECT_EQ(trainedSince(before), std::vector<std::string>{"broken/default/seed-1"});
    EXPECT_EQ(results()["runs"].size(), 2u);
}

TEST_F(BenchTrain, ALostDeviceFailsItsRunOnly) {
    const Outcome outcome = run(oneRun(), {"--lose-device-at", "3"});
    expectFailure(outcome, 1, {"left/default/seed-1: exit code 1: "});
    expectSuccess(run(oneRun()));
}

TEST_F(BenchTrain, DevicesTrainAtTheSameTime) {
    const std::string drivers = twoDevices(scratch_);
    if (drivers.empty()) GTEST_SKIP() << "Mesa's software Vulkan is not installed";
    json suite = oneRun();
    suite["seeds"] = json::array({1, 2});
    suite["settings"]["steps"] = 20;
    expectSuccess(run(suite, {"--devices", "0,1"}, {.environment = {{"VK_ICD_FILENAMES", drivers}}, .choosesDevice = true}));
    const auto writtenAt = [&](int seed, const char* file) {
        return fs::last_write_time(out_ / fmt::format("left/default/seed-{}", seed) / file);
    };
    const auto firstEnd = std::min(writtenAt(1, "metrics.json"), writtenAt(2, "metrics.json"));
    EXPECT_LT(std::max(writtenAt(1, "data.json"), writtenAt(2, "data.json")), firstEnd) << "both had begun";
    expectFailure(run(suite, {"--devices", "0,0"}), 2, {"--devices", "found '0' twice"});
}

TEST_F(BenchTrain, TheSameCommandContinuesAfterAnInterrupt) {
    const json suite = longRun();
    const fs::path folder = out_ / "left/default/seed-1";
    const auto hasStarted = [&] { return fs::exists(folder / "log.jsonl") && logOf(folder).size() > 2; };
    const Outcome stopped = run(suite, {}, {.environment = {}, .interruptWhen = hasStarted});
    EXPECT_EQ(stopped.code, 130) << stopped.err;
    expectParts(stopped.out, {"interrupted: the same command continues"});
    ASSERT_TRUE(fs::exists(folder / "checkpoint.splat-ckpt"));
    EXPECT_TRUE(results()["runs"].empty());
    expectSuccess(run(suite));
    const json metrics = metricsOf(folder);
    EXPECT_EQ(metrics["steps"], 399);
    EXPECT_EQ(metrics["resumed_from"].size(), 1u);
    EXPECT_FALSE(fs::exists(folder / "checkpoint.splat-ckpt"));
    const auto before = times();
    expectSuccess(run(suite));
    EXPECT_EQ(trainedSince(before), std::vector<std::string>{});
}

struct KilledBench : BenchTrain {
    bool hasStarted() const { return fs::exists(folder_ / "log.jsonl") && logOf(folder_).size() > 2; }

    const fs::path folder_ = out_ / "left/default/seed-1";
};

TEST_F(KilledBench, TakesItsChildrenWithItWhichSaveWhatTheyHave) {
    const auto ignoreStop = [] { std::signal(SIGTERM, SIG_IGN); };  // as some scripts do
    const Outcome killed = run(longRun(), {}, {.interruptWhen = [&] { return hasStarted(); }, .signal = SIGKILL, .inChild = ignoreStop});
    ASSERT_EQ(killed.code, 128 + SIGKILL) << killed.err;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (fs::exists(folder_ / "run.lock") && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ASSERT_FALSE(fs::exists(folder_ / "run.lock")) << "the child still trains";
    ASSERT_TRUE(fs::exists(folder_ / "checkpoint.splat-ckpt"));
    EXPECT_LT(metricsOf(folder_)["steps"], 399) << "it was stopped";
    expectSuccess(run(longRun()));
    EXPECT_EQ(metricsOf(folder_)["steps"], 399);
    EXPECT_EQ(metricsOf(folder_)["resumed_from"].size(), 1u);
}

TEST_F(KilledBench, AProcessWhoseParentHasEndedDoesNotTrain) {
    const fs::path data = tinyDataset(scratch_), out = scratch_.path() / "alone";
    expectFailure(splatwright({"train", data, "-o", out, "--steps", "2", "--child-of", "1"}), 128 + SIGTERM, {});
    EXPECT_FALSE(fs::exists(out));
}

/// By a process of this machine, which the command sees, and of another, which only the run itself does.
TEST_F(KilledBench, ARefusalByALockLosesNothing) {
    json suite = oneRun();
    expectSuccess(run(suite, {"--keep-checkpoints"}));
    const std::string data = readTextFile(folder_ / "data.json"), other = "{}\n", metrics = readTextFile(folder_ / "metrics.json");
    suite["settings"]["steps"] = kSteps + 1;
    json lock{{"pid", getpid()}, {"started", 0}, {"host", "far"}, {"boot", "another"}};
    for (const auto& [content, says] : {std::pair(ownLock(), fmt::format("process {}", getpid())), {lock, std::string("on far")}}) {
        writeFileAtomically(folder_ / "run.lock", content.dump());
        writeFileAtomically(folder_ / "data.json", other);
        expectFailure(run(suite), 1, {"left/default/seed-1", says, "choose another folder"});
        for (const auto& [file, before] : {std::pair("data.json", other), {"metrics.json", metrics}, {"run.lock", content.dump()}})
            EXPECT_EQ(readTextFile(folder_ / file), before) << file;
        EXPECT_TRUE(fs::exists(folder_ / "checkpoint.splat-ckpt"));
    }
    fs::remove(folder_ / "run.lock");
    writeFileAtomically(folder_ / "data.json", data);
    suite["settings"]["steps"] = kSteps;
    const auto before = times();
    expectSuccess(run(suite));
    EXPECT_EQ(trainedSince(before), std::vector<std::string>{});
}

TEST_F(BenchTrain, PathsThatAreNoTextAreTrainedOnce) {
    const fs::path folder = scratch_.path() / "s\xff";
    tinyDataset(scratch_, "s\xff/data");
    json suite = oneRun();
    suite["scenes"] = json::array({{{"name", "a"}, {"data", "data"}}});
    writeFileAtomically(folder / "suite\xff.json", suite.dump());
    const Arguments words{"bench", "train", folder / "suite\xff.json", "-o", out_};
    expectSuccess(splatwright(words));
    const auto before = times();
    ASSERT_EQ(before.size(), 1u);
    expectSuccess(splatwright(words));
    EXPECT_EQ(trainedSince(before), std::vector<std::string>{});
}

TEST_F(BenchTrain, APartOfASuiteIsTrainedByItsNames) {
    expectSuccess(run(smallSuite(), {"--scenes", "right", "--presets", "slow,default", "--seeds", "5"}));
    const json all = results();
    ASSERT_EQ(all["runs"].size(), 2u);
    EXPECT_EQ(all["runs"][0]["name"], "right/default/seed-5");
    EXPECT_EQ(all["runs"][1]["name"], "right/slow/seed-5");
    expectFailure(run(smallSuite(), {"--scenes", "up"}), 2, {"--scenes", "'up'", "left, right"});
    expectFailure(run(smallSuite(), {"--seeds", "1,1"}), 2, {"--seeds", "'1' twice"});
}

TEST_F(BenchTrain, ForceTrainsCompleteRunsAgain) {
    expectSuccess(run(oneRun()));
    const auto before = times();
    expectSuccess(run(oneRun(), {"--force"}));
    EXPECT_EQ(trainedSince(before), std::vector<std::string>{"left/default/seed-1"});
}

/// As after `git pull` and a build: what the older program trained must not stand beside what this one trains.
TEST_F(BenchTrain, OneTableNeverMixesBuilds) {
    json suite = oneRun();
    expectSuccess(run(suite));
    const fs::path done = out_ / results()["runs"][0]["name"].get<std::string>() / "metrics.json";
    json metrics = json::parse(readTextFile(done));
    const std::string own = metrics["version"];
    EXPECT_EQ(results()["version"], own);
    EXPECT_NE(own.find('+'), std::string::npos) << "no commit";
    metrics["version"] = "0.1.0+older";
    writeFileAtomically(done, metrics.dump());

    expectSuccess(run(suite));  // the table of one run, of one build
    EXPECT_EQ(results()["version"], "0.1.0+older");
    suite["seeds"].push_back(suite["seeds"][0].get<int>() + 1);
    const auto before = times();
    expectFailure(run(suite), 2, {"0.1.0+older", own, "never mixes builds", "--force"});
    EXPECT_EQ(trainedSince(before), std::vector<std::string>{}) << "it must be said before hours of training";
    expectSuccess(run(suite, {"--force"}));
    EXPECT_EQ(results()["runs"].size(), 2u);
}

/// As on a machine that is lent for a few runs at a time.
TEST_F(BenchTrain, ResultsOfOtherCallsAreMergedAndNotTrainedAgain) {
    const json suite = smallSuite();
    expectSuccess(run(suite, {"--scenes", "left"}));
    const json left = results()["runs"];
    const fs::path first = scratch_.write("first.json", readTextFile(out_ / "suite.json"));
    fs::remove_all(out_);
    const Arguments all{"--compare", "default", "--leave-one-out", "--merge", first};
    const Outcome outcome = run(suite, all);
    expectSuccess(outcome);
    EXPECT_EQ(times().size(), 4u) << "only those of the scene `right` are trained";
    const json merged = results();
    ASSERT_EQ(merged["runs"].size(), 8u);
    for (size_t i = 0; i < left.size(); ++i) EXPECT_EQ(merged["runs"][4 + i], left[i]);
    expectParts(outcome.out, {"each scene left out: difference to default"});
    EXPECT_EQ(merged["leave_one_out"]["scenes"].size(), 2u);
    EXPECT_EQ(merged["leave_one_out"]["scenes"][1]["scene"], "right");
    EXPECT_EQ(merged["leave_one_out"]["over_scenes"]["worst_decile"]["pairs"], 2);

    // Both calls' results, and no run.
    const fs::path second = scratch_.write("second.json", merged.dump());
    fs::remove_all(out_);
    expectSuccess(run(suite, {"--compare", "default", "--leave-one-out", "--merge", second}));
    EXPECT_TRUE(times().empty());
    for (const char* key : {"means", "comparison", "leave_one_out"}) EXPECT_EQ(results()[key], merged[key]) << key;
    EXPECT_TRUE(fs::exists(out_ / "suite.html"));
}

TEST_F(BenchTrain, ResultsThatDoNotFitAreNotMerged) {
    json suite = oneRun();
    expectSuccess(run(suite));
    json done = results();
    const auto merging = [&](const json& file) { return run(suite, {"--merge", scratch_.write("done.json", file.dump())}); };
    const std::string name = done["runs"][0]["name"];
    fs::remove_all(out_);
    json twice = done;
    twice["runs"].push_back(done["runs"][0]);
    expectFailure(merging(twice), 2, {"done.json", name, "before"});
    json damaged = done;
    damaged["runs"][0].erase("figures");
    expectFailure(merging(damaged), 2, {"done.json", "bench train", "figures"});
    json older = done;
    older["runs"][0]["version"] = "0.1.0+older";
    suite["seeds"].push_back(7);
    expectFailure(merging(older), 2, {"0.1.0+older", "never mixes builds"});
    suite["settings"]["lr_sh0"] = 0.001;
    expectFailure(merging(done), 2, {"done.json", name, "settings"});
    EXPECT_TRUE(times().empty());
}

TEST_F(BenchTrain, ARunWithoutItsSplatsKeepsItsFigures) {
    expectSuccess(run(oneRun()));
    fs::remove(out_ / "left/default/seed-1/splats.ply");
    fs::remove(out_ / "left/default/seed-1/worst_view.png");
    fs::remove(out_ / "left/default/seed-1/log.jsonl");
    const Outcome outcome = run(oneRun());
    expectSuccess(outcome);
    expectParts(outcome.err, {"left/default/seed-1", "splats.ply"});
    EXPECT_EQ(results()["runs"].size(), 1u);
}

TEST_F(BenchTrain, AnInterruptedRunWithOtherSettingsStartsAgain) {
    json suite = oneRun();
    expectSuccess(run(suite, {"--keep-checkpoints"}));
    suite["settings"]["steps"] = kSteps + 1;
    expectSuccess(run(suite));
    const json metrics = metricsOf(out_ / "left/default/seed-1");
    EXPECT_EQ(metrics["steps"], kSteps + 1);
    EXPECT_TRUE(metrics["resumed_from"].empty());
}

TEST_F(BenchTrain, DamagedFilesOfARunAreNoResult) {
    expectSuccess(run(oneRun()));
    const fs::path metrics = out_ / "left/default/seed-1/metrics.json";
    json unnamed = metricsOf(metrics.parent_path()), odd = unnamed, strange = unnamed;
    unnamed.erase("device");
    odd["views"][0]["name"] = 3;
    strange["views"] = 3;
    for (const std::string& damage : {std::string(), std::string("{"), std::string("[]"), std::string(R"({"steps": "4"})"),
                                      std::string("null"), unnamed.dump(), odd.dump(), strange.dump()}) {
        writeFileAtomically(metrics, damage);
        expectSuccess(run(oneRun()));
        EXPECT_EQ(metricsOf(metrics.parent_path())["steps"], kSteps) << damage;
    }
}

TEST_F(BenchTrain, MistakesAreReportedBeforeAnythingIsWritten) {
    json suite = oneRun();
    suite["scenes"][0]["name"] = "../up";
    expectFailure(run(suite), 2, {"suite.json", "scenes[0]: name", "../up", "expected a folder name"});
    suite = oneRun();
    suite["presets"] = {"mcnc"};
    expectFailure(run(suite), 2, {"suite.json", "left/mcnc/seed-1", "mcnc", "mcmc"});
    suite = oneRun();
    expectFailure(run(suite, {"--compare", "mcmc"}), 2, {"--compare", "'mcmc'", "default"});
    expectFailure(run(smallSuite(), {"--leave-one-out"}), 2, {"--leave-one-out", "--compare NAME"});
    expectFailure(run(oneRun(), {"--leave-one-out", "--compare", "default"}), 2, {"--leave-one-out", "one scene"});
    EXPECT_FALSE(fs::exists(out_));
    EXPECT_EQ(splatwright({"bench"}).code, 2);
    EXPECT_EQ(splatwright({"bench", "train"}).code, 2);
    expectFailure(splatwright({"bench", "scan", "train", "suite.json", "-o", out_}), 2, {"bench train", "no other benchmark"});
}

TEST_F(BenchTrain, AFolderOfTheUsersIsNotOverwrittenByAProceduralScene) {
    writeFileAtomically((fs::create_directories(out_ / "data/left"), out_ / "data/left/mine.txt"), std::string("mine"));
    expectFailure(run(oneRun()), 2, {"data/left", "not empty"});
    EXPECT_EQ(readTextFile(out_ / "data/left/mine.txt"), "mine");
}

TEST_F(BenchTrain, HelpListsItsOptions) {
    const Outcome outcome = splatwright({"bench", "train", "--help"});
    expectSuccess(outcome);
    expectParts(outcome.out, {"SUITE", "--out OUT", "--compare NAME", "--devices INDEX|NAME", "--scenes NAME", "--seeds N,...", "--force",
                              "--keep-checkpoints"});
}

}  // namespace
}  // namespace splat
