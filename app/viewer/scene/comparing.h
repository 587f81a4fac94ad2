#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include <splatwright/view/world.h>

namespace splat::app {

/// What the picture is compared with.
enum class CompareWith { nothing, model, renderMode, groundTruth };
/// How two pictures are shown.
enum class CompareLayout { divider, blink, sideBySide, difference, flip, three };

std::string_view nameOf(CompareWith with);
std::string_view nameOf(CompareLayout layout);
/// Label for a panel.
std::string_view labelOf(CompareLayout layout);
/// Throws InputError for another name.
CompareLayout compareLayoutByName(std::string_view name);
inline constexpr int kCompareLayouts = 6;

/// How many pictures a layout shows beside each other.
int picturesBeside(CompareLayout layout);

/// Equal parts of a region in which pictures are beside each other, from its corner, in pixels.
struct PictureCells {
    glm::ivec2 size{1};
    std::array<glm::ivec2, 3> lows{};
};
/// Up to three cells; `picture`: width and height that a picture must keep, which decides how three are arranged; none: any.
PictureCells cellsOf(glm::ivec2 region, int pictures, std::optional<glm::ivec2> picture);

/// The second of two pictures.
struct Compared {
    CompareWith with = CompareWith::nothing;
    World::Id model = 0;         ///< shown alone in the second picture, and not in the first
    std::string mode = "depth";  ///< render mode

    bool operator==(const Compared&) const = default;
};

/// What is compared, and how.
struct Comparing {
    Compared second;
    CompareLayout layout = CompareLayout::divider;
    double divider = 0.5;       ///< part of the width, left of which the first picture shows
    double blinkSeconds = 0.5;  ///< that each picture shows; 0: until the key changes them
    double white = 0.25;        ///< difference at the end of the colour map, 0 to 1
    bool exchanged = false;     ///< the second one is left, or shows
    double nextBlink = 0;       ///< seconds of the clock that tick() has

    bool blinks() const { return isOn() && layout == CompareLayout::blink && blinkSeconds > 0; }
    bool isOn() const { return second.with != CompareWith::nothing; }
    /// Whether another picture shows from now on, because the last one has had its time. seconds: of a steady clock.
    bool tick(double seconds);
    /// The parts of the layout that is shown: FLIP's differences go from 0 to 1.
    bool showsMap() const { return layout == CompareLayout::difference || layout == CompareLayout::flip || layout == CompareLayout::three; }
    double mapEnd() const { return layout == CompareLayout::flip ? 1 : white; }
};

}  // namespace splat::app
