#pragma once

#include <map>

#include <webp/encode.h>
#include <zlib.h>

#include <splatwright/core/image.h>
#include "splat_samples.h"

namespace splat::test {

/// The files of a SOG by name; tests change them.
using SogFiles = std::map<std::string, std::string>;

inline std::string losslessWebp(const Image8& image) {
    uint8_t* buffer = nullptr;
    const size_t size = WebPEncodeLosslessRGBA(image.pixels.data(), image.width, image.height, 4 * image.width, &buffer);
    std::string file(reinterpret_cast<char*>(buffer), size);
    WebPFree(buffer);
    return file;
}

/// An archive of stored files, as PKWARE's APPNOTE.TXT has it.
inline std::string storedZip(const SogFiles& files) {
    std::string archive, directory;
    for (const auto& [name, content] : files) {
        const auto crc = static_cast<uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size())));
        const auto size = static_cast<uint32_t>(content.size());
        Bytes local, central;
        // The version needed, flags, stored, time and date; checksum and sizes; lengths of the name and of nothing else.
        const auto put = [&](Bytes& bytes) {
            bytes.put(uint16_t{20}).put(uint16_t{0}).put(uint16_t{0}).put(uint16_t{0}).put(uint16_t{0x21});
            bytes.put(crc).put(size).put(size).put(static_cast<uint16_t>(name.size())).put(uint16_t{0});
        };
        put(local.put(uint32_t{0x04034b50}));
        put(central.put(uint32_t{0x02014b50}).put(uint16_t{20}));
        central.put(uint16_t{0}).put(uint16_t{0}).put(uint16_t{0}).put(uint32_t{0}).put(static_cast<uint32_t>(archive.size()));
        archive += local.content();
        archive += name;
        archive += content;
        directory += central.content() + name;
    }
    const auto count = static_cast<uint16_t>(files.size());
    Bytes end;
    end.put(uint32_t{0x06054b50}).put(uint16_t{0}).put(uint16_t{0}).put(count).put(count);
    end.put(static_cast<uint32_t>(directory.size())).put(static_cast<uint32_t>(archive.size())).put(uint16_t{0});
    return archive + directory + end.content();
}

/// Writes one SOG, with ranges and codebooks that do not depend on the splats.
class SogEncoder {
public:
    SogEncoder(const Gaussians& gaussians, int version) : g_(gaussians), version_(version) {
        const size_t count = g_.count();
        width_ = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(count)) / 4)) * 4;
        height_ = (static_cast<int>(count) + width_ - 1) / width_;
    }

    SogFiles files() const {
        const size_t each = shCoefficients(g_.shDegree);
        SogFiles files;
        files["meta.json"] = meta();
        files["means_l.webp"] = image([&](size_t i, int c) { return c < 3 ? position(i, c) & 255 : 255; });
        files["means_u.webp"] = image([&](size_t i, int c) { return c < 3 ? position(i, c) >> 8 : 255; });
        files["quats.webp"] = image([&](size_t i, int c) { return rotation(i)[static_cast<size_t>(c)]; });
        files["scales.webp"] = image([&](size_t i, int c) { return c < 3 ? index(g_.logScales[i][c], kScaleStep) : 255; });
        files["sh0.webp"] = image([&](size_t i, int c) {
            return c < 3 ? index(g_.sh[i * each][c], kColourStep) : version_ == 1 ? index(g_.logitOpacities[i], kOpacityStep) : opacity(i);
        });
        if (g_.shDegree == 0) return files;
        files["shN_labels.webp"] = image([&](size_t i, int c) { return c < 2 ? static_cast<int>(i >> (8 * c)) & 255 : c == 3 ? 255 : 0; });
        files["shN_centroids.webp"] = palette();
        return files;
    }
    std::string archive() const { return storedZip(files()); }

    Steps steps() const {
        return {.position = glm::vec3(2e-4f),
                .rotation = 0.004f,
                .logScale = glm::vec3(kScaleStep / 2),
                .opacity = version_ == 1 ? kOpacityStep / 8 : 0.5f / 255,
                .dc = glm::vec3(kColourStep / 2),
                .higher = kColourStep / 2};
    }

