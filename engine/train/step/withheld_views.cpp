#include <splatwright/train/step/withheld_views.h>

#include <algorithm>

#include <fmt/format.h>

#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/parts/pose_settings.h>

namespace splat {

namespace {

constexpr size_t kFewestViews = 24;  // of fewer, every one is needed for training

}  // namespace

std::string whyNoneWithheld(const TrainSettings& settings, size_t views) {
    if (settings.withhold == 0) return {};
    if (const size_t fewest = std::max<size_t>(kFewestViews, settings.withhold); views < fewest)
        return fmt::format("there are {} training views, expected at least {}", views, fewest);
    if (settings.steps <= settings.densifyUntil)
        return fmt::format("no step after densify_until={} would train them (steps={})", settings.densifyUntil, settings.steps);
    if (!densifierByName(settings.strategy).grows()) return fmt::format("strategy '{}' does not grow", settings.strategy);
    if (settings.of<PoseSettings>().refinePoses) return "refine_poses moves the model away from cameras that are not trained";
    return {};
}

std::vector<size_t> withheldViews(const TrainSettings& settings, size_t views) {
    if (settings.withhold == 0 || !whyNoneWithheld(settings, views).empty()) return {};
    std::vector<size_t> withheld(views / settings.withhold);
    for (size_t i = 0; i < withheld.size(); ++i) withheld[i] = (2 * i + 1) * views / (2 * withheld.size());
    return withheld;
}

}  // namespace splat
