# Code around the engine is many files, whose time goes into optimising what runs once and, in tests, into the headers of others.

# splat_optimise_less(target): -O1 where the build type has more.
function(splat_optimise_less target)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  if(CMAKE_CXX_FLAGS_${type} MATCHES "-O[23]")
    target_compile_options(${target} PRIVATE -O1)
  endif()
endfunction()

option(SPLAT_PRECOMPILE "Precompile the headers of others that most files include: cold builds take half the time, changed headers more" OFF)
set(SPLAT_COMMON_HEADERS <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <map> <memory> <optional> <set> <span> <string> <vector>
  <fmt/format.h> <fmt/ranges.h> <spdlog/spdlog.h> <glm/glm.hpp> <nlohmann/json.hpp>)

# splat_precompile(target headers...): precompiles them, if SPLAT_PRECOMPILE asks for it.
function(splat_precompile target)
  if(NOT SPLAT_PRECOMPILE)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE ${SPLAT_COMMON_HEADERS} ${ARGN})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess)  # or ccache refuses
  endif()
endfunction()

# splat_precompile_for_tests(target [FROM other]): precompiles what most tests include, or takes another target's of the same options.
function(splat_precompile_for_tests target)
  cmake_parse_arguments(ARG "" "FROM" "" ${ARGN})
  if(ARG_FROM)
    target_precompile_headers(${target} REUSE_FROM ${ARG_FROM})
  else()
    target_precompile_headers(${target} PRIVATE ${SPLAT_COMMON_HEADERS} <gtest/gtest.h>)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess)  # or ccache refuses
  endif()
endfunction()
