#include <splatwright/gpu/capture.h>

#include <splatwright/core/error.h>
#include <splatwright/core/platform/program.h>

#ifdef SPLAT_HAS_RENDERDOC
#include <renderdoc_app.h>
#endif

namespace splat::gpu {

void Capture::prepare() { platform::setEnvironment("ENABLE_VULKAN_RENDERDOC_CAPTURE", "1"); }

#ifdef SPLAT_HAS_RENDERDOC

namespace {

using Api = RENDERDOC_API_1_5_0;

void* loadedLibrary() { return platform::loadedLibrary("renderdoc"); }

/// RenderDoc's entry point. Throws Error if its layer is not loaded.
pRENDERDOC_GetAPI findEntry() {
    void* library = loadedLibrary();
    if (!library)
        throw Error("`capture`: RenderDoc is not loaded: install it (on Debian: apt install renderdoc), so that its Vulkan layer is found");
    return reinterpret_cast<pRENDERDOC_GetAPI>(platform::functionIn(library, "RENDERDOC_GetAPI"));
}

Api& asApi(void* api) { return *static_cast<Api*>(api); }

}  // namespace

void Capture::hideOverlay() {
    const pRENDERDOC_GetAPI entry = loadedLibrary() ? findEntry() : nullptr;
    void* api = nullptr;
    if (!entry || entry(eRENDERDOC_API_Version_1_5_0, &api) != 1) return;
    asApi(api).MaskOverlayBits(eRENDERDOC_Overlay_None, eRENDERDOC_Overlay_None);
}

Capture::Capture(const std::filesystem::path& stem) {
    const pRENDERDOC_GetAPI entry = findEntry();
    if (!entry || entry(eRENDERDOC_API_Version_1_5_0, &api_) != 1) throw Error("`capture`: the loaded RenderDoc has no API 1.5");
    asApi(api_).SetCaptureFilePathTemplate(stem.string().c_str());
}

void Capture::begin(const std::string& title) {
    asApi(api_).StartFrameCapture(nullptr, nullptr);
    title_ = title;
}

std::filesystem::path Capture::end() {
    Api& api = asApi(api_);
    if (api.EndFrameCapture(nullptr, nullptr) != 1) throw Error("`capture`: RenderDoc captured nothing");
    const uint32_t last = api.GetNumCaptures() - 1;
    uint32_t length = 0;
    api.GetCapture(last, nullptr, &length, nullptr);
    std::string path(length, '\0');
    api.GetCapture(last, path.data(), &length, nullptr);
    path.resize(path.find('\0') == std::string::npos ? path.size() : path.find('\0'));
    api.SetCaptureFileComments(path.c_str(), title_.c_str());
    return path;
}

#else

Capture::Capture(const std::filesystem::path&) {
    throw Error("`capture`: this build has no RenderDoc support (renderdoc_app.h was not found)");
}
void Capture::hideOverlay() {}
void Capture::begin(const std::string&) {}
std::filesystem::path Capture::end() { return {}; }

#endif

}  // namespace splat::gpu
