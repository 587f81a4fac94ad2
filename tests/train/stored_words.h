#pragma once

#include <cstring>
#include <span>
#include <vector>

#include <splatwright/render/planar_buffer.h>
#include "support/test_device.h"

namespace splat {

/// Words of the first Gaussians: [plane][Gaussian][word].
template <class Word>
std::vector<Word> wordsOf(const PlanarBuffer& planes, size_t gaussians, gpu::Device& device = testDevice()) {
    const std::vector<std::byte> bytes = planes.download(device, gaussians);
    std::vector<Word> words(bytes.size() / sizeof(Word));
    std::memcpy(words.data(), bytes.data(), bytes.size());
    return words;
}

/// The inverse, for as many Gaussians as there are words.
template <class Word>
void setWords(const PlanarBuffer& planes, const std::vector<Word>& words, gpu::Device& device = testDevice()) {
    planes.upload(device, std::as_bytes(std::span(words)));
}

}  // namespace splat
