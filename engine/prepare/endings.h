#pragma once

#include <array>
#include <span>
#include <string_view>

namespace splat::prepare {

/// A format of photographs that other programs convert.
struct Convertible {
    std::string_view name;
    std::span<const std::string_view> endings;
    std::string_view command;
};

inline constexpr std::array<std::string_view, 3> kHeifEndings{".heic", ".heif", ".avif"};
inline constexpr std::array<std::string_view, 2> kTiffEndings{".tif", ".tiff"};
inline constexpr std::array<std::string_view, 6> kRawEndings{".dng", ".cr2", ".cr3", ".nef", ".arw", ".raf"};

// heif-convert is in Debian's libheif-examples, mogrify in imagemagick, darktable-cli in darktable; Homebrew: libheif, imagemagick, darktable.
inline constexpr std::array kConvertible{
    Convertible{"HEIF", kHeifEndings, "for f in *.[hH][eE][iI][cCfF] *.avif; do heif-convert -q 95 \"$f\" \"$f.jpg\"; done"},
    Convertible{"TIFF", kTiffEndings, "mogrify -format png *.tif *.tiff"},
    Convertible{"raw", kRawEndings, "for f in *; do darktable-cli \"$f\" \"$f.jpg\"; done"},
};

}  // namespace splat::prepare
