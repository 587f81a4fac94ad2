#include <splatwright/scene/images/hdr_to_srgb.h>

#include <algorithm>
#include <cmath>

#include <splatwright/scene/images/srgb_curve.h>

namespace splat {
namespace {

constexpr double kPeak = 1000, kWhite = 203;  // cd/m2
constexpr size_t kGains = 4096;               // a step of 1/4096 in the root of light changes no value by a step of 255
constexpr size_t kCodes = 16384;              // at black, where sRGB's curve is steepest, 5 to a step of 255

constexpr std::array<HdrPrimaries, 3> kPrimaries{{
    {1, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {0.2126F, 0.7152F, 0.0722F}},
    {9, {1.6605F, -0.5876F, -0.0728F, -0.1246F, 1.1329F, -0.0083F, -0.0182F, -0.1006F, 1.1187F}, {0.2627F, 0.6780F, 0.0593F}},
    {12, {1.2249F, -0.2247F, 0, -0.0420F, 1.0419F, 0, -0.0197F, -0.0786F, 1.0979F}, {0.2290F, 0.6917F, 0.0793F}},
}};

// SMPTE ST 2084.
constexpr double kM1 = 2610.0 / 16384, kM2 = 2523.0 / 32, kC1 = 3424.0 / 4096, kC2 = 2413.0 / 128, kC3 = 2392.0 / 128;

/// cd/m2.
double lightOfPq(double signal) {
    const double root = std::pow(signal, 1 / kM2);
    return 10000 * std::pow(std::max(root - kC1, 0.0) / (kC2 - kC3 * root), 1 / kM1);
}

double pqOfLight(double light) {
    const double root = std::pow(light / 10000, kM1);
    return std::pow((kC1 + kC2 * root) / (1 + kC3 * root), kM2);
}

/// Of the scene, 0 to 1 (ITU-R BT.2100, table 5).
double lightOfHlg(double signal) {
    constexpr double kA = 0.17883277, kB = 0.28466892, kC = 0.55991073;
    return signal <= 0.5 ? signal * signal / 3 : (std::exp((signal - kC) / kA) + kB) / 12;
}

/// ITU-R BT.2390, 5.4.1: from kPeak to kWhite, with black left alone. In PQ relative to the peak, values above a knee follow a Hermite spline.
double compressed(double light) {
    const double peak = pqOfLight(kPeak), white = pqOfLight(kWhite) / peak, knee = 1.5 * white - 0.5;
    const double value = std::min(pqOfLight(light) / peak, 1.0);
    if (value <= knee) return light;
    const double t = (value - knee) / (1 - knee), t2 = t * t, t3 = t2 * t;
    const double spline = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (-2 * t3 + 3 * t2) * white;
    return lightOfPq(spline * peak);
}

/// The nearest entry of a table over 0 to 1.
template <class T>
T at(const std::vector<T>& table, float place) {
    return table[static_cast<size_t>(std::lround(std::clamp(place, 0.0F, 1.0F) * static_cast<float>(table.size() - 1)))];
}

}  // namespace

const HdrPrimaries* findHdrPrimaries(int number) {
    const auto found = std::ranges::find(kPrimaries, number, &HdrPrimaries::number);
    return found == kPrimaries.end() ? nullptr : &*found;
}

HdrToSrgb::HdrToSrgb(HdrTransfer transfer, const HdrPrimaries& primaries, uint32_t bits)
    : transfer_(transfer), primaries_(primaries), largest_((1U << bits) - 1), light_(largest_ + 1), gain_(kGains), encoded_(kCodes) {
    for (size_t i = 0; i < light_.size(); ++i) {
        const double signal = static_cast<double>(i) / largest_;
        light_[i] = static_cast<float>(transfer == HdrTransfer::pq ? lightOfPq(signal) / kPeak : lightOfHlg(signal));
    }
    gain_[0] = static_cast<float>(kPeak / kWhite);
    for (size_t i = 1; i < gain_.size(); ++i) {
        const double root = static_cast<double>(i) / (kGains - 1), light = kPeak * root * root;
        gain_[i] = static_cast<float>(compressed(light) / light * kPeak / kWhite);
    }
    for (size_t i = 0; i < encoded_.size(); ++i)
        encoded_[i] = static_cast<uint8_t>(std::lround(255 * srgbOfLight(static_cast<double>(i) / (kCodes - 1))));
}

/// Of light in 1000 cd/m2. One gain for all channels keeps the hue.
std::array<uint8_t, 3> HdrToSrgb::colourOf(std::array<float, 3> light) const {
    const float most = std::max({light[0], light[1], light[2]});
    const float gain = at(gain_, std::sqrt(most)) / std::max(most, 1.0F);
    std::array<uint8_t, 3> colour{};
    for (size_t c = 0; c < 3; ++c) {
        const float* row = &primaries_.toSrgb[3 * c];
        colour[c] = at(encoded_, gain * (row[0] * light[0] + row[1] * light[1] + row[2] * light[2]));
    }
    return colour;
}

void HdrToSrgb::convert(std::span<const uint16_t> samples, size_t channels, std::span<uint8_t> row) const {
    constexpr float kSystemGamma = 1.2F;  // HLG's, for a display of kPeak
    for (size_t at = 0; at < samples.size(); at += channels) {
        std::array<float, 3> light{};
        for (size_t c = 0; c < 3; ++c) light[c] = light_[std::min<uint32_t>(samples[at + c], largest_)];
        if (transfer_ == HdrTransfer::hlg) {
            const auto& weights = primaries_.luminance;
            const float luminance = weights[0] * light[0] + weights[1] * light[1] + weights[2] * light[2];
            const float ootf = std::pow(luminance, kSystemGamma - 1);
            for (float& value : light) value *= ootf;
        }
        std::ranges::copy(colourOf(light), row.begin() + static_cast<std::ptrdiff_t>(at));
        if (channels == 4)
            row[at + 3] = static_cast<uint8_t>((2 * 255 * std::min<uint32_t>(samples[at + 3], largest_) + largest_) / (2 * largest_));
    }
}

}  // namespace splat
