#pragma once

#include <splatwright/train/checkpoint/checkpoint.h>
#include "viewer_script.h"

namespace splat::test {

/// `train --view` on a dataset of tiny views.
struct TrainView : ViewerScript {
    const fs::path data = tinyDataset(scratch);
    const fs::path out = at("out");
    TrainView() { size = "300x200"; }

    /// Trains until something is so; then the window is closed, or the program asked to end.
    Outcome trainInView(Arguments arguments, const std::function<bool()>& until, bool closeWindow = false, RunOptions options = {}) const {
        const Arguments all{"train", data, "-o", out, "--view", "--init", "random", "--set", "init_count=60", "--validate"};
        arguments.insert(arguments.begin(), all.begin(), all.end());
        Desktop desktop(display);
        bool small = false, closed = false;
        options.interruptWhen = [&] {
            if (!small && desktop.hasWindow()) {
                desktop.resize(300, 200);  // large pictures take the device's time
                small = true;
            }
            if (closed || !until()) return false;
            if (!closeWindow) return true;
            desktop.close();
            closed = true;
            return false;
        };
        options.environment.emplace_back("DISPLAY", display.name());
        return splatwright(arguments, options);
    }
    /// What the command line finds on the views kept for testing.
    double psnrOf(const fs::path& file) const {
        const Outcome evaluated = splatwright({"eval", file, data, "--json"});
        expectSuccess(evaluated);
        return json::parse(evaluated.out).at("psnr").get<double>();
    }
    size_t stepInCheckpoint() const { return readCheckpoint(out / "checkpoint.splat-ckpt").value<uint32_t>("step"); }
    size_t logLines() const { return fs::exists(out / "log.jsonl") ? logOf(out).size() : 0; }
};

}  // namespace splat::test
