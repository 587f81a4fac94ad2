#pragma once

#include <string_view>

namespace splat::app {

/// The page that shows the viewer in a browser, in one text (app/viewer/remote/page).
std::string_view remotePage();

}  // namespace splat::app
