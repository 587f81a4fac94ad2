#pragma once

#include "gltf_samples.h"
#include "sog_samples.h"

namespace splat::test {

/// The end of a page of PlayCanvas's viewer; this is all that readers look at.
inline std::string pageOf(const std::string& archive) {
    return "<!DOCTYPE html>\n<title>A page</title><script type=\"application/json\" id=\"sse-bootstrap\">\n"
           "{\"contentUrl\": \"data:application/octet-stream;base64," +
           base64(archive) + "\"}</script>";
}

inline SplatSample pageSample(size_t count, int degree) {
    SplatSample sample = sogSample(count, 2, degree);
    sample.content = pageOf(sample.content);
    return sample;
}

}  // namespace splat::test
