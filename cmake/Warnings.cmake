# One interface target: everything we compile ourselves links it.
# Designated initializers leave out what stays zero, so missing fields are no mistake. Bounds that GCC's optimizer guesses inside library
# headers are wrong too often to stop a build (GCC 13 with fmt 9).
add_library(splat_warnings INTERFACE)
if(MSVC)
  target_compile_options(splat_warnings INTERFACE /W4)
elseif(PROJECT_IS_TOP_LEVEL)  # as a part of another project, whose compiler and level may find more, nothing may stop the build
  target_compile_options(splat_warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Wold-style-cast -Werror
    -Wno-missing-field-initializers -Wno-error=array-bounds)
endif()

# Everything within the library of other programs links it: symbols that GCC marks as unique could not be made local (cmake/Package.cmake).
add_library(splat_own_names INTERFACE)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(splat_own_names INTERFACE -fno-gnu-unique)
endif()
