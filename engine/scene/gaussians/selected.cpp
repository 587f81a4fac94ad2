#include <splatwright/scene/gaussians/selected.h>

#include <algorithm>

#include <splatwright/core/threads.h>
#include <splatwright/scene/gaussians/attributes.h>

namespace splat {

namespace {

constexpr size_t kSlice = 4096;  // Gaussians per thread and step

void forSlices(size_t count, const std::function<void(size_t begin, size_t end)>& body) {
    parallelFor((count + kSlice - 1) / kSlice, [&](size_t slice) { body(slice * kSlice, std::min(count, (slice + 1) * kSlice)); });
}

}  // namespace

Gaussians selected(const Gaussians& from, std::span<const uint32_t> indices) {
    Gaussians to;
    to.antialiased = from.antialiased;
    addColumns(to.extras, 0, from.extras);
    to.resize(indices.size(), from.shDegree);
    forSlices(indices.size(), [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) copyGaussian(to, i, from, indices[i]);
    });
    return to;
}

Gaussians filtered(const Gaussians& from, const std::function<bool(size_t)>& keeps) {
    std::vector<uint8_t> kept(from.count());
    forSlices(from.count(), [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) kept[i] = keeps(i) ? 1 : 0;
    });
    std::vector<uint32_t> indices;
    for (uint32_t i = 0; i < from.count(); ++i)
        if (kept[i]) indices.push_back(i);
    return selected(from, indices);
}

}  // namespace splat
