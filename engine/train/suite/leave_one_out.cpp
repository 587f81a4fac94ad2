#include <splatwright/train/suite/leave_one_out.h>

#include <splatwright/core/error.h>

namespace splat {

double gainOnOthers(const SuiteResults& results, size_t leftOut, size_t preset, size_t base) {
    double sum = 0, count = 0;
    for (size_t scene = 0; scene < results.scenes().size(); ++scene) {
        if (scene == leftOut) continue;
        for (size_t figure = 0; figure < kFigures; ++figure) {
            if (!figureTable()[figure].isQuality) continue;
            sum += results.difference(figure, scene, preset, base).mean;
            ++count;
        }
    }
    return sum / count;
}

std::vector<size_t> chosenOnOthers(const SuiteResults& results, size_t base) {
    SPLAT_CHECK(results.scenes().size() > 1, "{} scenes", results.scenes().size());
    std::vector<size_t> chosen(results.scenes().size(), base);
    for (size_t scene = 0; scene < chosen.size(); ++scene) {
        double most = 0;
        for (size_t preset = 0; preset < results.presets().size(); ++preset) {
            const double gain = gainOnOthers(results, scene, preset, base);
            if (!(gain > most)) continue;  // nor if it is NaN
            most = gain;
            chosen[scene] = preset;
        }
    }
    return chosen;
}

}  // namespace splat
