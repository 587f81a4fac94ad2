#include <splatwright/core/bitmap_text.h>

#include <algorithm>

namespace splat {

namespace {

constexpr char kFirst = ' ', kLast = '~';
constexpr int kColumns = kGlyphWidth - 1, kRows = kGlyphHeight - 1;

/// A glyph of 5x7 pixels per character from kFirst to kLast: rows from the top, the left pixel of a row in its highest bit, the bottom row in
/// the lowest five bits.
constexpr std::array<uint64_t, kLast - kFirst + 1> kGlyphs{
    // clang-format off
    0x000000000, 0x108421004, 0x294000000, 0x295f57d4a, 0x11f4717c4, 0x672222273, 0x32544564d, 0x108000000,
    0x088842082, 0x208210888, 0x009575480, 0x0084f9080, 0x000003088, 0x000070000, 0x00000018c, 0x042222210,
    0x3a33ae62e, 0x11842108e, 0x3a211111f, 0x7c441062e, 0x08ca97c42, 0x7e1e0862e, 0x1910f462e, 0x7c2222108,
    0x3a317462e, 0x3a317844c, 0x018c03180, 0x018c03088, 0x088882082, 0x001f07c00, 0x208208888, 0x3a2111004,
    0x3a216d6ae, 0x3a31fc631, 0x7a31f463e, 0x3a308422e, 0x72518c65c, 0x7e10f421f, 0x7e10f4210, 0x3a30bc62f,
    0x4631fc631, 0x38842108e, 0x1c4210a4c, 0x4654c5251, 0x42108421f, 0x4775ac631, 0x4739ace71, 0x3a318c62e,
    0x7a31f4210, 0x3a318d64d, 0x7a31f5251, 0x3e107043e, 0x7c8421084, 0x46318c62e, 0x46318c544, 0x4631ad771,
    0x462a22a31, 0x462a21084, 0x7c222221f, 0x39084210e, 0x420820821, 0x38421084e, 0x115100000, 0x00000001f,
    0x208000000, 0x000e0be2f, 0x421e8c63e, 0x000e8c22e, 0x042f8c62f, 0x000e8fe0e, 0x1928e2108, 0x01f18bc2e,
    0x4216cc631, 0x100c2108e, 0x080610a4c, 0x4212a6292, 0x30842108e, 0x001aad6b5, 0x0016cc631, 0x000e8c62e,
    0x001e8fa10, 0x000f8bc21, 0x0016cc210, 0x000f8383e, 0x211c42126, 0x00118c66d, 0x00118c544, 0x00118d6aa,
    0x001151151, 0x00118bc2e, 0x001f1111f, 0x088441082, 0x108421084, 0x208411088, 0x0008a8800,
    // clang-format on
};

/// Fills a square, clipped to the image.
void fillSquare(Image8& image, int left, int top, int side, const std::array<uint8_t, 3>& colour) {
    for (int y = std::max(0, top); y < std::min(image.height, top + side); ++y)
        for (int x = std::max(0, left); x < std::min(image.width, left + side); ++x) std::ranges::copy(colour, image.at(x, y).begin());
}

}  // namespace

int textWidth(std::string_view text, int scale) { return scale * kGlyphWidth * static_cast<int>(text.size()); }

void drawText(Image8& image, const TextPlace& place, std::string_view text, std::array<uint8_t, 3> colour) {
    const size_t fitting = static_cast<size_t>(std::max(0, place.width / textWidth(" ", place.scale)));
    for (size_t i = 0; i < std::min(fitting, text.size()); ++i) {
        const int left = place.left + textWidth(text.substr(0, i), place.scale);
        const char known = text[i] < kFirst || text[i] > kLast ? '?' : text[i];
        const uint64_t glyph = kGlyphs[static_cast<size_t>(known - kFirst)];
        for (int y = 0; y < kRows; ++y) {
            for (int x = 0; x < kColumns; ++x) {
                const auto bit = static_cast<unsigned>((kRows - 1 - y) * kColumns + kColumns - 1 - x);
                if ((glyph >> bit & 1u) != 0) fillSquare(image, left + x * place.scale, place.top + y * place.scale, place.scale, colour);
            }
        }
    }
}

}  // namespace splat
