#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace splat {

/// What the bytes of a decoder's row are.
enum class Pixels : uint8_t { rgb, rgba, cmyk };  // inks of CMYK from 0, none, to 255

/// Converts pixels from the colours of an ICC profile to sRGB (Little CMS, relative colorimetric with black point compensation).
class ToSrgb {
public:
    /// A profile that is empty, damaged, of another kind than the pixels (RGB and grey, or CMYK), or that moves no colour of RGB by more than one step of
    /// 255, changes nothing of RGB; without its profile, CMYK is converted as light that one ink after the other absorbs: (1 - C)(1 - K).
    ToSrgb(std::span<const std::byte> profile, Pixels pixels);
    ~ToSrgb();
    ToSrgb(const ToSrgb&) = delete;
    ToSrgb& operator=(const ToSrgb&) = delete;

    bool changesColours() const { return transform_ != nullptr || pixels_ == Pixels::cmyk; }
    /// In place: RGB of CMYK is at the row's start.
    void convert(std::span<uint8_t> row) const;

private:
    struct Transform;
    void transform(std::span<uint8_t> row) const;

    std::unique_ptr<Transform> transform_;
    Pixels pixels_;
};

/// Converts floating-point RGB, of which 1 is white, to 8 bits of sRGB. Values outside 0 to 1 are cut, and what is no number is black.
class FloatsToSrgb {
public:
    /// Values are as the ICC profile says (RGB or grey), or linear light with sRGB's primaries if it is empty, damaged or of another kind.
    explicit FloatsToSrgb(std::span<const std::byte> profile);
    ~FloatsToSrgb();
    FloatsToSrgb(const FloatsToSrgb&) = delete;
    FloatsToSrgb& operator=(const FloatsToSrgb&) = delete;

    /// Three values per pixel; they are overwritten.
    void convert(std::span<float> values, std::span<uint8_t> row) const;

private:
    struct Transform;
    std::unique_ptr<Transform> transform_;
};

/// An ICC profile of sRGB's curve and the primaries with this number in ITU-T H.273: 12, Display P3, or 9, BT.2020. Empty for others.
std::vector<std::byte> profileOfPrimaries(int number);

}  // namespace splat
