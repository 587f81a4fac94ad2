#pragma once

#include <span>
#include <string>
#include <vector>

#include <splatwright/scene/images/area_filter.h>
#include <splatwright/scene/photographs/photographs.h>
#include <splatwright/scene/photographs/undistort.h>

namespace splat {

/// Converts stored pixels to the channels that are filtered: red, green, blue, and a fourth for a mask or alpha. Values stay in 0..255 as floats and
/// are rounded once at the end, so sums of 8-bit values are exact.
class Channels {
public:
    struct Stored {
        int channels;        ///< 3, or 4 with alpha
        bool blank = false;  ///< pixels may be missing
    };
    /// mask: one channel of the stored size, or empty. Where pixels may be missing, a mask ignores them. Pixels are composited over the background
    /// (0..1) in the file's encoding, as in the reference trainers. With keepAlpha, colours are premultiplied instead, so that undefined colours of
    /// transparent pixels do not bleed into others.
    Channels(Stored stored, const Image8& mask, bool keepAlpha, glm::vec3 background);

    int count() const { return covers_ == Coverage::none ? 3 : 4; }
    Coverage covers() const { return covers_; }
    /// Whether values equal the stored ones.
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

/// Builds a training image from stored rows: composites, downscales and rounds each row as it arrives.
class PhotographRows {
public:
    struct Frame {
        std::string name;
        Camera straight;  ///< camera of the rows before downscaling
        Camera final;
    };
    PhotographRows(Frame frame, Channels channels);
    PhotographRows(const PhotographRows&) = delete;
    PhotographRows& operator=(const PhotographRows&) = delete;

    /// Adds row y of an image without distortion; rows arrive in order.
    void addStored(int y, std::span<const uint8_t> row);
    /// Adds a whole image, undistorted row by row.
    void addUndistorted(const Image8& stored, const Source& source);

    Photograph take() { return std::move(photograph_); }

private:
    void add(int y);
    void round(int y, std::span<const float> row);

    Camera straight_;
    Channels channels_;
    bool shrinks_;
    Photograph photograph_;
    std::vector<float> row_;  ///< one row of the undistorted image
    AreaFilter filter_;
};

}  // namespace splat
