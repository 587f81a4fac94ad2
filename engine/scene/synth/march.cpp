#include <splatwright/scene/synth/march.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include <splatwright/core/error.h>

namespace splat::synth {

using glm::vec3;

namespace {

constexpr float kFar = 1e6f;
constexpr float kTouch = 2e-4f;  // world units; a tenth of a pixel's footprint at the intended image sizes
constexpr int kMaxSteps = 160;   // a grazing ray that needs more counts as a miss
constexpr size_t kMaxObjects = 64;
constexpr float kShadowSharpness = 10;  // 1 / tangent of the sun's apparent radius, far larger than the real sun's for soft edges
constexpr float kLift = 4e-3f;          // world units; offset of a secondary ray from its surface, to avoid hitting it again

struct Span {
    float enter;
    float leave;
};

/// Interval in which a ray is inside a sphere whose radius grows by `spread` per unit along the ray (0: an ordinary sphere).
std::optional<Span> crossing(const Sphere& bound, const Ray& ray, float spread) {
    const vec3 toCentre = bound.centre - ray.origin;
    const float middle = glm::dot(toCentre, ray.direction);
    const float radius = bound.radius + spread * std::max(middle + bound.radius, 0.0f);
    const float square = radius * radius - (glm::dot(toCentre, toCentre) - middle * middle);
    if (square <= 0) return std::nullopt;
    const float half = std::sqrt(square);
    if (middle + half <= 0) return std::nullopt;
    return Span{std::max(middle - half, 0.0f), middle + half};
}

/// Objects whose bounds a ray intersects. Only these are evaluated while marching, so that most rays are cheap.
class Candidates {
public:
    Candidates(const Scene& scene, const Ray& ray, float spread) : scene_(scene) {
        SPLAT_CHECK(scene.objects.size() <= kMaxObjects, "{} objects, room for {}", scene.objects.size(), kMaxObjects);
        for (size_t i = 0; i < scene.objects.size(); ++i) {
            const auto span = crossing(scene.objects[i].shape.bound, ray, spread);
            if (!span) continue;
            items_[count_++] = {i, *span};
            enter_ = std::min(enter_, span->enter);
            leave_ = std::max(leave_, span->leave);
        }
    }

    float enter() const { return enter_; }
    float leave() const { return leave_; }

    struct Nearest {
        float distance = kFar;   ///< to the nearest object whose bound contains the current point
        size_t object = 0;       ///< index of that object
        float nextBound = kFar;  ///< along the ray, to the next bound; its objects are not evaluated yet
        float step() const { return std::min(distance, nextBound + kTouch); }
    };

    Nearest nearest(const vec3& point, float t) const {
        Nearest best;
        for (const Item& item : std::span(items_).first(count_)) {
            if (t > item.span.leave) continue;
            const float ahead = item.span.enter - t;
            if (ahead > 0) {
                best.nextBound = std::min(best.nextBound, ahead);
                continue;
            }
            const float distance = scene_.objects[item.object].shape.distance(point);
            if (distance < best.distance) best = {distance, item.object, best.nextBound};
        }
        return best;
    }

private:
    struct Item {
        size_t object;
        Span span;
    };
    const Scene& scene_;
    std::array<Item, kMaxObjects> items_;
    size_t count_ = 0;
    float enter_ = kFar;
    float leave_ = 0;
};

std::optional<Hit> traceObjects(const Scene& scene, const Ray& ray, float end) {
    const Candidates candidates(scene, ray, 0);
    float t = candidates.enter();
    end = std::min(end, candidates.leave());
    for (int step = 0; step < kMaxSteps && t < end; ++step) {
        const vec3 point = ray.origin + ray.direction * t;
        const auto nearest = candidates.nearest(point, t);
        if (nearest.distance < kTouch) return Hit{Surface::object, nearest.object, t, point};
        t += nearest.step();
    }
    return std::nullopt;
}

/// Intersects ground and dome in closed form.
std::optional<Hit> traceBackground(const Scene& scene, const Ray& ray) {
    std::optional<Hit> hit;
    auto offer = [&](Surface surface, float t) {
        if (t > 0 && (!hit || t < hit->t)) hit = Hit{surface, 0, t, ray.origin + ray.direction * t};
    };
    if (scene.ground && ray.direction.y > 0) offer(Surface::ground, -ray.origin.y / ray.direction.y);
    if (scene.dome) {
        const auto inside = crossing({vec3(0), scene.dome->radius}, ray, 0);
        if (inside) offer(Surface::dome, inside->leave);
    }
    return hit;
}

/// Distance to the nearest surface that can occlude the sky, at most `limit`.
float distanceToScene(const Scene& scene, const vec3& point, float limit) {
    float best = scene.ground ? std::min(limit, -point.y) : limit;
    for (const Object& object : scene.objects) {
        const Sphere& bound = object.shape.bound;
        const vec3 offset = point - bound.centre;
        const float reach = bound.radius + best;
        if (glm::dot(offset, offset) < reach * reach) best = std::min(best, object.shape.distance(point));
    }
    return best;
}

}  // namespace

std::optional<Hit> trace(const Scene& scene, const Ray& ray) {
    const auto background = traceBackground(scene, ray);
    const auto object = traceObjects(scene, ray, background ? background->t : kFar);
    return object ? object : background;
}

vec3 surfaceNormal(const Scene& scene, const Hit& hit) {
    switch (hit.surface) {
        case Surface::object: return normalAt(scene.objects[hit.object].shape, hit.point);
        case Surface::ground: return kUp;
        case Surface::dome: break;
    }
    return -glm::normalize(hit.point);
}

float sunlight(const Scene& scene, const vec3& point, const vec3& normal) {
    const Ray ray{point + normal * kLift, glm::normalize(scene.light.toSun)};
    const Candidates candidates(scene, ray, 1 / kShadowSharpness);
    float light = 1;
    float t = std::max(candidates.enter(), kLift);
    for (int step = 0; step < kMaxSteps && t < candidates.leave() && light > 0.005f; ++step) {
        const auto nearest = candidates.nearest(ray.origin + ray.direction * t, t);
        light = std::min(light, kShadowSharpness * nearest.distance / t);
        t += std::min(std::clamp(nearest.distance, 0.01f, 0.3f), nearest.nextBound + kTouch);
    }
    light = std::clamp(light, 0.0f, 1.0f);
    return light * light * (3 - 2 * light);
}

float skylight(const Scene& scene, const vec3& point, const vec3& normal) {
    float hidden = 0;
    float weight = 1;
    for (const float height : {0.03f, 0.09f, 0.18f, 0.3f}) {
        hidden += weight * (height - distanceToScene(scene, point + normal * height, height)) / height;
        weight *= 0.7f;
    }
    constexpr float kWeightSum = 1 + 0.7f + 0.49f + 0.343f;
    return std::clamp(1 - 0.75f * hidden / kWeightSum, 0.0f, 1.0f);
}

}  // namespace splat::synth
