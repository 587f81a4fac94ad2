#pragma once

#include <limits>

namespace splat::app {

/// Chooses the JPEG quality of moving frames from how long a connection takes for one.
class FrameQuality {
public:
    static constexpr int kLeast = 25, kMost = 85;  ///< below, edges are lost; above, bytes buy nothing that is seen while it moves
    static constexpr int kStill = 95;              ///< of a picture that has come to rest

    int quality() const { return quality_; }
    /// A frame took this long from the start of sending until it was on the page. The fastest so far is what the way itself takes.
    void took(double seconds);

private:
    int quality_ = 70;
    double least_ = std::numeric_limits<double>::infinity();  ///< seconds
};

}  // namespace splat::app
