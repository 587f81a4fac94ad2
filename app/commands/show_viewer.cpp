#include "commands/show_viewer.h"

#include <utility>

#include "commands/interrupt.h"

namespace splat::app {

Exit showViewer(Context& context, ViewerStart start, bool inWindow, const std::function<void(Workspace&)>& setUp) {
    const Interrupt interrupt;
    start.leaveWhen = [&interrupt] { return interrupt.requested(); };
    std::optional<Window> window;
    if (inWindow) {
        window.emplace("Splatwright", start.options.size);
        context.prepareDevice([&](gpu::DeviceOptions& device) { window->prepare(device); });
    }
    const auto viewer = makeViewer(context.device(), context.sort(), window ? &*window : nullptr, start);
    setUp(viewer->work());
    viewer->run();
    return interrupt.requested() ? interrupt.exit() : Exit::done;
}

}  // namespace splat::app
