# Dear ImGui as Debian's package has it: its own files in one library, below include/imgui, found by pkg-config.
cmake_minimum_required(VERSION 3.25)
project(imgui LANGUAGES CXX)
find_package(glfw3 REQUIRED)
add_library(imgui STATIC imgui.cpp imgui_draw.cpp imgui_tables.cpp imgui_widgets.cpp misc/cpp/imgui_stdlib.cpp backends/imgui_impl_glfw.cpp)
target_include_directories(imgui PRIVATE .)
target_link_libraries(imgui PRIVATE glfw)
install(TARGETS imgui ARCHIVE DESTINATION lib)
file(GLOB headers *.h misc/cpp/*.h)
install(FILES ${headers} DESTINATION include/imgui)
install(FILES backends/imgui_impl_glfw.h DESTINATION include/imgui/backends)
file(CONFIGURE OUTPUT imgui.pc @ONLY CONTENT [[
Name: imgui
Description: Immediate-mode graphical user interface
Version: 1.86
Libs: -L@CMAKE_INSTALL_PREFIX@/lib -limgui
Libs.private: -limm32
Cflags: -I@CMAKE_INSTALL_PREFIX@/include/imgui
]])
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/imgui.pc DESTINATION lib/pkgconfig)
