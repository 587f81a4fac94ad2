#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace splat {

/// First the `kPlainPhotographs` of JPEG, PNG and WebP, which other programs read, too.
inline constexpr std::array<std::string_view, 17> kPhotographEndings{".jpg",  ".jpeg", ".png",  ".webp", ".heic", ".heif",
                                                                     ".avif", ".tif",  ".tiff", ".dng",  ".cr2",  ".cr3",
                                                                     ".nef",  ".arw",  ".raf",  ".orf",  ".rw2"};
inline constexpr size_t kPlainPhotographs = 4;
inline constexpr std::array<std::string_view, 8> kVideoEndings{".mp4", ".mov", ".m4v", ".mkv", ".webm", ".avi", ".mts", ".3gp"};

/// Whether a path ends with one of the endings, in letters of either case.
inline bool hasEnding(const std::filesystem::path& path, std::span<const std::string_view> endings) {
    std::string ending = path.extension().string();
    std::ranges::transform(ending, ending.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return std::ranges::find(endings, ending) != endings.end();
}

}  // namespace splat
