// When growth ends, from scores that are made up.
#include <splatwright/train/watch/growth_end.h>

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace splat {
namespace {

/// Adds scores until growth is to end; returns their number, or 0 if it goes on.
size_t endOf(GrowthEnd& end, const std::vector<WithheldScore>& scores) {
    for (size_t i = 0; i < scores.size(); ++i) {
        end.add(scores[i]);
        if (end.reached()) return i + 1;
    }
    return 0;
}

/// Scores of an earlier build, which have no views.
size_t endOfMeans(GrowthEnd& end, const std::vector<double>& curve) {
    std::vector<WithheldScore> scores;
    for (size_t i = 0; i < curve.size(); ++i) scores.push_back({static_cast<uint32_t>(i + 1), 100, curve[i], {}});
    return endOf(end, scores);
}

/// Scores of some views that follow the curve, each in a place of its own, of which the last ones are up to 5 dB above or below it.
std::vector<WithheldScore> wavering(const std::vector<double>& curve, size_t views, size_t wavering, uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> wave(-5, 5);
    std::vector<WithheldScore> scores;
    for (size_t i = 0; i < curve.size(); ++i) {
        std::vector<double> psnrs(views);
        for (size_t v = 0; v < views; ++v) psnrs[v] = curve[i] + 0.75 * static_cast<double>(v) + (v + wavering < views ? 0 : wave(random));
        scores.push_back(withheldScore(static_cast<uint32_t>(i + 1), 100, psnrs));
    }
    return scores;
}

constexpr double kGain = 0.1;

/// Scores of growth that gains the same each time.
std::vector<double> rising(double gain) {
    std::vector<double> curve(15);
    for (size_t i = 0; i < curve.size(); ++i) curve[i] = 20 + gain * static_cast<double>(i);
    return curve;
}

TEST(GrowthEnd, DoesNotComeWhileScoresGainEnough) {
    for (const double gain : {1.0, 0.101}) {
        GrowthEnd end(kGain);
        EXPECT_EQ(endOfMeans(end, rising(gain)), 0u) << gain;
    }
    GrowthEnd any(0);
    EXPECT_EQ(endOfMeans(any, rising(1e-6)), 0u) << "whatever they gain";
    EXPECT_EQ(any.best()->step, 15u);
}

TEST(GrowthEnd, ComesWithTheSixthScoreWhereTheyGainTooLittle) {
    for (const double gain : {0.099, 0.033, 0.0, -1.0}) {
        GrowthEnd end(kGain);
        EXPECT_EQ(endOfMeans(end, rising(gain)), 6u) << gain;
        EXPECT_EQ(end.best()->step, gain > 0 ? 5u : 1u) << "the last that was better by 0.1 dB";
        EXPECT_EQ(end.scores().size(), 6u);
    }
}

/// A curve that gains 1 dB per score up to one, and then stays, or falls.
TEST(GrowthEnd, ComesWhenThreeScoresHaveGainedTooLittleOverTheThreeBefore) {
    for (size_t best = 5; best < 10; ++best) {
        for (const auto& [loss, later] : {std::pair{0.0, 5u}, {0.2, 4u}, {0.8, 3u}, {3.0, 2u}, {9.0, 1u}}) {
            std::vector<double> curve(15, 20 + static_cast<double>(best) - loss);
            for (size_t i = 0; i <= best; ++i) curve[i] = 20 + static_cast<double>(i);
            GrowthEnd end(kGain);
            EXPECT_EQ(endOfMeans(end, curve), best + 1 + later) << best << ", by " << loss << " dB";
            EXPECT_EQ(*end.best(), (WithheldScore{static_cast<uint32_t>(best + 1), 100, curve[best], {}}));
        }
    }
}

/// Two scores in the dark after each better one, or one in a light that does not last.
TEST(GrowthEnd, IsNotBroughtByScoresThatWaverWhereTheirTrendRises) {
    std::vector<double> curve;
    for (int i = 0; i < 5; ++i) curve.insert(curve.end(), {20.0 + i, 15.0 + i, 15.0 + i});
    GrowthEnd end(kGain);
    EXPECT_EQ(endOfMeans(end, curve), 0u);
    EXPECT_EQ(end.best()->psnr, 24);
    std::vector<double> light = rising(0.15);
    light[4] += 0.4;  // none of the three that follow is better than this one
    GrowthEnd on(kGain);
    EXPECT_EQ(endOfMeans(on, light), 0u);
}

/// Views of full size gain nothing from smaller photographs, until those of full size come.
TEST(GrowthEnd, IsNotBroughtByScoresOfSmallerPhotographs) {
    for (uint32_t full = 0; full <= 12; ++full) {
        SCOPED_TRACE(full);
        std::vector<double> curve(15, 20);
        curve[2] = 28;
        GrowthEnd down(kGain, full);
        EXPECT_EQ(endOfMeans(down, curve), std::max(6u, full + 1));
        EXPECT_EQ(down.best()->step, 3u) << "which may be one of them";
        for (size_t i = full; i < curve.size(); ++i) curve[i] = 30 + 2 * static_cast<double>(i);
        GrowthEnd up(kGain, full);
        EXPECT_EQ(endOfMeans(up, curve), 0u);
    }
}

/// Views that do not improve, that do, and that do up to any score, with as many others among them as may fluctuate.
TEST(GrowthEnd, DoesNotDependOnViewsThatFluctuateWhileMostDoNot) {
    std::vector<std::vector<double>> curves{rising(0), rising(0.02), rising(0.09), rising(0.11), rising(0.5), rising(-0.3)};
    for (size_t best = 0; best < 15; best += 3) {
        curves.push_back(rising(0.2));
        for (size_t i = best; i < 15; ++i) curves.back()[i] = curves.back()[best] + (i % 2 == 0 ? 0.05 : -0.4);
    }
    size_t otherMeans = 0;
    for (size_t views = 3; views <= 22; ++views) {
        for (const std::vector<double>& curve : curves) {
            GrowthEnd expected(kGain);
            const size_t end = endOfMeans(expected, curve);
            for (const size_t few : {size_t{0}, size_t{1}, (views - 1) / 2}) {
                const auto scores = wavering(curve, views, few, static_cast<uint32_t>(views + few));
                GrowthEnd found(kGain);
                EXPECT_EQ(endOf(found, scores), end) << few << " of " << views;
                EXPECT_EQ(found.best()->step, expected.best()->step) << few << " of " << views;
                std::vector<double> means;
                for (const WithheldScore& score : scores) means.push_back(score.psnr);
                GrowthEnd byMeans(kGain);
                if (endOfMeans(byMeans, means) != end) ++otherMeans;
            }
        }
    }
    EXPECT_GT(otherMeans, 100u) << "where the means decide otherwise";
}

TEST(GrowthEnd, ComparesByTheMedianOfTheViewsDifferences) {
    std::mt19937 random(7);
    std::normal_distribution<double> psnr(25, 4);
    for (size_t views = 1; views <= 33; ++views) {
        std::vector<double> now(views), before(views), gains(views);
        for (size_t v = 0; v < views; ++v) gains[v] = (now[v] = psnr(random)) - (before[v] = psnr(random));
        std::ranges::sort(gains);
        const double median = (gains[(views - 1) / 2] + gains[views / 2]) / 2;
        const WithheldScore a = withheldScore(2, 200, now), b = withheldScore(1, 100, before);
        EXPECT_DOUBLE_EQ(gainOf(a, b), median) << views;
        EXPECT_EQ(gainOf(a, b), -gainOf(b, a)) << views << ": no two scores are both better than the other";
        EXPECT_EQ(gainOf(a, a), 0);
        for (const double gain : {std::nextafter(gainOf(a, b), -100), gainOf(a, b)}) {
            GrowthEnd end(gain);
            EXPECT_TRUE(end.add(b)) << "the first is the best whatever it has";
            EXPECT_EQ(end.add(a), gain < gainOf(a, b)) << views;
        }
    }
}

/// As in a checkpoint of a build that kept the means alone. A score with views that becomes the best one is compared by its views.
TEST(GrowthEnd, ComparesByMeansWithAScoreThatHasNoViews) {
    GrowthEnd end(kGain);
    EXPECT_TRUE(end.add({1, 100, 20, {}}));
    EXPECT_FALSE(end.add({2, 100, 20.09, {}}));
    EXPECT_FALSE(end.add(withheldScore(3, 100, {30, 30, 0.2})));
    EXPECT_TRUE(end.add(withheldScore(4, 100, {10, 10, 43})));
    EXPECT_FALSE(end.add(withheldScore(5, 100, {10.05, 10.05, 53})));
    EXPECT_TRUE(end.add(withheldScore(6, 100, {10.2, 10.2, 13})));
    EXPECT_EQ(end.best()->step, 6u);
}

TEST(GrowthEnd, TheLineSaysWhereGrowthEndsAndWhatMoreDoes) {
    const WithheldScore best{2, 100, 20.126, {}};
    EXPECT_EQ(whyGrowthEnds(best, {7, 300, 19.5, {}}),
              "growth ends at step 2 with 100 splats, where withheld views have 20.13 dB: they have 19.50 dB at step 7 with 300, -0.63 dB "
              "in the median");
    EXPECT_EQ(whyGrowthEnds(best, best),
              "growth ends at step 2 with 100 splats, where withheld views have 20.13 dB: they hardly gain by more");
}

TEST(WithheldScore, HasTheMeanOfItsViews) {
    EXPECT_EQ(withheldScore(3, 100, {20, 100, 21}), (WithheldScore{3, 100, 47, {20, 100, 21}}));
    EXPECT_EQ(withheldScore(3, 100, {20.5}).psnr, 20.5);
}

TEST(NextScore, ComesBeforeARefinementInFourteenOfFifteenPartsOfGrowthBehindItsStart) {
    TrainSettings settings;
    for (const uint32_t every : {1u, 2u, 7u, 100u, 1000u, kMostSteps}) {
        for (const uint32_t until : {1u, 14u, 15u, 16u, 450u, 1125u, 3100u, 7500u, 7501u, 15'000u, kMostSteps}) {
            for (const uint32_t from : {0u, until / 10, until / 2, until}) {
                SCOPED_TRACE(testing::Message() << from << " to " << until << ", every " << every);
                settings.densifyFrom = from;
                settings.densifyUntil = until;
                settings.densifyInterval = every;
                // NOLINTNEXTLINE(bugprone-integer-division): a fifteenth is a number of steps
                const auto apart = static_cast<uint64_t>(std::max(2l, std::lround(until / 15 / static_cast<double>(every))));
                std::vector<uint32_t> found, expected;
                for (auto next = nextScore(0, settings); next; next = nextScore(*next, settings)) found.push_back(*next);
                for (uint64_t step = apart * every - 1; step + apart * every <= until; step += apart * every)
                    if (step > from) expected.push_back(static_cast<uint32_t>(step));
                EXPECT_EQ(found, expected);
                EXPECT_TRUE(until % (15 * every) != 0 || until < 30 * every || from > 0 || found.size() == 14) << found.size();
                for (const uint32_t step : expected) EXPECT_EQ(nextScore(step - 1, settings), step) << "wherever a run was stopped";
            }
        }
    }
    settings.densifyFrom = settings.densifyUntil = 0;
    EXPECT_FALSE(nextScore(0, settings));
}

TEST(GrowthReport, IsReadAsItWasWritten) {
    std::vector<GrowthReport> reports{{}, {4, {}, {{100, 200, 20.25, {}}}}, {4, 300, {{100, 200, 20.25, {}}, {300, 400, 100, {}}}}};
    std::mt19937 random(3);
    std::uniform_real_distribution<double> psnr(0, 100);
    for (size_t views = 1; views <= 64; views *= 2) {
        std::vector<double> psnrs(views);
        for (double& value : psnrs) value = psnr(random);
        reports.push_back({views, {}, {{100, 200, 20.25, {}}, withheldScore(200, 300, psnrs), withheldScore(300, 300, psnrs)}});
        EXPECT_FALSE(toJson(reports.back())["scores"][0].contains("views"));
        EXPECT_EQ(toJson(reports.back())["scores"][1]["views"].size(), views);
    }
    for (const GrowthReport& report : reports) {
        const nlohmann::ordered_json run{{"growth", nlohmann::ordered_json::parse(toJson(report).dump())}};
        EXPECT_EQ(growthReportOf(run["growth"]), report);
        EXPECT_EQ(growthEndIn(run), report.endedAt);
    }
    for (const char* run : {"{}", "{\"growth\":7}", "{\"growth\":{\"ended_at\":7}}", "[]"})
        EXPECT_FALSE(growthEndIn(nlohmann::ordered_json::parse(run))) << run;
}

}  // namespace
}  // namespace splat
