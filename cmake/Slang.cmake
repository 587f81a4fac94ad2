# Finds slangc and its version: SPLAT_SLANGC and SPLAT_SLANG_VERSION.
#
# `cmake -P cmake/Slang.cmake` answers the same question without a build tree, which is how bootstrap.sh decides whether to download.

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  cmake_minimum_required(VERSION 3.25)
endif()

set(SPLAT_SLANG_MINIMUM 2026.14)  # what the kernels are written and their gradients tested with; older compilers are untested
set(SPLAT_SLANGC "$ENV{SPLAT_SLANGC}" CACHE FILEPATH "slangc to use; empty: the Vulkan SDK's, the PATH's or the one ./bootstrap.sh deps puts in place")

# Sets `result` to the version that a slangc prints, or to "" when it is absent or does not start.
function(splat_slang_version slangc result)
  set(${result} "" PARENT_SCOPE)
  execute_process(COMMAND ${slangc} -v OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE failure)
  if(NOT failure AND text MATCHES "[0-9]+\\.[0-9]+(\\.[0-9]+)*")
    set(${result} ${CMAKE_MATCH_0} PARENT_SCOPE)
  endif()
endfunction()

# Sets `result` to the places to look at without the user's choice, best first.
function(splat_slang_candidates result)
  find_program(onPath slangc NO_CACHE)
  set(cache "$ENV{XDG_CACHE_HOME}")
  if(NOT cache)
    set(cache "$ENV{HOME}/.cache")
  endif()
  file(GLOB downloaded "${cache}/splatwright/slang-*/bin/slangc")
  list(SORT downloaded COMPARE NATURAL ORDER DESCENDING)
  set(candidates ${downloaded})
  if(onPath)
    list(PREPEND candidates "${onPath}")
  endif()
  if(DEFINED ENV{VULKAN_SDK})
    list(PREPEND candidates "$ENV{VULKAN_SDK}/bin/slangc")
  endif()
  set(${result} ${candidates} PARENT_SCOPE)
endfunction()

# Sets SPLAT_SLANGC and SPLAT_SLANG_VERSION to the first candidate that is recent enough, or stops with what was looked at.
function(splat_find_slang)
  set(candidates "${SPLAT_SLANGC}")
  if(NOT candidates)
    splat_slang_candidates(candidates)
  endif()
  set(seen "")
  foreach(slangc IN LISTS candidates)
    splat_slang_version("${slangc}" version)
    if(version VERSION_GREATER_EQUAL SPLAT_SLANG_MINIMUM)
      set(SPLAT_SLANGC "${slangc}" PARENT_SCOPE)
      set(SPLAT_SLANG_VERSION ${version} PARENT_SCOPE)
      return()
    elseif(version)
      string(APPEND seen "\n  ${slangc} is ${version}")
    else()
      string(APPEND seen "\n  ${slangc} does not exist or prints no version")
    endif()
  endforeach()
  message(FATAL_ERROR "No slangc of version ${SPLAT_SLANG_MINIMUM} or later.${seen}\n"
    "Run ./bootstrap.sh deps, which puts one in place, or name yours with -DSPLAT_SLANGC=/path/to/slangc.")
endfunction()

splat_find_slang()
message(STATUS "Slang ${SPLAT_SLANG_VERSION}: ${SPLAT_SLANGC}")
