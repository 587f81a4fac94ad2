// Colour maps of numbers; engine/view/pictures.cpp names them, lib/colour_maps.slang has their colours.
#ifndef SPLAT_SHARED_COLOUR_MAPS_H
#define SPLAT_SHARED_COLOUR_MAPS_H

#include "shared/types.h"

SPLAT_SHARED_BEGIN

static const uint kColourMapInferno = 0;
static const uint kColourMapTurbo = 1;
static const uint kColourMapViridis = 2;

SPLAT_SHARED_END

#endif
