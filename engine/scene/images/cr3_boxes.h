#pragma once

#include <cstddef>
#include <span>

namespace splat {

/// Whether the boxes of a CR3 (ISO/IEC 14496-12, 4.2) end within their parents, as far as LibRaw enters them: in others LibRaw 0.20 may go in a circle.
bool cr3BoxesAreSound(std::span<const std::byte> file);

}  // namespace splat
