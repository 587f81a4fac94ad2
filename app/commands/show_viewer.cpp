#include "commands/show_viewer.h"

#include <optional>
#include <string>
#include <utility>

#include <splatwright/core/error.h>
#include "commands/interrupt.h"
#include "viewer/files/remembered.h"
#include "viewer/viewer/remembering.h"

namespace splat::app {

namespace {

/// What the last start left, and why it is ignored if it is.
struct LastStart {
    Remembered remembered;
    std::string problem;
};

LastStart lastStart(const std::filesystem::path& file) {
    try {
        return {readRemembered(file), ""};
    } catch (const InputError& problem) {
        return {{}, fmt::format("{}; the viewer starts with its defaults", problem.what())};
    }
}

void recallOrComplain(Viewer& viewer, const LastStart& last) {
    if (!last.problem.empty()) return viewer.work().complain(last.problem);
    viewer.attempt([&] { recall(viewer, last.remembered); });
}

}  // namespace

Exit showViewer(Context& context, ViewerStart start, bool inWindow, const std::function<void(Workspace&)>& setUp) {
    const Interrupt interrupt;
    start.leaveWhen = [&interrupt] { return interrupt.requested(); };
    const auto file = inWindow && start.options.remembers ? rememberedFile() : std::filesystem::path();
    const LastStart last = lastStart(file);
    std::optional<Window> window;
    if (inWindow) {
        window.emplace("Splatwright", start.options.size);
        if (last.remembered.window && !start.options.sizeIsGiven) window->setPlace(*last.remembered.window);
        context.prepareDevice([&](gpu::DeviceOptions& device) { window->prepare(device); });
    }
    std::optional<Remembering> remembering;
    if (!file.empty()) remembering.emplace(file, *window, last.remembered);
    if (remembering) start.keep = [&](Viewer& viewer) { remembering->update(viewer); };
    const auto viewer = makeViewer(context.device(), context.sort(), window ? &*window : nullptr, start);
    if (!file.empty()) recallOrComplain(*viewer, last);
    setUp(viewer->work());
    viewer->run();
    if (remembering) remembering->update(*viewer);
    if (interrupt.requested()) return interrupt.exit();
    viewer->autosaving().end();
    return Exit::done;
}

}  // namespace splat::app
