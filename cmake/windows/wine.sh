#!/bin/sh
# Runs a program for Windows: wine.sh PROGRAM.exe ARGUMENTS... Wine's own folder is in build/, so that the user's stays as it is.
here=$(cd "$(dirname "$0")/../.." && pwd)
export WINEPREFIX="${SPLAT_WINEPREFIX:-$here/build/wine}" WINEDEBUG="${WINEDEBUG:--all}" WINEDLLOVERRIDES="${WINEDLLOVERRIDES:-mscoree,mshtml=}"
exec wine "$@"
