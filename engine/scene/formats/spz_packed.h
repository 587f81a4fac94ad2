#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>

#include <glm/glm.hpp>

#include <splatwright/core/memory.h>
#include <splatwright/scene/formats/quantised.h>

namespace splat {

/// Header of an SPZ file of any version.
struct SpzHeader {
    uint32_t version = 0;
    uint32_t count = 0;
    int shDegree = 0;        ///< 0 to 4; models have at most 3
    int fractionalBits = 0;  ///< of positions, from version 2 on
    uint8_t flags = 0;

    static constexpr uint8_t kAntialiased = 1, kHasExtensions = 2;  ///< bits of `flags`
};

/// One block per attribute, in the order of the file.
enum class SpzBlock { positions, opacities, colours, scales, rotations, higher };
inline constexpr size_t kSpzBlocks = 6;

/// Bytes per splat in each block.
std::array<size_t, kSpzBlocks> spzBytesEach(const SpzHeader& header);
/// The same in all blocks.
size_t spzBytesOfSplat(const SpzHeader& header);

/// The blocks in memory, one after another. Values are in the file's frame; i is the index of a splat.
class SpzPacked {
public:
    /// The blocks start at a byte, and have as many as spzBytesEach(header) says.
    SpzPacked(const SpzHeader& header, UnfilledBytes bytes, size_t start);
    SpzPacked(const SpzPacked&) = delete;
    SpzPacked& operator=(const SpzPacked&) = delete;

    const SpzHeader& header() const { return header_; }
    glm::vec3 position(size_t i) const { return {coordinate(3 * i), coordinate(3 * i + 1), coordinate(3 * i + 2)}; }
    glm::vec4 rotation(size_t i) const;
    glm::vec3 logScale(size_t i) const { return triple(SpzBlock::scales, i) / 16.0f - 10.0f; }
    float logitOpacity(size_t i) const { return logits_[block(SpzBlock::opacities)[i]]; }
    glm::vec3 dc(size_t i) const { return (triple(SpzBlock::colours, i) / 255.0f - 0.5f) / 0.15f; }
    /// Of each channel of each SH coefficient from degree 1 on: 128 stands for zero, 255 for 127/128.
    std::span<const uint8_t> higher(size_t i) const { return block(SpzBlock::higher).subspan(3 * i * higherCount_, 3 * higherCount_); }

private:
    std::span<const uint8_t> block(SpzBlock b) const { return blocks_[static_cast<size_t>(b)]; }
    glm::vec3 triple(SpzBlock b, size_t i) const { return {block(b)[3 * i], block(b)[3 * i + 1], block(b)[3 * i + 2]}; }
    float coordinate(size_t item) const;

    SpzHeader header_;
    size_t higherCount_;  ///< SH coefficients of degree 1 and higher, per splat
    float positionStep_;
    const std::array<float, 256> logits_ = logitsOfBytes();
    UnfilledBytes bytes_;
    std::array<std::span<const uint8_t>, kSpzBlocks> blocks_;
};

}  // namespace splat
