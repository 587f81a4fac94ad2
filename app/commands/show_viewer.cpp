#include "commands/show_viewer.h"

#include <optional>
#include <string>
#include <utility>

#include <splatwright/core/error.h>
#include <splatwright/core/log.h>
#include "commands/interrupt.h"
#include "commands/standard_output.h"
#include "viewer/files/remembered.h"
#include "viewer/remote/remote_screen.h"
#include "viewer/viewer/remembering.h"
#include "viewer/window/window.h"

namespace splat::app {

namespace {

const std::string kThisMachine = WebAddress().address;

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

/// A viewer in browsers: its audience, its display, and what serves both.
struct Served {
    Served(const WebAddress& where, const ViewerOptions& options)
        : screen(audience, options.size, !options.sizeIsGiven), server(audience, where) {
        output("{}\n", server.url());
        if (where.address != kThisMachine)
            spdlog::warn(
                "whoever has this address controls the viewer, and what it sends is not encrypted; over the net, "
                "`ssh -L` to {} is safe",
                kThisMachine);
    }

    Audience audience;
    RemoteScreen screen;
    WebServer server;
};

void recallOrComplain(Viewer& viewer, const LastStart& last) {
    if (!last.problem.empty()) return viewer.work().complain(last.problem);
    viewer.attempt([&] { recall(viewer, last.remembered); });
}

}  // namespace

Exit showViewer(Context& context, ViewerStart start, const ViewerPlace& place, const std::function<void(Workspace&)>& setUp) {
    const Interrupt interrupt;
    start.leaveWhen = [&interrupt] { return interrupt.requested(); };
    const auto file = place.window && start.options.remembers ? rememberedFile() : std::filesystem::path();
    const LastStart last = lastStart(file);
    std::optional<Window> window;
    if (place.window) {
        window.emplace("Splatwright", start.options.size);
        if (last.remembered.window && !start.options.sizeIsGiven) window->setPlace(*last.remembered.window);
        context.prepareDevice([&](gpu::DeviceOptions& device) { window->prepare(device); });
    }
    std::optional<Served> served;
    if (place.web) served.emplace(*place.web, start.options);
    std::optional<Remembering> remembering;
    if (!file.empty()) remembering.emplace(file, *window, last.remembered);
    if (remembering) start.keep = [&](Viewer& viewer) { remembering->update(viewer); };
    Display* display = window ? &*window : served ? &served->screen : static_cast<Display*>(nullptr);
    const auto viewer = makeViewer(context.device(), context.sort(), display, start);
    if (!file.empty()) recallOrComplain(*viewer, last);
    setUp(viewer->work());
    viewer->run();
    if (remembering) remembering->update(*viewer);
    if (interrupt.requested()) return interrupt.exit();
    viewer->autosaving().end();
    return Exit::done;
}

}  // namespace splat::app
