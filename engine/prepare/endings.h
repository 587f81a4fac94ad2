#pragma once

#include <span>

#include <splatwright/scene/files/file_endings.h>

namespace splat::prepare {

/// Photographs that COLMAP does not read, or not with their colours: they are converted as they are placed.
inline constexpr auto kConvertedEndings = std::span(kPhotographEndings).subspan<kPlainPhotographs>();

}  // namespace splat::prepare
