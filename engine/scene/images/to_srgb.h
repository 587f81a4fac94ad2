#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace splat {

/// Converts pixels from the colours of an ICC profile to sRGB (Little CMS, relative colorimetric with black point compensation).
class ToSrgb {
public:
    /// Of rows with 3 channels, or 4 with alpha. A profile that is empty, damaged, neither of RGB nor of grey, or that moves no colour by more than one
    /// step of 255, changes nothing.
    ToSrgb(std::span<const std::byte> profile, int channels);
    ~ToSrgb();
    ToSrgb(const ToSrgb&) = delete;
    ToSrgb& operator=(const ToSrgb&) = delete;

    bool changesColours() const { return transform_ != nullptr; }
    /// In place.
    void convert(std::span<uint8_t> row) const;

private:
    struct Transform;
    std::unique_ptr<Transform> transform_;
    size_t channels_;
};

/// An ICC profile of sRGB's curve and the primaries with this number in ITU-T H.273: 12, Display P3, or 9, BT.2020. Empty for others.
std::vector<std::byte> profileOfPrimaries(int number);

}  // namespace splat
