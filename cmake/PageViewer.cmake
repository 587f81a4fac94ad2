# The viewer that pages of splats carry: SPLAT_PAGE_VIEWER, its unpacked package; empty if it is not there, and then no pages are written.
#
# `cmake -P cmake/PageViewer.cmake` downloads it, which is how bootstrap.sh puts it in place.

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  cmake_minimum_required(VERSION 3.25)
endif()
include(${CMAKE_CURRENT_LIST_DIR}/Download.cmake)

set(SPLAT_PAGE_VIEWER_VERSION 1.36.2)  # of npm's @playcanvas/supersplat-viewer, which contains PlayCanvas's engine
set(SPLAT_PAGE_VIEWER_HASH a3bb9fe033267b6e8665b9486944fa2f53e12b7d77a2eabcbce6394bd81dc3e2)
set(SPLAT_PAGE_VIEWER_URL
  "https://registry.npmjs.org/@playcanvas/supersplat-viewer/-/supersplat-viewer-${SPLAT_PAGE_VIEWER_VERSION}.tgz")

set(SPLAT_PAGE_VIEWER_FOLDER "${SPLAT_CACHE}/supersplat-viewer-${SPLAT_PAGE_VIEWER_VERSION}")

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  if(NOT EXISTS "${SPLAT_PAGE_VIEWER_FOLDER}/LICENSE")
    splat_download("${SPLAT_PAGE_VIEWER_FOLDER}" "${SPLAT_PAGE_VIEWER_URL}" ${SPLAT_PAGE_VIEWER_HASH} package)
  endif()
  return()
endif()

option(SPLAT_PAGES "Write pages with a viewer (convert OUT.html) where ./bootstrap.sh has downloaded it" ON)
set(SPLAT_PAGE_VIEWER "")
if(SPLAT_PAGES AND EXISTS "${SPLAT_PAGE_VIEWER_FOLDER}/LICENSE")
  set(SPLAT_PAGE_VIEWER "${SPLAT_PAGE_VIEWER_FOLDER}")
else()
  message(STATUS "Built without the viewer of pages: `convert` writes no .html (./bootstrap.sh deps downloads it)")
endif()

# splat_embed_page_viewer(target): gives it the source that defines pageViewer().
function(splat_embed_page_viewer target)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/page_viewer.cpp)
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed_page_viewer.py)
  add_custom_command(
    OUTPUT ${source}
    COMMAND ${Python3_EXECUTABLE} ${script} ${source} ${SPLAT_PAGE_VIEWER}
    DEPENDS ${script}
    COMMENT "Viewer of pages"
    VERBATIM)
  # Whether there is a viewer may have changed since the source was made.
  set(state ${CMAKE_CURRENT_BINARY_DIR}/page_viewer.txt)
  file(CONFIGURE OUTPUT ${state} CONTENT "@SPLAT_PAGE_VIEWER@\n" @ONLY)
  add_custom_command(OUTPUT ${source} APPEND DEPENDS ${state})
  target_sources(${target} PRIVATE ${source})
endfunction()
