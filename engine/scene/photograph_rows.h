#pragma once

#include <span>
#include <string>
#include <vector>

#include "scene/area_filter.h"
#include "scene/dataset.h"

namespace splat {

/// How stored pixels become the channels that are filtered: red, green, blue, and a fourth where a mask or alpha is filtered along. Values stay
/// on the 0..255 scale as floats until they are rounded once at the end, so that sums of 8-bit values are exact.
class Channels {
public:
    /// stored: 3, or 4 with alpha. mask: one channel of the stored size, or empty. Pixels are composited over the background (0..1) in the
    /// file's own encoding, as the reference trainers do. Colours that keep their alpha are multiplied by it instead, so that those of
    /// transparent pixels, which mean nothing, do not bleed into others.
    Channels(int stored, const Image8& mask, bool keepAlpha, glm::vec3 background);

    int count() const { return covers_ == Coverage::none ? 3 : 4; }
    Coverage covers() const { return covers_; }
    /// Whether values are the stored ones.
    bool plain() const { return stored_ == 3 && covers_ == Coverage::none; }
    size_t stored() const { return stored_; }

    /// One pixel; index counts pixels in the stored image.
    void convert(const uint8_t* pixel, size_t index, float* out) const;

private:
    size_t stored_;
    const Image8& mask_;
    Coverage covers_;
    glm::vec3 behind_;  ///< 0..255
};

/// Makes a photograph of stored rows: composites, shrinks and rounds each as it comes.
class PhotographRows {
public:
    struct Frame {
        std::string name;
        Camera straight;  ///< of the rows before they shrink
        Camera final;
    };
    PhotographRows(Frame frame, Channels channels);
    PhotographRows(const PhotographRows&) = delete;
    PhotographRows& operator=(const PhotographRows&) = delete;

    /// The row y of a picture without distortion; rows come in order.
    void addStored(int y, std::span<const uint8_t> row);
    /// A whole picture, straightened row by row.
    void addUndistorted(const Image8& stored, const Camera& camera, const Distortion& distortion);

    Photograph take() { return std::move(photograph_); }

private:
    void add(int y);
    void round(int y, std::span<const float> row);

    Camera straight_;
    Channels channels_;
    bool shrinks_;
    Photograph photograph_;
    std::vector<float> row_;  ///< of the straight camera
    AreaFilter filter_;
};

}  // namespace splat
