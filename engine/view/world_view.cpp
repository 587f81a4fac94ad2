#include "view/world_view.h"

#include <algorithm>
#include <bit>

#include "core/log.h"
#include "view/model_views.h"
#include "view/told_words.h"

namespace splat {

bool WorldView::Plan::operator==(const Plan& other) const {
    return size == other.size && row == other.row && photograph.buffer == other.photograph.buffer &&
           photograph.offset == other.photograph.offset && outline == other.outline && kernels == other.kernels;
}

WorldView::WorldView(gpu::Device& device, const primitives::RadixSort& sort, World& world)
    : device_(device),
      world_(world),
      forward_(device, sort),
      newPictures_(device.buffer<shared::PictureParameters>("pictures to come", kInFlight, gpu::Residence::staging)),
      newFrames_(device.buffer<shared::FrameParameters>("frames to come", kInFlight, gpu::Residence::staging)),
      pictures_(device.buffer<shared::PictureParameters>("picture parameters", 1)),
      range_(device.buffer<uint32_t>("range of numbers", 2)),
      probe_(device) {}

/// The GPU must be done with the buffers before they go. A device that is lost will not use them either.
WorldView::~WorldView() {
    try {
        if (submitted_ > collected_) device_.wait(slots_[(submitted_ - 1) % kInFlight].ticket);
    } catch (const Error& e) {
        spdlog::debug("while leaving a view: {}", e.what());
    }
}

/// Makes room for the world as it is and a picture of this size.
void WorldView::fit(glm::uvec2 size) {
    const bool large = frame_ && size.x <= frame_->capacity.width && size.y <= frame_->capacity.height;
    if (large && generation_ == world_.generation()) return;
    while (collected_ < submitted_) collect();
    const FrameCapacity old = frame_ ? frame_->capacity : FrameCapacity{};
    const uint64_t guess = std::max<uint64_t>(old.instances, 4 * uint64_t{world_.buffers().capacity});
    makeFrame(glm::max(size, glm::uvec2(old.width, old.height)), static_cast<uint32_t>(std::min<uint64_t>(guess, UINT32_MAX)));
}

void WorldView::makeFrame(glm::uvec2 size, uint32_t instances) {
    probe_.finish();
    for (Slot& slot : slots_) slot.commands.reset();
    frame_.reset();  // the old buffers go first, so that both never stand beside each other
    makePixels(size);
    selection_ = {};
    selection_ = device_.buffer<float>("selection of pixels", size_t{size.x} * size.y);
    ids_ = std::max(world_.slots(), 1u);
    newModels_ = device_.buffer<shared::ModelView>("models to come", kInFlight * ids_, gpu::Residence::staging);
    models_ = device_.buffer<shared::ModelView>("models", ids_);
    told_ = device_.buffer<uint32_t>("what pictures tell", kInFlight * (ToldWords::counts + ids_), gpu::Residence::readback);
    frame_.emplace(
        device_, FrameCapacity{
                     .gaussians = world_.buffers().capacity, .instances = instances, .width = size.x, .height = size.y, .backward = false});
    generation_ = world_.generation();
}

/// The last picture stays where there is room enough, to be shown until there is another.
void WorldView::makePixels(glm::uvec2 size) {
    const size_t pixels = size_t{size.x} * size.y;
    if (pixels * sizeof(uint32_t) <= pixels_.bytes()) return;
    device_.waitForAll();  // whoever shows the last one
    pixels_ = {};
    pixels_ = device_.buffer<uint32_t>("picture", pixels);
    hasLast_ = false;
}

std::string_view WorldView::missing(const PictureRow& row, glm::uvec2 size) const {
    const auto ids = world_.ids();
    switch (row.need) {
        case PictureNeed::photograph:
            return photograph && photograph->size == size
                       ? ""
                       : "there is no photograph to compare with: look through a camera of the dataset (PageDown)";
        case PictureNeed::gradients:
            return std::ranges::any_of(ids, [&](World::Id id) { return world_[id].hasGradients; })
                       ? ""
                       : "no model is being trained by a strategy that keeps gradients (default)";
        case PictureNeed::nothing: break;
    }
    return "";
}

WorldView::Plan WorldView::plan(const Camera& camera) {
    const glm::uvec2 size(camera.width, camera.height);
    const PictureRow& wanted = pictureByName(settings.picture);
    missing_ = missing(wanted, size);
    const bool compares = photograph && photograph->size == size;
    return {.size = size,
            .row = missing_.empty() ? &wanted : &pictureByName("colour"),
            .photograph = compares ? photograph->pixels : gpu::BufferSlice{},
            .outline = outline,
            .kernels = device_.kernelGeneration()};
}

/// Writes what a picture is drawn by where its recording takes it from.
void WorldView::tell(size_t slot, const Plan& plan) {
    const auto models = modelViews(world_, camera_);
    std::ranges::copy(models, newModels_.mapped<shared::ModelView>() + slot * ids_);
    auto& parameters = newPictures_.mapped<shared::PictureParameters>()[slot] = pictureParameters(settings, *plan.row, camera_);
    parameters.keepsLast = hasLast_ && plan.size == size_ ? 1 : 0;
    const bool carriesColours = plan.row->paint < shared::kPaintDepth;
    newFrames_.mapped<shared::FrameParameters>()[slot] = {.background = carriesColours ? settings.background : glm::vec3(0)};
}

void WorldView::draw(const Camera& camera) {
    CHECK(camera.width > 0 && camera.height > 0, "a picture of {}x{}", camera.width, camera.height);
    const Plan next = plan(camera);
    fit(next.size);
    if (submitted_ - collected_ == kInFlight) collect();
    const size_t index = submitted_ % kInFlight;
    Slot& slot = slots_[index];
    camera_ = camera;
    shape_ = next.row->shape;
    tell(index, next);
    size_ = next.size;
    hasLast_ = true;
    if (!slot.commands || !(slot.plan == next)) {
        slot.commands.reset();
        slot.commands.emplace(record(static_cast<uint32_t>(index), next));
        slot.plan = next;
    }
    slot.ticket = device_.submit(*slot.commands);
    again_ = false;
    ++submitted_;
    askNext();
}

bool WorldView::poll() {
    while (collected_ < submitted_ && device_.done(slots_[collected_ % kInFlight].ticket)) collect();
    if (again_) draw(camera_);
    askNext();
    return collected_ == submitted_;
}

void WorldView::finish() {
    do {
        if (again_) draw(camera_);
        while (collected_ < submitted_) collect();
    } while (again_);
}

/// Learns what the oldest picture in flight tells. One that did not fit halts all behind it, so they are learnt too before there is more room.
void WorldView::collect() {
    uint32_t needed = 0;
    do {
        const size_t slot = collected_ % kInFlight;
        device_.wait(slots_[slot].ticket);
        reports_.push_back(read(slot));
        const uint32_t* told = told_.mapped<uint32_t>() + slot * (ToldWords::counts + ids_);
        const auto& state = *reinterpret_cast<const shared::FrameState*>(told);
        if (state.halted) needed = std::max(needed, state.instancesNeeded);
        again_ = state.halted != 0;
        ++collected_;
    } while (needed > 0 && collected_ < submitted_);
    if (needed > 0) makeFrame({frame_->capacity.width, frame_->capacity.height}, FrameCapacity::withHeadRoom(needed));
}

PictureReport WorldView::read(size_t slot) {
    const uint32_t* told = told_.mapped<uint32_t>() + slot * (ToldWords::counts + ids_);
    const auto& state = *reinterpret_cast<const shared::FrameState*>(told);
    PictureReport report{.picture = collected_,
                         .complete = state.halted == 0,
                         .visible = told[ToldWords::visible],
                         .instances = told[ToldWords::instances],
                         .row = slots_[slot].plan.row,
                         .range = std::nullopt,
                         .stages = {}};
    const uint32_t low = told[ToldWords::range], high = told[ToldWords::range + 1];
    if (slots_[slot].plan.row->isNumber() && low <= high) report.range = {std::bit_cast<float>(low), std::bit_cast<float>(high)};
    if (generation_ == world_.generation())
        for (const World::Id id : world_.ids()) world_.setCount(id, std::min(told[ToldWords::counts + id], world_[id].capacity));
    const auto milliseconds = slots_[slot].commands->stageMilliseconds();
    for (size_t i = 0; i < milliseconds.size(); ++i) report.stages.emplace_back(slots_[slot].commands->stages()[i], milliseconds[i]);
    return report;
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
    if (!wanted_ || probe_.busy() || submitted_ == 0 || !frame_) return;
    const glm::uvec2 pixel = *std::exchange(wanted_, std::nullopt);
    if (pixel.x >= size_.x || pixel.y >= size_.y) return;  // the picture has become smaller since
    probe_.ask(world_, {.frame = *frame_, .picture = pictures_, .shape = shape_, .camera = camera_, .pixel = pixel});
}

}  // namespace splat
