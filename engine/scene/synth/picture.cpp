#include <splatwright/scene/synth/picture.h>

#include <algorithm>
#include <cmath>

#include <splatwright/core/error.h>
#include <splatwright/core/threads.h>

namespace splat::synth {

using glm::vec3;

namespace {

/// Tone mapping: compresses highlights of linear light instead of clipping them, then applies a display gamma of 2.2.
vec3 encode(const vec3& light) {
    const vec3 rolled = 1.0f - glm::exp(-1.2f * light);
    return glm::pow(rolled, vec3(1 / 2.2f));
}

vec3 lit(const Scene& scene, const Ray& ray, const Hit& hit) {
    const Light& light = scene.light;
    const Material& material = hit.surface == Surface::object ? scene.objects[hit.object].material : *scene.ground;
    const vec3 normal = surfaceNormal(scene, hit);
    const vec3 toSun = glm::normalize(light.toSun);
    const float facing = glm::dot(normal, toSun);
    const vec3 sun = facing > 0 ? light.sun * sunlight(scene, hit.point, normal) : vec3(0);
    const float open = skylight(scene, hit.point, normal);
    const vec3 ambient = glm::mix(light.bounce, light.sky, 0.5f + 0.5f * glm::dot(normal, kUp)) * open;
    vec3 result = material.albedo(hit.point) * (sun * std::max(facing, 0.0f) + ambient);
    if (material.gloss > 0) {
        const vec3 half = glm::normalize(toSun - ray.direction);
        const float highlight = std::pow(std::max(glm::dot(normal, half), 0.0f), material.shininess);
        const float grazing = std::pow(1 - std::clamp(-glm::dot(normal, ray.direction), 0.0f, 1.0f), 4.0f);
        const float upward = glm::dot(glm::reflect(ray.direction, normal), kUp);
        const vec3 mirrored = glm::mix(light.bounce, light.sky, glm::smoothstep(-0.2f, 0.6f, upward)) * open;
        result += material.gloss * (0.6f * sun * highlight + (0.02f + 0.4f * grazing) * mirrored);
    }
    return result;
}

/// Mean colour of 2x2 samples; w is the fraction of samples that hit something.
glm::vec4 pixelColour(const Scene& scene, const Lens& lens, int x, int y) {
    vec3 sum(0);
    float hits = 0;
    for (int sample = 0; sample < 4; ++sample) {
        const Ray ray = rayThrough(lens, x + 0.25 + 0.5 * (sample & 1), y + 0.25 + 0.5 * (sample >> 1));
        const auto hit = trace(scene, ray);
        if (!hit) continue;
        sum += shade(scene, ray, *hit);
        hits += 1;
    }
    return {hits > 0 ? sum / hits : vec3(1), hits / 4};
}

}  // namespace

Ray rayThrough(const Lens& lens, double x, double y) {
    const auto inCamera = lens.rayOf({x, y});
    SPLAT_CHECK(inCamera, "the lens does not see {}, {}", x, y);
    return {vec3(lens.camera().position()), vec3(glm::normalize(glm::transpose(lens.camera().rotation) * *inCamera))};
}

vec3 shade(const Scene& scene, const Ray& ray, const Hit& hit) {
    return encode(hit.surface == Surface::dome ? scene.dome->colour(hit.point) : lit(scene, ray, hit));
}

uint8_t toByte(float value) { return static_cast<uint8_t>(std::lround(std::clamp(value, 0.0f, 1.0f) * 255)); }

Image8 renderPicture(const Scene& scene, const Lens& lens) {
    const Camera& camera = lens.camera();
    Image8 picture(camera.width, camera.height, scene.dome ? 3 : 4);
    parallelFor(static_cast<size_t>(camera.height), [&](size_t row) {
        const int y = static_cast<int>(row);
        for (int x = 0; x < camera.width; ++x) {
            const glm::vec4 colour = pixelColour(scene, lens, x, y);
            const auto pixel = picture.at(x, y);
            for (int channel = 0; channel < picture.channels; ++channel) pixel[static_cast<size_t>(channel)] = toByte(colour[channel]);
        }
    });
    return picture;
}

ImageF renderInverseDepths(const Scene& scene, const Lens& lens) {
    const Camera& camera = lens.camera();
    ImageF depths(camera.width, camera.height, 1);
    parallelFor(static_cast<size_t>(camera.height), [&](size_t row) {
        const int y = static_cast<int>(row);
        for (int x = 0; x < camera.width; ++x) {
            const auto hit = trace(scene, rayThrough(lens, x + 0.5, y + 0.5));
            if (!hit) continue;
            const glm::dvec3 point = camera.rotation * glm::dvec3(hit->point) + camera.translation;
            depths.at(x, y)[0] = static_cast<float>(1 / point.z);
        }
    });
    return depths;
}

}  // namespace splat::synth
