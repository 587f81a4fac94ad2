#include <splatwright/train/densify/densifier.h>

namespace splat {

extern const DensifierRow kFixedStrategy{.name = "fixed", .help = "no densification: keeps the initial Gaussians", .startShare = 1};

}  // namespace splat