private:
    static constexpr float kScaleStep = 0.1f, kColourStep = 0.01f, kOpacityStep = 0.05f;
    static constexpr float kFurthest = 2;  // logarithm of the position

    template <class Value>
    std::string image(Value value) const {
        Image8 pixels(width_, height_, 4);
        for (size_t i = 0; i < g_.count(); ++i)
            for (int c = 0; c < 4; ++c) pixels.pixels[4 * i + static_cast<size_t>(c)] = static_cast<uint8_t>(value(i, c));
        return losslessWebp(pixels);
    }

    /// Every splat has an entry of its own.
    std::string palette() const {
        const size_t each = shCoefficients(g_.shDegree), higher = each - 1;
        Image8 pixels(static_cast<int>(64 * higher), (static_cast<int>(g_.count()) + 63) / 64, 4);
        for (size_t i = 0; i < g_.count(); ++i)
            for (size_t k = 0; k < higher; ++k)
                for (int c = 0; c < 4; ++c) {
                    const int byte = c < 3 ? index(g_.sh[i * each + 1 + k][c], kColourStep) : 255;
                    pixels.pixels[4 * (i * higher + k) + static_cast<size_t>(c)] = static_cast<uint8_t>(byte);
                }
        return losslessWebp(pixels);
    }

    static int index(float value, float step) { return toByte(value / step + 128); }
    int opacity(size_t i) const { return toByte(255 * sigmoid(g_.logitOpacities[i])); }
    int position(size_t i, int axis) const {
        const float value = g_.means[i][axis], logarithm = (value < 0 ? -1.0f : 1.0f) * std::log(std::abs(value) + 1);
        return static_cast<int>(std::lround(65535 * (logarithm + kFurthest) / (2 * kFurthest)));
    }
    std::array<int, 4> rotation(size_t i) const {
        glm::vec4 q = g_.rotations[i];
        const int largest = largestOf(q);
        if (q[largest] < 0) q = -q;
        std::array<int, 4> bytes{0, 0, 0, 252 + largest};
        size_t next = 0;
        for (int c = 0; c < 4; ++c)
            if (c != largest) bytes[next++] = toByte(255 * (q[c] * std::sqrt(0.5f) + 0.5f));
        return bytes;
    }

    static std::string codebook(float step) {
        std::string text;
        for (int b = 0; b < 256; ++b) text += fmt::format("{}{:g}", b == 0 ? "" : ",", static_cast<float>(b - 128) * step);
        return fmt::format(R"("codebook":[{}],)", text);
    }
    static std::string range(const char* name, const std::vector<float>& steps, int end) {
        std::string text;
        for (const float step : steps) text += fmt::format("{}{:g}", text.empty() ? "" : ",", static_cast<float>(end) * step);
        return fmt::format(R"("{}":[{}],)", name, text);
    }
    std::string values(const std::vector<float>& steps) const {
        return version_ == 1 ? range("mins", steps, -128) + range("maxs", steps, 127) : codebook(steps[0]);
    }
    std::string meta() const {
        const std::string count = version_ == 1 ? fmt::format(R"("shape":[{},3],)", g_.count()) : "";
        std::string text =
            fmt::format(R"("means":{{{}"mins":[{}],"maxs":[{}],"files":["means_l.webp","means_u.webp"]}},)", count, "-2,-2,-2", "2,2,2");
        text += fmt::format(R"("scales":{{{}"files":["scales.webp"]}},"quats":{{"files":["quats.webp"]}},)",
                            values({kScaleStep, kScaleStep, kScaleStep}));
        text += fmt::format(R"("sh0":{{{}"files":["sh0.webp"]}})", values({kColourStep, kColourStep, kColourStep, kOpacityStep}));
        if (g_.shDegree > 0) {
            const std::string what = version_ == 1
                                         ? R"("mins":-1.28,"maxs":1.27,)"
                                         : fmt::format(R"("count":{},"bands":{},{})", g_.count(), g_.shDegree, codebook(kColourStep));
            text += fmt::format(R"(,"shN":{{{}"files":["shN_centroids.webp","shN_labels.webp"]}})", what);
        }
        const std::string head = version_ == 1 ? "" : fmt::format(R"("version":2,"asset":{{"generator":"hand"}},"count":{},)", g_.count());
        return "{" + head + text + "}";
    }

    const Gaussians& g_;
    int version_, width_, height_;
};

inline SplatSample sogSample(size_t count, int version, int degree) {
    const Gaussians g = randomSplats(count, degree);
    const SogEncoder encoder(g, version);
    return {fmt::format("version {}, degree {}", version, degree), encoder.archive(), g, encoder.steps()};
}

}  // namespace splat::test
