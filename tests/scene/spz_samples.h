#pragma once

#include <zlib.h>
#include <zstd.h>

#include <glm/gtc/packing.hpp>

#include "splat_samples.h"

namespace splat::test {

inline std::string gzipped(const std::string& content) {
    z_stream stream{};
    deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
    std::string file(deflateBound(&stream, static_cast<uInt>(content.size())) + 64, '\0');
    std::string input = content;
    stream.next_in = reinterpret_cast<Bytef*>(input.data());
    stream.avail_in = static_cast<uInt>(input.size());
    stream.next_out = reinterpret_cast<Bytef*>(file.data());
    stream.avail_out = static_cast<uInt>(file.size());
    deflate(&stream, Z_FINISH);
    file.resize(stream.total_out);
    deflateEnd(&stream);
    return file;
}

inline std::string zstdFrame(const std::string& content) {
    std::string frame(ZSTD_compressBound(content.size()), '\0');
    frame.resize(ZSTD_compress(frame.data(), frame.size(), content.data(), content.size(), 12));
    return frame;
}

/// The spherical harmonics up to degree 3 without their factors, which no flip of an axis changes.
inline std::array<float, 16> shPolynomials(glm::vec3 d) {
    const float x = d.x, y = d.y, z = d.z, xx = x * x, yy = y * y, zz = z * z;
    return {1,
            -y,
            z,
            -x,
            x * y,
            -y * z,
            2 * zz - xx - yy,
            -x * z,
            xx - yy,
            -y * (3 * xx - yy),
            x * y * z,
            -y * (4 * zz - xx - yy),
            z * (2 * zz - 3 * xx - 3 * yy),
            -x * (4 * zz - xx - yy),
            z * (xx - yy),
            -x * (xx - 3 * yy)};
}

/// SPZ of one version, before it is compressed; tests change the header or add to it.
struct SpzFile {
    uint32_t version = 3;
    uint32_t count = 0;
    uint8_t degree = 0, fractionalBits = 12, flags = 0;
    std::string magic = "NGSP";
    std::vector<std::string> blocks{};
    std::string extensions{};

    std::string payload() const {
        std::string text = header().put(uint8_t{0}).content();
        for (const std::string& block : blocks) text += block;
        return text + extensions;
    }
    /// Version 4: a plain header, extensions, a table of contents, a frame a block that is not empty.
    std::string plain() const {
        Bytes sizes;
        std::string frames;
        uint8_t streams = 0;
        for (const std::string& block : blocks) {
            if (block.empty()) continue;
            const std::string frame = zstdFrame(block);
            sizes.put(uint64_t{frame.size()}).put(uint64_t{block.size()});
            frames += frame;
            ++streams;
        }
        Bytes start = header();
        start.put(streams).put(static_cast<uint32_t>(32 + extensions.size()));
        return start.content() + std::string(12, '\0') + extensions + sizes.content() + frames;
    }
    std::string content() const { return version == 4 ? plain() : gzipped(payload()); }

private:
    Bytes header() const {
        Bytes bytes;
        for (const char c : magic) bytes.put(c);
        return bytes.put(version).put(count).put(degree).put(fractionalBits).put(flags);
    }
};

inline Bytes& putSpzPosition(Bytes& bytes, uint32_t version, float value) {
    if (version == 1) return bytes.put(glm::packHalf1x16(value));
    const auto fixed = static_cast<uint32_t>(static_cast<int32_t>(std::lround(value * 4096)));
    for (const uint32_t shift : {0u, 8u, 16u}) bytes.put(static_cast<uint8_t>(fixed >> shift));
    return bytes;
}

/// A rotation as (w, x, y, z).
inline Bytes& putSpzRotation(Bytes& bytes, uint32_t version, glm::vec4 wxyz) {
    if (version < 3) {
        if (wxyz.x < 0) wxyz = -wxyz;
        for (int c = 1; c < 4; ++c) bytes.put(toByte(127.5f * (wxyz[c] + 1)));
        return bytes;
    }
    glm::vec4 q(wxyz.y, wxyz.z, wxyz.w, wxyz.x);
    const int largest = largestOf(q);
    if (q[largest] < 0) q = -q;
    auto word = static_cast<uint32_t>(largest);
    for (int i = 0; i < 4; ++i) {
        if (i == largest) continue;
        word = word << 10u | (q[i] < 0 ? 512u : 0u) | static_cast<uint32_t>(std::lround(511 * std::sqrt(2.0f) * std::abs(q[i])));
    }
    return bytes.put(word);
}

/// The model as it stands in a frame whose axes point the other way where a sign is -1.
inline SpzFile spzFile(const Gaussians& g, uint32_t version, glm::vec3 signs) {
    const size_t coefficients = shCoefficients(g.shDegree);
    const glm::vec3 d(0.3f, -0.5f, 0.7f);
    const auto here = shPolynomials(d), there = shPolynomials(d * signs);
    Bytes positions, opacities, colours, scales, rotations, sh;
    for (size_t i = 0; i < g.count(); ++i) {
        for (int c = 0; c < 3; ++c) putSpzPosition(positions, version, g.means[i][c] * signs[c]);
        opacities.put(toByte(255 * sigmoid(g.logitOpacities[i])));
        for (int c = 0; c < 3; ++c) colours.put(toByte(g.sh[i * coefficients][c] * 0.15f * 255 + 127.5f));
        for (int c = 0; c < 3; ++c) scales.put(toByte((g.logScales[i][c] + 10) * 16));
        const glm::vec3 turned = glm::vec3(g.rotations[i].y, g.rotations[i].z, g.rotations[i].w) * signs * (signs.x * signs.y * signs.z);
        putSpzRotation(rotations, version, {g.rotations[i].x, turned});
        for (size_t k = 1; k < coefficients; ++k) {
            const float sign = here[k] * there[k] > 0 ? 1.0f : -1.0f;
            for (int c = 0; c < 3; ++c) sh.put(toByte(128 + 128 * sign * g.sh[i * coefficients + k][c]));
        }
    }
    return {.version = version,
            .count = static_cast<uint32_t>(g.count()),
            .degree = static_cast<uint8_t>(g.shDegree),
            .blocks = {positions.content(), opacities.content(), colours.content(), scales.content(), rotations.content(), sh.content()}};
}

inline const glm::vec3 kRightUpBack{1, -1, -1};

inline SplatSample spzSample(size_t count, uint32_t version, int degree) {
    const Gaussians g = randomSplats(count, degree);
    return {fmt::format("version {}, degree {}", version, degree),
            spzFile(g, version, kRightUpBack).content(),
            g,
            {.position = glm::vec3(version == 1 ? 0.002f : 0.5f / 4096),
             // Three bytes leave w to be found as a root, which is steep where w is small.
             .rotation = version < 3 ? 0.07f : 0.002f,
             .logScale = glm::vec3(0.5f / 16),
             .opacity = 0.5f / 255,
             .dc = glm::vec3(0.5f / 255 / 0.15f),
             .higher = 0.5f / 128}};
}

}  // namespace splat::test
