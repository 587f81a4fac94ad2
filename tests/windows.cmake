# The tests that are built as programs for Windows so far, one executable a folder; the rest comes folder by folder. What is left out of these has its
# reason here.
set(SPLAT_NOT_ON_WINDOWS
  # POSIX alone: what systems have in common is tested by core/platform_test.cpp.
  core/atomic_file_test.cpp      # permissions, FIFOs, sockets, devices, limits of a process
  core/child_process_test.cpp    # signals, and programs that Windows has not
  core/input_file_test.cpp       # FIFOs, sockets, devices
  core/memory_test.cpp)          # page faults
list(TRANSFORM SPLAT_NOT_ON_WINDOWS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)

# Tests that Wine 8 fails, not the program.
set(SPLAT_NOT_UNDER_WINE
  Files.AreReplacedWhileTheyAreRead)  # it cannot replace a file that is open; Windows 10 can on its own file system

splat_test(core splat_core)

add_test(NAME package.zip COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/package/windows_zip.py ${PROJECT_BINARY_DIR})
set_tests_properties(package.zip PROPERTIES TIMEOUT 900)
add_test(NAME cli.paths COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/cli/paths_test.py ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:splatwright>)
set_tests_properties(cli.paths PROPERTIES TIMEOUT 900)
