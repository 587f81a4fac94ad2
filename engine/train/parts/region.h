#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include <splatwright/scene/datasets/frame.h>
#include <splatwright/train/settings/settings.h>

namespace splat {

/// A box that training keeps to.
struct RegionBox {
    glm::dvec3 centre{0}, halfSize{1};
    glm::dquat rotation{1, 0, 0, 0};

    /// The position in the box's axes, in half edges: from -1 to 1 inside is (row.xyz, position) + row.w of each of three rows.
    std::array<glm::dvec4, 3> rows() const;
    bool contains(const glm::dvec3& position) const;
};

/// The text of the setting `region`, and back. Throws InputError for another text, and for edges that are not positive.
std::string regionText(const RegionBox& box);
RegionBox parseRegion(std::string_view text);

/// None: there is no region.
std::optional<RegionBox> regionOf(const TrainSettings& settings);
/// Settings whose region is in the training frame, as trainers have it.
TrainSettings withRegionInFrame(TrainSettings settings, const TrainingFrame& frame);
/// Without the Gaussians that the settings remove because they are outside; both are in one frame.
Gaussians withinRegion(Gaussians gaussians, const TrainSettings& settings);

}  // namespace splat
