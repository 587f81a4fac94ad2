"""embed_font.py FONT OUT: writes the source that defines panelFont() (app/viewer/window/panel_font.h)."""
import pathlib
import sys

NUMBERS = 32  # per line

font = pathlib.Path(sys.argv[1]).read_bytes()
lines = [", ".join(map(str, font[i:i + NUMBERS])) for i in range(0, len(font), NUMBERS)]
pathlib.Path(sys.argv[2]).write_text("""#include "viewer/window/panel_font.h"

namespace splat::app {

namespace {

constexpr unsigned char kFont[] = {
%s};

}  // namespace

std::span<const unsigned char> panelFont() { return kFont; }

}  // namespace splat::app
""" % ",\n".join(lines), encoding="utf-8")
