# Cross-builds for Windows on Debian with mingw-w64, against the libraries that libraries.py has put into build/windows-libraries.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
# Of the two threading models, "posix" is the one that has std::thread.
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)

cmake_path(SET SPLAT_WINDOWS_LIBRARIES NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../../build/windows-libraries/prefix)
set(CMAKE_FIND_ROOT_PATH ${SPLAT_WINDOWS_LIBRARIES} /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${SPLAT_WINDOWS_LIBRARIES}/lib/pkgconfig)
set(PKG_CONFIG_ARGN --static)

# One file that runs anywhere: everything is linked statically, also what the compiler adds. libzip's header has to know.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_C_FLAGS_INIT -DZIP_STATIC)
# GCC keeps values in registers that its own copy of an inline function leaves alone. On Linux it knows that the linker may take another file's copy,
# on Windows not: messages lost their numbers (tests/core/inline_copies.h).
set(CMAKE_CXX_FLAGS_INIT "-DZIP_STATIC -fno-ipa-ra")

# Tests run under Wine, whose Vulkan needs a display (`xvfb-run`).
set(CMAKE_CROSSCOMPILING_EMULATOR ${CMAKE_CURRENT_LIST_DIR}/wine.sh)
