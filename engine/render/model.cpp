#include "render/model.h"

namespace splat {

GaussianModel::GaussianModel(gpu::Device& device, uint32_t size)
    : capacity(std::max(size, 1u)),
      means(device.buffer<glm::vec3>("gaussian means", capacity)),
      rotations(device.buffer<glm::vec4>("gaussian rotations", capacity)),
      logScales(device.buffer<glm::vec3>("gaussian log scales", capacity)),
      logitOpacities(device.buffer<float>("gaussian logit opacities", capacity)),
      sh0(device.buffer<glm::vec3>("gaussian sh0", capacity)),
      shRest(device.buffer<glm::vec3>("gaussian sh rest", size_t{capacity} * kShRest)),
      count(device.buffer<uint32_t>("gaussian count", 1)) {}

void GaussianModel::upload(gpu::Device& device, const Gaussians& g) {
    CHECK(g.count() <= capacity, "{} gaussians, capacity {}", g.count(), capacity);
    const size_t coefficients = shCoefficients(g.shDegree);
    std::vector<glm::vec3> first(g.count());
    std::vector<glm::vec3> rest(size_t{capacity} * kShRest, glm::vec3(0));
    for (size_t i = 0; i < g.count(); ++i) {
        first[i] = g.sh[i * coefficients];
        for (size_t k = 1; k < coefficients; ++k) rest[(k - 1) * capacity + i] = g.sh[i * coefficients + k];
    }
    antialiased = g.antialiased;
    device.upload(means, g.means);
    device.upload(rotations, g.rotations);
    device.upload(logScales, g.logScales);
    device.upload(logitOpacities, g.logitOpacities);
    device.upload(sh0, first);
    device.upload(shRest, rest);
    device.upload(count, std::vector<uint32_t>{static_cast<uint32_t>(g.count())});
}

Gaussians GaussianModel::download(gpu::Device& device, int shDegree) const {
    const size_t n = device.download<uint32_t>(count, 1)[0];
    const size_t coefficients = shCoefficients(shDegree);
    Gaussians g;
    g.resize(n, shDegree);
    g.antialiased = antialiased;
    g.means = device.download<glm::vec3>(means, n);
    g.rotations = device.download<glm::vec4>(rotations, n);
    g.logScales = device.download<glm::vec3>(logScales, n);
    g.logitOpacities = device.download<float>(logitOpacities, n);
    const auto first = device.download<glm::vec3>(sh0, n);
    const auto rest = device.download<glm::vec3>(shRest, size_t{capacity} * kShRest);
    for (size_t i = 0; i < n; ++i) {
        g.sh[i * coefficients] = first[i];
        for (size_t k = 1; k < coefficients; ++k) g.sh[i * coefficients + k] = rest[(k - 1) * capacity + i];
    }
    return g;
}

}  // namespace splat
