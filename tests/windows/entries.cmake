# splat_windows_entry(name target): an executable as one entry of ctest, because a start takes long under an emulator. Without suites that only
# test-all runs on Linux.
function(splat_windows_entry name target)
  list(JOIN SPLAT_LEFT_OUT_BY_NAME ":" without)
  # GoogleTest takes a path without a drive for a relative one.
  add_test(NAME ${name} WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
    COMMAND ${target} "--gtest_filter=-Sweep*:*/Sweep*:${without}" --gtest_output=xml:results/${name}.xml)
  set_tests_properties(${name} PROPERTIES TIMEOUT 3600 ENVIRONMENT SPLAT_VALIDATE=0)  # Wine's Vulkan has no layers
endfunction()

# splat_windows_others(): entries that are no folder of tests.
function(splat_windows_others)
  set(program ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:splatwright>)
  add_test(NAME cli.paths COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/cli/paths_test.py ${program})
  add_test(NAME package.zip COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/package/windows_zip.py ${PROJECT_BINARY_DIR})
  add_test(NAME cli.same_bytes COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/windows/same_bytes.py
    ${PROJECT_SOURCE_DIR}/build/release/bin/splatwright ${program})
  set_tests_properties(cli.paths cli.same_bytes package.zip PROPERTIES TIMEOUT 900 SKIP_RETURN_CODE 77)
endfunction()
