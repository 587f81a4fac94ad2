#include <splatwright/view/world_view.h>

#include <algorithm>

#include <splatwright/core/log.h>
#include <splatwright/view/model_views.h>

namespace splat {

WorldView::WorldView(gpu::Device& device, const primitives::RadixSort& sort, World& world)
    : device_(device), world_(world), recorder_(device, sort, world, kInFlight), probe_(device), number_(device), histogram_(device) {}

/// Waits until the GPU no longer uses the buffers. A lost device does not use them either.
WorldView::~WorldView() {
    try {
        if (submitted_ > collected_) device_.wait(slots_[(submitted_ - 1) % kInFlight].ticket);
    } catch (const Error& e) {
        spdlog::debug("while leaving a view: {}", e.what());
    }
}

/// Enlarges the buffers if the world or the picture has outgrown them.
void WorldView::fit(glm::uvec2 size) {
    const bool large = recorder_.hasFrame() && size.x <= capacity().width && size.y <= capacity().height;
    if (large && generation_ == world_.generation()) return;
    while (collected_ < submitted_) collect();
    const FrameCapacity old = recorder_.hasFrame() ? capacity() : FrameCapacity{};
    const uint64_t guess = std::max<uint64_t>(old.instances, 4 * uint64_t{world_.buffers().capacity});
    makeFrame(glm::max(size, glm::uvec2(old.width, old.height)), static_cast<uint32_t>(std::min<uint64_t>(guess, UINT32_MAX)));
}

void WorldView::makeFrame(glm::uvec2 size, uint32_t instances) {
    probe_.finish();
    number_.finish();
    histogram_.finish();
    for (Slot& slot : slots_) slot.commands.reset();
    if (recorder_.growPixels(size)) hasLast_ = false;
    recorder_.makeFrame(size, instances);
    generation_ = world_.generation();
}

std::string_view WorldView::missing(RenderModeNeed need, glm::uvec2 size) const {
    const auto ids = world_.ids();
    switch (need) {
        case RenderModeNeed::groundTruth:
            return compares(size) ? "" : "there is no ground truth to compare with: look through a camera of the dataset (PageDown)";
        case RenderModeNeed::gradients:
            return std::ranges::any_of(ids, [&](World::Id id) { return world_[id].hasGradients; })
                       ? ""
                       : "no model is being trained by a strategy that keeps gradients (default)";
        case RenderModeNeed::nothing: break;
    }
    return "";
}

FramePlan WorldView::plan(const Camera& camera) {
    const glm::uvec2 size(camera.width, camera.height);
    const RenderMode& wanted = renderModeByName(settings.picture);
    missing_ = missing(wanted.need, size);
    return {.size = size,
            .mode = missing_.empty() ? &wanted : &renderModeByName("colour"),
            .groundTruth = compares(size) ? groundTruth->pixels : gpu::BufferSlice{},
            .backdrop = hasBackdrop(size) ? backdrop->pixels : gpu::BufferSlice{},
            .picture = world_.showsPictures(models),
            .summed = world_.showsSums(models),
            .outline = outline,
            .orthographic = orthographic > 0,
            .percentiles = settings.autoRange && spansPercentiles(settings),
            .kernels = device_.kernelGeneration()};
}

FrameInputs WorldView::inputs(const FramePlan& plan) const {
    FrameInputs inputs{.models = modelViews(world_, models, camera_, plan.orthographic),
                       .picture = pictureParameters(settings, *plan.mode, camera_),
                       .frame = {}};
    inputs.picture.parallel = static_cast<float>(orthographic);
    inputs.picture.keepsLast = hasLast_ && plan.size == size_ ? 1 : 0;
    const bool carriesColours = plan.mode->paint < shared::kPaintNormal;
    inputs.frame = {.background = carriesColours ? settings.background : glm::vec3(0)};
    return inputs;
}

void WorldView::draw(const Camera& camera) {
    SPLAT_CHECK(camera.width > 0 && camera.height > 0, "a picture of {}x{}", camera.width, camera.height);
    const FramePlan next = plan(camera);
    fit(next.size);
    if (submitted_ - collected_ == kInFlight) collect();
    const size_t index = submitted_ % kInFlight;
    Slot& slot = slots_[index];
    camera_ = camera;
    mode_ = next.mode;
    recorder_.write(index, inputs(next));
    size_ = next.size;
    hasLast_ = true;
    if (!slot.commands || !(slot.plan == next)) {
        slot.commands.reset();
        slot.commands.emplace(recorder_.record(static_cast<uint32_t>(index), next));
        slot.plan = next;
    }
    slot.ticket = device_.submit(*slot.commands);
    again_ = false;
    ++submitted_;
    askNext();
    askNextNumber();
}

bool WorldView::poll() {
    while (collected_ < submitted_ && device_.done(slots_[collected_ % kInFlight].ticket)) collect();
    if (again_) draw(camera_);
    askNext();
    askNextNumber();
    return collected_ == submitted_;
}

void WorldView::finish() {
    do {
        if (again_) draw(camera_);
        while (collected_ < submitted_) collect();
    } while (again_);
}

/// Reads back the oldest frame in flight. A frame that overflowed stops all later ones, so those are read back too before buffers grow.
void WorldView::collect() {
    uint32_t needed = 0;
    do {
        const size_t slot = collected_ % kInFlight;
        device_.wait(slots_[slot].ticket);
        const FrameCounts counts = recorder_.read(slot);
        reports_.push_back(report(slot, counts));
        again_ = counts.state.halted != 0;
        if (again_) needed = std::max(needed, counts.state.instancesNeeded);
        ++collected_;
    } while (needed > 0 && collected_ < submitted_);
    if (needed > 0) makeFrame({capacity().width, capacity().height}, FrameCapacity::withMargin(needed));
}

FrameReport WorldView::report(size_t slot, const FrameCounts& counts) {
    const RenderMode* mode = slots_[slot].plan.mode;
    FrameReport report{.picture = collected_,
                       .complete = counts.state.halted == 0,
                       .visible = counts.visible,
                       .instances = counts.instances,
                       .mode = mode,
                       .range = std::nullopt,
                       .stages = {}};
    if (mode->isNumber() && counts.hasRange) report.range = {counts.low, counts.high};
    if (generation_ == world_.generation())
        for (const World::Id id : world_.ids()) world_.setCount(id, std::min(counts.modelCounts[id], world_[id].capacity));
    const auto milliseconds = slots_[slot].commands->stageMilliseconds();
    for (size_t i = 0; i < milliseconds.size(); ++i) report.stages.emplace_back(slots_[slot].commands->stages()[i], milliseconds[i]);
    return report;
}

void WorldView::recordProjection(gpu::Commands& commands, const FrameBuffers& into) const {
    SPLAT_CHECK(submitted_ > 0 && generation_ == world_.generation(), "{} pictures so far", submitted_);
    recorder_.recordProjection(commands, lastPlan(), into, false);
}

void WorldView::probe(glm::uvec2 pixel) {
    wanted_ = pixel;
    askNext();
}

std::optional<Probe> WorldView::probed() {
    std::optional<Probe> answer = probe_.answer(world_);
    askNext();
    return answer;
}

void WorldView::askNext() {
    if (!wanted_ || probe_.busy() || submitted_ == 0 || !recorder_.hasFrame()) return;
    const glm::uvec2 pixel = *std::exchange(wanted_, std::nullopt);
    if (pixel.x >= size_.x || pixel.y >= size_.y) return;  // the picture has become smaller since
    probe_.ask(world_, {.frame = frame(),
                        .picture = recorder_.parameters(),
                        .shape = mode_->shape,
                        .camera = camera_,
                        .orthographic = orthographic,
                        .pixel = pixel});
}

void WorldView::askNumber(glm::uvec2 pixel) {
    wantedNumber_ = pixel;
    askNextNumber();
}

std::optional<PixelNumber> WorldView::number() {
    std::optional<PixelNumber> answer = number_.answer();
    askNextNumber();
    return answer;
}

void WorldView::askNextNumber() {
    if (!wantedNumber_ || number_.busy() || submitted_ == 0 || !recorder_.hasFrame()) return;
    const glm::uvec2 pixel = *std::exchange(wantedNumber_, std::nullopt);
    if (pixel.x >= size_.x || pixel.y >= size_.y || !mode_->isNumber()) return;  // the picture has changed since
    number_.ask({.frame = frame(),
                 .groundTruth = compares(size_) ? groundTruth->pixels : picture(),
                 .show = mode_->show,
                 .size = size_,
                 .pixel = pixel});
}

std::string_view WorldView::missing(const SplatQuantity& quantity) const {
    const std::string_view lacks = missing(quantity.need, size_);
    if (!lacks.empty() || quantity.need != RenderModeNeed::groundTruth) return lacks;
    const bool blendsColours = mode_ && mode_->paint == shared::kPaintColour && mode_->traversal == TileTraversal::blend;
    return blendsColours ? "" : "errors are those of colours: choose the render mode Colour or Error";
}

void WorldView::askHistogram(const SplatQuantity& quantity) {
    if (histogram_.busy() || submitted_ == 0 || !recorder_.hasFrame() || generation_ != world_.generation()) return;
    if (!missing(quantity).empty()) return;
    const bool isCompared = quantity.need == RenderModeNeed::groundTruth;
    histogram_.ask(
        world_, quantity,
        {.buffers = frame(), .models = recorder_.models(), .groundTruth = isCompared ? groundTruth->pixels : picture(), .size = size_});
}

std::optional<Histogram> WorldView::histogram() { return histogram_.answer(); }

std::optional<NumberRange> WorldView::numbersBetween(float low, float high) const {
    if (histogram_.generation() != world_.generation()) return std::nullopt;
    return NumberRange{histogram_.numbers(), low, high};
}

}  // namespace splat
