#include <splatwright/train/kinds/fitted_file.h>

#include <splatwright/render/kinds/blobs.h>
#include <splatwright/train/densify/picture_settings.h>
#include <splatwright/train/evaluate/metrics.h>
#include <splatwright/train/kinds/file_bits.h>
#include <splatwright/train/kinds/picture_results.h>

namespace splat {

size_t rawBytes(size_t blobs) {
    constexpr size_t kNumbers = 9;  // of a centre, a factor, a colour and an opacity
    return blobs * kNumbers * sizeof(float);
}

FittedFile fittedFile(gpu::Device& device, const primitives::RadixSort& sort, const Trainer& trainer, const Image8& wanted) {
    const Blobs blobs = downloadBlobs(device, trainer.model(), trainer.settings().background);
    const auto draw = [&](const Blobs& drawn) { return renderBlobs(device, sort, drawn); };
    FittedFile file{.bytes = {}, .encoding = {}, .blobs = blobs.count(), .psnr = psnr(quantised(draw(blobs)), wanted)};
    const double loss = trainer.settings().of<PictureSettings>().fileLoss;
    file.encoding = bitsFor(blobs, draw, differenceThatCosts(file.psnr, loss));
    file.bytes = encodeBlobs(blobs, file.encoding);
    file.bitsPerPixel = 8.0 * static_cast<double>(file.bytes.size()) / (double{1} * wanted.width * wanted.height);
    file.roundedPsnr = psnr(quantised(draw(decodeBlobs(file.bytes, kBlobsFile))), wanted);
    return file;
}

}  // namespace splat
