#include <splatwright/core/memory.h>

namespace splat {

// Windows has no call that makes private pages present, and large pages need a privilege that users do not have.
void populate(void* /*start*/, size_t /*bytes*/) {}

// Its heap has no threshold that a program can set.
void keepFreedMemory(size_t /*bytes*/) {}

}  // namespace splat
