// Names that make one struct definition valid in C++ and in Slang.
#ifndef SPLAT_SHARED_TYPES_H
#define SPLAT_SHARED_TYPES_H

#ifdef __cplusplus
#include <cstdint>

#include <glm/glm.hpp>

#define SPLAT_SHARED_BEGIN namespace splat::shared {
#define SPLAT_SHARED_END }

namespace splat::shared {
using uint = uint32_t;
using uint2 = glm::uvec2;
using float2 = glm::vec2;
using float3 = glm::vec3;
using float4 = glm::vec4;
}  // namespace splat::shared
#else
#define SPLAT_SHARED_BEGIN
#define SPLAT_SHARED_END
#endif

#endif
