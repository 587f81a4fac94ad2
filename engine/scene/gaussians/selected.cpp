#include <splatwright/scene/gaussians/selected.h>

#include <algorithm>
#include <numeric>

#include <splatwright/core/threads.h>
#include <splatwright/scene/gaussians/attributes.h>

namespace splat {

namespace {

constexpr size_t kSlice = 4096;  // Gaussians per thread and step

}  // namespace

Gaussians selected(const Gaussians& from, std::span<const uint32_t> indices) {
    Gaussians to;
    to.antialiased = from.antialiased;
    addColumns(to.extras, 0, from.extras);
    to.resize(indices.size(), from.shDegree);
    parallelEach(indices.size(), kSlice, [&](size_t i) { copyGaussian(to, i, from, indices[i]); });
    return to;
}

Gaussians slice(const Gaussians& from, size_t first, size_t count) {
    std::vector<uint32_t> indices(count);
    std::iota(indices.begin(), indices.end(), static_cast<uint32_t>(first));
    return selected(from, indices);
}

Gaussians filtered(Gaussians from, const std::function<bool(const Gaussians&, size_t)>& keeps) {
    std::vector<uint8_t> kept(from.count());
    parallelEach(from.count(), kSlice, [&](size_t i) { kept[i] = keeps(from, i) ? 1 : 0; });
    std::vector<uint32_t> indices;
    for (uint32_t i = 0; i < from.count(); ++i)
        if (kept[i]) indices.push_back(i);
    if (indices.size() == from.count()) return from;
    return selected(from, indices);
}

}  // namespace splat
