#pragma once

#include <glm/gtc/packing.hpp>

#include "splat_samples.h"

namespace splat::test {

/// A .ksplat file in parts; tests change the headers or add sections.
struct KsplatFile {
    struct Section {
        uint32_t splats = 0, maxSplats = 0, bucketSplats = 0;
        float blockSize = 0;
        uint16_t bucketBytes = 0;
        uint32_t range = 0, fullBuckets = 0;
        std::vector<uint32_t> partialSizes{};
        std::vector<glm::vec3> centres{};
        uint16_t degree = 0;
        std::string records{};
        uint32_t buckets = static_cast<uint32_t>(centres.size());
        uint32_t partialBuckets = static_cast<uint32_t>(partialSizes.size());
    };

    uint8_t major = 0, minor = 1;
    uint32_t splats = 0;
    uint16_t mode = 0;
    float shLow = 0, shHigh = 0;
    std::vector<Section> sections{};

    std::string content() const {
        const auto sectionCount = static_cast<uint32_t>(sections.size());
        Bytes file;
        file.put(major).put(minor).put(uint16_t{0}).put(sectionCount).put(sectionCount).put(splats).put(splats).put(mode).put(uint16_t{0});
        file.put(glm::vec3(0)).put(shLow).put(shHigh);
        std::string text = file.content() + std::string(4096 - file.content().size(), '\0');
        for (const Section& s : sections) text += headerOf(s);
        for (const Section& s : sections) {
            Bytes buckets;
            for (const uint32_t size : s.partialSizes) buckets.put(size);
            for (const glm::vec3& centre : s.centres) buckets.put(centre);
            text += buckets.content() + s.records;
        }
        return text;
    }

private:
    static std::string headerOf(const Section& s) {
        Bytes header;
        header.put(s.splats).put(s.maxSplats).put(s.bucketSplats).put(s.buckets).put(s.blockSize).put(s.bucketBytes).put(uint16_t{0});
        header.put(s.range).put(uint32_t{0}).put(s.fullBuckets).put(s.partialBuckets).put(s.degree).put(uint16_t{0});
        return header.content() + std::string(1024 - header.content().size(), '\0');
    }
};

constexpr float kKsplatBlock = 20;  // edge; randomSplats() all lie in a block around any one of them
constexpr float kKsplatLow = -0.9f, kKsplatHigh = 0.95f;

inline void putKsplatSh(Bytes& bytes, uint16_t mode, float value) {
    if (mode == 0) bytes.put(value);
    if (mode == 1) bytes.put(glm::packHalf1x16(value));
    if (mode == 2) bytes.put(toByte(255 * (value - kKsplatLow) / (kKsplatHigh - kKsplatLow)));
}

/// Splat i of the model as a record of a section of a degree.
inline std::string ksplatRecord(const Gaussians& g, size_t i, uint16_t mode, int degree, glm::vec3 centre) {
    Bytes bytes;
    const auto number = [&](float value) { mode == 0 ? bytes.put(value) : bytes.put(glm::packHalf1x16(value)); };
    for (int c = 0; c < 3; ++c) {
        const float steps = 32767 + (g.means[i][c] - centre[c]) / (kKsplatBlock / 2) * 32767;
        mode == 0 ? bytes.put(g.means[i][c]) : bytes.put(static_cast<uint16_t>(std::lround(steps)));
    }
    for (int c = 0; c < 3; ++c) number(std::exp(g.logScales[i][c]));
    for (int c = 0; c < 4; ++c) number(g.rotations[i][c]);
    const glm::vec3* sh = &g.sh[i * shCoefficients(g.shDegree)];
    for (int c = 0; c < 3; ++c) bytes.put(toByte(255 * (0.5f + 0.28209479f * sh[0][c])));
    bytes.put(toByte(255 * sigmoid(g.logitOpacities[i])));
    for (int d = 1; d <= degree; ++d)
        for (int channel = 0; channel < 3; ++channel)
            for (size_t k = shCoefficients(d - 1); k < shCoefficients(d); ++k) putKsplatSh(bytes, mode, sh[k][channel]);
    return bytes.content();
}

/// The splats [first, first + count) in buckets of two, then one of one (if any are left) and one of the rest, with space for one splat more.
inline KsplatFile::Section ksplatSection(const Gaussians& g, size_t first, size_t count, uint16_t mode) {
    const auto number = static_cast<uint32_t>(count);
    KsplatFile::Section s{.splats = number, .maxSplats = number + 1, .degree = static_cast<uint16_t>(g.shDegree)};
    if (mode > 0) {
        s.bucketSplats = 2, s.blockSize = kKsplatBlock, s.bucketBytes = 12;
        s.fullBuckets = number / 4;
        s.partialSizes = {1, number - 2 * s.fullBuckets - 1};
    }
    std::vector<uint32_t> sizes(s.fullBuckets, 2);
    sizes.insert(sizes.end(), s.partialSizes.begin(), s.partialSizes.end());
    if (mode == 0) sizes = {number};
    size_t i = first;
    for (const uint32_t size : sizes) {
        const glm::vec3 centre = i < g.count() ? g.means[i] : glm::vec3(0);
        if (mode > 0) s.centres.push_back(centre);
        for (uint32_t b = 0; b < size; ++b, ++i) s.records += ksplatRecord(g, i, mode, g.shDegree, centre);
    }
    s.records += std::string(s.records.size() / count, '\x7f');
    s.buckets = static_cast<uint32_t>(s.centres.size());
    s.partialBuckets = static_cast<uint32_t>(s.partialSizes.size());
    return s;
}

inline KsplatFile ksplatFile(const Gaussians& g, uint16_t mode) {
    KsplatFile file{.splats = static_cast<uint32_t>(g.count()), .mode = mode, .shLow = kKsplatLow, .shHigh = kKsplatHigh};
    const size_t half = (g.count() + 1) / 2;
    file.sections.push_back(ksplatSection(g, 0, half, mode));
    if (g.count() > half) file.sections.push_back(ksplatSection(g, half, g.count() - half, mode));
    return file;
}

inline SplatSample ksplatSample(size_t count, uint16_t mode, int degree) {
    const Gaussians g = randomSplats(count, degree);
    Steps steps{.rotation = 1e-6f, .logScale = glm::vec3(1e-5f), .opacity = 0.5f / 255, .dc = glm::vec3(0.5f / 255 / 0.282f), .higher = 0};
    if (mode > 0) {
        steps.position = glm::vec3(kKsplatBlock / 2 / 32767 / 2);
        steps.rotation = 0.0004f, steps.logScale = glm::vec3(0.0006f);
        steps.higher = mode == 1 ? 0.0003f : (kKsplatHigh - kKsplatLow) / 255 / 2;
    }
    return {fmt::format("mode {}, degree {}", mode, degree), ksplatFile(g, mode).content(), g, steps};
}

}  // namespace splat::test
