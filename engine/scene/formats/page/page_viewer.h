#pragma once

#include <string_view>

namespace splat {

/// The page of the viewer in gzip, with marks "@title@" and "@bootstrap@"; empty in a build without it. cmake/embed_page_viewer.py makes it.
std::string_view pageViewer();

}  // namespace splat
