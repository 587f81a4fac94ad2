#include <splatwright/train/kinds/picture_results.h>

#include <splatwright/core/file.h>
#include <splatwright/core/finite_or_null.h>
#include <splatwright/render/kinds/blobs.h>
#include <splatwright/scene/files/file_endings.h>
#include <splatwright/scene/pictures/blob_file.h>
#include <splatwright/train/evaluate/metrics.h>
#include <splatwright/train/evaluate/strip.h>
#include <splatwright/train/kinds/fitted_file.h>
#include <splatwright/train/session/kind_results.h>
#include <splatwright/train/session/results.h>

namespace splat {

namespace {

class PictureResults : public KindResults {
public:
    using KindResults::KindResults;

    void evaluated(const Trainer& trainer, const Evaluation& evaluation, const Image8& last) override;
    Image8 strip(Trainer&) override { return stacked(progress_); }
    void save(RunRecord& record, Trainer& trainer, RunSummary& summary) override;
    bool saveOwn(const Trainer& trainer, const std::filesystem::path& path) override;

private:
    /// The picture over the background, as it is compared.
    Image8 picture(const Trainer& trainer) const { return composited(data_.data().test[0], trainer.settings().background); }

    std::vector<Image8> progress_;  ///< a row of the strip per evaluation
};

/// Keeps the row small: pictures may have hundreds of megabytes.
void PictureResults::evaluated(const Trainer& trainer, const Evaluation& evaluation, const Image8& last) {
    const Image8 row = fitted({stripRow(picture(trainer), last)})[0];
    progress_.push_back(captioned(row, fmt::format("step {}, {:.2f} dB", trainer.stepsDone(), evaluation.psnr)));
}

void PictureResults::save(RunRecord& record, Trainer& trainer, RunSummary& summary) {
    const Image8 wanted = picture(trainer), fit = ResultRenderer(device_, sort_, trainer).render(data_.data().test[0].camera);
    record.save(fit, kFitFile);
    const FittedFile file = fittedFile(device_, sort_, trainer, wanted);
    writeFileAtomically(record.file(kBlobsFile), file.bytes);
    summary.own.metrics["seconds"] = finiteOrNull(summary.costs.seconds);
    summary.own.metrics["blobs"] = {{"bytes", file.bytes.size()},
                                    {"bits", file.encoding.bits},  // per number, by BlobAttribute
                                    {"bits_per_pixel", finiteOrNull(file.bitsPerPixel)},
                                    {"psnr", finiteOrNull(file.roundedPsnr)}};
    summary.own.line = fmt::format("file    {:.3f} bits per pixel ({} bytes), {:.2f} dB after rounding", file.bitsPerPixel,
                                   file.bytes.size(), file.roundedPsnr);
    summary.own.files.assign(kPictureFiles.begin(), kPictureFiles.end());
}

bool PictureResults::saveOwn(const Trainer& trainer, const std::filesystem::path& path) {
    if (!hasEnding(path, kBlobEndings)) return false;
    writeFileAtomically(path, fittedFile(device_, sort_, trainer, picture(trainer)).bytes);
    return true;
}

}  // namespace

std::unique_ptr<KindResults> pictureResults(gpu::Device& device, const primitives::RadixSort& sort, const SessionData& data) {
    return std::make_unique<PictureResults>(device, sort, data);
}

ImageF renderBlobs(gpu::Device& device, const primitives::RadixSort& sort, const Blobs& blobs) {
    GaussianModel model(device, static_cast<uint32_t>(blobs.count()), kindOf(blobs));
    model.upload(device, storedBlobs(blobs));
    const glm::uvec2 size(blobs.width, blobs.height);
    return Renderer(device, sort).render(model, pictureCamera(size, size), blobs.background, 0);
}

}  // namespace splat
