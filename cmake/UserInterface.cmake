# What the viewer's panels are made of, the same on every platform: Dear ImGui (docking branch) with FreeType, ImPlot, ImGuizmo, native file dialogs, and a
# font. Their sources come from PyPI's source distribution of imgui-bundle, because distributions have versions of years ago, or none. SPLAT_UI is their
# folder.
#
# `cmake -P cmake/UserInterface.cmake` downloads them, which is how bootstrap.sh puts them in place.

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  cmake_minimum_required(VERSION 3.25)
endif()
include(${CMAKE_CURRENT_LIST_DIR}/Download.cmake)

set(SPLAT_UI_VERSION 1.93.0)
set(SPLAT_UI_HASH 10ad1dab8258a6787b4f07bb926b08d0efc648a7906242568c8dd778c5e719bf)
set(SPLAT_UI_URL "https://files.pythonhosted.org/packages/64/78/b5e7bf047f6202711d2bd9f9ffde31c28ca47a6c1cb0d9a744763ac6e749/imgui_bundle-${SPLAT_UI_VERSION}.tar.gz")
set(SPLAT_UI "${SPLAT_CACHE}/imgui-bundle-${SPLAT_UI_VERSION}")
set(SPLAT_IMGUI "${SPLAT_UI}/external/imgui/imgui")
set(SPLAT_IMPLOT "${SPLAT_UI}/external/implot/implot")
set(SPLAT_IMGUIZMO "${SPLAT_UI}/external/ImGuizmo/ImGuizmo")
set(SPLAT_FILE_DIALOGS "${SPLAT_UI}/external/portable_file_dialogs/portable_file_dialogs")
set(SPLAT_UI_FONTS "${SPLAT_UI}/bindings/imgui_bundle/assets/fonts/Roboto")

set(is_complete TRUE)
foreach(file IN ITEMS "${SPLAT_IMGUI}/LICENSE.txt" "${SPLAT_IMPLOT}/LICENSE" "${SPLAT_IMGUIZMO}/LICENSE" "${SPLAT_FILE_DIALOGS}")
  if(NOT EXISTS "${file}")
    set(is_complete FALSE)  # an earlier version of this file unpacked fewer parts
  endif()
endforeach()
if(NOT is_complete)
  if(NOT CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
    message(FATAL_ERROR "${SPLAT_UI} is not there: run ./bootstrap.sh deps, which downloads Dear ImGui and what goes with it, or build with -DSPLAT_APP=OFF")
  endif()
  set(root imgui_bundle-${SPLAT_UI_VERSION})
  set(parts ${root}/external)
  set(imgui ${parts}/imgui/imgui)
  splat_download("${SPLAT_UI}" "${SPLAT_UI_URL}" ${SPLAT_UI_HASH} ${root} ${imgui}/LICENSE.txt ${imgui}/im*.h ${imgui}/im*.cpp ${imgui}/misc/cpp/*
    ${imgui}/misc/freetype/* ${imgui}/backends/imgui_impl_glfw.* ${parts}/implot/implot/LICENSE ${parts}/implot/implot/implot*
    ${parts}/ImGuizmo/ImGuizmo/LICENSE ${parts}/ImGuizmo/ImGuizmo/src/ImGuizmo.* ${parts}/portable_file_dialogs/portable_file_dialogs/*
    ${root}/bindings/imgui_bundle/assets/fonts/Roboto/*)
endif()
if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  return()
endif()

pkg_check_modules(freetype REQUIRED IMPORTED_TARGET freetype2)
add_library(splat_imgui STATIC
  ${SPLAT_IMGUI}/imgui.cpp ${SPLAT_IMGUI}/imgui_draw.cpp ${SPLAT_IMGUI}/imgui_stacklayout.cpp ${SPLAT_IMGUI}/imgui_tables.cpp
  ${SPLAT_IMGUI}/imgui_widgets.cpp ${SPLAT_IMGUI}/misc/cpp/imgui_stdlib.cpp ${SPLAT_IMGUI}/misc/freetype/imgui_freetype.cpp
  ${SPLAT_IMGUI}/backends/imgui_impl_glfw.cpp ${SPLAT_IMPLOT}/implot.cpp ${SPLAT_IMPLOT}/implot_items.cpp ${SPLAT_IMGUIZMO}/src/ImGuizmo.cpp)
target_include_directories(splat_imgui SYSTEM PUBLIC ${SPLAT_IMGUI} ${SPLAT_IMGUI}/misc/cpp ${SPLAT_IMGUI}/misc/freetype ${SPLAT_IMGUI}/backends
  ${SPLAT_IMPLOT} ${SPLAT_IMGUIZMO}/src ${SPLAT_FILE_DIALOGS})
target_compile_definitions(splat_imgui PUBLIC IMGUI_ENABLE_FREETYPE IMGUI_DISABLE_OBSOLETE_FUNCTIONS IMGUI_DISABLE_DEMO_WINDOWS)
target_link_libraries(splat_imgui PRIVATE PkgConfig::freetype glfw $<$<PLATFORM_ID:Windows>:imm32>)

# splat_embed_panel_font(target): gives it the source that defines panelFont(), so that the program looks alike wherever it runs.
function(splat_embed_panel_font target)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/panel_font.cpp)
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed_font.py)
  add_custom_command(
    OUTPUT ${source}
    COMMAND ${Python3_EXECUTABLE} ${script} ${SPLAT_UI_FONTS}/Roboto-Regular.ttf ${source}
    DEPENDS ${script}
    COMMENT "Font of panels"
    VERBATIM)
  target_sources(${target} PRIVATE ${source})
endfunction()
