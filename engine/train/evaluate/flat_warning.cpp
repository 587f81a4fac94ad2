#include <splatwright/train/evaluate/flat_warning.h>

#include <fmt/format.h>

namespace splat {

std::string flatWarning(const Evaluation& evaluation) {
    constexpr double kMargin = 3, kFlatImage = 40;  // dB
    double psnr = 0, flat = 0;
    size_t views = 0;
    for (const ViewScore& view : evaluation.views) {
        if (!view.flatPsnr || *view.flatPsnr > kFlatImage) continue;
        psnr += view.psnr;
        flat += *view.flatPsnr;
        ++views;
    }
    if (views == 0) return {};
    const auto count = static_cast<double>(views);
    if (psnr / count >= flat / count + kMargin) return {};
    return fmt::format("the renders are hardly better than flat pictures in the images' mean colours: {:.2f} dB against {:.2f} dB",
                       psnr / count, flat / count);
}

}  // namespace splat
