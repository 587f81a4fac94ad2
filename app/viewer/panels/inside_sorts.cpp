#include <algorithm>

#include "viewer/panels/inside_parts.h"
#include "viewer/widgets/legend.h"

namespace splat::app {

namespace {

/// Keys as bars, whose height and colour is their rank: yellow is near, violet far.
void drawKeys(const std::vector<uint32_t>& keys, const std::vector<uint32_t>& sorted) {
    const Figure figure(5);
    for (size_t i = 0; i < keys.size(); ++i) {
        const auto rank = static_cast<float>(std::ranges::lower_bound(sorted, keys[i]) - sorted.begin());
        const float share = rank / static_cast<float>(std::max<size_t>(sorted.size() - 1, 1));
        figure.bar(i, keys.size(), 0.05f + 0.95f * share, colourAt(1.0 - static_cast<double>(share), "viridis"));
    }
}

}  // namespace

void drawInsideRadix(Viewer& viewer, const explain::PixelLook& look) {
    const auto& passes = look.radix.passes;
    const int step = drawStepper(viewer, Inside::Shown::radix, static_cast<int>(passes.size()) + 1);
    drawKeys(step == 0 ? look.unsorted.keys : passes[static_cast<size_t>(step - 1)].after.keys, look.bitonic.keys.back());
    if (step == 0) return ImGui::TextWrapped("As the splats lie in memory.");
    const explain::RadixPass& pass = passes[static_cast<size_t>(step - 1)];
    const auto digits = std::ranges::count_if(pass.histogram, [](uint32_t count) { return count > 0; });
    ImGui::TextWrapped("After pass %d of %zu: bits %u to %u, %d different digits", step, passes.size(), pass.firstBit, pass.firstBit + 7,
                       static_cast<int>(digits));
}

void drawInsideNetwork(Viewer& viewer, const explain::PixelLook& look) {
    const auto& [steps, keys] = look.bitonic;
    const auto step = static_cast<size_t>(drawStepper(viewer, Inside::Shown::network, static_cast<int>(keys.size())));
    drawKeys(keys[step], keys.back());
    if (step == steps.size()) return ImGui::TextWrapped("All %zu steps are done.", steps.size());
    ImGui::TextWrapped("Step %zu of %zu: blocks of %u, partner = index XOR %u", step + 1, steps.size(), steps[step].block,
                       steps[step].mask);
}

}  // namespace splat::app
