#include <splatwright/train/step/step_recorder.h>

#include <splatwright/train/loss/regularisers.h>
#include "kernels/begin_step.h"
#include "kernels/end_refinement.h"
#include "kernels/end_step.h"

namespace splat {

ViewSelection StepRecorder::selectionOf(size_t image) const {
    const size_t view = image % cameras_.size(), level = image / cameras_.size();
    ViewSelection selection{.views = views_[level],
                            .index = static_cast<uint32_t>(view),
                            .width = sizes_[image].x,
                            .height = sizes_[image].y,
                            .opaqueBelow = static_cast<float>(settings_.opaqueBelow)};
    for (const MadePart& made : parts_) made.part->select(selection, image);
    return selection;
}

StepJob StepRecorder::jobOf(size_t image) const {
    StepJob job{.view = selectionOf(image),
                .image = image,
                .level = static_cast<uint32_t>(image / cameras_.size()),
                .model = store_.model,
                .frame = *frame_,
                .gradients = &*gradients_,
                .parameters = parameters_,
                .target = targets_.of(image),
                .render = frame_->colours,
                .colours = frame_->colours,
                .colourGradients = *colourGradients_};
    for (const MadePart& made : parts_) made.part->provide(job);
    return job;
}

BackwardJob StepRecorder::backwardJob(const ViewSelection& view, const AccumulationMethod& method) const {
    BackwardJob job{.model = store_.model,
                    .frame = *frame_,
                    .buffers = *gradients_,
                    .view = view,
                    .colourGradients = *colourGradients_,
                    .clampGradients = settings_.clampGradients,
                    .balanceThreshold = method.balanceThreshold,
                    .absolute = statistics_ == Statistics::absoluteGradient};
    for (const MadePart& made : parts_) made.part->complete(job);
    return job;
}

gpu::Commands StepRecorder::recordStep(size_t image, gpu::StageTimes times) {
    StepJob job = jobOf(image);
    gpu::Commands c(device_, fmt::format("step on view {}, level {}", job.view.index, job.level), times);
    BackwardJob backward = backwardJob(job.view, recordedMethod_);
    backward.cleared = true;
    recordBegin(c, job);
    forward_.record(c, store_.model, *frame_, job.view,
                    [&](gpu::Commands& beside) { recordClear(beside, *recordedMethod_.row, *gradients_, backward.sums); });
    recordLoss(c, job);
    recordBackward(device_, c, *recordedMethod_.row, backward);
    for (const MadePart& made : parts_) made.part->recordAfterBackward(c, job);
    recordUpdate(c, {.model = store_.model,
                     .moments = store_.moments,
                     .densifyStatistics = store_.densifyStatistics,
                     .frame = *frame_,
                     .gradients = *gradients_,
                     .view = job.view,
                     .step = parameters_,
                     .training = training_,
                     .seed = settings_.seed,
                     .statistics = statistics_,
                     .regularisers = regulariserWeights(settings_),
                     .unseen = unseenRule(settings_, cameras_.size(), store_.unseenSteps),
                     .noise = settings_.noiseLr > 0});
    for (const MadePart& made : parts_) made.part->recordAfterUpdate(c, job);
    recordEnd(c, times);
    c.end();
    stageNames_ = c.stages();
    return c;
}

gpu::Commands StepRecorder::recordTrial(size_t image, std::span<const AccumulationMethod> methods) const {
    gpu::Commands c(device_, "accumulation trial");
    const ViewSelection view = selectionOf(image);
    for (const AccumulationMethod& method : methods) recordBackward(device_, c, *method.row, backwardJob(view, method));
    c.end();
    return c;
}

void StepRecorder::recordBegin(gpu::Commands& c, const StepJob& job) const {
    for (const MadePart& made : parts_) made.part->recordBegin(c, job);
    c.dispatchGroups(kernels::begin_step{.training = training_,
                                         .schedule = schedule_.words(),
                                         .step = parameters_.words(),
                                         .frame = frame_->parameters.words(),
                                         .steps = settings_.steps},
                     1);
}

/// The loss of the render as parts transform it, and its gradient by the render.
void StepRecorder::recordLoss(gpu::Commands& c, StepJob& job) const {
    c.stage("loss");
    for (const MadePart& made : parts_) {
        if (made.row->transformsColours) job.colours = made.part->recordColours(c, job);
    }
    for (const MadePart& made : parts_) job.colours = made.part->recordCompared(c, job);
    loss_.record(c, {.settings = settings_,
                     .model = store_.model,
                     .colour = job.colours,
                     .target = job.target,
                     .width = job.view.width,
                     .height = job.view.height,
                     .step = parameters_,
                     .tileCounts = frame_->tileCounts,
                     .unseen = unseenRule(settings_, cameras_.size(), store_.unseenSteps),
                     .coverage = targets_.coverage(),
                     .scratch = *lossScratch_,
                     .colourGradients = *colourGradients_});
    for (const MadePart& made : parts_) {
        if (haveWeight(made.row->terms, settings_)) made.part->recordLoss(c, job, loss_.sums(), made.firstTerm);
    }
    for (const MadePart& made : parts_) made.part->recordAfterLoss(c, job);
}

void StepRecorder::recordEnd(gpu::Commands& c, gpu::StageTimes times) const {
    c.copyTimestamps(stamps_);
    c.dispatchGroups(kernels::end_step{.gaussianCount = store_.model.count,
                                       .visibleCount = frame_->visibleCount,
                                       .instanceCount = frame_->instanceCount,
                                       .losses = loss_.sums(),
                                       .lossRing = lossRing_,
                                       .stamps = stamps_,
                                       .stageTicks = stageTicks_,
                                       .state = frame_->state,
                                       .training = training_,
                                       .statusRing = statusRing_,
                                       .slots = kStatusSlots,
                                       .stages = times == gpu::StageTimes::measured ? static_cast<uint32_t>(c.stages().size()) : 0,
                                       .terms = loss_.terms()},
                     1);
}

RefineJob StepRecorder::refineJob() const {
    return {.store = store_,
            .frame = *frame_,
            .training = training_,
            .refinement = refinement_,
            .tools = tools_,
            .limit = limit_,
            .target = targets_.of(0),
            .size = sizes_[0]};
}

gpu::Commands StepRecorder::recordEvent(const RefineEvent& event) {
    gpu::Commands c(device_, event.name);
    c.stage(event.name);
    const RefineJob job = refineJob();
    tools_.recordBegin(c, job);
    event.record(c, job);
    c.copyTimestamps(stamps_);
    c.dispatchGroups(kernels::end_refinement{.refinement = refinement_,
                                             .gaussianCount = store_.model.count,
                                             .stamps = stamps_,
                                             .stageTicks = stageTicks_,
                                             .state = frame_->state,
                                             .training = training_,
                                             .statusRing = statusRing_,
                                             .slots = kStatusSlots},
                     1);
    c.end();
    return c;
}

}  // namespace splat
