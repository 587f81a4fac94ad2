#include <splatwright/train/session/checkpoint_model.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include <splatwright/scene/datasets/picture.h>
#include <splatwright/scene/gaussians/attributes.h>
#include <splatwright/scene/gaussians/filter3d.h>
#include <splatwright/scene/gaussians/usable.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/parts/region.h>
#include <splatwright/train/presets/requested_settings.h>
#include <splatwright/train/session/resume.h>
#include <splatwright/train/settings/passes.h>
#include <splatwright/train/step/schedule.h>
#include <splatwright/train/watch/growth_report.h>

namespace splat {

namespace {

constexpr std::string_view kFilterSection = "filter_variances";  // of models with 3D filters (GaussianStore::buffers())

/// The words of a section with planes of `words` floats per Gaussian.
std::vector<float> floatsOf(const Checkpoint& checkpoint, std::string_view name, uint32_t words, uint32_t planes, uint32_t gaussians) {
    const std::vector<std::byte>& bytes = checkpoint.section(name, words * sizeof(float)).bytes;
    const uint64_t expected = uint64_t{planes} * gaussians * words * sizeof(float);
    if (bytes.size() != expected)
        throw InputError("{}: section '{}' has {} bytes, expected {} for {} gaussians", checkpoint.path.string(), name, bytes.size(),
                         expected, gaussians);
    std::vector<float> floats(bytes.size() / sizeof(float));
    std::ranges::copy(bytes, std::as_writable_bytes(std::span(floats)).begin());
    return floats;
}

/// Throws InputError if there are none, or not as many as the checkpoint has centres of: the number may be any.
void checkCount(const Checkpoint& checkpoint, uint32_t count) {
    if (count == 0) throw InputError("{}: gaussians is 0, expected at least 1", checkpoint.path.string());
    floatsOf(checkpoint, rowOf(Attribute::means).section, rowOf(Attribute::means).words, 1, count);
}

/// As GaussianModel::download() has it.
Gaussians numbersOf(const Checkpoint& checkpoint, const ModelKindRow& kind, const TrainSettings& settings) {
    const auto count = checkpoint.value<uint32_t>("gaussians");
    Gaussians g;
    g.antialiased = settings.antialiased;
    checkCount(checkpoint, count);
    g.resize(count, kind.picture ? 0 : static_cast<int>(shDegreeAt(settings, checkpoint.value<uint32_t>("step"))));
    for (size_t a = 0; a < std::size(kAttributes); ++a) {
        if (!kind.has(static_cast<Attribute>(a))) continue;
        const AttributeRow& row = kAttributes[a];
        const std::vector<float> words = floatsOf(checkpoint, row.section, row.words, row.planes, count);
        const size_t plane = size_t{count} * row.words;
        for (uint32_t p = 0; p < planesAt(row, g.shDegree); ++p) scatter(g, row, p, std::span(words).subspan(p * plane, plane));
    }
    if (std::ranges::find(checkpoint.sections, kFilterSection, &CheckpointSection::name) != checkpoint.sections.end())
        bakeFilter(g, floatsOf(checkpoint, kFilterSection, 1, 1, count));
    return g;
}

ModelFile modelOf(const Checkpoint& checkpoint) {
    const ScheduleLimits limits{trainingViewsOf(checkpoint), growthEndIn(checkpoint.header)};
    const TrainSettings settings = shortened(resumedSettings({}, checkpoint), limits);
    const CheckpointData data = dataOf(checkpoint);
    ModelFile file{.kind = trainedKind(settings).model(settings, data.size), .numbers = {}, .view = {}};
    file.numbers = numbersOf(checkpoint, *file.kind.row, settings);
    if (file.kind.row->picture) {
        const glm::ivec2 size(data.size);
        file.view = ModelFile::View{cameraBefore(size.x, size.y), settings.background};
    } else {
        file.numbers = fromFrame(data.frame, withinRegion(usableOnly(std::move(file.numbers)), withRegionInFrame(settings, data.frame)));
    }
    return file;
}

}  // namespace

CheckpointModel readCheckpointModel(const std::filesystem::path& path) {
    const Checkpoint checkpoint = readCheckpoint(path);
    return {.model = modelOf(checkpoint), .step = checkpoint.value<uint32_t>("step")};
}

}  // namespace splat
