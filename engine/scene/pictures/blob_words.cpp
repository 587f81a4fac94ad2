#include <splatwright/scene/pictures/blob_words.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <splatwright/core/error.h>

namespace splat {
namespace {

constexpr float kMost = std::numeric_limits<float>::max();
// Pixels. Products of two lengths, and their ratios, stay far from the ends of floats.
constexpr float kLeastDiagonal = 0x1p-30F, kMostDiagonal = 0x1p30F;
constexpr float kMostShear = 64;
// Shears below are 0, so that the off-diagonal element is never a denormal number, which has too few digits to be encoded again.
constexpr double kLeastShear = 0x1p-40;

float diagonal(const Blobs& blobs, size_t i, size_t word) { return word == 0 ? blobs.factors[i].x : blobs.factors[i].z; }
void setDiagonal(Blobs& blobs, size_t i, size_t word, float value) { (word == 0 ? blobs.factors[i].x : blobs.factors[i].z) = value; }

double meanDiagonal(const glm::vec3& factor) { return std::sqrt(static_cast<double>(factor.x) * static_cast<double>(factor.z)); }

// Off-diagonals are stored as asinh(yx / sqrt(xx * yy)), which neither scaling the picture nor exchanging its axes changes much. A step of it is
// a similar change of shape for round blobs and for needles (the README compares it with others).
float shear(const Blobs& blobs, size_t i, size_t) {
    const double value = std::asinh(static_cast<double>(blobs.factors[i].y) / meanDiagonal(blobs.factors[i]));
    return std::abs(value) < kLeastShear ? 0.0F : static_cast<float>(value);
}
void setShear(Blobs& blobs, size_t i, size_t, float value) {
    blobs.factors[i].y = static_cast<float>(std::sinh(static_cast<double>(value)) * meanDiagonal(blobs.factors[i]));
}

/// The nearest number of 20 significant bits: shears that went through the rounding of off-diagonals to floats come back to it.
float shortened(float value) {
    constexpr int kBits = 20;
    int exponent = 0;
    const float mantissa = std::frexp(value, &exponent);
    return std::ldexp(std::round(std::ldexp(mantissa, kBits)), exponent - kBits);
}

template <auto Member>
float component(const Blobs& blobs, size_t i, size_t word) {
    return (blobs.*Member)[i][static_cast<int>(word)];
}
template <auto Member>
void setComponent(Blobs& blobs, size_t i, size_t word, float value) {
    (blobs.*Member)[i][static_cast<int>(word)] = value;
}

float opacity(const Blobs& blobs, size_t i, size_t) { return blobs.opacities[i]; }
void setOpacity(Blobs& blobs, size_t i, size_t, float value) { blobs.opacities[i] = value; }

}  // namespace

const std::array<BlobAttributeRow, kBlobAttributes> kBlobRows{{
    {"centres", 2, -kMost, kMost, BlobSpacing::linear, false, component<&Blobs::centres>, setComponent<&Blobs::centres>},
    {"diagonals", 2, kLeastDiagonal, kMostDiagonal, BlobSpacing::logarithmic, false, diagonal, setDiagonal},
    {"off-diagonals", 1, -kMostShear, kMostShear, BlobSpacing::linear, true, shear, setShear},
    {"colours", 3, -kMost, kMost, BlobSpacing::linear, false, component<&Blobs::colours>, setComponent<&Blobs::colours>},
    {"opacities", 1, 0, 1, BlobSpacing::linear, false, opacity, setOpacity},
}};

BlobRange rangeOf(const Blobs& blobs, const BlobAttributeRow& row) {
    const float none = std::max(row.least, 0.0F);
    if (blobs.count() == 0) return {none, none};
    // A rounded range holds 0, so that half a step is more than the rounding of its ends.
    BlobRange range = row.rounded ? BlobRange{0, 0} : BlobRange{row.most, row.least};
    for (size_t i = 0; i < blobs.count(); ++i) {
        for (size_t w = 0; w < row.words; ++w) {
            const float value = row.get(blobs, i, w);
            if (!(row.least <= value && value <= row.most)) {
                throw Error("number {} of the {} of blob {} is {}, expected {} to {}", w, row.name, i, value, row.least, row.most);
            }
            range = {std::min(range.lowest, value), std::max(range.highest, value)};
        }
    }
    if (row.rounded) range = {shortened(range.lowest), shortened(range.highest)};
    return {range.lowest + 0.0F, range.highest + 0.0F};  // no -0, which the order of equal numbers would decide on
}

BlobQuantiser::BlobQuantiser(BlobRange range, int bits, BlobSpacing spacing)
    : range_(range),
      spacing_(spacing),
      last_((1U << static_cast<uint32_t>(bits)) - 1),
      start_(placed(range.lowest)),
      length_(placed(range.highest) - start_) {}

double BlobQuantiser::placed(float value) const {
    return spacing_ == BlobSpacing::logarithmic ? std::log(static_cast<double>(value)) : static_cast<double>(value);
}

uint32_t BlobQuantiser::word(float value) const {
    if (length_ <= 0) return 0;
    const double share = std::clamp((placed(value) - start_) / length_, 0.0, 1.0);
    return static_cast<uint32_t>(std::lround(share * last_));
}

float BlobQuantiser::value(uint32_t word) const {
    if (word == 0) return range_.lowest;
    if (word == last_) return range_.highest;
    const double at = start_ + length_ * word / last_;
    return std::clamp(static_cast<float>(spacing_ == BlobSpacing::logarithmic ? std::exp(at) : at), range_.lowest, range_.highest);
}

}  // namespace splat
