// Names that make one definition of a struct or a constant valid in C++ and in Slang.
#ifndef SPLAT_SHARED_TYPES_H
#define SPLAT_SHARED_TYPES_H

#ifdef __cplusplus
#include <cstddef>
#include <cstdint>

#include <glm/glm.hpp>

#define SPLAT_SHARED_BEGIN namespace splat::shared {
#define SPLAT_SHARED_END }
#define SPLAT_CONSTANT inline constexpr
#define SPLAT_REAL double  // a shader rounds the same literal to a float

namespace splat::shared {
using uint = uint32_t;
using uint2 = glm::uvec2;
using uint3 = glm::uvec3;
using float2 = glm::vec2;
using float3 = glm::vec3;
using float4 = glm::vec4;
}  // namespace splat::shared
#else
#define SPLAT_SHARED_BEGIN
#define SPLAT_SHARED_END
#define SPLAT_CONSTANT static const
#define SPLAT_REAL float
#endif

#endif
