#include <splatwright/view/flood_fill.h>

#include <cmath>
#include <cstdlib>

#include <splatwright/core/error.h>

namespace splat {

namespace {

/// A picture's pixels that are found, one bit each.
class Mask {
public:
    explicit Mask(glm::ivec2 size)
        : wordsPerRow_((static_cast<size_t>(size.x) + 31) / 32), words_(wordsPerRow_ * static_cast<size_t>(size.y)) {}

    /// Returns whether the pixel is new.
    bool add(glm::ivec2 at) {
        uint32_t& word = words_[static_cast<size_t>(at.y) * wordsPerRow_ + static_cast<size_t>(at.x) / 32];
        const uint32_t bit = 1u << (static_cast<uint32_t>(at.x) % 32);
        const bool isNew = (word & bit) == 0;
        word |= bit;
        return isNew;
    }
    std::vector<uint32_t> take() { return std::move(words_); }

private:
    size_t wordsPerRow_;
    std::vector<uint32_t> words_;
};

bool isSimilar(std::span<const uint8_t> a, std::span<const uint8_t> b, int tolerance) {
    for (size_t k = 0; k < a.size(); ++k)
        if (std::abs(int{a[k]} - int{b[k]}) > tolerance) return false;
    return true;
}

}  // namespace

std::vector<uint32_t> floodFill(const Image8& picture, glm::ivec2 seed, double tolerance) {
    const glm::ivec2 size(picture.width, picture.height);
    const auto isInside = [&](glm::ivec2 at) { return at.x >= 0 && at.y >= 0 && at.x < size.x && at.y < size.y; };
    SPLAT_CHECK(isInside(seed), "a seed at {},{} of {}x{}", seed.x, seed.y, size.x, size.y);
    const int most = static_cast<int>(std::floor(tolerance * 255 + 0.5));
    Mask mask(size);
    mask.add(seed);
    std::vector<glm::ivec2> open{seed};
    while (!open.empty()) {
        const glm::ivec2 at = open.back();
        open.pop_back();
        for (const glm::ivec2 step : {glm::ivec2(1, 0), {-1, 0}, {0, 1}, {0, -1}}) {
            const glm::ivec2 next = at + step;
            if (isInside(next) && isSimilar(picture.at(next.x, next.y), picture.at(seed.x, seed.y), most) && mask.add(next))
                open.push_back(next);
        }
    }
    return mask.take();
}

}  // namespace splat
