#include "commands/show_viewer.h"

#include <utility>

#include "commands/interrupt.h"

namespace splat::app {

Exit showViewer(Context& context, ViewerOptions options, bool inWindow, const std::function<void(Workspace&)>& setUp) {
    const Interrupt interrupt;
    options.leaveWhen = [&interrupt] { return interrupt.requested(); };
    std::optional<Window> window;
    if (inWindow) {
        window.emplace("Splatwright", options.size);
        context.prepareDevice([&](gpu::DeviceOptions& device) { window->prepare(device); });
    }
    Viewer viewer(context.device(), context.sort(), window ? &*window : nullptr, std::move(options));
    setUp(viewer.work());
    viewer.run();
    return interrupt.requested() ? interrupt.exit() : Exit::done;
}

}  // namespace splat::app
