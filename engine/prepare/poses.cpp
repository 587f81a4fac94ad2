#include <splatwright/prepare/poses.h>

#include <splatwright/core/error.h>
#include <splatwright/core/log.h>
#include <splatwright/core/tools.h>
#include <splatwright/prepare/attempt.h>
#include <splatwright/prepare/plain_names.h>

namespace splat::prepare {

namespace {

constexpr double kEnough = 0.8;           // share of registered photographs with which no more effort is made
constexpr size_t kEnoughPointsEach = 10;  // triangulated points per image with which no more effort is made

size_t imagesIn(const std::optional<Poses>& poses) { return poses ? poses->model.images.size() : 0; }

}  // namespace

void requireMapper(const Colmap& colmap, Mapper mapper) {
    if (mapper == Mapper::global && !colmap.hasCommand("global_mapper")) requireTool("glomap");
}

Poses computePoses(const Colmap& colmap, const PosesInput& given, Stages& stages, Observer& observer) {
    const PlainNames names(given, isMatchedInSequence(given));
    const PosesInput& input = names.input();
    const size_t photographs = input.photographs.size();
    std::optional<Poses> best;
    for (const Effort& effort : efforts()) {
        if (&effort != &efforts().front())
            observer.onNote(fmt::format("{} of {} photographs registered, fewer than four in five: another attempt, with {}",
                                        imagesIn(best), photographs, effort.does));
        std::optional<Poses> poses = Attempt(colmap, input, effort, stages, observer).poses();
        spdlog::debug("{} effort: {} of {} photographs registered", effort.name, imagesIn(poses), photographs);
        if (imagesIn(poses) > imagesIn(best)) best = std::move(poses);
        if (static_cast<double>(imagesIn(best)) >= kEnough * static_cast<double>(photographs)) break;
    }
    if (imagesIn(best) >= kFewestPhotographs) return names.given(std::move(*best));
    throw Error(
        "COLMAP found no camera poses: photographs must be sharp, show still and distinct things, and overlap by more than half. Its log "
        "is {}",
        input.log.string());
}

Model triangulatePoints(const Colmap& colmap, const PosesInput& given, Stages& stages, Observer& observer) {
    SPLAT_CHECK(given.known, "no cameras are known");
    const PlainNames names(given, isMatchedInSequence(given));
    const PosesInput& input = names.input();
    Model best;
    for (const Effort& effort : efforts()) {
        if (&effort != &efforts().front())
            observer.onNote(fmt::format("{} points triangulated for {} photographs: another attempt, with {}", best.points.size(),
                                        input.photographs.size(), effort.does));
        Model model = Attempt(colmap, input, effort, stages, observer).triangulated(*input.known);
        if (best.images.empty() || model.points.size() > best.points.size()) best = std::move(model);
        if (best.points.size() >= kEnoughPointsEach * input.photographs.size()) break;
    }
    return names.given({.model = std::move(best), .unregistered = {}}).model;
}

}  // namespace splat::prepare
