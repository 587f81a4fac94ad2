#pragma once

#include <chrono>

#include <splatwright/scene/images/image_file.h>
#include "viewer_script.h"

namespace splat::test {

using Clock = std::chrono::steady_clock;

/// A part of a script, and what the desktop does after it. The next part begins when the window has heard of that.
struct Act {
    std::string script;
    std::function<void(Desktop&)> then;
};

/// A script in the viewer's window, and what the desktop does between its parts.
struct Window : ViewerScript {
    Outcome perform(const std::vector<Act>& acts, Arguments arguments = {"--validate"}, RunOptions options = {}) const {
        Desktop desktop(display);
        size_t next = 0;
        options.interruptWhen = [&] {
            if (next == acts.size() || !fs::exists(at(reportName(next)))) return false;
            if (acts[next].then) acts[next].then(desktop);
            std::ofstream(at(doneName(next++))) << "now";
            return false;
        };
        return play(scriptOf(acts), std::move(arguments), std::move(options));
    }
    /// Every part ends with a report.
    std::string scriptOf(const std::vector<Act>& acts) const {
        std::string script;
        for (size_t i = 0; i < acts.size(); ++i) {
            script +=
                acts[i].script + "\n" + writeReport(reportName(i)) + "wait file " + at(doneName(i)).string() + "\nwait seconds 0.05\n";
            fs::remove(at(reportName(i)));  // of an earlier performance
            fs::remove(at(doneName(i)));
        }
        return script;
    }
    json report(size_t act) const { return readReport(reportName(act)); }
    std::string screenshot(const std::string& name) const { return "wait picture\nscreenshot " + at(name).string() + "\n"; }

    /// The window on the display comes to show what the screenshot holds; without panels, whose numbers change.
    void expectShown(Desktop& desktop, const std::string& name) const {
        const Image8 wanted = readImage(at(name));
        const auto until = Clock::now() + std::chrono::seconds(20);
        Image8 shown = desktop.picture();
        while (shown.pixels != wanted.pixels && Clock::now() < until) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            shown = desktop.picture();
        }
        EXPECT_EQ(glm::ivec2(shown.width, shown.height), glm::ivec2(wanted.width, wanted.height));
        EXPECT_TRUE(shown.pixels == wanted.pixels) << name;
    }

    std::string openDataset() const {
        return "train_set init random\ntrain_set init_count 60\nopen " + tinyDataset(scratch).string() + "\nwait phase ready\n";
    }

private:
    static std::string reportName(size_t act) { return "act" + std::to_string(act) + ".json"; }
    static std::string doneName(size_t act) { return "done" + std::to_string(act); }
};

}  // namespace splat::test
