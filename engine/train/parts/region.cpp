#include <splatwright/train/parts/region.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include <fmt/format.h>

#include <splatwright/core/error.h>
#include <splatwright/core/read_number.h>
#include <splatwright/scene/gaussians/selected.h>
#include <splatwright/train/densify/refinement.h>
#include <splatwright/train/parts/region_settings.h>
#include <splatwright/train/parts/step_part.h>
#include "kernels/bound_region.h"

namespace splat {

namespace {

constexpr uint32_t kEvery = 100;  // steps, where there are no refinements

[[noreturn]] void refuse(std::string_view text) {
    throw InputError("region is '{}', expected off or 6 numbers X,Y,Z,SX,SY,SZ with edges above 0, or 9 with degrees RX,RY,RZ", text);
}

std::vector<double> numbersOf(std::string_view text) {
    std::vector<double> numbers(static_cast<size_t>(std::ranges::count(text, ',')) + 1);
    if (!readNumbers(text, std::span(numbers))) refuse(text);
    if (!std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); })) refuse(text);
    return numbers;
}

/// Before every refinement, whatever is outside gets out of its way.
class RegionPart : public StepPart {
public:
    explicit RegionPart(const StepPartInputs& in) : settings_(in.settings()) {}

    std::vector<RefineEvent> eventsBefore() const override {
        return {{"bound region", [this](uint32_t steps) { return refinesAfter(settings_, steps) || steps % kEvery == 0; },
                 [this](gpu::Commands& c, const RefineJob& job) { recordStart(c, job); }}};
    }
    void recordStart(gpu::Commands& c, const RefineJob& job) const override {
        const auto rows = regionOf(settings_)->rows();
        const kernels::bound_region kernel{.refinement = job.refinement,
                                           .densifyStatistics = job.store.densifyStatistics,
                                           .right = glm::vec4(rows[0]),
                                           .down = glm::vec4(rows[1]),
                                           .forward = glm::vec4(rows[2]),
                                           .kRemoves = settings_.of<RegionSettings>().removesOutside() ? 1u : 0u,
                                           .kStatistics = job.store.hasStatistics ? 1u : 0u};
        c.dispatchIndirect(withMoments(withModel(kernel, job.store.model), job.store.moments), job.tools.perBefore);
    }

private:
    const TrainSettings& settings_;
};

/// mcmc draws those that divide by opacity, and not by statistics.
void check(const TrainSettings& settings) {
    const auto& own = settings.of<RegionSettings>();
    parseRegion(own.region);
    if (settings.strategy == "mcmc" && !own.removesOutside())
        throw InputError("region_outside is 'keep', which strategy mcmc cannot do; expected remove, or another strategy");
}

}  // namespace

std::array<glm::dvec4, 3> RegionBox::rows() const {
    const glm::dmat3 axes = glm::mat3_cast(glm::normalize(rotation));
    std::array<glm::dvec4, 3> rows;
    for (int i = 0; i < 3; ++i) rows[static_cast<size_t>(i)] = glm::dvec4(axes[i], -glm::dot(axes[i], centre)) / halfSize[i];
    return rows;
}

bool RegionBox::contains(const glm::dvec3& position) const {
    return std::ranges::none_of(rows(), [&](const glm::dvec4& row) { return std::abs(glm::dot(row, glm::dvec4(position, 1))) > 1; });
}

std::string regionText(const RegionBox& box) {
    const glm::dvec3 size = 2.0 * box.halfSize, turns = glm::degrees(glm::eulerAngles(box.rotation));
    std::string text = fmt::format("{},{},{},{},{},{}", box.centre.x, box.centre.y, box.centre.z, size.x, size.y, size.z);
    if (turns != glm::dvec3(0)) text += fmt::format(",{},{},{}", turns.x, turns.y, turns.z);
    return text;
}

RegionBox parseRegion(std::string_view text) {
    const std::vector<double> n = numbersOf(text);
    if ((n.size() != 6 && n.size() != 9) || n[3] <= 0 || n[4] <= 0 || n[5] <= 0) refuse(text);
    RegionBox box{.centre = {n[0], n[1], n[2]}, .halfSize = 0.5 * glm::dvec3(n[3], n[4], n[5])};
    if (n.size() == 9) box.rotation = glm::dquat(glm::radians(glm::dvec3(n[6], n[7], n[8])));
    return box;
}

std::optional<RegionBox> regionOf(const TrainSettings& settings) {
    const auto& own = settings.of<RegionSettings>();
    return own.hasRegion() ? std::optional(parseRegion(own.region)) : std::nullopt;
}

TrainSettings withRegionInFrame(TrainSettings settings, const TrainingFrame& frame) {
    auto box = regionOf(settings);
    if (!box) return settings;
    box->centre = (box->centre - frame.centre) * frame.scale;
    box->halfSize *= frame.scale;
    settings.of<RegionSettings>().region = regionText(*box);
    return settings;
}

Gaussians withinRegion(Gaussians gaussians, const TrainSettings& settings) {
    const auto box = regionOf(settings);
    if (!box || !settings.of<RegionSettings>().removesOutside()) return gaussians;
    return filtered(std::move(gaussians), [&](const Gaussians& g, size_t i) { return box->contains(g.means[i]); });
}

extern const StepPartRow kRegionPart{
    .name = "region",
    .settings = SettingsPart::byDefault<RegionSettings>,
    .wanted = [](const TrainSettings& s) { return s.of<RegionSettings>().hasRegion(); },
    .check = check,
    .make = [](const StepPartInputs& in) -> std::unique_ptr<StepPart> { return std::make_unique<RegionPart>(in); },
};

}  // namespace splat
