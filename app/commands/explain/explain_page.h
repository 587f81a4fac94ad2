#pragma once

#include <string>
#include <string_view>

#include <splatwright/explain/explanation.h>

namespace splat::app {

/// The page's text with marks for data and pictures, made of the files in page/ when the program is built.
std::string_view explainPage();

/// One page with everything in it, which loads nothing.
std::string explainPageOf(const explain::Explanation& explanation);

}  // namespace splat::app
