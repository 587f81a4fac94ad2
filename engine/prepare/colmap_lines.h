#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace splat::prepare {

/// Part of a stage that is done.
struct Share {
    uint64_t done = 0, total = 0;
};

/// The share in a line like "Processed file [3/20]" or, of blocks of pairs, "Matching block [2/4, 1/4]"; nothing for other lines.
std::optional<Share> shareIn(std::string_view line);

/// Id and number of registered images in "Registering image #28 (19)" or "... (num_reg_frames=19)"; nothing for other lines.
struct Registering {
    uint32_t image = 0;
    uint64_t registered = 0;
};
std::optional<Registering> registeringIn(std::string_view line);

/// What the feature extractor said of one image.
struct ExtractedImage {
    std::string name;
    uint64_t features = 0;
    std::string problem;  ///< why it has no features; empty: none is known
};

/// Collects what the feature extractor prints of images, in its order. COLMAP numbers images without a problem in this order, from 1.
class ExtractedImages {
public:
    void add(std::string_view line);
    const std::vector<ExtractedImage>& images() const { return images_; }

private:
    std::vector<ExtractedImage> images_;
};

}  // namespace splat::prepare
