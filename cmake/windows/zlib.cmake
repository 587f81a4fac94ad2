# zlib without its library for dynamic linking: Debian's sources lack the file that names its version to Windows.
cmake_minimum_required(VERSION 3.25)
project(zlib LANGUAGES C)
file(GLOB sources *.c)
add_library(z STATIC ${sources})
target_include_directories(z PRIVATE .)
install(TARGETS z ARCHIVE DESTINATION lib)
install(FILES zlib.h zconf.h DESTINATION include)
file(CONFIGURE OUTPUT zlib.pc @ONLY CONTENT [[
Name: zlib
Description: Compression
Version: 1.2.13
Libs: -L@CMAKE_INSTALL_PREFIX@/lib -lz
Cflags: -I@CMAKE_INSTALL_PREFIX@/include
]])
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/zlib.pc DESTINATION lib/pkgconfig)
