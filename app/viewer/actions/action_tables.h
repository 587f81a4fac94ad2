#pragma once

#include <string>

namespace splat::app {

/// A document with its tables of the viewer's actions as they are now. A table stands between `<!-- splatwright_documents NAME -->` and
/// `<!-- end of NAME -->`; NAME is `keys` or `lines`. Throws InputError for another name, or one without its end.
std::string withActionTables(const std::string& document);

}  // namespace splat::app
