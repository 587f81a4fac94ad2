#pragma once

#include <splatwright/scene/images/codec.h>

namespace splat {

/// Refuses a HEIF whose items are decoded from themselves, from parts nested deeper than encoders write, or from the same parts over and over (ISO/IEC
/// 14496-12, 8.11.12): libheif 1.15 starts threads for them without end. Throws InputError.
void checkHeifItems(const EncodedImage& file);

}  // namespace splat
