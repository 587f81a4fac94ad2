#include <splatwright/scene/gaussians/gaussians.h>

#include <algorithm>

#include <splatwright/core/memory.h>
#include <splatwright/scene/gaussians/attributes.h>

namespace splat {

void Gaussians::resize(size_t count, int degree) {
    shDegree = degree;
    resizeFast(means, count);
    rotations.resize(count, glm::vec4(1, 0, 0, 0));
    resizeFast(logScales, count);
    resizeFast(logitOpacities, count);
    resizeFast(sh, count * shCoefficients(degree));
    for (ExtraColumn& column : extras) column.values.resize(count * bytesOf(column.type));
}

void setShDegree(Gaussians& gaussians, int degree) {
    const size_t before = shCoefficients(gaussians.shDegree), after = shCoefficients(degree);
    std::vector<glm::vec3> sh(gaussians.count() * after, glm::vec3(0));
    for (size_t i = 0; i < gaussians.count(); ++i) std::copy_n(&gaussians.sh[i * before], std::min(before, after), &sh[i * after]);
    gaussians.sh = std::move(sh);
    gaussians.shDegree = degree;
}

void append(Gaussians& to, const Gaussians& from) {
    const size_t before = to.count();
    addColumns(to.extras, before, from.extras);
    to.resize(before + from.count(), to.shDegree);
    for (size_t i = 0; i < from.count(); ++i) copyGaussian(to, before + i, from, i);
}

}  // namespace splat
