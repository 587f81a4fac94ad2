#pragma once

#include <utility>

namespace splatwright {

/// Throws the exception that is being handled as one of <splatwright/error.h>; one that is none of the engine's is passed on. Called in a handler.
[[noreturn]] void throwTranslated();

/// Returns what `work` returns. Every entry from outside is inside of it, so that nobody needs the engine's own errors.
template <class Work>
auto translated(Work&& work) {
    try {
        return std::forward<Work>(work)();
    } catch (...) {
        throwTranslated();
    }
}

}  // namespace splatwright
