// All that a program can include; the test takes the time of its compilation.
#include <splatwright/device.h>
#include <splatwright/error.h>
#include <splatwright/log.h>
#include <splatwright/render.h>
#include <splatwright/scene.h>
#include <splatwright/train.h>
