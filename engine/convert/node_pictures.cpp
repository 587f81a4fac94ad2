#include <splatwright/convert/node_pictures.h>

#include <algorithm>
#include <cmath>

#include <splatwright/scene/cameras/look_at.h>
#include "kernels/compare_pictures.h"
#include "kernels/keep_picture.h"

namespace splat {

namespace {

using shared::kComparedSize;

constexpr uint32_t kPixels = kComparedSize * kComparedSize;
constexpr uint32_t kBlocks = kPixels / (shared::kComparedBlock * shared::kComparedBlock);
constexpr uint32_t kTiles = (kComparedSize / kTileSize) * (kComparedSize / kTileSize);
constexpr double kSameFrom = 0.0178;  // root mean square of the difference where splats are: 35 dB
constexpr double kChannels = 4;       // colour and coverage

/// Far away, so that all parts of the box are seen at one size, and beyond the near plane.
Camera cameraOf(const SplatBox& box, uint32_t side) {
    constexpr double kRadii = 20;
    const double radius = std::max(static_cast<double>(box.radius()), 1e-9);
    const double distance = kRadii * radius + 2 * shared::kNearPlane;
    glm::dvec3 towards(0), up(0);
    towards[static_cast<int>(side)] = -1;
    up[static_cast<int>((side + 1) % 3)] = 1;
    const glm::dvec3 centre(box.centre());
    const auto size = static_cast<int>(kComparedSize);
    return lookAt(centre + towards * distance, centre, up, 0.5 * kComparedSize * distance / radius, size, size);
}

}  // namespace

NodePictures::NodePictures(gpu::Device& device, const primitives::RadixSort& sort, uint32_t parts, uint32_t splats)
    : device_(device),
      forward_(device, sort),
      model_(device, splats),
      frame_(device, {.gaussians = model_.capacity,
                      .instances = model_.capacity * kTiles,
                      .width = kComparedSize,
                      .height = kComparedSize,
                      .backward = false}),
      views_(device.buffer<shared::ViewParameters>("views of parts", size_t{parts} * kSides)),
      counts_(device.buffer<uint32_t>("splats of parts", parts)),
      references_(device.buffer<glm::vec4>("pictures of parts", size_t{parts} * kSides * kPixels)),
      differences_(device.buffer<shared::PictureDifference>("differences of pictures", size_t{parts} * kSides * kBlocks)) {}

void NodePictures::draw(const GaussianModel& model, int shDegree, std::span<const PicturedPart> parts,
                        const std::function<void(gpu::Commands&, uint32_t)>& after) {
    std::vector<shared::ViewParameters> views;
    std::vector<uint32_t> counts;
    for (const PicturedPart& part : parts) {
        for (uint32_t side = 0; side < kSides; ++side) views.push_back(viewParameters(cameraOf(part.box, side)));
        counts.push_back(part.count);
    }
    device_.upload(views_, views);
    device_.upload(counts_, counts);
    device_.upload(frame_.parameters,
                   std::vector{shared::FrameParameters{.shDegree = static_cast<uint32_t>(shDegree), .background = glm::vec3(0)}});
    model_.antialiased = model.antialiased;
    gpu::Commands c(device_, "pictures of parts", gpu::StageTimes::none);
    for (uint32_t part = 0; part < parts.size(); ++part) {
        const auto [box, first, count] = parts[part];
        c.copy(counts_.slice(part * sizeof(uint32_t), sizeof(uint32_t)), model_.count);
        recordCopy(c, {model, first}, {model_}, count, shDegree);
        for (uint32_t side = 0; side < kSides; ++side) {
            forward_.record(c, model_, frame_, {views_, part * kSides + side, kComparedSize, kComparedSize});
            after(c, part * kSides + side);
        }
    }
    c.end();
    device_.wait(device_.submit(c));
}

void NodePictures::keep(const GaussianModel& model, int shDegree, std::span<const PicturedPart> parts) {
    draw(model, shDegree, parts, [&](gpu::Commands& c, uint32_t picture) {
        c.dispatch(kernels::keep_picture{.colours = frame_.colours,
                                         .transmittances = frame_.transmittances,
                                         .reference = references_,
                                         .firstPixel = picture * kPixels},
                   kPixels);
    });
}

std::vector<LevelDifference> NodePictures::compare(const GaussianModel& model, int shDegree, std::span<const PicturedPart> parts) {
    draw(model, shDegree, parts, [&](gpu::Commands& c, uint32_t picture) {
        c.dispatchGroups(kernels::compare_pictures{.colours = frame_.colours,
                                                   .transmittances = frame_.transmittances,
                                                   .reference = references_,
                                                   .differences = differences_,
                                                   .firstPixel = picture * kPixels,
                                                   .firstDifference = picture * kBlocks},
                         kBlocks);
    });
    constexpr size_t kPerPart = size_t{kSides} * kBlocks;
    const auto blocks = device_.download<shared::PictureDifference>(differences_, parts.size() * kPerPart);
    std::vector<LevelDifference> differences;
    for (size_t part = 0; part < parts.size(); ++part)
        differences.push_back(
            differenceOf(std::span(blocks).subspan(part * kPerPart, kPerPart), 2 * parts[part].box.radius() / kComparedSize));
    return differences;
}

LevelDifference differenceOf(std::span<const shared::PictureDifference> blocks, float pixel) {
    std::array<double, shared::kComparedMips> squares{};
    double energy = 0, coverage = 0;
    for (const shared::PictureDifference& block : blocks) {
        for (size_t mip = 0; mip < squares.size(); ++mip) squares[mip] += static_cast<double>(block.squares[mip]);
        energy += static_cast<double>(block.energy);
        coverage += static_cast<double>(block.coverage);
    }
    LevelDifference result;
    if (squares[0] == 0) return result;
    result.relative = static_cast<float>(energy > 0 ? squares[0] / energy : 1);
    // Between two mips, and before the first and after the last, the difference falls with the pixels' size as a power does.
    double size = static_cast<double>(pixel), last = 0;
    for (size_t mip = 0; mip < squares.size(); ++mip, size *= 2) {
        const double error = std::sqrt(std::ldexp(squares[mip], static_cast<int>(2 * mip)) / (kChannels * std::max(coverage, 1e-9)));
        if (error <= kSameFrom) {
            const double below = mip == 0 ? error / kSameFrom : std::pow(2, std::log(last / kSameFrom) / std::log(last / error) - 1);
            result.pixelSize = static_cast<float>(size * below);
            return result;
        }
        last = error;
    }
    result.pixelSize = static_cast<float>(size / 2 * last / kSameFrom);
    return result;
}

}  // namespace splat
