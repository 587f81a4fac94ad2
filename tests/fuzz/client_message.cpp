#include "viewer/remote/client_message.h"

#include <splatwright/core/error.h>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    try {
        splat::app::parseClientMessage({reinterpret_cast<const char*>(data), size});
    } catch (const splat::InputError&) {  // any other exception is a finding
    }
    return 0;
}
