# Everything comes from the system's packages, or from the cache folder of ./bootstrap.sh deps, which installs both: nothing is downloaded while building. The engine's are
# global, so that a project that adds this folder as a part of its own can link the engine.
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(Python3 3.10 REQUIRED COMPONENTS Interpreter)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(JPEG REQUIRED)
find_package(PNG REQUIRED)
find_package(ZLIB REQUIRED)
pkg_check_modules(webp REQUIRED IMPORTED_TARGET GLOBAL libwebp)
pkg_check_modules(zip REQUIRED IMPORTED_TARGET GLOBAL libzip)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET GLOBAL libzstd)

# splat_optional(NAME module package what): a library that is used where it is found, unless -DSPLAT_NAME=OFF; without it (then: what) the program
# says which package it was built without. SPLAT_OPTIONAL_LIBRARIES lists the libraries in use, SPLAT_OPTIONAL_TARGETS and _DEFINITIONS what they bring,
# SPLAT_OPTIONAL_NEEDS what the installed package looks for: name|module|package.
set(SPLAT_OPTIONAL_LIBRARIES)
set(SPLAT_OPTIONAL_NEEDS)
set(SPLAT_OPTIONAL_TARGETS)
set(SPLAT_OPTIONAL_DEFINITIONS)
macro(splat_optional name module package what)
  option(SPLAT_${name} "Use ${package} where it is installed; else ${what}" ON)
  if(SPLAT_${name})
    pkg_check_modules(splat_${name} IMPORTED_TARGET GLOBAL "${module}")
  endif()
  if(SPLAT_${name} AND splat_${name}_FOUND)
    # LibRaw asks for OpenMP's flag, which it needs itself only: clang would link another OpenMP. OpenEXR's -pthread, which does nothing where threads
    # are in the C library, would not fit precompiled headers.
    set_property(TARGET PkgConfig::splat_${name} PROPERTY INTERFACE_LINK_OPTIONS "")
    set_property(TARGET PkgConfig::splat_${name} PROPERTY INTERFACE_COMPILE_OPTIONS "")
    list(APPEND SPLAT_OPTIONAL_LIBRARIES ${splat_${name}_LIBRARIES})
    list(APPEND SPLAT_OPTIONAL_NEEDS "${name}|${module}|${package}")
    list(APPEND SPLAT_OPTIONAL_TARGETS PkgConfig::splat_${name})
    list(APPEND SPLAT_OPTIONAL_DEFINITIONS SPLAT_HAS_${name})
  else()
    message(STATUS "Built without ${package}: ${what}")
  endif()
endmacro()
splat_optional(HEIF "libheif>=1.12" libheif-dev "HEIC and AVIF are not read")
splat_optional(TIFF "libtiff-4>=4.5" libtiff-dev "TIFF files are not read")
splat_optional(RAW "libraw_r>=0.20" libraw-dev "cameras' raw files are not read")
splat_optional(LCMS "lcms2" liblcms2-dev "colour profiles are not read")
splat_optional(EXR "OpenEXR>=3" libopenexr-dev "EXR files are not written")
splat_optional(DEFLATE "libdeflate>=1.9" libdeflate-dev "zlib inflates SPZ files, in twice the time")
list(REMOVE_ITEM SPLAT_OPTIONAL_DEFINITIONS SPLAT_HAS_DEFLATE)  # one file's: engine/CMakeLists.txt
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL OFF)

if(SPLAT_APP)
  find_package(CLI11 REQUIRED)
  find_package(glfw3 3.3 REQUIRED)
  include(UserInterface)
  # The viewer in a browser. Debian has neither a file for pkg-config nor one for CMake that works without the other parts of the library.
  option(SPLAT_CIVETWEB "Use libcivetweb-dev where it is installed; else `view --serve` is refused" ON)
  find_path(CIVETWEB_INCLUDE_DIR civetweb.h)
  find_library(CIVETWEB_LIBRARY civetweb)
  if(SPLAT_CIVETWEB AND CIVETWEB_INCLUDE_DIR AND CIVETWEB_LIBRARY)
    add_library(splat_civetweb INTERFACE)
    target_include_directories(splat_civetweb SYSTEM INTERFACE ${CIVETWEB_INCLUDE_DIR})
    target_link_libraries(splat_civetweb INTERFACE ${CIVETWEB_LIBRARY} Threads::Threads ${CMAKE_DL_LIBS} $<$<PLATFORM_ID:Windows>:ws2_32>)
    target_compile_definitions(splat_civetweb INTERFACE SPLAT_HAS_CIVETWEB)
  else()
    message(STATUS "Built without libcivetweb-dev: `view --serve` is refused")
  endif()
endif()
if(SPLAT_TESTS OR SPLAT_FUZZ)
  find_package(GTest)
endif()

find_path(VOLK_INCLUDE_DIR volk.h REQUIRED)
add_library(splat_volk INTERFACE)  # header-only use: engine/gpu/volk.cpp compiles its implementation
target_include_directories(splat_volk SYSTEM INTERFACE ${VOLK_INCLUDE_DIR})
target_link_libraries(splat_volk INTERFACE ${CMAKE_DL_LIBS})

find_path(GLM_INCLUDE_DIR glm/glm.hpp REQUIRED)
find_path(NANOFLANN_INCLUDE_DIR nanoflann.hpp REQUIRED)

# The in-application API is one header; without it `--capture` answers that this build cannot capture.
find_path(RENDERDOC_INCLUDE_DIR renderdoc_app.h)
